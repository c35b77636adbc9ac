"""Aligns an answer with its pages: which sentence of which page says what the answer says."""

from __future__ import annotations

from klopt.matching.alignment import Aligned, AlignedPage, Alignment, Resembling, align
from klopt.matching.index import Index, Indexes
from klopt.matching.likeness import Synonyms
from klopt.matching.solutions import solution_of
from klopt.matching.units import Token, Unit, units_of

__all__ = [
    "Aligned",
    "AlignedPage",
    "Alignment",
    "Index",
    "Indexes",
    "Resembling",
    "Synonyms",
    "Token",
    "Unit",
    "align",
    "solution_of",
    "units_of",
]
