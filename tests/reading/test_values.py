"""Values: the case table of forms that are the same and of near misses, and their bounds."""

from __future__ import annotations

from typing import Any

import pytest

from klopt import lexicons
from klopt.matching import Language
from klopt.reading.tokens import Kind, Tokenizer
from tests.tables import tables

CASES: list[dict[str, Any]] = tables("reading", "values")["case"]
TOKENIZERS = {code: Tokenizer(lexicons.load(code)) for code in lexicons.languages()}


def keys(language: Language, text: str) -> list[str]:
    tokens = language.reader.read(text).tokens
    return sorted(tokens.keys[number] for number in tokens.running)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['group']}-{case['text']}")
def test_case(languages: dict[str, Language], case: dict[str, Any]):
    language = languages[case["language"]]
    found = keys(language, case["text"])
    if "same" in case:
        assert found == keys(language, case["same"])
        assert [key for key in case["has"] if key not in found] == []
    else:
        assert found != keys(language, case["other"])


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("nl", "Wacht twee weken.", ["Wacht", "twee", "weken"]),
        ("nl", "Na een half uur.", ["Na", "een half", "uur"]),
        ("nl", "Om half acht dus.", ["Om", "half acht", "dus"]),
        ("nl", "Op 2024-03-01.", ["Op", "2024", "03-01"]),
        ("nl", "Dat is €25 extra.", ["Dat", "is", "€", "25", "extra"]),
        ("en", "Wait an hour and a half.", ["Wait", "an", "hour and a half"]),
        ("en", "A 30-day trial.", ["A", "30", "day", "trial"]),
        ("en", "Pay $ 5 or 5 $ now.", ["Pay", "$", "5", "or", "5", "$", "now"]),
    ],
)
def test_places_are_those_of_the_words_as_written(language: str, text: str, words: list[str]):
    tokens = TOKENIZERS[language].read(text)
    places = zip(tokens.starts, tokens.ends, strict=True)
    assert [text[start:end] for start, end in places] == words


def test_an_amount_is_a_number_with_content_and_its_unit_a_word():
    tokens = TOKENIZERS["nl"].read("een kwartier")
    assert tokens.keys == ("#15", TOKENIZERS["nl"].key("minuut"))
    assert list(tokens.kinds) == [Kind.NUMBER, Kind.WORD]
    assert not any(tokens.stops)


def test_words_may_stay_as_they_are_written():
    tokens = TOKENIZERS["nl"].read("twee weken en € 5", as_written=True)
    assert tokens.keys == ("#2", TOKENIZERS["nl"].key("weken"), TOKENIZERS["nl"].key("en"), "#5")


def test_what_a_line_ends_is_not_joined_with_the_next_one():
    tokens = TOKENIZERS["nl"].read("versie twee\nweken later, half\nacht")
    assert "#2" in tokens.keys
    assert "#14" not in tokens.keys
    assert "#7.30" not in tokens.keys
