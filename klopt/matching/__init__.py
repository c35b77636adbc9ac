"""Holds an answer against its pages: which sentence of which page says what the answer says."""

from __future__ import annotations

from klopt.matching.guides import AskedGuides
from klopt.matching.index import Context, PageIndex, Relations, index_page
from klopt.matching.language import Language, Shelf
from klopt.matching.match import Match
from klopt.matching.units import Units, units_of

__all__ = [
    "AskedGuides",
    "Context",
    "Language",
    "Match",
    "PageIndex",
    "Relations",
    "Shelf",
    "Units",
    "index_page",
    "units_of",
]
