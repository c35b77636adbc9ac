"""The whole evaluation: its schema, its bytes, what it refuses."""

from __future__ import annotations

import dataclasses
import json

import pytest

from klopt import Page, Scorer, Turn
from klopt.errors import InputError
from klopt.evaluation import InputColumn, evaluate
from klopt.version import VERSION

PAGE = Page(
    "# Verlof aanvragen\n\nDe medewerker vraagt verlof aan in het portaal.\n\n1. Klik op "
    "**Verlof**.\n2. Klik op **Aanvragen**.\n3. Kies de datum.",
    id="verlof.md",
)
STEPS = "1. Klik op **Verlof**.\n2. Klik op **Aanvragen**.\n3. Kies de datum."
SENTENCE = "De medewerker vraagt verlof aan in het portaal."
INVENTED = "Klik op **Verlof** en daarna op **Intrekken**."
QUESTION = "Hoe vraag ik verlof aan in het portaal?"
ANSWERS = ((STEPS, 5), (INVENTED, 1), (SENTENCE, 4))


def turns() -> list[Turn]:
    rows = [
        Turn(
            QUESTION,
            answer,
            [PAGE],
            id=f"row-{index}",
            language="nl",
            rating=rating,
            message_type="binary" if index == 4 else "instruction",
        )
        for index, (answer, rating) in enumerate(ANSWERS * 4)
    ]
    rows.append(Turn(QUESTION, "", [PAGE], id="empty", language="nl", rating=5))
    return rows


@pytest.fixture(scope="module")
def scorers():
    return Scorer.load("default"), Scorer.load("afas")


def evaluated(scorers):
    return evaluate(
        turns(),
        scorers[0],
        against=scorers[1],
        groups=InputColumn("team", (*("a", "b") * 6, None)),
        resamples=100,
        worst=3,
        file="rated.jsonl",
        unread_count=2,
    )


@pytest.fixture(scope="module")
def found(scorers):
    return evaluated(scorers)


@pytest.fixture(scope="module")
def table(found):
    return found.to_dict()


ESTIMATE = {"value", "low", "high", "n", "p", "reason"}
SHAPE = {
    "": "klopt file seed resamples rows profiles[] comparison message_types",
    "rows": "total rated labelled not_scored languages message_types",
    "rows.not_scored": "empty_answer row",
    "rows.languages": "nl",
    "rows.message_types": "binary instruction",
    "profiles": (
        "name fingerprints[] send_from translation agreement[] stars[] features[] ablation[] "
        "costs pictures disagreements[] learnt_rows"
    ),
    "profiles.agreement": (
        "slice spearman** kendall** pearson** kappa_quadratic* auc* accuracy_margin_1*"
    ),
    "profiles.stars": "rating n margin_1* score_1* below_send* above_send* score_5*",
    "profiles.features": "name symbol n missing_count spearman* selected",
    "profiles.ablation": "name spearman_without** brings*",
    "profiles.costs": "untrue_count true_count points[] at[]",
    "profiles.costs.points": "threshold caught_share held_back_share",
    "profiles.costs.at": "threshold caught* held_back*",
    "profiles.pictures": "n scores[] risk[] chosen bands[]",
    "profiles.pictures.scores": "rating n low quarter median three_quarters high",
    "profiles.pictures.risk": "line sent untrue",
    "profiles.pictures.chosen": "line sent untrue",
    "profiles.pictures.bands": "low high true*",
    "profiles.disagreements": (
        "id question answer rating label score gap verdict rule message_type language explanation "
        "measurements[]"
    ),
    "profiles.disagreements.measurements": "name value reason weight evidence[]",
    "comparison": (
        "first second n differ_count spearman_first spearman_second spearman_difference* "
        "auc_first auc_second auc_difference* features[]"
    ),
    "comparison.features": "name n differ_count first second spearman_difference*",
    "message_types": "n overall types[] binary_or_instruction",
    "message_types.overall": "f1* accuracy* precision* recall*",
    "message_types.types": "f1* accuracy* precision* recall* type",
    "message_types.binary_or_instruction": "f1* accuracy* precision* recall*",
}
"""Table → what it has, in order: a list has [], an estimate a star, one with a p-value two."""


