"""The tables of the papers from scored rows, by hand."""

import dataclasses

import pytest

from klopt import Page, Profile, Scorer, Turn
from klopt.evaluation.estimate import Resampling
from klopt.evaluation.features import compare, disagreements, features, heuristics_of, walked
from klopt.evaluation.rated import select, truth
from klopt.evaluation.thresholds import RiskPoint, costs, judged_scores, pictures, star_rows
from tests.evaluation.rated_rows import judged

QUICK = Resampling(resamples=100)
THREE = dataclasses.replace(Profile.load("afas"), send_from=3.0)
PAGE = Page(
    "# Verlof aanvragen\n\nDe medewerker vraagt verlof aan in het portaal. Klik op **Verlof** en "
    "klik op **Aanvragen**.",
    id="verlof.md",
)


@pytest.fixture(scope="module")
def afas():
    return Scorer.load("afas")


@pytest.mark.parametrize(
    ("rating", "label", "expected"),
    [
        (1, None, False),
        (2.5, None, None),
        (4, None, True),
        (5, None, True),
        (None, True, True),
        (None, False, False),
        (None, None, None),
        (3, True, None),
        (5, False, True),
    ],
)
def test_true_and_untrue_by_rating_and_label(rating, label, expected):
    assert truth(Turn("Kan dat?", "Ja.", rating=rating, label=label)) is expected


def test_table_5_by_hand():
    rated = ((1.0, 1), (2.0, 1), (2.1, 1), (5.0, 1), (3.0, 3), (4.0, 4.5), (5.0, 5))
    rows = [*(judged(score, rating) for score, rating in rated), judged(5.0, label=True)]
    one, two, three, four, five = star_rows(rows, 3.0)
    assert [row.rating for row in (one, two, three, four, five)] == [1, 2, 3, 4, 5]
    shares = (one.margin_1, one.score_1, one.below_send, one.above_send, one.score_5)
    assert [share.value for share in shares] == [0.5, 0.25, 0.75, 0.25, 0.25]
    assert (three.below_send.value, three.above_send.value, three.n) == (0, 0, 1)
    assert (two.n, four.n, two.margin_1.reason) == (0, 0, "no rows")
    assert (five.n, five.margin_1.value, five.score_5.value) == (2, 1, 0.5)


UNTRUE_AND_TRUE = [judged(score, 1) for score in (1.0, 2.0, 4.0)]
UNTRUE_AND_TRUE += [judged(score, 5) for score in (2.0, 3.25, 3.5, 4.0, 4.5, *[5.0] * 5)]


def costly(rows, profile=THREE):
    return costs(judged_scores(rows, profile), profile.send_from)


def test_costs_by_hand():
    """3 untrue, 10 true of which one scores 2.0 and the next 3.25."""
    found = costly([*UNTRUE_AND_TRUE, judged(1.0, 3)])
    assert (found.untrue_count, found.true_count) == (3, 10)
    neutral, cautious = found.at
    assert (neutral.threshold, neutral.caught.value, neutral.held_back.value) == (3.0, 2 / 3, 0.1)
    assert (cautious.threshold, cautious.held_back.value) == (3.2, 0.1)
    points = {point.threshold: point for point in found.points}
    assert len(points) == 41
    assert (points[1.0].caught_share, points[1.0].held_back_share) == (0, 0)
    assert (points[2.0].caught_share, points[2.1].caught_share) == (1 / 3, 2 / 3)
    assert (points[5.0].caught_share, points[5.0].held_back_share) == (1, 0.5)


def test_an_answer_held_for_a_fault_is_caught_at_every_threshold():
    scorer = Scorer.load()
    page = Page("Zet wifi uit met de **Vliegtuigstand**.", id="wifi.md")
    sent = Turn("Hoe zet ik wifi uit?", "Met de **Vliegtuigstand**.", [page], rating=5)
    found = scorer.score(sent, measure_all=True)
    assert found.verdict == "send"
    held = dataclasses.replace(found, verdict="review", score=scorer.profile.send_from - 0.1)
    untrue = dataclasses.replace(sent, rating=1)
    found = costly(select([sent, untrue], [found, held]), scorer.profile)
    assert {(one.caught_share, one.held_back_share) for one in found.points[:20]} == {(1, 0)}
    assert (found.at[0].caught.value, found.at[0].held_back.value) == (1, 0)


def test_charts_by_hand():
    rows = [*UNTRUE_AND_TRUE, judged(4.9, 3), judged(3.1, 3.5), judged(3.2, 2.5)]
    found = pictures(judged_scores(rows, THREE), 3.0)
    assert (found.n, found.is_worth_it) == (16, True)
    assert [(star.rating, star.n) for star in found.scores] == [(1, 3), (3, 2), (4, 1), (5, 10)]
    ones, _, _, fives = found.scores
    assert (ones.low, ones.median, ones.high) == (1.0, 2.0, 4.0)
    assert (fives.low, fives.quarter, fives.median, fives.high) == (3.2, 3.5, 5.0, 5.0)
    risk = {point.line: (point.sent, point.untrue) for point in found.risk}
    assert risk[1.0] == (1, 3 / 16)
    assert risk[3.9] == (9 / 16, 1 / 9)
    assert risk[5.0] == (5 / 16, 0)
    assert found.chosen == RiskPoint(3.0, 13 / 16, 1 / 13)
    bands = {band.low: (band.true.value, band.true.n) for band in found.bands}
    two, one = (0.5, 2), (1, 1)
    assert bands == {1.0: (0, 1), 2.0: two, 3.0: one, 3.5: one, 4.0: two, 4.5: (1, 6)}


