"""What holds for the lexicons of words: synonyms, antonyms, contrasts and numbers."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import lexicons
from klopt.lexicons import OpposedPair, joined_groups
from tests.lexicons.written import lexicon_text
from tests.tables import tables

LANGUAGES = lexicons.languages()
GROUPS = st.lists(
    st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=4, unique=True).map(
        lambda words: tuple(sorted(words))
    ),
    max_size=6,
)
each_language = pytest.mark.parametrize("language", LANGUAGES)


def synonyms(language: str) -> dict[str, tuple[str, ...]]:
    groups = lexicons.load(language)["synonyms"].word_groups
    return {word: group for name in groups for group in groups[name] for word in group}


def opposites(language: str) -> set[frozenset[str]]:
    pairs = lexicons.load(language)["antonyms"].pairs
    return {frozenset((one, other)) for pair in pairs for one in pair.one for other in pair.other}


@pytest.mark.parametrize(
    ("language", "synonym_count", "pair_count"), [("nl", 200, 80), ("en", 150, 80)]
)
def test_enough(language: str, synonym_count: int, pair_count: int) -> None:
    tables = lexicons.load(language)
    assert sum(map(len, tables["synonyms"].word_groups.values())) >= synonym_count
    assert len(tables["antonyms"].pairs) >= pair_count


def other_words(language: str) -> set[frozenset[str]]:
    """Words of which neither a synonym nor an antonym is meant."""
    pairs = {
        "nl": (("toets", "knop"), ("uploaden", "downloaden"), ("debiteur", "crediteur"),
               ("maandag", "dinsdag"), ("updaten", "upgraden"), ("bruto", "netto")),
        "en": (("key", "button"), ("month", "year"), ("install", "uninstall")),
    }  # fmt: skip
    return set(map(frozenset, pairs[language]))


ALIKE = {
    "nl": (("afdrukken", "printen"), ("inloggen", "aanmelden"), ("map", "folder"),
           ("wifi", "wi-fi"), ("factuur", "nota")),
    "en": (("sign in", "log on"), ("folder", "directory"), ("delete", "remove")),
}  # fmt: skip
OPPOSITE = {
    "nl": (("uitschakelen", "aanzetten"), ("rechter", "links"), ("altijd", "nooit"),
           ("importeren", "exporteren"), ("optioneel", "verplicht")),
    "en": (("turn on", "switch off"), ("mandatory", "optional"), ("left", "right")),
}  # fmt: skip


@each_language
def test_synonyms_and_antonyms(language: str) -> None:
    alike = {
        frozenset(pair) for group in synonyms(language).values() for pair in combinations(group, 2)
    }
    assert alike >= set(map(frozenset, ALIKE[language]))
    assert opposites(language) >= set(map(frozenset, OPPOSITE[language]))
    assert not alike & opposites(language)
    assert not alike & other_words(language)


@each_language
def test_no_synonyms_are_rivals(language: str) -> None:
    groups = lexicons.load(language)["contrasts"].word_groups
    alike = synonyms(language)
    for members in groups.values():
        for one, other in combinations(members, 2):
            assert not [word for word in one if set(alike.get(word, ())) & set(other)]


@each_language
def test_a_word_stands_in_one_synonym_group(language: str) -> None:
    groups = lexicons.load(language)["synonyms"].word_groups
    words = [word for name in groups for group in groups[name] for word in group]
    assert len(words) == len(set(words))


@each_language
def test_no_pair_stands_twice_the_other_way_round(language: str) -> None:
    pairs = set(lexicons.load(language)["antonyms"].pairs)
    assert not {OpposedPair(pair.other, pair.one) for pair in pairs} & pairs


@each_language
def test_contrasts_are_sets_of_rivals(language: str) -> None:
    groups = lexicons.load(language)["contrasts"].word_groups
    assert {len(groups["weekdays"]), len(groups["seasons"]), len(groups["compass"])} == {7, 4}
    assert all(len(members) >= 3 for members in groups.values())


NUMBERS = {
    "nl": {
        "cardinals": {"één": 1, "dertien": 13, "tweeëntwintig": 22, "eenendertig": 31},
        "ordinals": {"achtste": 8}, "multiples": {"anderhalf": 1.5, "driemaal": 3},
        "spans": {"kwartier": 900}, "months": {"kwartaal": 3}, "month_names": {"mrt": 3},
    },
    "en": {
        "cardinals": {"forty-two": 42}, "scales": {"thousand": 1000},
        "spans": {"fortnight": 1_209_600}, "shares": {"quarter": 0.25},
        "ordinals": {"twenty-third": 23}, "multiples": {"twice": 2},
    },
}  # fmt: skip


@each_language
def test_numbers(language: str) -> None:
    values = lexicons.load(language)["numbers"].values
    for name, expected in NUMBERS[language].items():
        assert values[name].items() >= expected.items()
    assert not {"een", "a"} & set(values["cardinals"])


@each_language
def test_every_number_to_hundred_has_a_word(language: str) -> None:
    tables = lexicons.load(language)["numbers"].values
    assert set(range(101)) <= {*tables["cardinals"].values(), *tables["scales"].values()}


@each_language
def test_units_of_time_are_whole_ones_of_those_they_are_told_in(language: str) -> None:
    tables = lexicons.load(language)["numbers"].values
    for told, other in (("time_units", "seconds"), ("calendar_units", "months")):
        least = min(tables[told].values())
        assert all(amount % least == 0 or amount < least for amount in tables[other].values())
        assert not set(tables[told]) & set(tables[other])


@each_language
def test_a_key_that_is_one_everywhere_has_no_other_meaning(language: str) -> None:
    tables = lexicons.load(language)
    alone = {word for group in tables["keys"].word_groups["alone"] for word in group}
    others = {word for name in ("synonyms", "contrasts") for word in _words(tables[name])}
    assert alone
    assert not alone & {*others, *tables["stop_words"].words}


def _words(lexicon: lexicons.Lexicon) -> set[str]:
    return {w for groups in lexicon.word_groups.values() for group in groups for w in group}


@given(own=GROUPS, added=GROUPS)
def test_joined_groups_share_no_word_and_lose_none(
    own: list[tuple[str, ...]], added: list[tuple[str, ...]]
) -> None:
    joined = joined_groups(own, added)
    words = [word for group in joined for word in group]
    assert sorted(words) == sorted({word for group in (*own, *added) for word in group})
    for group in (*own, *added):
        assert sum(set(group) <= set(one) for one in joined) == 1
    assert joined_groups(added, own) == joined
    assert joined_groups(joined, ()) == joined


def test_company_words_join(tmp_path: Path) -> None:
    tables = lexicons.load("nl")
    bodies = {
        "synonyms": '[groups]\nnouns = [["factuur", "rekening"], ["kudde", "roedel"]]\n',
        "antonyms": '[[pair]]\none = ["vol"]\nother = ["half"]\n',
        "numbers": '[values.cardinals]\n"gros" = 144\n',
    }
    for name, body in bodies.items():
        file = tmp_path / f"{name}.toml"
        file.write_text(lexicon_text(name, body))
        tables = tables.extended(lexicons.read_lexicon(file))
    nouns = tables["synonyms"].word_groups["nouns"]
    assert ("factuur", "nota", "rekening") in nouns
    assert ("kudde", "roedel") in nouns
    assert tables["synonyms"].word_groups["verbs"] == joined_groups(
        lexicons.load("nl")["synonyms"].word_groups["verbs"], ()
    )
    assert tables["antonyms"].pairs[-1] == OpposedPair(("vol",), ("half",))
    assert tables["numbers"].values["cardinals"]["gros"] == 144
    assert tables["numbers"].values["cardinals"]["twee"] == 2
    assert tables.digest != lexicons.load("nl").digest


@pytest.mark.parametrize(
    ("language", "name", "text", "found"), tables("lexicons", "word_groups")["negations"]
)
def test_negations_and_conditions(language: str, name: str, text: str, found: str) -> None:
    match = lexicons.load(language)["negations"].phrases[name].search(text)
    assert (match[0] if match else "") == found
