"""A profile learnt from judged answers, and scores that are really held out."""

import dataclasses

import pytest

from klopt import Profile
from klopt.errors import InputError, ProfileError
from klopt.evaluation.fitting.fitting import FitSettings, fit, held_out_scores
from klopt.evaluation.fitting.held_out import figures
from tests.evaluation.fitting.judged import judged, many, profile

SMALL = profile()
THREE = FitSettings(folds=3, weights="anew")
"""Everything is learnt, from these answers alone."""


@pytest.fixture(scope="module")
def samples():
    return many(60)


@pytest.fixture(scope="module")
def learnt(samples):
    return fit(samples, SMALL, THREE)


def test_what_is_learnt(learnt):
    """The tree stays, and the language without answers as the profile has it."""
    assert learnt.tree == SMALL.tree
    assert learnt.evidence["en"] == SMALL.evidence["en"]
    assert learnt.evidence["nl"].terms.keys() == {"statements_hold"}


def test_what_it_was_learnt_from(samples):
    start = dataclasses.replace(SMALL, learnt_from={"nl": frozenset({b"old."}), "en": {b"kept"}})
    rows = [bytes([65, 65, 65, number]) for number in range(len(samples))]
    given = [dataclasses.replace(one, row=row) for one, row in zip(samples, rows, strict=True)]
    assert fit(given, start, THREE).rows == {"nl": frozenset(rows), "en": {b"kept"}}
    assert fit(given, start).rows["nl"] == frozenset([b"old.", *rows])


def test_true_answers_score_above_untrue_ones_when_held_out():
    samples = many(120)
    found = figures(samples, held_out_scores(samples, SMALL, THREE), 3.0)["nl"]
    assert found[0] == "answers: 120 on 12 pages"
    assert float(found[2].removeprefix("AUC, true against untrue: ").split()[0]) > 0.9


def test_few_answers_stay_near_the_start_and_many_leave_it(samples):
    """The start says nothing of claims, which tell true from untrue here."""
    weights = [
        fit(many(count), SMALL).evidence["nl"].terms["statements_hold"].weight
        for count in (20, 60, 600)
    ]
    assert weights == sorted(weights)
    assert weights[0] < 0.6 * weights[2]
    stayed = fit(samples, SMALL, FitSettings(nearness=1e6)).evidence["nl"]
    assert stayed == SMALL.evidence["nl"]


def test_ratings_of_other_answers_on_its_page_do_not_move_it_either(samples):
    before = held_out_scores(samples, SMALL, THREE)
    changed = [
        dataclasses.replace(one, rating=3.0) if one.group == "page-1" else one for one in samples
    ]
    after = held_out_scores(changed, SMALL, THREE)
    places = [place for place, one in enumerate(samples) if one.group == "page-1"]
    assert len(places) == 5
    assert [after[place] for place in places] == [before[place] for place in places]


@pytest.mark.parametrize(
    ("samples", "told"),
    [
        (many(19), "19 rated answers in language nl are too few: fitting needs at least 20"),
        ([*many(30), *many(3, language="en")], "3 rated answers in language en are too few"),
        (
            [dataclasses.replace(one, rating=4.0) for one in many(30)],
            "all answers in language nl have the same rating",
        ),
    ],
    ids=["few", "few in one language", "alike"],
)
def test_what_teaches_nothing_is_refused(samples, told):
    with pytest.raises(InputError, match=f"^{told}"):
        fit(samples, SMALL, THREE)


def test_a_tree_that_ends_in_a_sum(samples):
    afas = Profile.load("afas")
    for refused in (lambda: fit(samples, afas), lambda: held_out_scores([], afas)):
        with pytest.raises(ProfileError, match=r'"afas" adds up its features .*, so there'):
            refused()


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
