"""What holds for the lexicons of words: synonyms, antonyms, contrasts and numbers."""

from itertools import combinations

import pytest

from klopt import lexicons
from klopt.lexicons import OpposedPair
from tests.tables import tables

LANGUAGES = lexicons.languages()
each_language = pytest.mark.parametrize("language", LANGUAGES)


def synonyms(language: str) -> dict[str, tuple[str, ...]]:
    groups = lexicons.load(language)["synonyms"].word_groups
    return {word: group for name in groups for group in groups[name] for word in group}


def opposites(language: str) -> set[frozenset[str]]:
    pairs = lexicons.load(language)["antonyms"].pairs
    return {frozenset((one, other)) for pair in pairs for one in pair.one for other in pair.other}


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
def test_synonyms_and_antonyms(language):
    alike = {
        frozenset(pair) for group in synonyms(language).values() for pair in combinations(group, 2)
    }
    assert alike >= set(map(frozenset, ALIKE[language]))
    assert opposites(language) >= set(map(frozenset, OPPOSITE[language]))
    assert not alike & opposites(language)
    assert not alike & other_words(language)


@each_language
def test_no_synonyms_are_rivals(language):
    groups = lexicons.load(language)["contrasts"].word_groups
    alike = synonyms(language)
    for members in groups.values():
        for one, other in combinations(members, 2):
            assert not [word for word in one if set(alike.get(word, ())) & set(other)]


@each_language
def test_a_word_stands_in_one_synonym_group(language):
    groups = lexicons.load(language)["synonyms"].word_groups
    words = [word for name in groups for group in groups[name] for word in group]
    assert len(words) == len(set(words))


@each_language
def test_no_pair_stands_twice_the_other_way_round(language):
    pairs = set(lexicons.load(language)["antonyms"].pairs)
    assert not {OpposedPair(pair.other, pair.one) for pair in pairs} & pairs


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
def test_numbers(language):
    values = lexicons.load(language)["numbers"].values
    for name, expected in NUMBERS[language].items():
        assert values[name].items() >= expected.items()
    assert not {"een", "a"} & set(values["cardinals"])


@each_language
def test_every_number_to_hundred_has_a_word(language):
    tables = lexicons.load(language)["numbers"].values
    assert set(range(101)) <= {*tables["cardinals"].values(), *tables["scales"].values()}


def _words(lexicon: lexicons.Lexicon) -> set[str]:
    return {w for groups in lexicon.word_groups.values() for group in groups for w in group}


@pytest.mark.parametrize(
    ("language", "name", "text", "found"), tables("lexicons", "word_groups")["negations"]
)
def test_negations_and_conditions(language, name, text, found):
    match = lexicons.load(language)["negations"].phrases[name].search(text)
    assert (match[0] if match else "") == found
