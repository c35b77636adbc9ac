"""Texts aligned for the tests."""

from __future__ import annotations

from collections.abc import Iterable

from tests.heuristics.aligning import aligner, index

from klopt.heuristics import Context
from klopt.matching import Alignment, Index
from klopt.reading.reader import Reader
from klopt.records import Page


def indexed(reader: Reader, text: str) -> Index:
    return index(reader, reader.read(text))


def aligned(reader: Reader, answer: str, pages: Iterable[str], question: str = "") -> Alignment:
    contexts = tuple(
        Context(f"page-{number}", reader.read_page(Page(text)))
        for number, text in enumerate(pages, 1)
    )
    return aligner(reader, reader.read(question), reader.read(answer), contexts)()
