"""What is not markup is escaped, and nothing that could run or fetch can be built."""

from __future__ import annotations

import math
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.report.elements import (
    REPLACEMENT,
    Markup,
    clean,
    coordinate,
    element,
    join,
    stylesheet,
    text,
)


class Reader(HTMLParser):
    """Reads back what a browser would."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)


def read(markup: Markup) -> Reader:
    reader = Reader()
    reader.feed(markup.html)
    reader.close()
    return reader


@given(st.text(), st.text())
def test_a_text_and_an_attribute_come_back_as_they_were(words, title):
    reader = read(element("p", words, title=title))
    assert reader.tags == [("p", {"title": clean(title)})]
    assert "".join(reader.words) == clean(words)


@given(st.text(alphabet="<>&\"'`=/! -scriptonload"))
def test_no_character_of_a_text_is_markup(words):
    escaped = text(words).html
    assert not set(escaped) & set("<>\"'")
    assert all(
        part.split(";")[0] in ("amp", "lt", "gt", "quot", "#x27") for part in escaped.split("&")[1:]
    )


def test_markup_cannot_be_glued_to_a_text():
    with pytest.raises(TypeError):
        Markup("<b>") + "</b>"


def test_children_are_escaped_unless_they_are_markup():
    assert join("<i>", element("b", "&"), None).html == "&lt;i&gt;<b>&amp;</b>"


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("goed\u202efout", f"goed{REPLACEMENT}fout"),
        ("a\x00b\x1b[8m", f"a{REPLACEMENT}b{REPLACEMENT}[8m"),
        ("a\u200bb\u00adc\ufeff", f"a{REPLACEMENT}b{REPLACEMENT}c{REPLACEMENT}"),
        ("\ud800", REPLACEMENT),
        ("een\r\ntwee\rdrie\tvier", "een\ntwee\ndrie\tvier"),
        ("één\u00a0twee\u3000", "één\u00a0twee\u3000"),
        ("👩\u200d💻 ñ", "👩\u200d💻 ñ"),
    ],
)
def test_hidden_characters_are_seen(given_text, shown):
    assert clean(given_text) == shown


@pytest.mark.parametrize("tag", ["script", "SCRIPT", "style", "iframe", "a b", "p><script", ""])
def test_refused_elements(tag):
    with pytest.raises(ValueError, match="is not an element that a report may hold"):
        element(tag)


@pytest.mark.parametrize("name", ["onclick", "ONLOAD", "style", "src", "srcdoc", "a b", "x>"])
def test_refused_attributes(name):
    with pytest.raises(ValueError, match="is not an attribute that a report may hold"):
        element("p", **{name: "1"})


@pytest.mark.parametrize("link", ["javascript:alert(1)", "https://wadlinde.example/", "#a b", ""])
def test_links_stay_in_the_page(link):
    with pytest.raises(ValueError, match="a report links only to places in itself"):
        element("a", "x", href=link)


def test_attributes():
    made = element("a", "x", href="#costs", class_="b", aria_label="c", open=True, hidden=False)
    assert made.html == '<a href="#costs" class="b" aria-label="c" open>x</a>'
    assert element("meta", charset="utf-8").html == '<meta charset="utf-8">'


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_only_finite_numbers_are_drawn(value):
    with pytest.raises(ValueError, match="is not a number that can be drawn"):
        element("circle", r=value)


@given(st.floats(-1e6, 1e6))
def test_coordinates_have_two_decimals_at_most(value):
    written = coordinate(value)
    assert float(written) == pytest.approx(value, abs=0.0051)
    assert len(written.partition(".")[2]) <= 2
    assert not written.startswith("-0") or float(written) < 0


def test_a_style_sheet_cannot_end_itself():
    with pytest.raises(ValueError, match="the style sheet holds a '<'"):
        stylesheet("p::before { content: '</style>' }")


def test_the_policy_names_the_style_sheet():
    style, source = stylesheet("p{}")
    assert style.html == "<style>p{}</style>"
    # printf 'p{}' | openssl dgst -sha256 -binary | base64
    assert source == "'sha256-gG2yISYereRMiG2lMXrbiUgi0Ubw9p7QCeWcroOvy9Y='"