def test_features_are_selected_by_the_rule_of_the_paper(afas):
    every = heuristics_of(afas)
    rows = [
        judged(
            3.0,
            1 + index % 5,
            values={
                **dict.fromkeys(every, None),
                "hal": 0.1 + index % 5 / 10,
                "complex_answer": 0.9 - index % 5 / 10,
                "prompt_overlap": (index * 7 % 20) / 20,
                "subject_combination": 0.5,
            },
        )
        for index in range(20)
    ]
    found = {one.name: one for one in features(rows, afas, QUICK)}
    assert tuple(found) == every
    assert found["hal"].spearman.value == pytest.approx(1)
    assert found["complex_answer"].spearman.value == pytest.approx(-1)
    assert found["complex_answer"].spearman.p < 0.10 < found["prompt_overlap"].spearman.p
    assert found["subject_combination"].spearman.reason == "all scores are the same"
    assert [one.name for one in found.values() if one.selected] == ["hal"]
    terms = found["company_specific_terms"]
    assert (terms.n, terms.missing_count, terms.symbol) == (0, 20, "ρ")


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("components_defined", "Klik op **Verlof** en klik op **Bewaren**."),
        ("hal", "De medewerker vraagt verlof aan in het portaal."),
        ("prompt_overlap", "De medewerker vraagt verlof aan in het portaal."),
    ],
)
def test_the_score_without_a_heuristic_is_that_of_a_profile_without_it(afas, name, answer):
    """Its cut leaves the tree; in the sum it has no weight."""
    turn = Turn("Hoe vraagt de medewerker verlof aan?", answer, [PAGE], language="nl")
    assessment = afas.score(turn, measure_all=True)
    tree = tuple(node for node in afas.profile.tree if getattr(node, "heuristic", None) != name)
    weights = {**afas.profile.weights, name: 0.0}
    less = Scorer(dataclasses.replace(afas.profile, tree=tree, weights=weights))
    assert walked(assessment, afas.profile, name).score == pytest.approx(less.score(turn).score)
    assert walked(assessment, afas.profile, name).score != pytest.approx(assessment.score)


def with_values(values, ratings, **fields):
    """A rated row for each value of prompt_overlap; None is a missing value."""
    return [
        judged(3.0, rating, place=place, values={"prompt_overlap": value, **fields})
        for place, (value, rating) in enumerate(zip(values, ratings, strict=True))
    ]


def test_the_difference_of_a_feature_by_hand():
    """Ratings 1 to 4: rho is 1 for 1 2 3 4, and 1 - 6 * 4 / (4 * 15) = 0.6 for 2 1 4 3."""
    ratings = (1, 2, 3, 4, 5, 5)
    first = with_values((0.1, 0.2, 0.3, 0.4, None, 0.9), ratings, hal=0.5, step_order=0.5)
    second = with_values((0.2, 0.1, 0.4, 0.3, 0.7, None), ratings, hal=0.5, components_defined=0.5)
    found = compare(("first", "second"), list(zip(first, second, strict=True)), QUICK)
    assert [one.name for one in found.features] == ["prompt_overlap", "hal"]
    overlap, hal = found.features
    assert (overlap.n, overlap.differ_count) == (4, 4)
    assert (overlap.first, overlap.second) == (pytest.approx(1.0), pytest.approx(0.6))
    assert overlap.spearman_difference.value == pytest.approx(0.4)
    assert overlap.spearman_difference.reason == "no interval with fewer than 10 rows"
    assert (hal.n, hal.differ_count, hal.first) == (6, 0, None)
    assert hal.spearman_difference.reason == "all scores are the same"


def test_disagreements_worst_first():
    rows = [
        judged(3.0, 4, id="within the margin"),
        judged(1.0, 5, id="4 off"),
        judged(2.5, 4, id="1.5 off"),
        judged(5.0, 1, id="4 off too"),
        judged(2.9, label=False, id="not sent"),
        judged(4.5, label=False, id="untrue and high"),
        judged(2.9, label=True, id="true and low"),
        judged(4.0, label=True, id="true and high"),
    ]
    found = disagreements(rows, 20)
    assert [(one.id, pytest.approx(one.gap)) for one in found] == [
        ("4 off", 4),
        ("4 off too", 4),
        ("untrue and high", 3.5),
        ("true and low", 2.1),
        ("1.5 off", 1.5),
    ]
    assert (found[2].rating, found[2].label) == (None, False)
    assert disagreements(rows, 2) == found[:2]
    assert disagreements(rows, 0) == ()
