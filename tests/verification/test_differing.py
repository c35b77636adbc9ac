"""The words that differ between a claim and its passage, and stretches beside each other."""

import pytest

from klopt.types import Page
from klopt.verification import Finding
from klopt.verification.findings import Stretch, differing, side_by_side
from tests.tables import tables

CASES = tables("verification", "differing")


def span(text: str, words: str) -> tuple[int, int] | None:
    return (text.index(words), text.index(words) + len(words)) if words else None


@pytest.mark.parametrize(("claim", "page", "findings", "expected"), CASES["marks"])
def test_only_words_that_the_other_side_lacks_are_marked(nl, claim, page, findings, expected):
    given = [
        Finding(kind, side, span(claim, mine), span(page, theirs))
        for kind, side, mine, theirs in findings
    ]
    sides = (Stretch(nl.page(Page(text)).reading, 0, len(text)) for text in (claim, page))
    found = differing(given, *sides, nl.relations)
    marked = [claim[slice(*one)] for one in found.claim], [page[slice(*one)] for one in found.page]
    assert [*marked, [list(pair) for pair in found.rivals]] == expected


@pytest.mark.parametrize(("mine", "own", "theirs", "other", "pair"), CASES["beside"])
def test_stretches_beside_each_other_include_common_words(mine, own, theirs, other, pair):
    at, there = span(mine, own) or (0, 0), span(theirs, other) or (0, 0)
    beside = side_by_side(mine, at, theirs, there)
    assert list(beside or ()) == pair
