"""A profile learnt from judged answers, and scores that are really held out."""

from __future__ import annotations

import dataclasses

import pytest

from klopt import Profile
from klopt.errors import InputError, ProfileError
from klopt.scoring.tree import Walk
from klopt.tuning import fitting
from klopt.tuning.fitting import FitSettings, LearntWeights, fit, held_out_scores
from klopt.tuning.held_out import figures
from klopt.tuning.samples import Sample
from tests.tuning.judged import judged, many, profile

SMALL = profile()
THREE = FitSettings(folds=3, weights="anew")
"""Everything is learnt, from these answers alone."""


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return many(60)


@pytest.fixture(scope="module")
def learnt(samples: list[Sample]) -> LearntWeights:
    return fit(samples, SMALL, THREE)


def test_what_is_learnt(learnt: LearntWeights):
    """The tree stays, and the language without answers as the profile has it."""
    assert learnt.tree == SMALL.tree
    assert learnt.evidence["en"] == SMALL.evidence["en"]
    assert learnt.evidence["nl"].terms.keys() == {"statements_hold"}


def test_what_it_was_learnt_from(samples: list[Sample]):
    """Of a language that is learnt anew, and beside what was there where one weight is added."""
    start = dataclasses.replace(SMALL, learnt_from={"nl": frozenset({b"old."}), "en": {b"kept"}})
    rows = [bytes([65, 65, 65, number]) for number in range(len(samples))]
    given = [dataclasses.replace(one, row=row) for one, row in zip(samples, rows, strict=True)]
    assert fit(given, start, THREE).rows == {"nl": frozenset(rows), "en": {b"kept"}}
    only = FitSettings(folds=3, only=("components_defined",))
    assert fit(given, start, only).rows["nl"] == frozenset([b"old.", *rows])


def test_what_was_measured_and_brings_nothing(learnt: LearntWeights):
    assert learnt.idle["nl"] == ("complex_answer", "components_defined")
    assert "en" not in learnt.idle


def test_true_answers_score_above_untrue_ones_when_held_out():
    samples = many(120)
    found = figures(samples, held_out_scores(samples, SMALL, THREE), 3.0)["nl"]
    assert found[0] == "answers: 120 on 12 pages"
    assert float(found[2].removeprefix("AUC, true against untrue: ").split()[0]) > 0.9


def test_walk_is_the_way_of_a_scorer(learnt: LearntWeights):
    assert learnt.walk(judged(1, verbatim_guide_defined=0.95)).score == 5.0
    assert learnt.walk(judged(1, step_order=0.25)).rule == "order"
    low, high = (learnt.walk(judged(1, statements_hold=value)).score for value in (0.1, 0.9))
    assert low < high
    assert learnt.walk(judged(1)) == Walk(None, None, learnt.walk(judged(1)).visits)


def test_few_answers_stay_near_the_start_and_many_leave_it(samples: list[Sample]):
    """The start says nothing of statements, which tell true from untrue here."""
    weights = [
        fit(many(count), SMALL).evidence["nl"].terms["statements_hold"].weight
        for count in (20, 60, 600)
    ]
    assert weights == sorted(weights)
    assert weights[0] < 0.6 * weights[2]
    stayed = fit(samples, SMALL, FitSettings(nearness=1e6)).evidence["nl"]
    assert stayed == SMALL.evidence["nl"]


def test_its_own_rating_does_not_move_its_held_out_score(samples: list[Sample]):
    before = held_out_scores(samples, SMALL, THREE)
    for place in (0, 7, 31):
        changed = list(samples)
        changed[place] = dataclasses.replace(samples[place], rating=6 - samples[place].rating)
        after = held_out_scores(changed, SMALL, THREE)
        assert after[place] == before[place]
        assert after != before


def test_ratings_of_other_answers_on_its_page_do_not_move_it_either(samples: list[Sample]):
    before = held_out_scores(samples, SMALL, THREE)
    changed = [
        dataclasses.replace(one, rating=3.0) if one.group == "page-1" else one for one in samples
    ]
    after = held_out_scores(changed, SMALL, THREE)
    places = [place for place, one in enumerate(samples) if one.group == "page-1"]
    assert len(places) == 5
    assert [after[place] for place in places] == [before[place] for place in places]


def test_an_answer_whose_language_the_other_folds_do_not_have_gets_no_score(samples: list[Sample]):
    """Rather than the score of the profile that was begun with."""
    english = [dataclasses.replace(one, language="en", group="one") for one in many(20)]
    found = held_out_scores([*samples, *english], SMALL, THREE)
    assert None not in found[:60]
    assert found[60:] == [None] * 20


@pytest.mark.parametrize(
    ("samples", "told"),
    [
        (many(19), "19 judged answers in language nl are too few to learn from: 20 are the least"),
        ([*many(30), *many(3, language="en")], "3 judged answers in language en are too few"),
        (
            [dataclasses.replace(one, rating=4.0) for one in many(30)],
            "all answers in language nl are judged alike: nothing to learn$",
        ),
    ],
    ids=["few", "few in one language", "alike"],
)
def test_what_teaches_nothing_is_refused(samples: list[Sample], told: str):
    with pytest.raises(InputError, match=f"^{told}"):
        fit(samples, SMALL, THREE)


def test_a_tree_that_ends_in_a_sum(samples: list[Sample]):
    afas = Profile.load("afas")
    for refused in (lambda: fit(samples, afas), lambda: held_out_scores([], afas)):
        with pytest.raises(ProfileError, match=r'"afas" adds up its features .*, so there'):
            refused()


def test_measuring_gives_every_language_the_same_terms():
    found = fitting.measuring(SMALL)
    assert found.tree == SMALL.tree
    assert set(found.evidence) == {"nl", "en"}
    for weighing in found.evidence.values():
        assert set(weighing.terms) == set(SMALL.tree[-1].heuristics)
        assert {term.weight for term in weighing.terms.values()} == {1.0}


def test_figures_by_hand():
    """Rated 1: two of three below 3. Rated 5: one, and one held for a fault. A 3 is neither."""
    ratings, scores = (1, 1, 1, 5, 5, 3, 2), (1.5, 2.9, 3.0, 4.0, 2.0, 3.0, None)
    samples = [judged(rating, page=str(n // 2)) for n, rating in enumerate(ratings)]
    samples[3] = dataclasses.replace(samples[3], held=True)
    lines = figures(samples, scores, 3.0)["nl"]
    assert lines[0] == "answers: 6 on 3 pages"
    assert lines[2] == "AUC, true against untrue: 0.67"
    assert lines[3] == "rated 1 and not sent from 3: 67% of 3 (95%: 21% to 94%)"
    assert lines[4] == "rated 5 and not sent from 3: 100% of 2 (95%: 34% to 100%)"
    assert all("nan" not in line for line in lines)


@pytest.mark.parametrize("send_from", [1.0, 5.0])
def test_a_profile_that_sends_all_or_nothing_has_no_line_to_learn(send_from: float):
    with pytest.raises(ProfileError, match=f"send_from = {send_from:g}; .* between 1 and 5"):
        fitting.check_profile(dataclasses.replace(SMALL, send_from=send_from))
