"""The part of a page that says what to do, where a heading sets it apart."""

from __future__ import annotations

from typing import Final

from klopt.lexicons import Lexicons
from klopt.matching.index import Index
from klopt.matching.units import Unit

LONGEST_HEADING_CHARS: Final = 80


def solution_of(index: Index, tables: Lexicons) -> frozenset[str]:
    """The tokens of the part under a heading such as "Solution"; none without such a part.

    The part ends at a heading such as "Related information", or with the page.

    Args:
        index: The page.
        tables: Those of its language; of ``solutions``, the groups are matched against a whole
            sentence, so a heading is found with and without markup.
    """
    start = _first(index, tables, "solution", 0)
    if start is None:
        return frozenset()
    end = _first(index, tables, "after_solution", start + 1)
    return frozenset(key for unit in index.units[start + 1 : end] for key in unit.keys)


def _first(index: Index, tables: Lexicons, group: str, begin: int) -> int | None:
    """The number of the first sentence that is a heading of a kind."""
    text = index.reading.plain.text
    patterns = tables["solutions"].group(group)
    for unit in index.units[begin:]:
        if _is_short(unit) and any(one.search(text[unit.start : unit.end]) for one in patterns):
            return unit.number
    return None


def _is_short(unit: Unit) -> bool:
    return unit.end - unit.start <= LONGEST_HEADING_CHARS
