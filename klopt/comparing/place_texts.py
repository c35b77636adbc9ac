"""A place as a text for who reads it alone: what stands above it, and then its sentences."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from klopt.comparing.passages import Passage
from klopt.matching.index import PageIndex
from klopt.matching.match import Match

__all__ = ["Place", "place_text", "places_of", "text_of"]

MOST_CONTEXT_CHARS: Final = 200
"""What stands above a place is left out from the outside in, to this length."""
_ENDS: Final = ".!?:;…"


@dataclass(frozen=True, slots=True)
class Place:
    """A possible place of a page.

    Attributes:
        first: The number of its first sentence.
        last: That of its last.
        start: Its first plain character.
        end: After its last one.
        text: As `place_text` gives it.
    """

    first: int
    last: int
    start: int
    end: int
    text: str


def text_of(match: Match, passage: Passage) -> str:
    """A place of a turn's pages as a text; see `place_text`."""
    return place_text(match.contexts[passage.page].index, passage.first, passage.last)


def places_of(index: PageIndex) -> Iterator[Place]:
    """All possible places of a page, by their first sentence and then their last."""
    units = index.units
    for first, last in zip(*(numbers.tolist() for numbers in index.layout.places), strict=True):
        text = place_text(index, first, last)
        yield Place(first, last, units.starts[first], units.ends[last], text)


def place_text(index: PageIndex, first: int, last: int) -> str:
    """The headings above a place and what leads in to its list, and then its sentences.

    A row of a table has the name of its column before each cell, where its table has a heading
    row: "Code: K7; Meaning: The lid is open".

    Args:
        index: The page.
        first: The number of the place's first sentence.
        last: That of its last.
    """
    units, layout, plain = index.units, index.layout, index.reading.plain
    heading = layout.rows.get(first, -1)
    if first in layout.rows:
        text = _row_text(index, first, heading)
    else:
        text = " ".join(plain.text[units.starts[first] : units.ends[last]].split())
    above: list[str] = []
    room = MOST_CONTEXT_CHARS
    for unit in reversed(layout.above[first]):
        if unit in (first, heading):
            continue
        said = plain.text[units.starts[unit] : units.ends[unit]]
        room -= len(said)
        if room < 0:
            break
        above.append(said if said[-1] in _ENDS else f"{said}.")
    return " ".join((*reversed(above), text))


def _row_text(index: PageIndex, unit: int, heading: int) -> str:
    cells = _cells(index, unit)
    names = _cells(index, heading) if heading >= 0 else []
    names += [""] * (len(cells) - len(names))
    named = zip(names, cells, strict=False)
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in named if cell)


def _cells(index: PageIndex, unit: int) -> list[str]:
    plain, start = index.reading.plain, index.units.starts[unit]
    row = plain.blocks[bisect_right(plain.blocks, start, key=attrgetter("start")) - 1]
    return [plain.text[cell.start : cell.end] for cell in plain.cells(row)]
