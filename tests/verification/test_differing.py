"""The words that differ between a claim and its passage, and stretches beside each other."""

import pytest

from klopt.types import Page
from klopt.verification import Finding
from klopt.verification.findings import Stretch, differing, side_by_side
from klopt.verification.language import Language
from tests.tables import tables

CASES = tables("verification", "differing")


def span(text: str, words: str) -> tuple[int, int] | None:
    return (text.index(words), text.index(words) + len(words)) if words else None


def found(language: Language, claim: str, page: str, *findings: list[str]):
    own, there = (language.page(Page(text)).reading for text in (claim, page))
    given = [
        Finding(kind, side, span(claim, mine), span(page, theirs))
        for kind, side, mine, theirs in findings
    ]
    one = differing(
        given, Stretch(own, 0, len(claim)), Stretch(there, 0, len(page)), language.relations
    )
    claims = [claim[slice(*each)] for each in one.claim]
    return [claims, [page[slice(*each)] for each in one.page], [list(pair) for pair in one.rivals]]


@pytest.mark.parametrize(("claim", "page", "findings", "expected"), CASES["marks"])
def test_only_words_that_the_other_side_lacks_are_marked(nl, claim, page, findings, expected):
    assert found(nl, claim, page, *findings) == expected


@pytest.mark.parametrize(("mine", "own", "theirs", "other", "pair"), CASES["beside"])
def test_stretches_beside_each_other_include_common_words(mine, own, theirs, other, pair):
    at, there = span(mine, own) or (0, 0), span(theirs, other) or (0, 0)
    beside = side_by_side(mine, at, theirs, there)
    assert list(beside or ()) == pair
