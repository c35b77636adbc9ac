"""A complete evaluation: its JSON, determinism, translated rows, and input that it refuses."""

import dataclasses
import json

import pytest

from klopt import Page, Scorer, Turn
from klopt.errors import InputError
from klopt.evaluation.evaluation import evaluate
from klopt.evaluation.features import NumberColumn
from klopt.evaluation.rated import InputColumn, TranslatedRows, translated_rows
from klopt.scoring.notes import TranslationNote
from klopt.translation import CachedTranslator, Translate, TranslationCache
from klopt.version import VERSION
from tests.evaluation.rated_rows import judged
from tests.tables import tables
from tests.translation.fakes import entries

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


# Translated rows

DONE = TranslationNote("nl", "en", "marked", "translated")
FAILED = TranslationNote("nl", "en", "marked", "failed", "not_in_cache", "1 of 4 sentences")
LATE = TranslationNote("nl", "en", "marked", "failed", "timeout", "too late")
UNMASKED = dataclasses.replace(DONE, unmasked_count=2)
MOST = TranslatedRows(1, {"not_in_cache": 2, "timeout": 1}, {}, 1)
NONE = TranslatedRows(0, {}, {"not_in_cache": 1}, 0)

STATED = "De medewerker vraagt verlof aan in het portaal."
SHORT_PAGE = Page(f"# Verlof aanvragen\n\n{STATED}", id="verlof.md")
WRONG = "De directeur vraagt verlof aan bij de kassa."
UNTRANSLATED = "De stagiair vraagt verlof aan in het portaal."
PAIRS = (
    ("Verlof aanvragen", "Request leave"),
    (STATED, "The employee requests leave in the portal."),
    (QUESTION, "How do I request leave in the portal?"),
    (WRONG, "The director requests leave at the till."),
)


def assessed(note, score=3.0, **fields):
    return dataclasses.replace(judged(score, 3).assessment, translation=note, **fields)


@pytest.mark.parametrize(
    ("assessments", "expected"),
    [
        ([], None),
        ([assessed(None)], None),
        ([assessed(None), assessed(DONE)], TranslatedRows(1, {}, {}, 0)),
        ([*[assessed(FAILED)] * 2, assessed(LATE), assessed(UNMASKED)], MOST),
        ([assessed(FAILED, None, reason_code="not_translated")], NONE),
        ([assessed(FAILED, None, reason_code="out_of_scope")], TranslatedRows(0, {}, {}, 0)),
    ],
)
def test_rows_are_counted_by_the_outcome_of_their_translation(assessments, expected):
    assert translated_rows(assessments) == expected


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    path = tmp_path_factory.mktemp("cache") / "cache.sqlite"
    with TranslationCache(path, create=True) as made:
        made.add(entries(PAIRS))
        yield made


def test_untranslated_rows_are_included_and_counted(cache):
    translate = Translate(CachedTranslator(cache, target="en"))
    translated, plain = (
        Scorer.load("afas", all_types=True, translate=t) for t in (translate, None)
    )
    rows = [
        Turn(
            QUESTION + " " * index,
            answer,
            [SHORT_PAGE],
            f"row-{index}",
            language="nl",
            rating=rating,
        )
        for index, (answer, rating) in enumerate([(STATED, 5), (WRONG, 1), (UNTRANSLATED, 2)] * 4)
    ]
    found = evaluate(rows, translated, against=plain, resamples=100)
    first, second = found.profiles
    assert (first.name, second.name) == ("afas (en)", "afas")
    assert first.translation == TranslatedRows(8, {"not_in_cache": 4}, {}, 0)
    assert second.translation is None
    assert found.rows.not_scored == {}
    assert first.agreement[0].spearman.n == 12
    assert len(first.fingerprints) == 2
    assert set(second.fingerprints) < set(first.fingerprints)
    comparison = found.comparison
    assert (comparison.first, comparison.second, comparison.n) == ("afas (en)", "afas", 12)
    hal = next(one for one in comparison.features if one.name == "hal")
    assert hal.n == 12
    assert hal.differ_count <= 8
