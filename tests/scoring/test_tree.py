"""The decision tree: cuts, missing values, the weighted sum, and evidence as log-odds."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Profile, Scorer, Turn
from klopt.heuristics import ALL
from klopt.scoring.tree import (
    HIGHEST,
    LOWEST,
    Cut,
    Sum,
    Term,
    Visit,
    Walk,
    Weigh,
    Weighing,
    needed,
    walk,
)
from klopt.types import Measurement

SAYS = {"nl": "Zo is het.", "en": "So it is."}
LOW = Cut("low", "components", 1.0, None, 1.0, SAYS)
HIGH = Cut("high", "guide", None, 0.9, 5.0, SAYS)
SUM = Sum("sum", ("terms", "signals", "overlap"), SAYS)
TREE = (LOW, HIGH, SUM)
EVEN = {"components": 1.0, "guide": 1.0, "terms": 1.0, "signals": 1.0, "overlap": 1.0}


def measured(**values: float) -> dict[str, Measurement]:
    return {name: Measurement(value) for name, value in values.items()}


@pytest.mark.parametrize(
    ("cut", "shown", "decides", "passes"),
    [(LOW, "< 1", (0.0, 0.5, 0.999), (1.0,)), (HIGH, "≥ 0.9", (0.9, 1.0), (0.0, 0.899))],
)
def test_a_cut_decides_on_one_side_of_its_threshold(cut, shown, decides, passes):
    assert cut.condition == shown
    assert all(map(cut.holds, decides))
    assert not any(map(cut.holds, passes))


@pytest.mark.parametrize(
    ("values", "score", "visits", "names"),
    [
        ({"components": 0.5, "guide": 1.0, "terms": 1.0}, 1.0,
         [("low", "components", 0.5, "< 1", True)], ["components"]),
        ({"components": 1.0, "guide": 0.95}, 5.0,
         [("low", "components", 1.0, "< 1", False), ("high", "guide", 0.95, "≥ 0.9", True)],
         ["components", "guide"]),
        ({"terms": 0.5}, 3.0,
         [("low", "components", None, "< 1", False), ("high", "guide", None, "≥ 0.9", False),
          ("sum", None, 0.5, "", True)],
         ["components", "guide", "terms", "signals", "overlap"]),
    ],
    ids=["first node", "second node", "missing values"],
)  # fmt: skip
def test_the_first_deciding_node_ends_the_walk(values, score, visits, names):
    known: dict[str, Measurement] = {}
    while missing := needed(TREE, known):
        absent = dict.fromkeys(missing, Measurement.missing("nothing there"))
        known |= {
            **absent,
            **measured(**{name: values[name] for name in missing if name in values}),
        }
    found = walk(TREE, EVEN, known)
    assert (found.score, found.rule) == (score, visits[-1][0])
    assert list(found.visits) == [Visit(*visit) for visit in visits]
    assert list(known) == names


@pytest.mark.parametrize(
    ("values", "weights", "score"),
    [
        # Minimum, maximum and mean; without a missing value.
        ({"terms": 0, "signals": 0, "overlap": 0}, {}, 1.0),
        ({"terms": 1, "signals": 1, "overlap": 1}, {}, 5.0),
        ({"terms": 0.25, "signals": 0.5, "overlap": 0.75}, {}, 3.0),
        ({"terms": 0.25, "signals": 0.75}, {}, 3.0),
        # 2 of 4: 1 + 4/2; the weight of a missing value is ignored: 1 + 4·3/4; weight 0.
        ({"terms": 1, "signals": 0, "overlap": 0}, {"terms": 2.0}, 3.0),
        ({"terms": 1, "signals": 0}, {"terms": 3.0, "overlap": 9.0}, 4.0),
        ({"terms": 0, "signals": 1}, {"terms": 0.0}, 5.0),
    ],
)
def test_the_weighted_sum(values, weights, score):
    found = walk(TREE, {**EVEN, **weights}, measured(**values))
    assert found.rule == "sum"
    assert found.score == pytest.approx(score)


@pytest.mark.parametrize(("values", "weights"), [({}, {}), ({"terms": 1.0}, {"terms": 0.0})])
def test_a_sum_without_values_gives_no_score(values, weights):
    found = walk(TREE, {**EVEN, **weights}, measured(**values))
    assert (found.score, found.rule) == (None, None)
    assert found.visits[-1] == Visit("sum", None, None, "", False)


# Worked by hand from the AFAS paper, section 5.3 and figure 4.

GUIDE = "1. Klik op: **Nieuw**.\n2. Klik op: **Opslaan**."
SENTENCE = "De gebruiker opent het bestand, omdat de klant dat vraagt."


def score(scorer: Scorer, answer: str, pages: list[str], question: str = "Kan dat?") -> float:
    turn = Turn(question, answer, pages, language="nl", message_type="instruction")
    found = scorer.score(turn)
    assert found.score is not None
    return found.score


@pytest.mark.parametrize(
    ("answer", "page", "expected"),
    [
        (f"{SENTENCE} Klik op **Turbo**.", SENTENCE, 1.0),
        (f"{GUIDE}\n\nKlik tot slot op **Turbo**.", GUIDE, 1.0),
        (GUIDE, f"# Nieuw\n\n{GUIDE}", 5.0),
    ],
    ids=["missing component", "missing component beside a verbatim guide", "verbatim guide"],
)
def test_cuts_of_afas(afas, answer, page, expected):
    assert score(afas, answer, [page]) == expected


def test_the_sum_of_afas_is_1_plus_4_times_the_mean(afas):
    """Signal words of 1 list of 4; question, pairs and subjects all found; no company terms."""
    found = score(afas, SENTENCE, [SENTENCE], "Hoe opent de gebruiker het bestand?")
    assert found == pytest.approx(1 + 4 * (0.25 + 1 + 1 + 1) / 4)


def test_afas_is_the_published_tree():
    profile = Profile.load("afas")
    assert profile.weights == {heuristic.name: 1.0 for heuristic in ALL[:7]}
    assert [node.node for node in profile.tree] == [
        "missing_component",
        "verbatim_guide",
        "sum_of_features",
    ]
    first, second, last = profile.tree
    assert isinstance(last, Sum)
    assert (first.heuristic, first.below, first.score) == ("components_defined", 1.0, 1.0)
    assert (second.heuristic, second.score) == ("verbatim_guide_defined", 5.0)
    assert {first.heuristic, second.heuristic, *last.heuristics} == set(profile.weights)
    assert len(last.heuristics) == 5
    assert profile.message_types == ("binary", "instruction")
    assert profile.classifier == "published"


# Weighed evidence

CUT = Cut("low", "steps", 0.25, None, 1.0, SAYS)
WEIGH = Weigh("weighed", ("names", "order", "wording"), SAYS)
WEIGHING = Weighing(0.5, {"names": Term(2.0, 1.0), "order": Term(4.0, 0.5)})


def walked(weighing: Weighing | None = WEIGHING, /, **values: float) -> Walk:
    """The walk through a cut and a weigh with only these measurements."""
    return walk((CUT, WEIGH), {}, measured(**values), weighing)


@pytest.mark.parametrize(
    ("values", "log_odds"),
    [
        pytest.param({"names": 1.0, "order": 0.5}, 0.5, id="neutral: the base"),
        pytest.param({"names": 0.5, "order": 0.5}, -0.5, id="0.5 + 2 × -0.5"),
        pytest.param({"names": 0.0, "order": 0.0}, -3.5, id="0.5 + 2 × -1 + 4 × -0.5"),
        pytest.param({"names": 1.0, "order": 1.0}, 2.5, id="0.5 + 0 + 4 × 0.5"),
        pytest.param({"names": 0.75, "order": 0.75}, 1.0, id="0.5 - 0.5 + 1"),
        pytest.param({"names": 0.5}, -0.5, id="0.5 + 2 × -0.5, without the missing value"),
    ],
)
def test_log_odds_by_hand(values, log_odds):
    found = walked(**values)
    assert found.rule == "weighed"
    # The tree computes this with tanh.
    assert found.score == pytest.approx(1 + 4 / (1 + math.exp(-log_odds)))


def test_a_heuristic_without_weight_in_the_language_is_not_measured():
    weighing = Weighing(0.0, {"names": Term(1.0, 0.5), "order": Term(0.0, 0.5)})
    assert needed((WEIGH,), {}, weighing) == ("names",)
    every = dict.fromkeys(WEIGH.heuristics, Measurement(1.0))
    assert walk((WEIGH,), {}, every, weighing).contributions == {"names": 0.5}


@pytest.mark.parametrize(
    ("weighing", "values"),
    [
        pytest.param(WEIGHING, {}, id="nothing measured"),
        pytest.param(WEIGHING, {"wording": 1.0}, id="only a heuristic without weight"),
        pytest.param(Weighing(3.0, {}), {"names": 1.0}, id="only a base"),
        pytest.param(None, {"names": 1.0}, id="a language without evidence"),
    ],
)
def test_without_evidence_there_is_no_score(weighing, values):
    found = walked(weighing, **values)
    assert (found.score, found.rule, found.contributions) == (None, None, {})
    assert found.visits[-1] == Visit("weighed", None, None, "", False)


SHARES = st.one_of(st.none(), st.floats(0, 1))
WEIGHTS = st.floats(0, 1_000)


@given(
    st.floats(-1_000, 1_000),
    st.lists(st.tuples(WEIGHTS, st.floats(0, 1), SHARES), min_size=3, max_size=3),
    st.integers(0, 2),
    st.floats(0, 1),
)
def test_the_score_is_from_1_to_5_and_monotonic(base, terms, place, other):
    weighing = Weighing(
        base,
        {
            name: Term(weight, neutral)
            for name, (weight, neutral, _) in zip(WEIGH.heuristics, terms, strict=True)
        },
    )
    values = {
        name: value
        for name, (_, _, value) in zip(WEIGH.heuristics, terms, strict=True)
        if value is not None
    }
    name = WEIGH.heuristics[place]
    low, high = sorted((values.get(name, other), other))
    before = walked(weighing, **{**values, name: low}).score
    after = walked(weighing, **{**values, name: high}).score
    assert (before is None) == (after is None)
    if before is not None and after is not None:
        assert LOWEST <= before <= after <= HIGHEST