def shape(table, at=""):
    names, inner = [], []
    for name, value in table.items():
        if name == "statements":  # what one holds is told where statements are made
            continue
        if isinstance(value, list):
            names.append(f"{name}[]")
            inner += [(name, one) for one in value[:1] if isinstance(one, dict)]
        elif isinstance(value, dict) and value.keys() == ESTIMATE:
            assert (value["value"] is None) <= (value["reason"] is not None)
            names.append(f"{name}*" if value["p"] is None else f"{name}**")
        else:
            names.append(name)
            inner += [(name, value)] if isinstance(value, dict) else []
    yield at, " ".join(names)
    for name, one in inner:
        yield from shape(one, f"{at}.{name}".strip("."))


def test_what_it_is_as_json(table):
    """The shape of a file that users read on; a change to it is told in the CHANGELOG."""
    assert dict(shape(table)) == SHAPE
    assert (table["klopt"], table["file"]) == (VERSION, "rated.jsonl")
    assert (table["seed"], table["resamples"]) == (0, 100)
    assert table["rows"] == {
        "total": 15,
        "rated": 13,
        "labelled": 0,
        "not_scored": {"empty_answer": 1, "row": 2},
        "languages": {"nl": 12},
        "message_types": {"binary": 1, "instruction": 11},
    }
    assert "-0.0," not in json.dumps(table, allow_nan=False)


def test_each_profile(table, scorers):
    assert [one["name"] for one in table["profiles"]] == ["default", "afas"]
    for one, scorer in zip(table["profiles"], scorers, strict=True):
        (fingerprint,) = one["fingerprints"]
        assert fingerprint.startswith(f"klopt:{VERSION}|profile:{one['name']}@")
        slices = "all", "language: nl", "message type: binary", "message type: instruction"
        assert [part["slice"] for part in one["agreement"]] == [*slices, "team: a", "team: b"]
        names = [part["name"] for part in one["features"]]
        assert set(names) == set(scorer.profile.weights)
        assert [part["name"] for part in one["ablation"]] == names
        assert {part["n"] + part["missing_count"] for part in one["features"]} == {12}
        stars = [(row["rating"], row["n"]) for row in one["stars"]]
        assert stars == [(1, 4), (2, 0), (3, 0), (4, 4), (5, 4)]
        assert (one["costs"]["untrue_count"], one["costs"]["true_count"]) == (4, 8)
        assert one["costs"]["at"][0]["threshold"] == scorer.profile.send_from


def test_disagreements(scorers):
    worse = [dataclasses.replace(turn, rating=6 - turn.rating) for turn in turns()]
    found = evaluate(worse, scorers[1], resamples=100, worst=3)
    rows = found.profiles[0].disagreements
    assert [row.gap for row in rows] == [4, 4, 4]
    invented = rows[1]
    assert (invented.id, invented.answer) == ("row-1", INVENTED)
    assert (invented.verdict, invented.rule) == ("block", "missing_component")
    assert {one.name for one in invented.measurements} == set(scorers[1].profile.weights)
    assert any(one.evidence for one in invented.measurements)


def test_the_same_bytes_again(found, table, scorers):
    again = evaluated(scorers)
    assert json.dumps(again.to_dict(), allow_nan=False) == json.dumps(table, allow_nan=False)
    assert again == found


def test_without_the_options(scorers):
    steps = []
    plain = [dataclasses.replace(turn, message_type=None) for turn in turns()]
    found = evaluate(plain, scorers[0], resamples=100, advance=lambda: steps.append(1))
    assert len(steps) == len(plain)
    assert (found.comparison, found.message_types) == (None, None)
    assert found.file == ""
    assert len(found.profiles) == 1


def test_labels_alone(scorers):
    labelled = [dataclasses.replace(turn, rating=None, label=turn.rating > 3) for turn in turns()]
    found = evaluate(labelled, scorers[0], resamples=100).to_dict()
    assert (found["rows"]["rated"], found["rows"]["labelled"]) == (0, 13)
    overall = found["profiles"][0]["agreement"][0]
    assert (overall["auc"]["value"], overall["auc"]["n"]) == (1, 12)
    assert overall["spearman"]["value"] > 0
    assert overall["kappa_quadratic"]["value"] is None


@pytest.mark.parametrize("rows", [[], [Turn("Kan dat?", "Ja.")]])
def test_nothing_to_compare_with(scorers, rows):
    with pytest.raises(InputError, match=r"no turn has a rating \(1 to 5\) or a label \(0 or 1\)"):
        evaluate(rows, scorers[0])
