"""Tokens, stems and identifiers: case tables, and properties of any text."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import lexicons
from klopt.text.inline import identifiers, keys_of
from klopt.text.stems import LONGEST_CHARS, STEMMERS, stemmer
from klopt.text.tokens import MAX_KNOWN, Tokenizer
from klopt.text.values import LITERAL_SIGNS, Kind
from tests.tables import flattened, tables
from tests.text.drawn import texts

CASES = flattened(tables("text", "tokens"), "language", "group")
STEMS = tables("text", "stems")
IDENTIFIERS = tables("text", "identifiers")
TOKENIZERS = {code: Tokenizer(lexicons.load(code)) for code in lexicons.languages()}
TEXTS = st.text(max_size=200) | texts("tokens")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:40])
def test_case(languages, case):
    reader = languages[case["language"]].reader
    tokens = reader.read(case["text"]).tokens
    words = [
        word if word[0] in LITERAL_SIGNS else reader.tokenizer.key(word) for word in case["words"]
    ]
    assert [tokens.keys[number] for number in tokens.running] == words
    assert (Kind.PARTICLE in tokens.kinds) == (
        case["group"] == "joined" and " is " not in case["text"]
    )


def test_kinds_of_tokens(languages):
    text = "Zet **Wifi** uit, druk op `Ctrl+S` en typ `dir /w` 20 keer."
    tokens = languages["nl"].reader.read(text).tokens
    kinds = dict(zip(tokens.keys, tokens.kinds, strict=True))
    assert [kinds[key] for key in ("uitzet", "wifi", "uit", "@ctrl+s", "@dir /w", "#20")] == [
        *(Kind.WORD, Kind.COMPONENT, Kind.PARTICLE, Kind.KEY, Kind.CODE, Kind.NUMBER)
    ]


@pytest.mark.parametrize("language", sorted(TOKENIZERS))
@given(source=TEXTS)
def test_any_text(language, source):
    text = unicodedata.normalize("NFC", source)
    tokens = TOKENIZERS[language].read(text)
    end = 0
    for start, last in zip(tokens.starts, tokens.ends, strict=True):
        assert end <= start < last <= len(text)
        end = last
    assert all(tokens.keys)
    assert len(tokens.keys) == len(tokens.kinds) == len(tokens.stops) == len(tokens)
    assert set(tokens.stops) <= {0, 1}
    again = Tokenizer(lexicons.load(language)).read(text)
    assert (again.keys, again.starts, again.kinds) == (tokens.keys, tokens.starts, tokens.kinds)


def test_the_cache_of_words_is_bounded():
    tokenizer = Tokenizer(lexicons.load("nl"))
    tokenizer.read(" ".join(f"woord{number}" for number in range(MAX_KNOWN + 100)))
    assert tokenizer._known.cache_info().currsize == MAX_KNOWN


@pytest.mark.parametrize(("code", "forms"), STEMS["forms"])
def test_forms_of_one_word_have_one_stem(code, forms):
    assert len(set(map(stemmer(code), forms.split()))) == 1


@pytest.mark.parametrize(("code", "words"), STEMS["other_words"])
def test_other_words_have_other_stems(code, words):
    assert len(set(map(stemmer(code), words.split()))) == 2


@pytest.mark.parametrize("code", sorted(STEMMERS))
def test_a_very_long_word_is_its_own_stem(code):
    word = "klikken" + "s" * LONGEST_CHARS
    assert stemmer(code)(word) == word


@pytest.mark.parametrize(("text", "found"), IDENTIFIERS["found"])
def test_identifiers(text, found):
    assert [text[span.start : span.end] for span, _ in identifiers(text)] == found


@pytest.mark.parametrize("text", IDENTIFIERS["none"])
def test_texts_without_identifiers(text):
    assert list(identifiers(text)) == []


@pytest.mark.parametrize(("answer", "page", "is_there"), IDENTIFIERS["on_a_page"])
def test_identifiers_of_an_answer_on_a_page(answer, page, is_there):
    ((_, key),) = identifiers(answer)
    assert (key in keys_of([page])) == is_there
