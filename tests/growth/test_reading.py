"""Every reader takes time in proportion to the length of its text."""

from __future__ import annotations

import pytest

from klopt import lexicons
from klopt.classifier import MESSAGE_MAX_CHARS, classify
from klopt.reading.components import find_components
from klopt.reading.guides import find_guides
from klopt.reading.html import read_html
from klopt.reading.markup import MARKUP_CHARACTERS, MARKUP_LIMIT, read_markdown
from klopt.reading.reader import PAGE_LIMIT_CHARS
from klopt.reading.sentences import split_sentences
from klopt.reading.text import read_plain
from klopt.reading.tokens import Tokenizer
from tests.growth.growing import Shape, assert_linear, shapes

pytestmark = pytest.mark.slow

DUTCH, ENGLISH = lexicons.load("nl"), lexicons.load("en")


def most_markdown_chars(shape: Shape) -> int:
    """How many characters of a shape are read as Markdown."""
    sample = shape.text(10_000)
    markup = sum(sample.count(character) for character in MARKUP_CHARACTERS)
    return min(PAGE_LIMIT_CHARS, int(0.95 * MARKUP_LIMIT * len(sample) / max(markup, 1)))


@shapes("html")
def test_html(shape):
    assert_linear(shape.text, PAGE_LIMIT_CHARS, read_html=read_html)


@shapes("markdown")
def test_markdown(shape):
    assert_linear(shape.text, most_markdown_chars(shape), read_markdown=read_markdown)


@shapes("words")
def test_words(shape):
    tokenizer = Tokenizer(DUTCH)
    assert_linear(
        lambda chars: read_plain(shape.text(chars)),
        PAGE_LIMIT_CHARS,
        sentences=lambda plain: split_sentences(plain.text, DUTCH["abbreviations"].words),
        dutch_components=lambda plain: find_components(plain, DUTCH),
        english_components=lambda plain: find_components(plain, ENGLISH),
        guides=lambda plain: find_guides(plain, (), (), DUTCH),
        tokens=lambda plain: tokenizer.read(plain.text, ()),
    )


@shapes("marked")
def test_marked_words(shape):
    assert_linear(
        lambda chars: read_markdown(shape.text(chars)),
        most_markdown_chars(shape),
        components=lambda plain: find_components(plain, DUTCH),
    )


@shapes("messages")
def test_classify(shape):
    assert_linear(
        shape.text,
        MESSAGE_MAX_CHARS,
        dutch=lambda text: classify(text, DUTCH),
        english=lambda text: classify(text, ENGLISH),
        dutch_published=lambda text: classify(text, DUTCH, method="published"),
        english_published=lambda text: classify(text, ENGLISH, method="published"),
    )
