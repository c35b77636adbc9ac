"""Judged answers as a fit sees them: what was measured, the judgement, and the page behind it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from klopt.evaluation.rated import rating_of
from klopt.records import Measurement, Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.profile import row_of

FOLDS: Final = 10


@dataclass(frozen=True)
class Sample:
    """One judged answer.

    Attributes:
        measurements: Heuristic → measurement, all of the profile.
        rating: What a person gave it, 1 to 5; a label counts as 1 or 5.
        language: Its language.
        group: What it shares with answers that must not stand on both sides of a fold: the page
            that it rests on.
        row: What it is recognised by when it comes again.
        held: Whether it is not sent whatever its score, for a fault that it has.
    """

    measurements: Mapping[str, Measurement]
    rating: float
    language: str
    group: str
    row: bytes = b""
    held: bool = False

    def value(self, name: str) -> float | None:
        """What a heuristic measured; None when it could not."""
        found = self.measurements.get(name)
        return found.value if found is not None else None


def sample(turn: Turn, assessment: Assessment) -> Sample | None:
    """A judged and scored turn as a sample; None when it is not both.

    Args:
        turn: With a rating or a label.
        assessment: Of the same turn, everything measured (``measure_all``), by a profile that
            sends any score.
    """
    rating = rating_of(turn)
    if rating is None or assessment.score is None or assessment.read_as is None:
        return None
    group = page_behind(turn, assessment)
    row = row_of(turn.question, turn.answer)
    held = assessment.verdict != "send"
    return Sample(assessment.measurements, rating, assessment.read_as, group, row, held)


def samples(judged: Iterable[tuple[Turn, Assessment]]) -> list[Sample]:
    """The turns that are both judged and scored."""
    found = (sample(turn, assessment) for turn, assessment in judged)
    return [sample for sample in found if sample is not None]


def splits(
    samples: Sequence[Sample], *, count: int = FOLDS, seed: int = 0
) -> Iterator[tuple[list[int], list[int]]]:
    """For each fold the places of the samples to learn from, and of those held out.

    Samples of one group are held out together, in fewer folds when there are fewer groups; the
    seed shuffles the groups, whatever the order of the samples.
    """
    groups = sorted({sample.group for sample in samples})
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(groups))
    folds = {groups[place]: number % count for number, place in enumerate(order)}
    numbers = [folds[sample.group] for sample in samples]
    for fold in sorted(set(numbers)):
        inside = [place for place, number in enumerate(numbers) if number != fold]
        yield inside, [place for place, number in enumerate(numbers) if number == fold]


def page_behind(turn: Turn, assessment: Assessment) -> str:
    """A hash of the page that most of the evidence points to: many are called ``context-1``."""
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
