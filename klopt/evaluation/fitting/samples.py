"""Rated answers as samples for fitting: measurements, rating, and the page behind the answer."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from klopt.evaluation.rated import rating_of
from klopt.scoring.assessment import Assessment
from klopt.scoring.profile import row_of
from klopt.types import Measurement, Turn

FOLDS: Final = 10


@dataclass(frozen=True)
class Sample:
    """A rated answer.

    Attributes:
        measurements: Heuristic → measurement.
        rating: 1 to 5; a label counts as 1 or 5.
        group: Hash of the page behind the answer; a group is never split over folds.
        row: Hash by which the answer is recognised later.
        held: Whether a fault keeps it from being sent, whatever its score.
    """

    measurements: Mapping[str, Measurement]
    rating: float
    language: str
    group: str
    row: bytes = b""
    held: bool = False

    def value(self, name: str) -> float | None:
        """Return the value of a heuristic; None if it was not measurable."""
        found = self.measurements.get(name)
        return found.value if found is not None else None


def sample(turn: Turn, assessment: Assessment) -> Sample | None:
    """Return a turn as a sample; None without a rating or a score.

    Args:
        turn: A turn.
        assessment: Its assessment with ``measure_all``, by a profile that sends any score.
    """
    rating = rating_of(turn)
    if rating is None or assessment.score is None or assessment.read_as is None:
        return None
    return Sample(
        assessment.measurements,
        rating,
        assessment.read_as,
        group=page_behind(turn, assessment),
        row=row_of(turn.question, turn.answer),
        held=assessment.verdict != "send",
    )


def samples(judged: Iterable[tuple[Turn, Assessment]]) -> list[Sample]:
    """Return the samples of the turns that have a rating and a score."""
    found = (sample(turn, assessment) for turn, assessment in judged)
    return [sample for sample in found if sample is not None]


def splits(
    samples: Sequence[Sample], *, count: int = FOLDS, seed: int = 0
) -> Iterator[tuple[list[int], list[int]]]:
    """Yield for each fold the indices of the samples inside and of those held out.

    A group is held out as a whole, in fewer folds if there are fewer groups.
    """
    groups = sorted({sample.group for sample in samples})
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(groups))
    folds = {groups[place]: number % count for number, place in enumerate(order)}
    numbers = [folds[sample.group] for sample in samples]
    for fold in sorted(set(numbers)):
        inside = [place for place, number in enumerate(numbers) if number != fold]
        yield inside, [place for place, number in enumerate(numbers) if number == fold]


def page_behind(turn: Turn, assessment: Assessment) -> str:
    """Return a hash of the text of the page with most evidence; names like ``context-1`` recur."""
    named = Counter(
        evidence.page
        for measurement in assessment.measurements.values()
        for evidence in measurement.evidence
        if evidence.page is not None
    )
    texts = {page.id: page.text for page in turn.pages}
    ranked = sorted(named.keys() & texts, key=lambda page: (-named[page], page))
    first = turn.pages[0].text if turn.pages else turn.question
    text = texts[ranked[0]] if ranked else first
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
