"""The whole evaluation: its schema, its bytes, what it refuses."""

from __future__ import annotations

import dataclasses
import json

import pytest

from klopt import Page, Scorer, Turn
from klopt.errors import InputError
from klopt.evaluation import Column, evaluate
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

ESTIMATE = {"value", "low", "high", "n", "p", "reason"}
SHARES = {"f1", "accuracy", "precision", "recall"}
AGREEMENT = {"spearman", "kendall", "pearson", "kappa_quadratic", "auc", "accuracy_margin_1"}
EVIDENCE = {"kind", "text", "start", "end", "page", "page_start", "page_end", "entry"}


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


@pytest.fixture(scope="module")
def found(scorers):
    return evaluate(
        turns(),
        scorers[0],
        against=scorers[1],
        groups=Column("team", (*("a", "b") * 6, None)),
        second_types=Column("second", ("instruction",) * 13),
        resamples=100,
        worst=3,
        file="rated.jsonl",
        unread_count=2,
    )


@pytest.fixture(scope="module")
def table(found):
    return found.to_dict()


def is_estimate(value, *, p=False):
    assert set(value) == ESTIMATE
    assert isinstance(value["n"], int)
    assert value["p"] is None or p
    assert (value["value"] is None) <= (value["reason"] is not None)


def test_the_top(table):
    assert list(table) == [
        "klopt",
        "file",
        "seed",
        "resamples",
        "rows",
        "profiles",
        "comparison",
        "message_types",
        "heuristics_by_type",
        "labellers",
    ]
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


def test_the_line_is_the_profiles(scorers):
    strict = dataclasses.replace(scorers[1].profile, send_from=4.5)
    (one,) = evaluate(turns(), Scorer(strict), resamples=100).profiles
    assert (one.send_from, one.costs.at[0].threshold) == (4.5, 4.5)
    below = sum(row.score < 4.5 for row in one.disagreements)
    assert sum(row.below_send.value * row.n for row in one.stars if row.n) >= below


def test_each_profile(table, scorers):
    assert [one["name"] for one in table["profiles"]] == ["default", "afas"]
    for one, scorer in zip(table["profiles"], scorers, strict=True):
        assert set(one) == {
            "name", "fingerprints", "send_from", "translation", "agreement", "stars", "features",
                "learnt_rows",
            "ablation", "costs", "disagreements",
        }  # fmt: skip
        assert one["translation"] is None
        (fingerprint,) = one["fingerprints"]
        assert fingerprint.startswith(f"klopt:{VERSION}|profile:{one['name']}@")
        assert [part["slice"] for part in one["agreement"]] == [
            "all",
            "language: nl",
            "message type: binary",
            "message type: instruction",
            "team: a",
            "team: b",
        ]
        for part in one["agreement"]:
            assert set(part) == {"slice", *AGREEMENT}
            for name in AGREEMENT:
                is_estimate(part[name], p=name in ("spearman", "kendall", "pearson"))
        names = [part["name"] for part in one["features"]]
        assert set(names) == set(scorer.profile.weights)
        assert [part["name"] for part in one["ablation"]] == names
        for part in one["features"]:
            assert set(part) == {"name", "symbol", "n", "missing_count", "spearman", "selected"}
            assert part["n"] + part["missing_count"] == 12
            is_estimate(part["spearman"], p=True)
        for part in one["ablation"]:
            assert set(part) == {"name", "spearman_without", "brings"}
            is_estimate(part["spearman_without"], p=True)
            is_estimate(part["brings"])


def test_stars_and_costs(table, scorers):
    one = table["profiles"][0]
    assert [(row["rating"], row["n"]) for row in one["stars"]] == [
        (1, 4), (2, 0), (3, 0), (4, 4), (5, 4),
    ]  # fmt: skip
    for row in one["stars"]:
        for name in ("margin_1", "score_1", "below_send", "above_send", "score_5"):
            is_estimate(row[name])
    costs = one["costs"]
    assert set(costs) == {"untrue_count", "true_count", "points", "at"}
    assert (costs["untrue_count"], costs["true_count"]) == (4, 8)
    assert set(costs["points"][0]) == {"threshold", "caught_share", "held_back_share"}
    assert [point["threshold"] for point in costs["points"]] == [
        round(1 + step / 10, 1) for step in range(41)
    ]
    assert costs["at"][0]["threshold"] == scorers[0].profile.send_from
    assert set(costs["at"][1]) == {"threshold", "caught", "held_back"}


def test_what_these_answers_come_to(table):
    """By the paper's tree the invented button scores 1; in both profiles the steps score 5."""
    default, afas = table["profiles"]
    for one in (default, afas):
        assert one["agreement"][0]["auc"]["value"] == 1
        assert one["stars"][4]["score_5"]["value"] == 1
    assert afas["stars"][0]["score_1"]["value"] == 1
    assert afas["costs"]["at"][0]["caught"]["value"] == 1


