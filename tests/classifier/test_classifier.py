"""The type of a message and the pattern and characters that decide, for both methods."""

import json
from typing import Any, cast, get_args

import pytest
from hypothesis import given

from klopt import lexicons
from klopt.classifier import (
    NO_MATCH,
    NO_QUESTION_MARK,
    ORDER,
    TIE_ORDER,
    Classification,
    Method,
    classify,
)
from klopt.errors import ConfigurationError, UnknownLanguageError
from klopt.lexicons import Lexicon, Lexicons, Pattern
from klopt.types import MESSAGE_TYPES
from tests.fuzz.inputs import INVENTED
from tests.tables import tables

LANGUAGES = ("en", "nl")
METHODS: tuple[Method, ...] = get_args(Method)


def cases(method: Method, language: str, name: str = "") -> list[Any]:
    return [
        pytest.param(method, language, kind, case, id=f"{name or language}-{case['message'][:40]}")
        for kind, some in tables("classifier", name or language).items()
        for case in some
    ]


def pattern(pattern_id: str, group: str, source: str, **more: Any) -> Pattern:
    fields = {"ignore_case": True, "weight": 1.0, "hit": ("-",), "miss": ("-",), **more}
    return Pattern(pattern_id, group, source, **fields)


@pytest.mark.parametrize(
    ("method", "language", "expected", "case"),
    [
        *cases("scored", "nl"),
        *cases("scored", "en"),
        *cases("published", "nl", "published-nl"),
        *cases("published", "en", "published-en"),
    ],
)
def test_type_pattern_and_span(method, language, expected, case):
    message = case["message"]
    found = classify(message, lexicons.load(language), method=method)
    assert found.message_type == expected, case["why"]
    assert found.pattern == case["pattern"]
    assert message[found.start : found.end] == case.get("span", message)
    assert bool(found.scores) == (method == "scored" and found.pattern != NO_MATCH)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u200b", "\u00a0"])
def test_an_empty_message_is_unspecified(language, method, text):
    found = classify(text, lexicons.load(language), method=method)
    assert found.message_type in ("unspecified", "reasoning")
    assert (found.start, found.end) == (0, 0)
    if not text.strip() or method == "scored":
        assert found == Classification("unspecified", NO_MATCH, 0, 0)


def test_orders_of_types():
    assert sorted(TIE_ORDER) == sorted(MESSAGE_TYPES)
    assert ORDER == ("error", "general", "reasoning", "instruction", "binary")


def test_a_fixed_order_decides_ties():
    table = (pattern("g", "general", "appel"), pattern("b", "binary", "appel"))
    found = classify("appel", own(table))
    assert found.scores == (("binary", 1.0), ("general", 1.0))
    assert (found.message_type, found.pattern) == ("binary", "b")


def test_only_the_heaviest_pattern_of_a_type_counts():
    table = (
        pattern("light", "general", "appel"),
        pattern("heavy", "general", "peer", weight=2.0),
        pattern("other", "error", "appel", weight=2.5),
    )
    found = classify("appel en peer", own(table))
    assert found.scores == (("error", 2.5), ("general", 2.0))
    assert found.pattern == "other"


def test_a_question_counts_more_than_other_sentences():
    table = (pattern("e", "error", "rot"), pattern("b", "binary", "rijp"))
    found = classify("De appel is rot. Is de peer rijp? De pruim is rot.", own(table))
    assert dict(found.scores) == {"error": 0.8, "binary": 1.0}
    assert found.message_type == "binary"


def test_a_pattern_may_be_case_sensitive():
    table = (pattern("x", "error", r"\bAPP-\d+\b", ignore_case=False),)
    assert classify("code APP-12", own(table)).pattern == "x"
    assert classify("code app-12", own(table)).pattern == NO_MATCH
    either = (pattern("x", "error", r"\bAPP-\d+\b"),)
    assert classify("code app-12", own(either)).pattern == "x"


def test_a_pattern_of_a_company():
    base = lexicons.load("nl")
    mine = Lexicon("messages", "nl", {}, (pattern("jargon", "error", "proforma", weight=9),), "d")
    found = classify("Hoe maak ik een proforma?", base.extended(mine))
    assert (found.message_type, found.pattern) == ("error", "jargon")
    assert classify("Hoe maak ik een proforma?", base).message_type == "instruction"


def test_an_unknown_method():
    with pytest.raises(ConfigurationError) as caught:
        classify("Kan dat?", lexicons.load("nl"), method=cast(Method, "llm"))
    assert str(caught.value) == 'classifier method "llm" is not one of published, scored'


@pytest.mark.parametrize(
    ("method", "name"), [("scored", "messages"), ("published", "messages_published")]
)
def test_a_language_without_a_table_is_an_error(method, name):
    with pytest.raises(UnknownLanguageError) as caught:
        classify("Geht das?", Lexicons("de", {}), method=method)
    assert f'language "de" has no lexicon "{name}"' in str(caught.value)
    assert f"add de/{name}.toml" in str(caught.value)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("method", METHODS)
@given(text=INVENTED)
def test_properties_of_any_text(language, method, text):
    found = classify(text, lexicons.load(language), method=method)
    assert found == classify(text, lexicons.load(language), method=method)
    assert found.message_type in MESSAGE_TYPES
    assert 0 <= found.start <= found.end <= len(text)
    if found.pattern in (NO_MATCH, NO_QUESTION_MARK):
        assert (found.start, found.end) == (0, 0)
    for name, score in found.scores:
        assert 0 < score <= found.score(found.message_type), name


SCORED_TYPES = ("binary", "instruction")


@pytest.mark.parametrize(
    ("file", "field", "language", "accuracy", "f1"),
    [
        ("messages/helpdesk-nl.dev.jsonl", "question", "nl", 0.97, 0.98),
        ("messages/support-nl.dev.jsonl", "question", "nl", 0.97, 0.98),
        ("turns-nl/dev.jsonl", "question", "nl", 0.97, 0.98),
        ("turns-nl/dev.jsonl", "question_en", "en", 0.97, 0.98),
    ],
)
def test_accuracy_is_above_a_floor(data, file, field, language, accuracy, f1):
    """Floors just below the measured figures; ``klopt evaluate`` prints those."""
    path = data / file
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    own = lexicons.load(language)
    pairs = [(row["message_type"], classify(row[field], own).message_type) for row in rows]
    right = sum(meant == found for meant, found in pairs)
    both = sum(meant in SCORED_TYPES and found in SCORED_TYPES for meant, found in pairs)
    either = sum((meant in SCORED_TYPES) + (found in SCORED_TYPES) for meant, found in pairs)
    assert right / len(pairs) >= accuracy
    assert 2 * both / either >= f1


def own(patterns: tuple[Pattern, ...]) -> Lexicons:
    """Lexicons with only these patterns."""
    words = lexicons.load("nl")["abbreviations"]
    table = Lexicon(
        "messages", "nl", {}, patterns, repr([p.id for p in patterns]) + str(id(patterns))
    )
    return Lexicons("nl", {"messages": table, "abbreviations": words})
