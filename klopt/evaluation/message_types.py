"""Whether the message type is found: table 3 of the AFAS paper, and two people's agreement."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from klopt.errors import (
    PatternTimeoutError,
    RecordError,
    TranslationError,
    UnknownLanguageError,
)
from klopt.evaluation.estimate import Estimate
from klopt.evaluation.labels import Retrieval, all_kinds, cohen_kappa, one_kind
from klopt.evaluation.rated import Column
from klopt.evaluation.resampling import Resampling
from klopt.records import MESSAGE_TYPES, MessageType, Turn
from klopt.scoring.scorer import Scorer

SCORED_BY_THE_PAPER: Final[tuple[MessageType, ...]] = ("binary", "instruction")


@dataclass(frozen=True, slots=True)
class OneType:
    """How well one type is found; the columns of table 3."""

    type: MessageType
    f1: Estimate
    accuracy: Estimate
    precision: Estimate
    recall: Estimate


@dataclass(frozen=True, slots=True)
class MessageTypes:
    """How well the types are found.

    Attributes:
        n: Rows that state a type and whose question can be classified.
        overall: The mean over the types, weighted by how often each is meant.
        types: Each type that is meant or found.
        binary_or_instruction: Whether it is one of the two that the paper scores.
    """

    n: int
    overall: Retrieval
    types: tuple[OneType, ...]
    binary_or_instruction: Retrieval


@dataclass(frozen=True, slots=True)
class Labellers:
    """How far two people agree on the types.

    Attributes:
        field: The second person's field.
        n: Rows with both people's type.
        kappa: Cohen's kappa.
    """

    field: str
    n: int
    kappa: Estimate


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
    meant, found = [one for one, _ in pairs], [one for _, one in pairs]
    types = []
    for kind in MESSAGE_TYPES:
        if kind in meant or kind in found:
            own = one_kind(meant, found, (kind,), resampling)
            types.append(OneType(kind, own.f1, own.accuracy, own.precision, own.recall))
    return MessageTypes(
        len(pairs),
        all_kinds(meant, found, resampling),
        tuple(types),
        one_kind(meant, found, SCORED_BY_THE_PAPER, resampling),
    )


def labellers(turns: Sequence[Turn], second: Column, resampling: Resampling) -> Labellers:
    """Cohen's kappa between the types that the rows state and a second person's."""
    pairs = [
        (turn.message_type, other)
        for turn, other in zip(turns, second.values, strict=True)
        if turn.message_type is not None and other is not None
    ]
    kappa = cohen_kappa([one for one, _ in pairs], [one for _, one in pairs], resampling)
    return Labellers(second.field, len(pairs), kappa)


def _classify(turn: Turn, scorer: Scorer) -> MessageType | None:
    """The type that is found when none is stated; None where the question cannot be read."""
    try:
        return scorer.classify(dataclasses.replace(turn, message_type=None))[0].message_type
    except (PatternTimeoutError, RecordError, TranslationError, UnknownLanguageError):
        return None
