"""How the tests give a heuristic its material: as the scorer does, without a profile."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from klopt.heuristics import Context
from klopt.matching import Alignment, Index, Synonyms, units_of
from klopt.reading.reader import Reader, Reading


def index(reader: Reader, reading: Reading) -> Index:
    parse = reader.parse(reading)[0]
    return Index(reading, parse, units_of(reading, parse))


@cache
def synonyms(reader: Reader) -> Synonyms:
    return Synonyms(reader.lexicons)


def aligner(
    reader: Reader, question: Reading, answer: Reading, contexts: tuple[Context, ...]
) -> Callable[[], Alignment]:
    """Aligns at each call."""
    return lambda: Alignment(
        index(reader, question),
        index(reader, answer),
        ((one.page, index(reader, one.reading)) for one in contexts),
        synonyms(reader),
    )
