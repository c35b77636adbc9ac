"""Every rule of the word tables does what it shows, and the pairs are sound."""

from __future__ import annotations

import pytest

from klopt import lexicons
from klopt.errors import UnknownLanguageError
from klopt.tuning.wording import Rule, recased, wording

WORDS = {language: wording(lexicons.load(language)) for language in ("nl", "en")}
RULES = [rule for words in WORDS.values() for rules in words.rules.values() for rule in rules]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule_rewrites_its_hit_and_leaves_its_miss(rule: Rule):
    assert rule.apply(rule.hit) == rule.result
    assert rule.apply(rule.miss) is None


@pytest.mark.parametrize("language", WORDS)
def test_rule_ids_are_unique(language: str):
    ids = [rule.id for rules in WORDS[language].rules.values() for rule in rules]
    assert len(ids) == len(set(ids))


def test_both_languages_have_the_same_tables():
    dutch, english = WORDS["nl"], WORDS["en"]
    assert dutch.lists.keys() == english.lists.keys()
    assert dutch.rules.keys() - english.rules.keys() == {"informal"}
    assert english.rules.keys() <= dutch.rules.keys()


@pytest.mark.parametrize("language", WORDS)
def test_no_word_both_says_the_same_and_the_contrary(language: str):
    words = WORDS[language]
    for word, others in words.exchanges.items():
        assert not set(others) & set(words.antonyms.get(word, ()))


def test_names_of_components_are_not_looked_at():
    words = WORDS["nl"]
    assert words.mentions("optional", "Klik desgewenst op ⟦Opslaan⟧.")
    assert not words.mentions("optional", "Klik op ⟦desgewenst⟧.")


@pytest.mark.parametrize(
    ("text", "model", "expected"),
    [("wel", "Niet", "Wel"), ("Wel", "niet", "wel"), ("VPN", "niet", "VPN"), ("", "Niet", "")],
)
def test_recased(text: str, model: str, expected: str):
    assert recased(text, model) == expected


def test_unknown_language():
    message = 'answers cannot be made in language "fr": there is no wording_fr.toml'
    with pytest.raises(UnknownLanguageError) as caught:
        wording(lexicons.Lexicons("fr", {}))
    assert str(caught.value) == message
