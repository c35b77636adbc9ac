"""The walk through the tree: cuts, missing values, the weighted sum."""

from __future__ import annotations

from pathlib import Path

import pytest

from klopt import Profile, Scorer, Turn
from klopt.measurement import Measurement
from klopt.scoring.tree import Cut, Sum, Visit, condition, walk

SAYS = {"nl": "Zo is het.", "en": "So it is."}
LOW = Cut("low", "components", 1.0, None, 1.0, SAYS)
HIGH = Cut("high", "guide", None, 0.9, 5.0, SAYS)
SUM = Sum("sum", ("terms", "signals", "overlap"), SAYS)
TREE = (LOW, HIGH, SUM)
EVEN = {"components": 1.0, "guide": 1.0, "terms": 1.0, "signals": 1.0, "overlap": 1.0}


class Measured:
    """Gives values by name and remembers what was asked for."""

    def __init__(self, **values: float) -> None:
        self.values = values
        self.asked: list[str] = []

    def __call__(self, name: str) -> Measurement:
        self.asked.append(name)
        if name not in self.values:
            return Measurement.missing("nothing there")
        return Measurement(self.values[name])


@pytest.mark.parametrize(
    ("value", "decides"), [(0.0, True), (0.5, True), (0.999, True), (1.0, False)]
)
def test_cut_below(value: float, decides: bool):
    assert LOW.holds(value) is decides


@pytest.mark.parametrize(
    ("value", "decides"), [(0.0, False), (0.899, False), (0.9, True), (1.0, True)]
)
def test_cut_at_least(value: float, decides: bool):
    assert HIGH.holds(value) is decides


def test_condition_in_figures():
    assert condition(LOW) == "< 1"
    assert condition(HIGH) == "≥ 0.9"


def test_first_cut_decides_and_nothing_else_is_measured():
    measured = Measured(components=0.5, guide=1.0, terms=1.0)
    found = walk(TREE, EVEN, measured)
    assert (found.score, found.rule) == (1.0, "low")
    assert found.visits == (Visit("low", "components", 0.5, "< 1", True),)
    assert measured.asked == ["components"]


def test_second_cut_decides():
    measured = Measured(components=1.0, guide=0.95)
    found = walk(TREE, EVEN, measured)
    assert (found.score, found.rule) == (5.0, "high")
    assert found.visits == (
        Visit("low", "components", 1.0, "< 1", False),
        Visit("high", "guide", 0.95, "≥ 0.9", True),
    )
    assert measured.asked == ["components", "guide"]


def test_what_is_not_measurable_does_not_decide():
    found = walk(TREE, EVEN, Measured(terms=0.5))
    assert (found.score, found.rule) == (3.0, "sum")
    assert found.visits == (
        Visit("low", "components", None, "< 1", False),
        Visit("high", "guide", None, "≥ 0.9", False),
        Visit("sum", None, 0.5, "", True),
    )


@pytest.mark.parametrize(
    ("values", "weights", "score"),
    [
        pytest.param({"terms": 0, "signals": 0, "overlap": 0}, {}, 1.0, id="lowest"),
        pytest.param({"terms": 1, "signals": 1, "overlap": 1}, {}, 5.0, id="highest"),
        pytest.param({"terms": 0.25, "signals": 0.5, "overlap": 0.75}, {}, 3.0, id="mean"),
        pytest.param(
            {"terms": 0.25, "signals": 0.75}, {}, 3.0, id="one is missing: mean of the others"
        ),
        pytest.param(
            {"terms": 1, "signals": 0, "overlap": 0}, {"terms": 2.0}, 3.0, id="2 of 4: 1 + 4/2"
        ),
        pytest.param(
            {"terms": 1, "signals": 0},
            {"terms": 3.0, "overlap": 9.0},
            4.0,
            id="the missing one's weight counts for nothing: 1 + 4·3/4",
        ),
        pytest.param(
            {"terms": 0, "signals": 1}, {"terms": 0.0}, 5.0, id="weight 0 counts for nothing"
        ),
    ],
)
def test_sum(values: dict[str, float], weights: dict[str, float], score: float):
    found = walk(TREE, {**EVEN, **weights}, Measured(**values))
    assert found.rule == "sum"
    assert found.score == pytest.approx(score)


