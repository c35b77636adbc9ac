"""Samples from turns, and folds that keep the answers of a page together."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Assessment, Page, Scorer, Turn
from klopt.evaluation.fitting.evidence_weights import sample, samples, splits
from klopt.types import Evidence, Measurement
from tests.evaluation.fitting.judged import judged

NOTHING = Scorer.load("afas").refuse("x", "")
SAVING = "U bewaart het met Opslaan."


def scored(*pages: str) -> Assessment:
    """An assessment with one piece of evidence on each of these pages."""
    evidence = tuple(Evidence("supported", "x", 0, 1, page, 0, 1) for page in pages)
    measurements = {"components_defined": Measurement(0.5, evidence=evidence)}
    return dataclasses.replace(NOTHING, score=3.0, language="nl", measurements=measurements)


def turn(*texts: str, rating: float | None = 4, label: bool | None = None) -> Turn:
    pages = [Page(text, id=f"context-{number}") for number, text in enumerate(texts, 1)]
    return Turn("Hoe?", "Zo.", pages, rating=rating, label=label)


@pytest.mark.parametrize(
    ("rating", "label", "expected"),
    [(2.5, None, 2.5), (None, True, 5.0), (None, False, 1.0), (2.0, True, 2.0), (None, None, None)],
)
def test_the_rating_of_a_sample(rating, label, expected):
    found = sample(turn(SAVING, rating=rating, label=label), scored())
    assert (None if found is None else found.rating) == expected


def test_an_unscored_turn_is_no_sample():
    assert sample(turn(SAVING), NOTHING) is None
    assert samples([(turn(SAVING), NOTHING), (turn(SAVING), scored())]) == [
        sample(turn(SAVING), scored())
    ]


PAGES = st.lists(st.sampled_from("abcdefgh"), max_size=20)


@given(PAGES, st.integers(2, 12), st.integers(0, 3))
def test_a_page_is_in_one_fold_only(pages, count, seed):
    samples = [judged(3, page=page) for page in pages]
    held_out: list[int] = []
    for inside, outside in splits(samples, count=count, seed=seed):
        assert {pages[place] for place in inside}.isdisjoint(pages[place] for place in outside)
        assert sorted([*inside, *outside]) == list(range(len(pages)))
        assert outside
        held_out += outside
    assert sorted(held_out) == list(range(len(pages)))
