"""Which page a question is about: its title, headings and text beside question and answer."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from klopt.matching.alignment import Alignment

TITLE: Final = 1.5
HEADINGS: Final = 0.7
TEXT: Final = 1.0
OPENING: Final = 0.7
"""What the answer's own opening counts, against the question."""
TEMPERATURE: Final = 0.3


def relevance(alignment: Alignment) -> tuple[float, ...]:
    """For each page, the chance that it is the one which the question is about; sums to 1.

    Title, headings and text are compared with the question, and with what the answer says around
    its steps, which tells what the answer takes the question to be about.
    """
    about = _about(alignment, alignment.question.places)
    opening = _about(alignment, _opening(alignment))
    points = [
        (own + OPENING * other) / TEMPERATURE for own, other in zip(about, opening, strict=True)
    ]
    highest = max(points, default=0.0)
    chances = [math.exp(one - highest) for one in points]
    return tuple(chance / sum(chances) for chance in chances)


def _about(alignment: Alignment, keys: Iterable[str]) -> list[float]:
    words = tuple(keys)
    return [
        TITLE * alignment.coverage(words, page, page.index.title)
        + HEADINGS * alignment.coverage(words, page, page.index.headings)
        + TEXT * alignment.coverage(words, page, page.index.words)
        for page in alignment.pages
    ]


def _opening(alignment: Alignment) -> tuple[str, ...]:
    """The words of the answer's sentences that are no steps and name no component."""
    guides = alignment.answer.reading.guides
    if not guides:
        return alignment.units[0].keys if alignment.units else ()
    around = (
        unit
        for unit in alignment.units
        if not unit.components
        and not any(guide.start <= unit.start < guide.end for guide in guides)
    )
    return tuple(dict.fromkeys(key for unit in around for key in unit.keys))
