"""The lexicons of klopt, a company's own lexicons, and invalid files."""

from dataclasses import fields
from importlib import resources
from pathlib import Path

import pytest

from klopt import lexicons
from klopt.errors import InputError, LexiconError, UnknownLanguageError
from klopt.lexicons import Lexicon
from klopt.lexicons.schema import shapes
from tests.lexicons.written import lexicon_text
from tests.tables import tables

FOLDER = Path(str(resources.files("klopt.lexicons")))
LANGUAGES = lexicons.languages()
LEXICONS = [lexicon for language in LANGUAGES for lexicon in lexicons.load(language).values()]
CASES = [
    pytest.param(name, group, *(*row, None)[:3], id=f"{name}-{group}-{row[1][:30]}")
    for name in ("doubts", "guides", "refusals", "solutions")
    for group, rows in tables("lexicons", name).items()
    if group != "counts"
    for row in rows
]
INVALID = sorted((Path(__file__).parent / "invalid").glob("*.toml"))


def lexicon_id(lexicon: Lexicon) -> str:
    return f"{lexicon.language}-{lexicon.id}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_are_those_of_the_schema(language):
    files = {file.stem for file in (FOLDER / language).glob("*.toml")}
    own = {"company_terms", "product_names"}
    assert files == set(lexicons.load(language)) == set(shapes()) - own


@pytest.mark.parametrize("lexicon", LEXICONS, ids=lexicon_id)
def test_a_lexicon_fits_the_schema(lexicon):
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
def test_phrases_match_themselves(lexicon):
    for name, entries in lexicon.lists.items():
        if lexicon.id == "language" and name == "letter_groups":
            continue
        for entry in entries:
            assert entry == entry.strip()
            match = lexicon.phrases[name].search(f"({entry})")
            assert match is not None
            assert match.group() == entry


@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_of_words_are_in_lower_case(language):
    for name in ("abbreviations", "fillers", "negations", "signal_words", "stop_words"):
        for entries in lexicons.load(language)[name].lists.values():
            assert all(entry == entry.lower() for entry in entries)
    for entry in lexicons.load(language)["abbreviations"].words:
        assert entry.endswith(".")


@pytest.mark.parametrize("lexicon", LEXICONS, ids=lexicon_id)
def test_hits_and_misses(lexicon):
    wrong = [
        (pattern.id, text)
        for pattern in lexicon.patterns
        for hits, texts in ((True, pattern.hit), (False, pattern.miss))
        for text in texts
        if (pattern.search(text) is not None) != hits
    ]
    assert wrong == []


@pytest.mark.parametrize(("name", "group", "language", "text", "span"), CASES)
def test_the_first_match_of_a_group(name, group, language, text, span):
    patterns = lexicons.load(language)[name].group(group)
    spans = sorted(match.span() for one in patterns if (match := one.search(text)) is not None)
    assert [list(found) for found in spans[:1]] == ([span] if span else [])


@pytest.mark.parametrize(("language", "text", "counts"), tables("lexicons", "doubts")["counts"])
def test_the_number_of_doubts(language, text, counts):
    doubts = lexicons.load(language)["doubts"]
    assert counts == [
        sum(len([*pattern.finditer(text)]) for pattern in doubts.group(group))
        for group in ("gap", "given_context")
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_are_sorted(language):
    for lexicon in lexicons.load(language).values():
        sides = [side for pair in lexicon.pairs for side in (pair.one, pair.other)]
        groups = [*lexicon.word_groups.values()]
        inside = [words for named in groups for words in named]
        for listed in (*lexicon.lists.values(), *groups, *inside, *sides):
            assert list(listed) == sorted(listed), lexicon.id
        assert sides[::2] == sorted(sides[::2]), lexicon.id
        for words in lexicon.values.values():
            assert list(words) == sorted(words, key=lambda word: (words[word], word)), lexicon.id


def test_a_language_without_lexicons():
    with pytest.raises(UnknownLanguageError) as caught:
        lexicons.load("de")
    assert str(caught.value) == 'there are no tables for language "de"; there are for en, nl'


def own(folder: Path, language: str, word: str) -> Lexicon:
    lists = f'[lists]\nconditions = ["mits"]\nnegations = ["{word}"]\nopenings = ["neen"]'
    file = folder / "own.toml"
    file.write_text(lexicon_text("negations", lists, language))
    return lexicons.read_lexicon(file)


def test_words_of_a_company_are_added(tmp_path):
    added = own(tmp_path, "nl", "amper")
    tables = lexicons.load("nl")
    joined = tables.extended(added)
    assert set(joined["negations"].words) == {*tables["negations"].words, "amper"}
    assert joined.digest != tables.digest
    assert "amper" not in lexicons.load("nl")["negations"].words


def test_a_company_lexicon_of_another_language_is_refused(tmp_path):
    with pytest.raises(LexiconError) as caught:
        lexicons.load("nl").extended(own(tmp_path, "en", "hardly"))
    assert str(caught.value) == 'lexicon "negations" is for language "en", not "nl"'


@pytest.mark.parametrize("file", INVALID, ids=lambda file: file.stem)
def test_all_problems_of_an_invalid_file_are_reported(file):
    with pytest.raises(LexiconError) as caught:
        lexicons.read_lexicon(file)
    found = str(caught.value).replace(f"{file.parent}/", "")
    expected = file.with_suffix(".txt").read_text("utf-8").rstrip("\n")
    assert found == expected.replace("{lexicons}", ", ".join(sorted(shapes())))


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match=r"missing\.toml: there is no such lexicon file"):
        lexicons.read_lexicon(tmp_path / "missing.toml")
