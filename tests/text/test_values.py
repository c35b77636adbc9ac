"""Values: the case table of forms that are the same and of near misses, and their bounds."""

from typing import Any

import pytest

from klopt import lexicons
from klopt.text.tokens import Tokenizer
from klopt.verification import Language
from tests.tables import tables

CASES: list[dict[str, Any]] = tables("text", "values")["case"]
TOKENIZERS = {code: Tokenizer(lexicons.load(code)) for code in lexicons.languages()}


def keys(language: Language, text: str) -> list[str]:
    tokens = language.reader.read(text).tokens
    return sorted(tokens.keys[number] for number in tokens.running)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['group']}-{case['text']}")
def test_case(languages, case):
    language = languages[case["language"]]
    found = keys(language, case["text"])
    if "same" in case:
        assert found == keys(language, case["same"])
        assert [key for key in case["has"] if key not in found] == []
    else:
        assert found != keys(language, case["other"])


def test_what_a_line_ends_is_not_joined_with_the_next_one():
    tokens = TOKENIZERS["nl"].read("versie twee\nweken later, half\nacht")
    assert "#2" in tokens.keys
    assert "#14" not in tokens.keys
    assert "#7.30" not in tokens.keys
