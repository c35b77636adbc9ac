"""The tree's cuts: moved where they come closest to the ratings, gone where they come no closer."""

from __future__ import annotations

import pytest

from klopt.measurement import Measurement
from klopt.scoring.tree import Cut, Weigh
from klopt.tuning.cuts import FEWEST_CAUGHT, decider, learn_cuts
from klopt.tuning.samples import Sample
from tests.tuning.judged import judged

SAYS = {"nl": "Zo.", "en": "So."}
ORDER = Cut("order", "step_order", 1.0, None, 1.0, SAYS)
GUIDE = Cut("guide", "verbatim_guide_defined", None, 0.95, 5.0, SAYS)
LAST = Weigh("weighed", ("components_together",), SAYS)


def ordered(*pairs: tuple[float, float]) -> list[Sample]:
    """Answers by rating and step order."""
    return [judged(rating, step_order=value) for rating, value in pairs]


def learnt(tree: tuple, samples: list[Sample], otherwise: float) -> tuple:
    return learn_cuts(tree, [(one, otherwise) for one in samples])


def test_it_moves_to_where_it_is_right():
    """Below 0.5 answers are untrue, from there on true; the last node gives 4 to all."""
    samples = ordered(*[(1.0, 0.4)] * 8, *[(5.0, 0.6)] * 8)
    (cut, last) = learnt((ORDER, LAST), samples, 4.0)
    assert (cut.node, cut.below, cut.score, cut.at_least) == ("order", 0.5, 1.0, None)
    assert last == LAST


def test_it_gives_the_mean_rating_to_half_a_star():
    """Five times 1 and three times 2 is 1.375; a cut at 0.25 would catch none."""
    samples = ordered(*[(1.0, 0.3)] * 5, *[(2.0, 0.3)] * 3)
    (cut, _) = learnt((ORDER, LAST), samples, 4.0)
    assert cut.score == 1.5


def test_a_cut_from_a_value_on_moves_too():
    samples = [judged(5.0, verbatim_guide_defined=0.85) for _ in range(6)]
    samples += [judged(1.0, verbatim_guide_defined=0.7) for _ in range(6)]
    (cut, _) = learnt((GUIDE, LAST), samples, 3.0)
    assert (cut.at_least, cut.below, cut.score) == (0.8, None, 5.0)


def test_it_goes_when_the_last_node_is_closer_everywhere():
    """The ratings below every place are mixed, and the last node knows them."""
    samples = ordered(*[(rating, 0.1) for rating in (1.0, 5.0) * 6])
    assert learn_cuts((ORDER, LAST), [(one, one.rating) for one in samples]) == (LAST,)


def test_with_too_few_answers_it_stays_as_it_was():
    samples = ordered(*[(5.0, 0.1)] * (FEWEST_CAUGHT - 1))
    assert learnt((ORDER, LAST), samples, 5.0) == (ORDER, LAST)
    assert learnt((ORDER, LAST), [], 5.0) == (ORDER, LAST)
    enough = ordered(*[(5.0, 0.1)] * FEWEST_CAUGHT)
    assert learnt((ORDER, LAST), enough, 5.0) == (LAST,)


def test_what_an_earlier_cut_decides_does_not_come_to_a_later_one():
    """All eight answers with steps out of order are decided by the guide before them."""
    samples = [judged(5.0, verbatim_guide_defined=1.0, step_order=0.1) for _ in range(8)]
    guide, order, _ = learnt((GUIDE, ORDER, LAST), samples, 3.0)
    assert (guide.score, guide.node) == (5.0, "guide")
    assert order == ORDER


def test_what_a_cut_that_is_gone_decided_comes_to_the_next():
    """Among answers with a guide the last node is right; without order all of them are untrue."""
    samples = [
        judged(rating, verbatim_guide_defined=1.0, step_order=order)
        for rating, order in [(1.0, 0.1)] * 8 + [(5.0, 1.0)] * 8
    ]
    otherwise = [1.5] * 8 + [5.0] * 8
    (order, last) = learn_cuts((GUIDE, ORDER, LAST), list(zip(samples, otherwise, strict=True)))
    assert (order.node, order.score, last) == ("order", 1.0, LAST)


@pytest.mark.parametrize(("value", "expected"), [(0.99, True), (1.0, False), (None, False)])
def test_decider(value: float | None, expected: bool):
    missing = Measurement.missing("no steps")
    found = Sample({"step_order": missing if value is None else Measurement(value)}, 1.0, "nl", "a")
    assert decider([GUIDE, ORDER, LAST], found) == (ORDER if expected else None)
    assert decider([GUIDE, ORDER, LAST], judged(1.0)) is None
