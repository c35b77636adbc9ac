"""Stems: equal for forms of one word, different for other words."""

import pytest

from klopt.text.stems import LONGEST_CHARS, STEMMERS, stemmer
from tests.tables import tables

CASES = tables("text", "stems")


@pytest.mark.parametrize(("code", "forms"), CASES["forms"])
def test_forms_of_one_word_have_one_stem(code, forms):
    assert len(set(map(stemmer(code), forms.split()))) == 1


@pytest.mark.parametrize(("code", "words"), CASES["other_words"])
def test_other_words_have_other_stems(code, words):
    assert len(set(map(stemmer(code), words.split()))) == 2


@pytest.mark.parametrize("code", sorted(STEMMERS))
def test_a_very_long_word_is_its_own_stem(code):
    word = "klikken" + "s" * LONGEST_CHARS
    assert stemmer(code)(word) == word
