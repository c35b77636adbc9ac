"""Key terms found in answers by their words: hits, near misses and what stands instead."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.checking.term_places import find_term
from klopt.checking.words import MOST_PLACES, language

CASES: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "term_cases.toml").read_text("utf-8")
)["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['term']} | {case['answer']}")
def test_case(case: dict[str, Any]):
    tables = language(case["language"])
    answer = tables.read(case["answer"])
    place = find_term(case["term"], answer, tables)[0]
    assert place.degree == case["degree"]
    if "found" not in case:
        assert place.run is None
        return
    assert place.run is not None
    start, end = answer.span(place.run)
    assert answer.source[start:end] == case["found"]
    assert start == case.get("at", answer.source.index(case["found"]))


def test_every_place_is_told():
    tables = language("en")
    answer = tables.read("Open orl.ini. Not orl.ini.bak, but orl.ini, and conf/orl.ini!")
    places = find_term("orl.ini", answer, tables)
    starts = [answer.span(place.run)[0] for place in places if place.run is not None]
    assert starts == [5, 35, 53]


def test_no_more_places_than_the_limit():
    tables = language("en")
    assert len(find_term("orl", tables.read("orl " * 1000), tables)) == MOST_PLACES


def test_the_shortest_window_is_told():
    tables = language("en")
    answer = tables.read("Run the queue. Then reset the old queue, and wait.")
    place = find_term("reset old job queue", answer, tables)[0]
    assert (place.degree, place.run) == (0.5, (4, 7))


@given(st.lists(st.sampled_from(["Orl", "sync", "9.7", "max_users", "één", "a"]), min_size=1))
def test_a_term_is_in_itself(words: list[str]):
    tables = language("nl")
    term = " ".join(words)
    assert find_term(term, tables.read(f"Kies {term}."), tables)[0].degree == 1.0
