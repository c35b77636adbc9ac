"""Flags of the words of a text, and word vectors."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.verification.words import FLAGS, WordVectors, bit_of
from tests.tables import tables
from tests.verification.texts import side

CASES = tables("verification", "words")


@pytest.mark.parametrize(("language", "text", "flag", "words"), CASES["marked"])
def test_flags_of_words(languages, language, text, flag, words):
    found = side(languages[language], text)
    plain = languages[language].reader.read(text).plain.text
    marked = found.flags[:, FLAGS.index(flag)] > 0
    spans = zip(found.starts[marked].tolist(), found.ends[marked].tolist(), strict=True)
    assert [plain[start:end] for start, end in spans] == words


@pytest.mark.parametrize(("language", "text", "names", "count"), CASES["qualified"])
def test_qualifiers_are_flagged(languages, language, text, names, count):
    found = side(languages[language], text)
    assert (found.qualifiers & bit_of(*names) > 0).sum() == count


@settings(max_examples=60)
@given(st.text(max_size=60), st.sampled_from(["nl", "en"]))
def test_offsets_of_words_stay_inside_the_text(languages, text, language):
    found = side(languages[language], text)
    length = len(languages[language].reader.read(text).plain.text)
    assert ((found.starts >= 0) & (found.starts < found.ends) & (found.ends <= length)).all()
    assert set(found.flags.ravel().tolist()) <= {0.0, 1.0}
    assert found.between(0, length) == slice(0, len(found.ids))
    assert [found.words[number] for number in found.ids.tolist()] == list(
        languages[language].reader.read(text).tokens.keys
    )


@pytest.fixture(scope="module")
def spaces():
    return {code: WordVectors.load(code) for code in ("nl", "en")}


@pytest.mark.parametrize(("language", "word", "near", "far"), CASES["nearer"])
def test_similar_words_have_similar_vectors(spaces, languages, language, word, near, far):
    keys = [languages[language].reader.read(one).tokens.keys[0] for one in (word, near, far)]
    likeness = spaces[language].likeness(keys[:1], keys[1:])[0]
    assert likeness[0] > likeness[1] + 0.1
