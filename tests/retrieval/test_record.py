"""A page written as a record is read back unchanged."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Page
from klopt.lexicons import Lexicons
from klopt.retrieval.record import BadRecordError, page_of, record_of, source_of
from klopt.verification.words import prepared

ODD = (
    "",
    "   \n\n",
    "een\ud800half teken \x00 en nul",
    "# E\u0301e\u0301n\n\nDe café-knop **&amp;** 'Café' &lt;3 ﬁ",
    "<h1>Titel</h1><ol><li>Klik op <b>A</b>.<li>Klik op <b>B</b>.</ol>",
    "1. Klik op **Bestand**.\n2. Klik op **Opslaan**.\n\n| a | b |\n|---|---|\n| `Ctrl+S` | 2 |",
    '=== "Windows"\n\n    Klik op **A**.\n\n=== "macOS"\n\n    Klik op **B**.\n',
    "woord " * 20_000,
)


def assert_same(one: Any, other: Any) -> None:
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    elif isinstance(one, tuple):
        assert len(one) == len(other)
        for first, second in zip(one, other, strict=True):
            assert_same(first, second)
    elif isinstance(one, Lexicons):
        assert one.language == other.language
    elif dataclasses.is_dataclass(one):
        for field in dataclasses.fields(one):
            assert_same(getattr(one, field.name), getattr(other, field.name))
    else:
        assert one == other


def round_trip(language, page):
    index = prepared(language.read_page(page), language.lexicons)
    record = record_of(index)
    again = page_of(record, language.code)
    assert_same(index, again)
    for found in ("vote", "guides", "fillers"):
        assert getattr(again.reading, found) == getattr(index.reading, found)
    assert source_of(record) == page.text
    assert record_of(again) == record
    return record


@pytest.mark.parametrize("code", ["nl", "en"])
def test_the_demo_pages_are_read_back(languages, demo_pages, code):
    for page in {id(one): one for one in demo_pages[code].values()}.values():
        round_trip(languages[code], page)


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("page_format", ["auto", "plain", "html", "markdown"])
def test_unusual_pages_are_read_back(languages, text, page_format):
    round_trip(languages["nl"], Page(text, format=page_format))


@given(st.text(max_size=200))
def test_any_text_is_read_back(languages, text):
    round_trip(languages["nl"], Page(text))


@given(st.data())
def test_altered_bytes_are_a_page_or_refused(languages, data):
    text = "# Wifi\n\n1. Klik op **Netwerk**.\n2. Kies *uw* netwerk, of druk `F5`.\n\nKlaar: 30."
    record = bytearray(round_trip(languages["nl"], Page(text)))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(record) - 1))
        record[at] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(record)))
    for altered in (bytes(record), bytes(record[:cut])):
        try:
            page = page_of(altered, "nl")
        except BadRecordError:
            continue
        text = page.reading.plain.text
        assert all(0 <= span.start <= len(text) for span in page.reading.sentences)
        assert page.units.tokens.max(initial=-1) < len(page.units.words)
