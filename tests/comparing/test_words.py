"""The words of a text with their marks, and the space in which every word has its place."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.comparing.words import (
    FLAGS,
    LARGEST,
    QUALIFIERS,
    WordVectors,
    bit_of,
    cosines,
    grams,
    product,
)
from tests.comparing.texts import side
from tests.tables import tables

CASES = tables("comparing", "words")


@pytest.mark.parametrize(("language", "text", "flag", "words"), CASES["marked"])
def test_words_are_marked(languages, language, text, flag, words):
    found = side(languages[language], text)
    plain = languages[language].reader.read(text).plain.text
    marked = found.flags[:, FLAGS.index(flag)] > 0
    spans = zip(found.starts[marked].tolist(), found.ends[marked].tolist(), strict=True)
    assert [plain[start:end] for start, end in spans] == words


@pytest.mark.parametrize(("language", "text", "names", "count"), CASES["qualified"])
def test_words_that_qualify_are_marked(languages, language, text, names, count):
    found = side(languages[language], text)
    assert (found.qualifiers & bit_of(*names) > 0).sum() == count


def test_each_qualifier_has_a_bit_of_its_own():
    assert bit_of(*QUALIFIERS) == 2 ** len(QUALIFIERS) - 1


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.sampled_from(["nl", "en"]))
def test_a_side_stays_inside_its_text(languages, text, language):
    found = side(languages[language], text)
    length = len(languages[language].reader.read(text).plain.text)
    assert ((found.starts >= 0) & (found.starts < found.ends) & (found.ends <= length)).all()
    assert set(found.flags.ravel().tolist()) <= {0.0, 1.0}
    assert found.between(0, length) == slice(0, len(found.ids))
    assert [found.words[number] for number in found.ids.tolist()] == list(
        languages[language].reader.read(text).tokens.keys
    )


@pytest.fixture(scope="module")
def spaces() -> dict[str, WordVectors]:
    return {code: WordVectors.load(code) for code in ("nl", "en")}


@pytest.mark.parametrize(("language", "word", "near", "far"), CASES["nearer"])
def test_a_word_lies_near_its_kin(spaces, languages, language, word, near, far):
    keys = [languages[language].reader.read(one).tokens.keys[0] for one in (word, near, far)]
    likeness = spaces[language].likeness(keys[:1], keys[1:])[0]
    assert likeness[0] > likeness[1] + 0.1


@pytest.mark.parametrize("language", ["nl", "en"])
def test_all_numbers_are_one_word(spaces, language):
    vectors, rarities = spaces[language].of(["#2", "#20", "#1999"])
    assert (vectors == vectors[0]).all()
    assert len(set(rarities.tolist())) == 1


@pytest.mark.parametrize("language", ["nl", "en"])
def test_a_space_made_anew_is_the_same(spaces, language):
    words = ["printer", "xqzkrw", "@ctrl+s", "zonnepaneelhouder", "#3"]
    again = WordVectors.load(language).of(words)
    for one, other in zip(spaces[language].of(words), again, strict=True):
        assert one.tobytes() == other.tobytes()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=40), max_size=6), st.sampled_from(["nl", "en"]))
def test_every_word_has_a_place_in_bounds(spaces, words, language):
    vectors, rarities = spaces[language].of(words)
    assert vectors.shape == (len(words), spaces[language].dimensions)
    assert np.abs(vectors.astype(int)).max(initial=0) <= LARGEST
    assert np.isfinite(rarities).all()
    assert np.abs(spaces[language].likeness(words, words)).max(initial=0) <= 1 + 1e-6


def test_a_frequent_word_is_less_rare_than_an_unseen_one(spaces):
    for language, word in (("nl", "de"), ("en", "the")):
        rarities = spaces[language].of([word, "xqzkrw"])[1]
        assert rarities[0] < rarities[1] - 0.3


def test_of_a_long_word_only_the_beginning_is_cut_up():
    assert grams("x" * 200_000, 1000) == grams("x" * 60, 1000)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 900), st.integers(1, 300), st.integers(1, 80))
def test_a_product_in_pieces_is_the_product(count, depth, width):
    random = np.random.default_rng(count)
    rows = random.integers(-9, 9, (count, depth)).astype(np.float32)
    table = random.integers(-9, 9, (depth, width)).astype(np.float32)
    assert (product(rows, table) == rows.astype(int) @ table.astype(int)).all()


def test_a_word_without_a_place_is_like_nothing():
    none, some = np.zeros((1, 4), np.int8), np.ones((1, 4), np.int8)
    assert cosines(none, some).tolist() == [[0.0]]