def test_disagreements(scorers):
    worse = [dataclasses.replace(turn, rating=6 - turn.rating) for turn in turns()]
    found = evaluate(worse, scorers[1], resamples=100, worst=3).to_dict()
    rows = found["profiles"][0]["disagreements"]
    assert [row["gap"] for row in rows] == [4, 4, 4]
    assert set(rows[0]) == {
        "id", "question", "answer", "rating", "label", "score", "gap", "verdict", "rule",
        "message_type", "language", "explanation", "statements", "measurements",
    }  # fmt: skip
    invented = rows[1]
    assert (invented["id"], invented["answer"]) == ("row-1", INVENTED)
    assert (invented["verdict"], invented["rule"]) == ("block", "missing_component")
    assert {one["name"] for one in invented["measurements"]} == set(scorers[1].profile.weights)
    for one in invented["measurements"]:
        assert set(one) == {"name", "value", "reason", "weight", "evidence"}
    pieces = [piece for one in invented["measurements"] for piece in one["evidence"]]
    assert pieces
    assert all(set(piece) == EVIDENCE for piece in pieces)


def test_comparison_types_and_labellers(table):
    comparison = table["comparison"]
    assert set(comparison) == {
        "first", "second", "n", "differ_count", "spearman_first", "spearman_second",
        "spearman_difference", "auc_first", "auc_second", "auc_difference", "p_first_better",
        "features",
    }  # fmt: skip
    for one in comparison["features"]:
        assert set(one) == {
            "name", "n", "differ_count", "first", "second", "spearman_difference",
        }  # fmt: skip
        is_estimate(one["spearman_difference"])
    both = [set(scorer.profile.weights) for scorer in (Scorer.load(), Scorer.load("afas"))]
    assert {one["name"] for one in comparison["features"]} == both[0] & both[1]
    assert (comparison["first"], comparison["second"], comparison["n"]) == ("default", "afas", 12)
    types = table["message_types"]
    assert set(types) == {"n", "overall", "types", "binary_or_instruction"}
    assert types["n"] == 12
    assert set(types["overall"]) == set(types["binary_or_instruction"]) == SHARES
    assert [set(one) for one in types["types"]] == [{"type", *SHARES}] * len(types["types"])
    assert types["overall"]["accuracy"]["value"] == round(11 / 12, 6)
    for one in table["heuristics_by_type"]:
        assert set(one) == {"name", "types"}
        assert set(one["types"]) == {"binary", "instruction"}
        assert set(one["types"]["binary"]) == {"n", "spearman"}
    assert set(table["labellers"]) == {"field", "n", "kappa"}
    assert (table["labellers"]["field"], table["labellers"]["n"]) == ("second", 12)


def test_it_is_json_and_the_same_bytes_again(found, table, scorers):
    text = json.dumps(table, allow_nan=False)
    assert "-0.0," not in text
    again = evaluate(
        turns(),
        scorers[0],
        against=scorers[1],
        groups=Column("team", (*("a", "b") * 6, None)),
        second_types=Column("second", ("instruction",) * 13),
        resamples=100,
        worst=3,
        file="rated.jsonl",
        unread_count=2,
    )
    assert json.dumps(again.to_dict(), allow_nan=False) == text
    assert again == found


def test_without_the_options(scorers):
    steps = []
    plain = [dataclasses.replace(turn, message_type=None) for turn in turns()]
    found = evaluate(plain, scorers[0], resamples=100, advance=lambda: steps.append(1))
    assert len(steps) == len(plain)
    assert (found.comparison, found.message_types, found.labellers) == (None, None, None)
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


def test_two_rows_are_said_to_be_too_few(scorers):
    found = evaluate(turns()[:2], scorers[0], resamples=100).to_dict()
    for name in AGREEMENT - {"accuracy_margin_1"}:
        assert found["profiles"][0]["agreement"][0][name]["reason"] == "fewer than 3 rows"


def test_the_same_turn_twice_keeps_its_own_group(scorers):
    (turn, *_) = turns()
    found = evaluate(
        [turn, turn], scorers[0], groups=Column("team", ("a", "b")), resamples=100
    ).to_dict()
    counts = {
        one["slice"]: one["accuracy_margin_1"]["n"] for one in found["profiles"][0]["agreement"]
    }
    assert (counts["team: a"], counts["team: b"]) == (1, 1)


@pytest.mark.parametrize("rows", [[], [Turn("Kan dat?", "Ja.")]])
def test_nothing_to_compare_with(scorers, rows):
    with pytest.raises(InputError) as error:
        evaluate(rows, scorers[0])
    assert str(error.value) == (
        "no turn has a rating (1 to 5) or a label (0 or 1), so there is nothing to compare the "
        "scores with"
    )


def test_a_column_of_another_length(scorers):
    with pytest.raises(ValueError, match='column "team" has 2 values for 13 turns'):
        evaluate(turns(), scorers[0], groups=Column("team", ("a", "b")))
