"""Sentences and fillers: case tables, and properties of any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import lexicons
from klopt.text.reader import split_sentences
from tests.tables import flattened, tables
from tests.text.drawn import texts

CASES = flattened(tables("text", "sentences"), "language", "group")
TEXTS = st.text(max_size=200) | texts("sentences", 60)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:40])
def test_case(case):
    abbreviations = lexicons.load(case["language"])["abbreviations"].words
    spans = split_sentences(case["text"], abbreviations)
    assert [[span.start, span.end] for span in spans] == case["sentences"]


@given(text=TEXTS)
def test_any_text(text):
    abbreviations = lexicons.load("nl")["abbreviations"].words
    spans = split_sentences(text, abbreviations)
    assert spans == split_sentences(text, abbreviations)
    end = 0
    for span in spans:
        assert not text[end : span.start].strip()
        sentence = text[span.start : span.end]
        assert sentence
        assert sentence == sentence.strip()
        assert "\n" not in sentence
        end = span.end
    assert not text[end:].strip()


@pytest.mark.parametrize(("text", "language", "is_filler"), tables("text", "fillers")["fillers"])
def test_fillers(languages, text, language, is_filler):
    """A filler is at least half of its sentence, or a closing begins it."""
    assert bool(languages[language].reader.read(text).fillers) == is_filler
