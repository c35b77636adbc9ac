"""The sentences of explanations: the same keys and fields in each language."""

import re
import string
import tomllib
from importlib import resources
from typing import Any

import pytest

from klopt import lexicons
from klopt.heuristics import ALL
from klopt.scoring.explanation import texts


def flat(table: dict[str, Any], before: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in table.items():
        name = f"{before}{key}"
        found.update(flat(value, f"{name}.") if isinstance(value, dict) else {name: value})
    return found


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


FOLDER = resources.files("klopt.scoring")
TABLES = {
    file.name.removesuffix(".toml"): flat(tomllib.loads(file.read_text("utf-8")))
    for file in FOLDER.joinpath("texts").iterdir()
    if file.name.endswith(".toml")
}


def test_each_language_with_tables_has_texts():
    assert set(lexicons.languages()) <= set(TABLES)


@pytest.mark.parametrize("language", sorted(TABLES))
def test_same_keys_and_fields(language):
    english, other = TABLES["en"], TABLES[language]
    # The keys of these are English sentences, so only other languages have them.
    own = {key for key in other if not key.startswith("explain.reasons.")}
    assert own == set(english)
    for key, sentence in other.items():
        assert sentence.strip() or key == "thousands"
        assert fields(sentence) == fields(english.get(key, "")), key


@pytest.mark.parametrize("language", sorted(TABLES))
def test_each_verdict_has_a_sentence_and_reasons_are_sorted(language):
    table = texts(language)
    cut_off = {"cut_off", "cut_off_block"}
    assert set(table["verdict"]) == {"send", "review", "block", "unscored"} | cut_off
    assert list(table["reasons"]) == sorted(table["reasons"])


def test_each_reason_of_a_refusal_has_a_sentence():
    code = re.compile(r'\bRefusal\(\s*f?"([a-z_{}]+)"')
    folders = FOLDER, FOLDER.parent / "translation"
    files = (file for folder in folders for file in folder.glob("*.py"))
    named = code.findall("".join(file.read_text("utf-8") for file in files))
    used = {name.format(name=text) for name in named for text in ("answer", "question")}
    assert set(texts("en")["reasons"]) == used


@pytest.mark.parametrize("heuristic", ALL, ids=[one.name for one in ALL])
def test_a_heuristic_has_the_same_texts_in_each_language(heuristic):
    words = heuristic.texts
    assert set(words) == set(TABLES)
    for language, own in words.items():
        assert set(own) == set(words["en"])
        assert {"name", "asks"} <= set(own) <= {"name", "asks", "fault"}
        assert own["name"].strip()
        is_noun = language == "de" or own["name"][:2].isupper()
        assert is_noun or not own["name"][:1].isupper()
        assert "?" in own["asks"]
        assert fields(own["name"]) == fields(own["asks"]) == set()
        assert fields(own.get("fault", "{items}")) == {"items"}
