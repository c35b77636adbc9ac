"""Values: the case table of equal forms and near misses."""

import pytest

from klopt import lexicons
from klopt.text.tokens import Tokenizer
from klopt.verification import Language
from tests.tables import flattened, tables

CASES = flattened(tables("text", "values"), "language", "group")


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


def test_a_value_ends_at_the_end_of_its_line():
    tokens = Tokenizer(lexicons.load("nl")).read("versie twee\nweken later, half\nacht")
    assert "#2" in tokens.keys
    assert {"#14", "#7.30"}.isdisjoint(tokens.keys)
