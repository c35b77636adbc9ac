"""The lexicons of words: synonyms, antonyms, contrasts, numbers and negations."""

from itertools import combinations, product

import pytest

from klopt import lexicons
from klopt.lexicons import OpposedPair
from tests.tables import tables

LANGUAGES = lexicons.languages()
each_language = pytest.mark.parametrize("language", LANGUAGES)


def synonyms(language: str) -> dict[str, tuple[str, ...]]:
    groups = lexicons.load(language)["synonyms"].word_groups
    return {word: group for name in groups for group in groups[name] for word in group}


UNRELATED = {
    "nl": (("toets", "knop"), ("uploaden", "downloaden"), ("debiteur", "crediteur"),
           ("maandag", "dinsdag"), ("updaten", "upgraden"), ("bruto", "netto")),
    "en": (("key", "button"), ("month", "year"), ("install", "uninstall")),
}  # fmt: skip
"""Words that are no synonyms, whatever else they are."""


@each_language
def test_no_synonyms_are_antonyms(language):
    alike = {
        frozenset(pair) for group in synonyms(language).values() for pair in combinations(group, 2)
    }
    pairs = lexicons.load(language)["antonyms"].pairs
    opposite = {frozenset(words) for pair in pairs for words in product(pair.one, pair.other)}
    assert alike
    assert opposite
    assert not alike & (opposite | set(map(frozenset, UNRELATED[language])))


@each_language
def test_no_synonyms_are_contrasts(language):
    groups = lexicons.load(language)["contrasts"].word_groups
    alike = synonyms(language)
    for members in groups.values():
        for one, other in combinations(members, 2):
            assert not [word for word in one if set(alike.get(word, ())) & set(other)]


@each_language
def test_a_word_is_in_one_synonym_group(language):
    groups = lexicons.load(language)["synonyms"].word_groups
    words = [word for name in groups for group in groups[name] for word in group]
    assert len(words) == len(set(words))


@each_language
def test_no_pair_of_antonyms_is_repeated_in_reverse(language):
    pairs = set(lexicons.load(language)["antonyms"].pairs)
    assert not {OpposedPair(pair.other, pair.one) for pair in pairs} & pairs


@each_language
def test_every_number_to_a_hundred_has_a_word(language):
    values = lexicons.load(language)["numbers"].values
    assert set(range(101)) <= {*values["cardinals"].values(), *values["scales"].values()}
    assert not {"een", "a"} & set(values["cardinals"])


@pytest.mark.parametrize(
    ("language", "name", "text", "found"), tables("lexicons", "word_groups")["negations"]
)
def test_negations_and_conditions(language, name, text, found):
    match = lexicons.load(language)["negations"].phrases[name].search(text)
    assert (match[0] if match else "") == found
