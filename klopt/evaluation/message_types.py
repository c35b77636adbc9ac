"""Whether the message type is found: table 3 of the AFAS paper."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from klopt.errors import (
    PatternTimeoutError,
    RecordError,
    TranslationError,
    UnknownLanguageError,
)
from klopt.evaluation import counted
from klopt.evaluation.estimate import DEFAULT, Estimate, Floats, Resampling, share
from klopt.evaluation.rated import apart
from klopt.records import MESSAGE_TYPES, MessageType, Turn
from klopt.scoring.scorer import Scorer

SCORED_BY_THE_PAPER: Final[tuple[MessageType, ...]] = ("binary", "instruction")


@dataclass(frozen=True, slots=True)
class Recognition:
    """How well a label was found: F1, accuracy, precision and recall, each from 0 to 1."""

    f1: Estimate
    accuracy: Estimate
    precision: Estimate
    recall: Estimate


@dataclass(frozen=True, slots=True)
class OneType(Recognition):
    """How well one type is found; the columns of table 3."""

    type: MessageType


@dataclass(frozen=True, slots=True)
class MessageTypes:
    """How well the types are found, on rows that state one and can be classified.

    ``overall`` is the mean over the types, weighted by how often each is meant;
    ``binary_or_instruction`` says whether it is one of the two that the paper scores.
    """

    n: int
    overall: Recognition
    types: tuple[OneType, ...]
    binary_or_instruction: Recognition


def message_types(
    turns: Sequence[Turn], scorer: Scorer, resampling: Resampling
) -> MessageTypes | None:
    """Table 3 on the rows that state a type, which the classifier does not see.

    Returns:
        None when no row states a type.
    """
    pairs = [
        (turn.message_type, kind)
        for turn in turns
        if turn.message_type is not None and (kind := _classify(turn, scorer)) is not None
    ]
    if not pairs:
        return None
    meant, found = apart(pairs)
    types = []
    for kind in MESSAGE_TYPES:
        if kind in meant or kind in found:
            own = one_kind(meant, found, (kind,), resampling)
            types.append(OneType(own.f1, own.accuracy, own.precision, own.recall, kind))
    return MessageTypes(
        len(pairs),
        all_kinds(meant, found, resampling),
        tuple(types),
        one_kind(meant, found, SCORED_BY_THE_PAPER, resampling),
    )


def _classify(turn: Turn, scorer: Scorer) -> MessageType | None:
    """The type that is found when none is stated; None where the question cannot be read."""
    try:
        return scorer.classify(dataclasses.replace(turn, message_type=None))[0].message_type
    except (PatternTimeoutError, RecordError, TranslationError, UnknownLanguageError):
        return None


def one_kind(
    meant: Sequence[str],
    found: Sequence[str],
    kinds: Collection[str],
    resampling: Resampling = DEFAULT,
) -> Recognition:
    """How well "is it one of ``kinds``" is answered.

    Precision: of those found, how many were meant; recall: of those meant, how many were
    found; F1: their harmonic mean; accuracy: the share of rows answered right. Source: AFAS
    paper, table 3, which does not say what the accuracy of one type is; this is ours.

    >>> one_kind(["a", "a", "b", "b"], ["a", "b", "b", "b"], ["b"]).recall.value
    1.0
    """
    wanted, given = (
        np.array([label in kinds for label in labels], float) for labels in (meant, found)
    )
    both = wanted * given
    return Recognition(
        f1=_ratio(2 * both, wanted + given, resampling, "it is neither meant nor found"),
        accuracy=share(int((wanted == given).sum()), len(meant)),
        precision=_ratio(both, given, resampling, "it is never found"),
        recall=_ratio(both, wanted, resampling, "it is never meant"),
    )


def all_kinds(
    meant: Sequence[str], found: Sequence[str], resampling: Resampling = DEFAULT
) -> Recognition:
    """The mean over the labels, each weighted by how often it is meant.

    A label that is never found has precision 0. Recall is then the accuracy, as in the paper's
    own figures. Source: AFAS paper, table 3, the rows "all".

    >>> all_kinds(["a", "a", "b", "b"], ["a", "b", "b", "b"]).accuracy.value
    0.75
    """
    n = len(meant)
    if n != len(found):
        raise ValueError(f"{n} and {len(found)} labels do not belong together")
    if n == 0:
        return Recognition(*[Estimate.missing(0, "no rows")] * 4)
    names = sorted({*meant, *found})
    wanted, given = (
        np.array([[label == name for name in names] for label in labels], float)
        for labels in (meant, found)
    )
    both = wanted * given

    def mean(part: Floats, whole: Floats) -> Estimate:
        def figure(counts: Floats) -> Floats:
            weights = counts @ wanted / n
            found = np.nan_to_num(counted.ratio(counts @ part, counts @ whole))
            total: Floats = (weights * found).sum(axis=1)
            return total

        return resampling.figure(figure, n, "", least=0)

    return Recognition(
        f1=mean(2 * both, wanted + given),
        accuracy=share(int(both.sum()), n),
        precision=mean(both, given),
        recall=mean(both, wanted),
    )


def _ratio(part: Floats, whole: Floats, resampling: Resampling, reason: str) -> Estimate:
    def figure(counts: Floats) -> Floats:
        return counted.ratio(counts @ part, counts @ whole)

    return resampling.figure(figure, len(part), reason, least=0)
