"""Scored answers with a human rating (1 to 5) or label (true or untrue)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final, TypeVar

from klopt.scoring.assessment import Assessment
from klopt.scoring.profile import Profile, row_of
from klopt.scoring.tree import HIGHEST, LOWEST
from klopt.types import Turn

_DECIMALS: Final = 6
UNTRUE_TO, TRUE_FROM = 2.0, 4.0
MIN_SAMPLES: Final = 20  # Rated answers that fitting needs in a language
_REFUSED: Final = "not_translated"
A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Rated:
    """A scored and judged turn, its place among all turns, and its score to six decimals."""

    place: int
    turn: Turn
    assessment: Assessment
    score: float

    def value(self, name: str) -> float | None:
        """A heuristic's value, rounded like the score; None when not measurable."""
        measured = self.assessment.measurements.get(name)
        if measured is None or measured.value is None:
            return None
        return round(measured.value, _DECIMALS)


@dataclass(frozen=True, slots=True)
class InputColumn:
    """A field of the input, one value for each turn."""

    field: str
    values: tuple[str | None, ...]


def is_untrue(rating: float) -> bool:
    """Whether a rating means untrue: 2 or less."""
    return rating <= UNTRUE_TO


def is_true(rating: float) -> bool:
    """Whether a rating means true: 4 or more."""
    return rating >= TRUE_FROM


def rating_of(turn: Turn) -> float | None:
    """The rating of an answer, 1 to 5; a label without a rating is 1 or 5.

    >>> rating_of(Turn("Kan dat?", "Ja.", rating=2)), rating_of(Turn("Kan dat?", "Ja.", label=True))
    (2.0, 5.0)
    """
    if turn.rating is not None or turn.label is None:
        return None if turn.rating is None else float(turn.rating)
    return HIGHEST if turn.label else LOWEST


def truth(turn: Turn) -> bool | None:
    """Whether a person called the answer true; None for a rating between, or without judgement.

    >>> truth(Turn("Kan dat?", "Ja.", rating=2)), truth(Turn("Kan dat?", "Ja.", rating=3))
    (False, None)
    """
    return truth_of(rating_of(turn))


def truth_of(rating: float | None) -> bool | None:
    """Whether a rating, from 1 to 5, means true; None where it leaves that open."""
    return None if rating is None or UNTRUE_TO < rating < TRUE_FROM else is_true(rating)


def is_rated(turn: Turn) -> bool:
    """Whether the turn has a rating or a label."""
    return turn.rating is not None or turn.label is not None


def merged(turns: Sequence[Turn]) -> dict[int, Turn]:
    """Merge answers that repeat an earlier one to the same question, with the same pages.

    Returns:
        Place of the first one → the answer, with the mean of the ratings. A label on which people
        differ is None.

    >>> one, other = (Turn("Kan dat?", "Ja.", rating=rating) for rating in (4, 5))
    >>> kept = merged([one, Turn("Mag dat?", "Ja."), other])
    >>> [(place, turn.rating) for place, turn in kept.items()]
    [(0, 4.5), (1, None)]
    """
    places: dict[tuple[object, ...], list[int]] = {}
    for place, turn in enumerate(turns):
        pages = tuple(page.text for page in turn.pages)
        key = turn.question, turn.answer, turn.language, turn.message_type, pages
        places.setdefault(key, []).append(place)
    found: dict[int, Turn] = {}
    for first, *others in places.values():
        found[first] = turns[first]
        if others:
            same = [turns[place] for place in (first, *others)]
            ratings = [turn.rating for turn in same if turn.rating is not None]
            labels = {turn.label for turn in same if turn.label is not None}
            label = labels.pop() if len(labels) == 1 else None
            found[first] = replace(
                turns[first], rating=fmean(ratings) if ratings else None, label=label
            )
    return found


def select(turns: Sequence[Turn], assessments: Sequence[Assessment]) -> tuple[Rated, ...]:
    """The turns that are both scored and rated, in order."""
    return tuple(
        Rated(place, turn, assessment, round(assessment.score, _DECIMALS))
        for place, (turn, assessment) in enumerate(zip(turns, assessments, strict=True))
        if assessment.score is not None and is_rated(turn)
    )


def judgements(turns: Iterable[Turn]) -> list[float | None]:
    """Ratings, or None for an unrated turn; labels as 0 and 1 when no turn is rated."""
    every = list(turns)
    is_rated = any(turn.rating is not None for turn in every)
    found = (turn.rating if is_rated else turn.label for turn in every)
    return [None if judgement is None else float(judgement) for judgement in found]


def graded(rows: Sequence[Rated]) -> tuple[list[Rated], list[float]]:
    """The rows that correlations use, with their `judgements`."""
    found = judgements(row.turn for row in rows)
    return apart((row, at) for row, at in zip(rows, found, strict=True) if at is not None)


def decided(rows: Iterable[Rated]) -> tuple[list[Rated], list[bool]]:
    """The rows that a person called true or untrue, with whether true."""
    return apart((row, side) for row in rows if (side := truth(row.turn)) is not None)


def apart(pairs: Iterable[tuple[A, B]]) -> tuple[list[A], list[B]]:
    """Split pairs into two lists.

    >>> apart([(1, "a"), (2, "b")])
    ([1, 2], ['a', 'b'])
    """
    every = list(pairs)
    return [row for row, _ in every], [row for _, row in every]


def counted_by(names: Iterable[str | None]) -> dict[str, int]:
    """Name → number of occurrences, sorted by name, without None."""
    return dict(sorted(Counter(name for name in names if name is not None).items()))


@dataclass(frozen=True, slots=True)
class TranslatedRows:
    """Outcomes of translation, by reason code; ``unmasked``: with lost placeholders."""

    translated: int
    on_original: dict[str, int]
    not_scored: dict[str, int]
    unmasked: int


@dataclass(frozen=True, slots=True)
class LearntRows:
    """How many of the judged answers are training data of the profile, and so not held-out."""

    count: int
    total: int


def learnt_rows(turns: Iterable[Turn], profile: Profile) -> LearntRows | None:
    """The counts; None when no judged answer is known to be training data."""
    known = frozenset[bytes]().union(*profile.learnt_from.values())
    found = [row_of(turn.question, turn.answer) in known for turn in turns if is_rated(turn)]
    return LearntRows(sum(found), len(found)) if any(found) else None


def translated_rows(assessments: Iterable[Assessment]) -> TranslatedRows | None:
    """The counts; None when no row needed translation."""
    every = [(one, note) for one in assessments if (note := one.translation) is not None]
    if not every:
        return None
    failed = [(row, note.reason_code) for row, note in every if note.status == "failed"]
    return TranslatedRows(
        translated=len(every) - len(failed),
        on_original=counted_by(code for row, code in failed if row.score is not None),
        not_scored=counted_by(code for row, code in failed if row.reason_code == _REFUSED),
        unmasked=sum(note.unmasked_count > 0 for _, note in every),
    )
