"""What differs between a statement and its place: marks, and words beside words."""

from __future__ import annotations

import pytest

from klopt import lexicons
from klopt.comparing import Finding, most_true
from klopt.comparing.findings import Stretch, differing, side_by_side
from klopt.comparing.statements import says_of
from klopt.matching.language import Language
from klopt.records import Page
from tests.tables import tables

CASES = tables("comparing", "differing")

DUTCH = Language(lexicons.load("nl"))


def span(text: str, words: str) -> tuple[int, int] | None:
    return (text.index(words), text.index(words) + len(words)) if words else None


def found(claim: str, page: str, *findings: list[str]):
    own, there = (DUTCH.page(Page(text)).reading for text in (claim, page))
    given = [
        Finding(kind, side, span(claim, mine), span(page, theirs))
        for kind, side, mine, theirs in findings
    ]
    one = differing(
        given, Stretch(own, 0, len(claim)), Stretch(there, 0, len(page)), DUTCH.relations
    )
    claims = [claim[slice(*each)] for each in one.claim]
    return [claims, [page[slice(*each)] for each in one.page], [list(pair) for pair in one.rivals]]


@pytest.mark.parametrize(("claim", "page", "findings", "expected"), CASES["marks"])
def test_only_words_that_the_other_side_has_not_are_marked(claim, page, findings, expected):
    assert found(claim, page, *findings) == expected


def test_what_is_open_is_marked_only_where_nothing_speaks_against():
    claims, _, _ = found(
        "Kies Rapport binnen 60 dagen.",
        "Kies iets binnen 90 dagen.",
        ["name", "open", "Rapport", ""],
        ["value", "against", "60", "90"],
    )
    assert claims == ["60"]


@pytest.mark.parametrize(("mine", "own", "theirs", "other", "pair"), CASES["beside"])
def test_words_stand_beside_each_other_with_what_both_have_around_them(
    mine, own, theirs, other, pair
):
    at, there = span(mine, own) or (0, 0), span(theirs, other) or (0, 0)
    beside = side_by_side(mine, at, theirs, there)
    assert list(beside or ()) == pair


@pytest.mark.parametrize(
    ("kind", "side", "contradicted", "most"),
    [
        ("value", "against", 0.5, 0.5),
        ("negation", "against", 0.7, 0.3),
        ("role", "against", 0.6, 0.4),
        ("value", "against", 0.49, 1.0),
        ("replaced", "against", 0.7, 1.0),
        ("value", "open", 0.7, 1.0),
        ("value", "open", 0.9, 0.1),
    ],
)
def test_what_is_found_and_likely_denied_is_not_outvoted(kind, side, contradicted, most):
    one = Finding(kind, side, (0, 1), None)
    assert most_true((0.0, contradicted, 1 - contradicted), [one]) == pytest.approx(most)


@pytest.mark.parametrize(
    ("truth", "stands", "chances", "said"),
    [
        (0.9, True, (0.5, 0.3, 0.2), "supported"),
        (0.9, True, (0.3, 0.5, 0.2), "not_stated"),
        (0.9, False, (0.5, 0.3, 0.2), "not_stated"),
        (0.2, False, (0.5, 0.3, 0.2), "contradicted"),
    ],
)
def test_a_place_supports_what_it_is_likeliest_to_say(truth, stands, chances, said):
    assert says_of(truth, stands, chances) == said
