"""Rows to assessments: in input order, none lost, and every oddity told."""

from __future__ import annotations

import json
import math

import pytest

from klopt.batch.cores import score_rows
from klopt.batch.rows import Row, read_rows, told
from klopt.records import Turn
from klopt.scoring.scorer import Scorer

GOOD = Turn(
    "Hoe sla ik het op?",
    "Klik op **Bewaren**.",
    ["# Opslaan\n\n1. Klik op **Bestand**.\n2. Klik op **Opslaan**."],
    id="good",
)


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer.load("default")


def scored(rows, scorer):
    warnings: list[str] = []
    return list(score_rows(told(rows, warnings.append), scorer)), warnings


def test_rows_come_out_in_order_none_lost(scorer):
    rows = [
        Row(1, "a", GOOD),
        Row(2, "row-2", None, "log.jsonl, line 2: not JSON: no"),
        Row(3, "c", Turn("", "", id="c")),
        Row(4, "d", GOOD),
    ]
    results, warnings = scored(rows, scorer)
    assert [row for row, _ in results] == rows
    assert [one.status for _, one in results] == ["scored", "error", "not_scorable", "scored"]
    assert warnings == []


def test_a_row_with_a_problem_gets_status_error_and_the_reason(scorer):
    (pair,), _ = scored([Row(2, "row-2", None, "log.jsonl, line 2: not JSON: no")], scorer)
    one = pair[1]
    assert (one.id, one.status, one.verdict, one.score, one.stars) == (
        "row-2",
        "error",
        "unscored",
        None,
        None,
    )
    assert (one.reason_code, one.reason) == ("row", "log.jsonl, line 2: not JSON: no")
    assert one.explanation == "Not scored: log.jsonl, line 2: not JSON: no."


def test_a_reason_with_braces_is_shown_as_it_is(scorer):
    (pair,), _ = scored([Row(1, "x", None, "not JSON: {found} {0} {")], scorer)
    assert pair[1].reason == "not JSON: {found} {0} {"


def test_duplicate_ids_are_told_and_both_kept(scorer):
    rows = [Row(1, "a", GOOD), Row(4, "b", GOOD), Row(7, "a", GOOD), Row(9, "a", None, "no")]
    results, warnings = scored(rows, scorer)
    assert len(results) == 4
    assert warnings == [
        'row 7: id "a" stood in row 1 too; both are kept',
        'row 9: id "a" stood in row 1 too; both are kept',
    ]


def test_a_mended_row_is_told(scorer):
    _, warnings = scored([Row(3, "a", GOOD, None, "byte 27 is not UTF-8")], scorer)
    assert warnings == ["row 3: byte 27 is not UTF-8"]


def test_rows_are_scored_one_by_one_as_they_come(scorer):
    def rows():
        yield Row(1, "a", GOOD)
        raise AssertionError("the second row was asked for before the first was taken")

    results = score_rows(told(rows(), print), scorer)
    assert next(results)[0].id == "a"


def test_a_fault_of_klopt_on_one_row_costs_no_other_row(scorer, monkeypatch, caplog):
    honest = scorer.score

    def score(turn, **options):
        if turn.id == "bad":
            raise IndexError("list index out of range")
        return honest(turn, **options)

    monkeypatch.setattr(Scorer, "score", lambda _self, turn, **options: score(turn, **options))
    bad = Turn(GOOD.question, GOOD.answer, GOOD.contexts, id="bad")
    results, _ = scored([Row(1, "bad", bad), Row(2, "good", GOOD)], scorer)
    assert [(one.status, one.reason_code) for _, one in results] == [
        ("error", "internal"),
        ("scored", None),
    ]
    assert "IndexError" in (results[0][1].reason or "")
    assert GOOD.answer not in caplog.text


def test_what_comes_out_is_json_with_the_id_first(scorer, tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text('{"id": "a"}\nno\n{"id": "c", "question": "Kan dat?", "answer": "Ja."}\n')
    results, _ = scored(read_rows(str(path)), scorer)
    for _, one in results:
        row = one.to_dict()
        assert next(iter(row)) == "id"
        again = json.loads(json.dumps(row, allow_nan=False))
        assert again == row
        assert row["score"] is None or math.isfinite(row["score"])


def test_missing_contexts_are_never_a_pass(scorer):
    rows = [
        Row(1, "none", Turn("Kan ik dat aanpassen?", "Ja, dat kan altijd.", id="none")),
        Row(2, "empty", Turn("Kan ik dat aanpassen?", "Ja, dat kan.", ["", "  \n"], id="empty")),
    ]
    results, _ = scored(rows, scorer)
    for _, one in results:
        assert (one.status, one.reason_code, one.verdict) == (
            "not_scorable",
            "no_contexts",
            "unscored",
        )
