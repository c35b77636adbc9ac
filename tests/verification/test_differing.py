"""What differs between a claim and its place: marks, and words beside words."""

import pytest

from klopt import lexicons
from klopt.types import Page
from klopt.verification import Finding
from klopt.verification.findings import Stretch, differing, side_by_side
from klopt.verification.language import Language
from tests.tables import tables

CASES = tables("verification", "differing")

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


@pytest.mark.parametrize(("mine", "own", "theirs", "other", "pair"), CASES["beside"])
def test_words_stand_beside_each_other_with_what_both_have_around_them(
    mine, own, theirs, other, pair
):
    at, there = span(mine, own) or (0, 0), span(theirs, other) or (0, 0)
    beside = side_by_side(mine, at, theirs, there)
    assert list(beside or ()) == pair
