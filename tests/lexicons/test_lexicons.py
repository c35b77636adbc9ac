"""What holds for every lexicon that comes with klopt, and for a company's own."""

from dataclasses import fields
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from klopt import lexicons
from klopt.errors import LexiconError, UnknownLanguageError
from klopt.lexicons import Lexicon
from klopt.lexicons.schema import shapes
from tests.lexicons.written import lexicon_text
from tests.tables import tables

FOLDER = Path(str(resources.files("klopt.lexicons")))
LANGUAGES = lexicons.languages()
LEXICONS = [lexicon for language in LANGUAGES for lexicon in lexicons.load(language).values()]
CASES: list[dict[str, Any]] = [
    {"lexicon": name, **case}
    for name in ("doubts", "guides", "refusals", "solutions")
    for case in tables("lexicons", name)["case"]
]


def lexicon_id(lexicon: Lexicon) -> str:
    return f"{lexicon.language}-{lexicon.id}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_lexicon_of_the_schema_is_there_and_no_other_file(language):
    files = {file.stem for file in (FOLDER / language).glob("*.toml")}
    companys = {"company_terms", "product_names"}
    assert files == set(lexicons.load(language)) == set(shapes()) - companys


@pytest.mark.parametrize("lexicon", LEXICONS, ids=lexicon_id)
def test_fits_its_schema_and_its_place(lexicon):
    """Loading klopt's own lexicons does not check them, so that pydantic need not be imported."""
    read = lexicons.read_lexicon(FOLDER / lexicon.language / f"{lexicon.id}.toml")
    for field in fields(Lexicon):
        assert getattr(read, field.name) == getattr(lexicon, field.name)


@pytest.mark.parametrize("lexicon", LEXICONS, ids=lexicon_id)
def test_every_group_and_list_is_filled(lexicon):
    shape = shapes()[lexicon.id]
    names = set(shape.get("lists", ())) | set(shape.get("groups", ()))
    filled = {
        "phrases": {name for name, entries in lexicon.lists.items() if entries},
        "patterns": {pattern.group for pattern in lexicon.patterns},
        "groups": {name for name, groups in lexicon.word_groups.items() if groups},
        "pairs": set(),
        "values": {name for name, values in lexicon.values.items() if values},
    }
    assert filled.pop(shape["kind"]) == names
    assert not any(filled.values())
    assert bool(lexicon.pairs) == (shape["kind"] == "pairs")


@pytest.mark.parametrize("lexicon", LEXICONS, ids=lexicon_id)
def test_phrases_find_themselves(lexicon):
    for name, entries in lexicon.lists.items():
        if lexicon.id == "language" and name == "letter_groups":
            continue
        for entry in entries:
            assert entry == entry.strip()
            match = lexicon.phrases[name].search(f"({entry})")
            assert match is not None
            assert match.group() == entry


@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_of_one_word_are_in_lower_case(language):
    for name in ("abbreviations", "fillers", "negations", "signal_words", "stop_words"):
        for entries in lexicons.load(language)[name].lists.values():
            assert all(entry == entry.lower() for entry in entries)
    for entry in lexicons.load(language)["abbreviations"].words:
        assert entry.endswith(".")


@pytest.mark.parametrize("lexicon", LEXICONS, ids=lexicon_id)
def test_examples(lexicon):
    wrong = [
        (pattern.id, text)
        for pattern in lexicon.patterns
        for hits, texts in ((True, pattern.hit), (False, pattern.miss))
        for text in texts
        if (pattern.search(text) is not None) != hits
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case['lexicon']}-{case['group']}-{case['text'][:30]}"
)
def test_case(case):
    group = lexicons.load(case["language"])[case["lexicon"]].group(case["group"])
    spans = sorted(
        match.span() for pattern in group if (match := pattern.search(case["text"])) is not None
    )
    assert [list(span) for span in spans[:1]] == [case["span"]] if "span" in case else not spans


@pytest.mark.parametrize("language", LANGUAGES)
def test_our_own_lists_are_in_alphabetical_order(language):
    for lexicon in lexicons.load(language).values():
        sides = [side for pair in lexicon.pairs for side in (pair.one, pair.other)]
        groups = [*lexicon.word_groups.values()]
        inside = [words for named in groups for words in named]
        for listed in (*lexicon.lists.values(), *groups, *inside, *sides):
            assert list(listed) == sorted(listed), lexicon.id
        assert sides[::2] == sorted(sides[::2]), lexicon.id
        for words in lexicon.values.values():
            assert list(words) == sorted(words, key=lambda word: (words[word], word)), lexicon.id


def test_no_tables():
    with pytest.raises(UnknownLanguageError) as caught:
        lexicons.load("de")
    assert str(caught.value) == 'there are no tables for language "de"; there are for en, nl'


def own(folder: Path, lexicon: str, body: str, language: str = "nl") -> Lexicon:
    file = folder / "own.toml"
    file.write_text(lexicon_text(lexicon, body, language))
    return lexicons.read_lexicon(file)


def test_company_lexicon_joins(tmp_path):
    lists = '[lists]\nconditions = ["mits"]\nnegations = ["amper"]\nopenings = ["neen"]'
    added = own(tmp_path, "negations", lists)
    tables = lexicons.load("nl")
    joined = tables.extended(added)
    assert set(joined["negations"].words) == {*tables["negations"].words, "amper"}
    assert joined.digest != tables.digest
    assert "amper" not in lexicons.load("nl")["negations"].words


def test_company_lexicon_of_another_language(tmp_path):
    lists = '[lists]\nconditions = ["if"]\nnegations = ["hardly"]\nopenings = ["nah"]'
    added = own(tmp_path, "negations", lists, "en")
    with pytest.raises(LexiconError) as caught:
        lexicons.load("nl").extended(added)
    assert str(caught.value) == 'lexicon "negations" is for language "en", not "nl"'
