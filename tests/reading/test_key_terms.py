"""Every declared rule on its own examples, and which hit wins."""

from __future__ import annotations

from collections import Counter

import pytest

from klopt import shipped
from klopt.lexicons import Pattern
from klopt.reading.key_terms import RuleHit, find_hits, find_terms, longest, rules

KINDS = {
    *("command", "path", "url", "option", "identifier", "version", "quoted", "emphasised"),
}
TABLE = shipped.table("klopt.reading", "key_terms.toml")


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
def test_finds_its_hits(rule: Pattern, text: str, terms: list[str]):
    assert found(rule, text) == terms


@pytest.mark.parametrize(
    ("rule", "text"),
    [pytest.param(rule, miss, id=f"{rule.id}: {miss}") for rule in rules() for miss in rule.miss],
)
def test_passes_its_near_misses_by(rule: Pattern, text: str):
    assert found(rule, text) == []


def test_the_declared_rules_are_whole():
    assert {rule.group for rule in rules()} == KINDS
    assert max(Counter(rule.id for rule in rules()).values()) == 1
    for rule in rules():
        assert rule.hit, rule.id
        assert len(rule.miss) >= 2, rule.id


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Klik op 'Instellingen' en dan *Netwerk*.", ["Instellingen", "Netwerk"]),
        ("Open '/etc/orl/orl.conf'.", ["/etc/orl/orl.conf"]),
        ("Run `orlinde sync --all` in /opt/orl.", ["orlinde sync --all", "/opt/orl"]),
        ("Set ORL_HOME=/opt/orl in orl.ini", ["ORL_HOME=/opt/orl", "orl.ini"]),
        ("Werk bij naar versie 9.0.2 (fout WAD4012).", ["9.0.2", "WAD4012"]),
        ("Zie https://help.wadlinde.example/a-b_c/ voor 1.2.3.",
         ["https://help.wadlinde.example/a-b_c/", "1.2.3"]),
        ("Er staat hier niets bijzonders; klik en wacht.", []),
        ("It costs 12.50, 's avonds ook, and/or tomorrow.", []),
    ],
)  # fmt: skip
def test_rules_together(text: str, terms: list[str]):
    assert [text[hit.start : hit.end] for hit in find_terms(text)] == terms


def test_the_longest_hit_wins():
    hits = [RuleHit(0, 4, "a"), RuleHit(3, 9, "b"), RuleHit(8, 12, "c"), RuleHit(20, 22, "d")]
    assert longest(hits) == (RuleHit(3, 9, "b"), RuleHit(20, 22, "d"))


def test_of_equally_long_hits_the_first_wins():
    assert longest([RuleHit(2, 4, "z"), RuleHit(3, 5, "a")]) == (RuleHit(2, 4, "z"),)


HOSTILE = [
    "a", "a.", "a/", "<", "a-", "-a ", "a_", "'a ", "*a ", "`a", "\\a", "$", "a@", "1.", "aA",
    "a=", '"a', "command: a ", "/", "a b -c ", "ping a", "http://", "{", "%a", "«", "C:\\", "../",
    "<a>/", "a-a.", "**a", "** ", "**a\n", "(", "\n1. ", "\r\n- ",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_texts_stay_within_the_time_limit(piece: str):
    text = piece * (20_000 // len(piece))
    hits = find_terms(text)
    assert all(0 <= hit.start < hit.end <= len(text) for hit in hits)


def test_the_file_has_no_key_that_is_not_read():
    assert set(TABLE) == {"rules", "rule"}
    assert set(TABLE["rules"]) == {"source", "licence", "retrieved", "changes"}
    for entry in TABLE["rule"]:
        assert set(entry) - {"case"} == {"id", "kind", "pattern", "hit", "miss"}
        assert entry.get("case", "exact") == "exact"
        assert all(set(hit) == {"text", "terms"} for hit in entry["hit"])
