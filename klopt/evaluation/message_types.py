"""Accuracy of the message-type classifier: table 3 of the AFAS paper."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.errors import PatternTimeoutError, RecordError, TranslationError, UnknownLanguageError
from klopt.evaluation.agreement import ratio
from klopt.evaluation.estimate import DEFAULT, Estimate, Floats, Resampling, share
from klopt.evaluation.rated import apart
from klopt.scoring.scorer import Scorer
from klopt.types import MESSAGE_TYPES, MessageType, Turn

SCORED_BY_THE_PAPER: Final[tuple[MessageType, ...]] = ("binary", "instruction")


@dataclass(frozen=True, slots=True)
class Recognition:
    """F1, accuracy, precision and recall of a label, each from 0 to 1."""

    f1: Estimate
    accuracy: Estimate
    precision: Estimate
    recall: Estimate


@dataclass(frozen=True, slots=True)
class TypeRecognition(Recognition):
    """Recognition of one type; the columns of table 3."""

    type: MessageType


@dataclass(frozen=True, slots=True)
class MessageTypes:
    """Recognition of the types, on the ``n`` rows that state one and can be classified."""

    n: int
    overall: Recognition
    types: tuple[TypeRecognition, ...]
    binary_or_instruction: Recognition


def message_types(
    turns: Sequence[Turn], scorer: Scorer, resampling: Resampling
) -> MessageTypes | None:
    """Table 3 on the rows that state a type, hidden from the classifier; None without such rows."""
    pairs = [
        (turn.message_type, kind)
        for turn in turns
        if turn.message_type is not None and (kind := _classify(turn, scorer)) is not None
    ]
    if not pairs:
        return None
    stated, found = apart(pairs)
    types = []
    for kind in MESSAGE_TYPES:
        if kind in stated or kind in found:
            own = recognition_of(stated, found, (kind,), resampling)
            types.append(TypeRecognition(own.f1, own.accuracy, own.precision, own.recall, kind))
    overall = mean_recognition(stated, found, resampling)
    joined = recognition_of(stated, found, SCORED_BY_THE_PAPER, resampling)
    return MessageTypes(len(pairs), overall, tuple(types), joined)


def _classify(turn: Turn, scorer: Scorer) -> MessageType | None:
    """The type found when none is stated; None when the question cannot be read."""
    try:
        return scorer.classify(dataclasses.replace(turn, message_type=None))[0].message_type
    except (PatternTimeoutError, RecordError, TranslationError, UnknownLanguageError):
        return None


def recognition_of(
    meant: Sequence[str],
    found: Sequence[str],
    kinds: Collection[str],
    resampling: Resampling = DEFAULT,
) -> Recognition:
    """Recognition of "it is one of ``kinds``" (AFAS paper, table 3; the accuracy is ours).

    >>> recognition_of(["a", "a", "b", "b"], ["a", "b", "b", "b"], ["b"]).recall.value
    1.0
    """
    wanted, given = (
        np.array([label in kinds for label in labels], float) for labels in (meant, found)
    )
    both = wanted * given
    figures = [
        resampling.estimate(_ratio_of_sums, part, whole, undefined=undefined)
        for part, whole, undefined in (
            (2 * both, wanted + given, "it is neither stated nor found"),
            (both, given, "it is never found"),
            (both, wanted, "it is never stated"),
        )
    ]
    return Recognition(figures[0], share(int((wanted == given).sum()), len(meant)), *figures[1:])


def mean_recognition(
    meant: Sequence[str], found: Sequence[str], resampling: Resampling = DEFAULT
) -> Recognition:
    """The mean over the labels, weighted by frequency; a label never found has precision 0.

    Source: AFAS paper, table 3, the rows "all".

    >>> mean_recognition(["a", "a", "b", "b"], ["a", "b", "b", "b"]).accuracy.value
    0.75
    """
    n = len(meant)
    if n == 0:
        return Recognition(*[Estimate.missing(0, "no rows")] * 4)
    names = {name: code for code, name in enumerate(sorted({*meant, *found}))}
    codes = [np.array([names[label] for label in labels]) for labels in (meant, found)]

    def mean(score: int) -> Estimate:
        def figure(*columns: NDArray[Any], axis: int = -1) -> Floats:
            wanted, given = (
                np.equal.outer(np.arange(len(names)), column).astype(float) for column in columns
            )
            both, meant_count = (wanted * given).sum(axis), wanted.sum(axis)
            wholes = ((meant_count + given.sum(axis)) / 2, given.sum(axis), meant_count)
            shares = np.nan_to_num(ratio(both, wholes[score]))
            weighted: Floats = (meant_count * shares).sum(0) / columns[0].shape[axis]
            return weighted

        return resampling.estimate(figure, *codes)

    accuracy = share(sum(map(str.__eq__, meant, found)), n)
    return Recognition(mean(0), accuracy, precision=mean(1), recall=mean(2))


def _ratio_of_sums(*columns: NDArray[Any], axis: int = -1) -> Floats:
    part, whole = columns
    return ratio(part.sum(axis), whole.sum(axis))
