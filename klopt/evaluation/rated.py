"""Scored answers that people rated: from 1 to 5, or as true or untrue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from klopt.records import Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.profile import Profile, row_of
from klopt.scoring.tree import HIGHEST, LOWEST

_DECIMALS: Final = 6
UNTRUE_TO, TRUE_FROM = 2.0, 4.0
_REFUSED: Final = "not_translated"
A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Rated:
    """A scored turn with a rating or a label.

    Attributes:
        place: Among all the turns, from 0.
        turn: What was asked, answered and rated.
        assessment: What klopt made of it, everything measured.
        score: The assessment's, to six decimals as it is written out: what differs less is a
            tie.
    """

    place: int
    turn: Turn
    assessment: Assessment
    score: float

    def value(self, name: str) -> float | None:
        """A heuristic's value, rounded as the score is; None where it was not measured."""
        measured = self.assessment.measurements.get(name)
        if measured is None or measured.value is None:
            return None
        return round(measured.value, _DECIMALS)


@dataclass(frozen=True, slots=True)
class InputColumn:
    """A field of the input beside klopt's own, one value a turn."""

    field: str
    values: tuple[str | None, ...]


def is_untrue(rating: float) -> bool:
    """Whether a rating calls an answer untrue: 2 or less."""
    return rating <= UNTRUE_TO


def is_true(rating: float) -> bool:
    """Whether a rating calls an answer true: 4 or more."""
    return rating >= TRUE_FROM


def rating_of(turn: Turn) -> float | None:
    """What a person said of an answer from 1 to 5; a label, where there is no rating, is 1 or 5.

    >>> rating_of(Turn("Kan dat?", "Ja.", rating=2)), rating_of(Turn("Kan dat?", "Ja.", label=True))
    (2.0, 5.0)
    """
    if turn.rating is not None or turn.label is None:
        return None if turn.rating is None else float(turn.rating)
    return HIGHEST if turn.label else LOWEST


def truth(turn: Turn) -> bool | None:
    """Whether a person called the answer true; None between the two, or without a judgement.

    >>> truth(Turn("Kan dat?", "Ja.", rating=2)), truth(Turn("Kan dat?", "Ja.", rating=3))
    (False, None)
    """
    rating = rating_of(turn)
    if rating is None or not (is_untrue(rating) or is_true(rating)):
        return None
    return is_true(rating)


def is_rated(turn: Turn) -> bool:
    """Whether the turn has a rating or a label."""
    return turn.rating is not None or turn.label is not None


def select(turns: Sequence[Turn], assessments: Sequence[Assessment]) -> tuple[Rated, ...]:
    """The turns that are both scored and rated, in order."""
    return tuple(
        Rated(place, turn, assessment, round(assessment.score, _DECIMALS))
        for place, (turn, assessment) in enumerate(zip(turns, assessments, strict=True))
        if assessment.score is not None and is_rated(turn)
    )


def judgements(turns: Iterable[Turn]) -> list[float | None]:
    """What correlations hold the turns against: the ratings, None for a turn without.

    When none is rated, the labels as 0 and 1, as TechSupportEval does. The two are never mixed.
    """
    every = list(turns)
    is_rated = any(turn.rating is not None for turn in every)
    found = (turn.rating if is_rated else turn.label for turn in every)
    return [None if judgement is None else float(judgement) for judgement in found]


def graded(rows: Sequence[Rated]) -> tuple[list[Rated], list[float]]:
    """The rows that correlations use, and the `judgements` of them."""
    found = judgements(row.turn for row in rows)
    return apart(
        (row, judgement)
        for row, judgement in zip(rows, found, strict=True)
        if judgement is not None
    )


def decided(rows: Iterable[Rated]) -> tuple[list[Rated], list[bool]]:
    """The rows that a person called true or untrue, and which of the two."""
    return apart((row, side) for row in rows if (side := truth(row.turn)) is not None)


def apart(pairs: Iterable[tuple[A, B]]) -> tuple[list[A], list[B]]:
    """Pairs as two lists.

    >>> apart([(1, "a"), (2, "b")])
    ([1, 2], ['a', 'b'])
    """
    every = list(pairs)
    return [row for row, _ in every], [row for _, row in every]


def counted_by(names: Iterable[str | None]) -> dict[str, int]:
    """How often each name occurs, sorted by name, None left out."""
    return dict(sorted(Counter(name for name in names if name is not None).items()))


@dataclass(frozen=True, slots=True)
class TranslatedRows:
    """What came of the translation of the rows.

    Rows that were scored on the original stay in all figures, as they are sent in use; these
    counts say how many they are. Those that were not scored are in no figure.

    Attributes:
        translated: Rows of which a translation was read.
        on_original: Reason code → rows that were to be translated and were scored on the original.
        not_scored: Reason code → rows that were not scored because they were not translated.
        unmasked: Rows of which a sentence came back only when the names, numbers and codes in it
            were translated along.
    """

    translated: int
    on_original: dict[str, int]
    not_scored: dict[str, int]
    unmasked: int


@dataclass(frozen=True, slots=True)
class LearntRows:
    """How many of the judged answers a profile was learnt from.

    On those the figures say how well it remembers, not how right it is about answers to come.
    """

    count: int
    total: int


def learnt_rows(turns: Iterable[Turn], profile: Profile) -> LearntRows | None:
    """The counts; None when it was learnt from none of them, or does not say from what."""
    known = frozenset[bytes]().union(*profile.learnt_from.values())
    found = [row_of(turn.question, turn.answer) in known for turn in turns if is_rated(turn)]
    return LearntRows(sum(found), len(found)) if any(found) else None


def translated_rows(assessments: Iterable[Assessment]) -> TranslatedRows | None:
    """The counts; None when no row was to be translated.

    Rows in the target language need no translation and are in none of them, nor are rows that
    were refused for something else, such as those without pages.
    """
    every = [
        (assessment, note)
        for assessment in assessments
        if (note := assessment.translation) is not None
    ]
    if not every:
        return None
    failed = [(row, note.reason_code) for row, note in every if note.status == "failed"]
    return TranslatedRows(
        translated=len(every) - len(failed),
        on_original=counted_by(code for row, code in failed if row.score is not None),
        not_scored=counted_by(code for row, code in failed if row.reason_code == _REFUSED),
        unmasked=sum(note.unmasked_count > 0 for _, note in every),
    )
