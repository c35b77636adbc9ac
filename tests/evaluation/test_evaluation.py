"""A complete evaluation: its JSON, determinism, and input that it refuses."""

import dataclasses
import json

import pytest

from klopt import Page, Scorer, Turn
from klopt.errors import InputError
from klopt.evaluation import InputColumn, NumberColumn, evaluate
from klopt.version import VERSION
from tests.tables import tables

PAGE = Page(
    "# Verlof aanvragen\n\nDe medewerker vraagt verlof aan in het portaal.\n\n1. Klik op "
    "**Verlof**.\n2. Klik op **Aanvragen**.\n3. Kies de datum.",
    id="verlof.md",
)
STEPS = "1. Klik op **Verlof**.\n2. Klik op **Aanvragen**.\n3. Kies de datum."
SENTENCE = "Verlof regelt u zelf, digitaal, in het portaal."
INVENTED = "Klik op **Verlof** en daarna op **Intrekken**."
QUESTION = "Hoe vraag ik verlof aan in het portaal?"
ANSWERS = ((STEPS, 5), (INVENTED, 1), (SENTENCE, 4))


def turns() -> list[Turn]:
    rows = [
        Turn(
            QUESTION + " " * index,  # no answer repeats another
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


def test_repeated_answers_count_once(scorers):
    """With the mean of their ratings, and the column of the first."""
    first, second, third = (dataclasses.replace(turn, id="") for turn in turns()[:3])
    again = [dataclasses.replace(second, rating=rating) for rating in (2, 4.5, None)]
    other = dataclasses.replace(first, contexts=[Page(f"{PAGE.text} Of niet.", id="verlof.md")])
    every = [first, second, *again, third, other]
    column = NumberColumn("place", tuple(map(float, range(7))))
    found = evaluate(every, scorers[0], columns=[column], resamples=1)
    assert (found.rows.total, found.rows.repeated, found.rows.rated) == (4, 3, 4)
    assert found.columns[0].n == 4
    rated = {one.rating for one in found.profiles[0].disagreements}
    assert rated <= {5, 2.5, 4}
    alone = evaluate([first, second, third, other], scorers[0], resamples=1)
    assert (alone.rows.repeated, alone.profiles[0].agreement[0].auc.n) == (0, 4)


def test_a_missing_feature_adds_nothing(scorers):
    (one,) = evaluate(turns(), scorers[0], resamples=100).profiles
    missing = {part.name for part in one.features if not part.n}
    added = {part.name: part.brings for part in one.ablation}
    assert {"solution_coverage", "solution_known"} <= missing
    for name in missing:
        assert (added[name].value, added[name].low, added[name].high) == (0, 0, 0)


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
SHAPE = tables("evaluation", "shape")["shape"]
"""Table → its keys: [] marks a list, * an estimate, ** an estimate with a p-value."""


def shape(table, at=""):
    names, inner = [], []
    for name, value in table.items():
        if isinstance(value, list):
            names.append(f"{name}[]")
            inner += [
                (name, one) for one in value[:1] if isinstance(one, dict) and name != "claims"
            ]
        elif isinstance(value, dict) and value.keys() == ESTIMATE:
            assert (value["value"] is None) <= (value["reason"] is not None)
            names.append(f"{name}*" if value["p"] is None else f"{name}**")
        else:
            names.append(name)
            inner += [(name, value)] if isinstance(value, dict) else []
    yield at, " ".join(names)
    for name, one in inner:
        yield from shape(one, f"{at}.{name}".strip("."))


def test_the_shape_of_the_json(table):
    """Users read this file; the CHANGELOG names each change of its shape."""
    assert dict(shape(table)) == SHAPE
    assert (table["klopt"], table["file"]) == (VERSION, "rated.jsonl")
    assert (table["seed"], table["resamples"]) == (0, 100)
    assert table["rows"] == {
        "total": 15,
        "repeated": 0,
        "rated": 13,
        "labelled": 0,
        "not_scored": {"empty_answer": 1, "row": 2},
        "languages": {"nl": 12},
        "message_types": {"binary": 1, "instruction": 11},
    }
    assert "-0.0," not in json.dumps(table, allow_nan=False)


def test_the_tables_of_each_profile(table, scorers):
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


def test_an_evaluation_is_deterministic(found, table, scorers):
    again = evaluated(scorers)
    assert json.dumps(again.to_dict(), allow_nan=False) == json.dumps(table, allow_nan=False)
    assert again == found


@pytest.mark.parametrize("rows", [[], [Turn("Kan dat?", "Ja.")]])
def test_rows_without_judgements_are_refused(scorers, rows):
    with pytest.raises(InputError, match=r"no turn has a rating \(1 to 5\) or a label \(0 or 1\)"):
        evaluate(rows, scorers[0])
