"""Texts held against pages for the tests."""

from __future__ import annotations

from collections.abc import Iterable

from klopt.matching import Language, Match
from tests.heuristics.materials import material, numbered


def matched(language: Language, answer: str, pages: Iterable[str], question: str = "") -> Match:
    return material(language, question, answer, numbered(pages)).match
