"""Rules for key terms: their examples, and the choice between overlapping hits."""

from collections import Counter

import pytest

from klopt._internal import shipped
from klopt.lexicons import Pattern
from klopt.text.key_terms import RuleHit, find_hits, longest, rules

KINDS = {"command", "path", "url", "option", "identifier", "version", "quoted", "emphasised"}
TABLE = shipped.table("klopt.text", "key_terms.toml")


def found(rule: Pattern, text: str) -> list[str]:
    return [text[hit.start : hit.end] for hit in find_hits(rule, text)]


@pytest.mark.parametrize(
    ("rule", "text", "terms"),
    [
        pytest.param(rule, hit["text"], hit["terms"], id=f"{rule.id}: {hit['text']}")
        for rule, entry in zip(rules(), TABLE["rule"], strict=True)
        for hit in entry["hit"]
    ],
)
def test_a_rule_finds_its_hits(rule, text, terms):
    assert found(rule, text) == terms


@pytest.mark.parametrize(
    ("rule", "text"),
    [pytest.param(rule, miss, id=f"{rule.id}: {miss}") for rule in rules() for miss in rule.miss],
)
def test_a_rule_ignores_its_near_misses(rule, text):
    assert found(rule, text) == []


def test_every_rule_has_examples():
    assert {rule.group for rule in rules()} == KINDS
    assert max(Counter(rule.id for rule in rules()).values()) == 1
    for rule in rules():
        assert rule.hit, rule.id
        assert len(rule.miss) >= 2, rule.id


def test_the_longest_hit_wins():
    hits = [RuleHit(0, 4, "a"), RuleHit(3, 9, "b"), RuleHit(8, 12, "c"), RuleHit(20, 22, "d")]
    assert longest(hits) == (RuleHit(3, 9, "b"), RuleHit(20, 22, "d"))