@pytest.mark.parametrize(
    ("values", "weights"),
    [({}, {}), ({"terms": 1.0}, {"terms": 0.0})],
)
def test_nothing_to_add_up(values: dict[str, float], weights: dict[str, float]):
    found = walk(TREE, {**EVEN, **weights}, Measured(**values))
    assert (found.score, found.rule) == (None, None)
    assert found.visits[-1] == Visit("sum", None, None, "", False)


# What follows is worked by hand from the paper, section 5.3 and figure 4.

GUIDE = "1. Klik op: **Nieuw**.\n2. Klik op: **Opslaan**."
SENTENCE = "De gebruiker opent het bestand, omdat de klant dat vraagt."


def score(scorer: Scorer, answer: str, pages: list[str], question: str = "Kan dat?") -> float:
    turn = Turn(question, answer, pages, language="nl", message_type="instruction")
    found = scorer.score(turn)
    assert found.score is not None
    return found.score


def test_afas_missing_component_is_1(afas: Scorer):
    answer = f"{SENTENCE} Klik op **Turbo**."
    assert score(afas, answer, [SENTENCE]) == 1.0


def test_afas_missing_component_goes_before_a_verbatim_guide(afas: Scorer):
    assert score(afas, f"{GUIDE}\n\nKlik tot slot op **Turbo**.", [GUIDE]) == 1.0


def test_afas_verbatim_guide_is_5(afas: Scorer):
    assert score(afas, GUIDE, [f"# Nieuw\n\n{GUIDE}"]) == 5.0


def test_afas_otherwise_1_plus_4_times_the_mean(afas: Scorer):
    """Signal words 1 list of 4; question, pairs and subjects all found; no terms were learnt."""
    found = score(afas, SENTENCE, [SENTENCE], "Hoe opent de gebruiker het bestand?")
    assert found == pytest.approx(1 + 4 * (0.25 + 1 + 1 + 1) / 4)


def test_afas_with_terms(tmp_path: Path):
    """One company term of the three that are enough comes in as a fifth feature."""
    file = tmp_path / "company_terms.toml"
    file.write_text(
        '[lexicon]\nid = "company_terms"\nlanguage = "nl"\nsource = "ours"\nlicence = "ours"\n'
        'retrieved = 2026-11-22\nchanges = "none"\n\n[lists]\nterms = ["bestand"]\n',
        "utf-8",
    )
    scorer = Scorer.load("afas", terms=[file])
    found = score(scorer, SENTENCE, [SENTENCE], "Hoe opent de gebruiker het bestand?")
    assert found == pytest.approx(1 + 4 * (1 / 3 + 0.25 + 1 + 1 + 1) / 5)


def test_afas_is_the_published_tree():
    profile = Profile.load("afas")
    assert set(profile.weights.values()) == {1.0}
    assert [node.node for node in profile.tree] == [
        "missing_component",
        "verbatim_guide",
        "sum_of_features",
    ]
    first, second, last = profile.tree
    assert isinstance(first, Cut)
    assert isinstance(second, Cut)
    assert isinstance(last, Sum)
    assert (first.heuristic, first.below, first.score) == ("components_defined", 1.0, 1.0)
    assert (second.heuristic, second.score) == ("verbatim_guide_defined", 5.0)
    asked = {first.heuristic, second.heuristic, *last.heuristics}
    assert asked == set(profile.weights)
    assert len(last.heuristics) == 5
    assert profile.message_types == ("binary", "instruction")
    assert profile.classifier == "published"
