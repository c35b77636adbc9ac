"""Aligns an answer with its pages: which sentence of which page says what the answer says."""

from __future__ import annotations

from klopt.alignment.alignment import Aligned, AlignedPage, Alignment, Resembling, align
from klopt.alignment.index import Index, Indexes
from klopt.alignment.likeness import Synonyms
from klopt.alignment.solutions import solution_of
from klopt.alignment.units import Token, Unit, units_of

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
