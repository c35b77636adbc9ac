"""Verdicts of scores and of the grounds for them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.scoring.profile import Profile
from klopt.scoring.tree import Grounds, printed

PROFILE = replace(Profile.load("default"), block_below=2.85, send_from=4.15)


@pytest.mark.parametrize(
    ("score", "verdict"),
    [
        (2.85, "block"), (2.899, "block"), (2.9, "review"),
        (4.149, "review"), (4.15, "review"), (4.199, "review"), (4.2, "send"),
        (0.3 + 3.9, "send"),
    ],
)  # fmt: skip
def test_the_verdict_depends_on_the_printed_score(score, verdict):
    assert PROFILE.verdict(score) == verdict


@given(st.floats(1, 5), st.floats(1, 5))
def test_scores_that_are_printed_alike_have_one_verdict(one, other):
    if printed(one) == printed(other):
        assert PROFILE.verdict(one) == PROFILE.verdict(other)


@given(st.floats(1, 5))
def test_a_score_is_moved_into_the_range_of_review(score):
    moved = PROFILE.on_its_side(score, "review")
    assert PROFILE.verdict(moved) == "review"
    assert moved == score or PROFILE.verdict(score) != "review"


@pytest.mark.parametrize(
    ("score", "expected"), [(5.0, 4.1), (4.2, 4.1), (4.19, 4.1), (3.0, 3.0), (1.0, 2.9)]
)
def test_a_score_is_moved_to_the_nearest_threshold(score, expected):
    assert printed(PROFILE.on_its_side(score, "review")) == pytest.approx(expected)
    assert PROFILE.on_its_side(score, "send") == score


FAULT, DENIED_NAME = ("step_order",), ("denied_names",)


@pytest.mark.parametrize(
    ("grounds", "verdict", "score", "held"),
    [
        (Grounds(score=None), "unscored", None, ()),
        (Grounds(score=4.5), "send", 4.5, ()),
        (Grounds(score=4.5, faults=FAULT), "review", 4.1, FAULT),
        (Grounds(score=1.2, faults=FAULT, is_weighed=True, is_open=True), "review", 2.9, ()),
        (Grounds(score=1.2, faults=FAULT, is_weighed=True, is_partly_read=True), "review", 2.9, ()),
        (Grounds(score=4.5, is_open=True), "review", 4.1, ()),
        (Grounds(score=4.5, is_cut_off=True), "review", 4.1, ()),
        (Grounds(score=3.5, faults=FAULT, is_open=True), "review", 3.5, ()),
        (Grounds(score=2.0), "block", 2.0, ()),
        (Grounds(score=2.0, is_weighed=True), "review", 2.9, ()),
        (Grounds(score=2.0, is_weighed=True, faults=FAULT), "block", 2.0, ()),
        (Grounds(score=2.0, is_weighed=True, faults=DENIED_NAME), "review", 2.9, ()),
        (Grounds(score=2.0, is_weighed=True, faults=DENIED_NAME, is_cut_off=True), "review", 2, ()),
        (Grounds(score=2.0, is_weighed=True, is_cut_off=True), "review", 2.0, ()),
    ],
)  # fmt: skip
def test_the_verdict_of_grounds(grounds, verdict, score, held):
    found = PROFILE.decide(grounds)
    assert (found.verdict, found.held) == (verdict, held)
    assert found.score == score or printed(found.score) == score
