"""Rows are scored in one or more processes: in order, none lost, repeated rows once."""

import json

import pytest

from klopt._internal.pool import AHEAD
from klopt.logs import scoring
from klopt.logs.rows import Row, with_warnings
from klopt.logs.scoring import score_log
from klopt.scoring.scorer import Scorer
from klopt.types import Turn

PAGE = "# Opslaan\n\n1. Klik op **Bestand**.\n2. Klik op **Opslaan**."


@pytest.fixture(scope="module")
def scorer():
    return Scorer.load("default")


def row(number: int, answer: str = "Klik op **Bewaren**.", **fields) -> Row:
    turn = Turn("Hoe sla ik het op?", answer, [PAGE], id=f"t{number}", **fields)
    return Row(number, turn.id, turn)


def lines(rows, scorer, **options) -> list[bytes]:
    return [scored.line({"id": one.id}) for one, scored, _ in score_log(rows, scorer, **options)]


def test_two_processes_give_the_bytes_of_one(scorer):
    rows = [row(n, f"Klik {n % 30} keer op **Bewaren**.") for n in range(60)]
    rows[7] = Row(7, "row-7", None, "log.jsonl, line 7: not JSON: no")
    rows[40] = row(40, "?")
    here = lines(rows, scorer)
    assert lines(rows, scorer, processes=2, alone=5) == here
    assert [json.loads(one)["id"] for one in here] == [one.id for one in rows]


def test_repeated_rows_are_scored_once(scorer, monkeypatch):
    seen: list[str] = []
    score_turns = Scorer.score_many

    def score_many(self, turns, **options):
        turns = list(turns)
        seen.extend(turn.id for turn in turns)
        return score_turns(self, turns, **options)

    monkeypatch.setattr(Scorer, "score_many", score_many)
    rows = [row(1), row(2), row(3, rating=4), row(4, language="nl"), row(5, "Klik op **X**.")]
    results = list(score_log(rows, scorer))
    assert [is_repeat for *_, is_repeat in results] == [False, True, True, False, False]
    assert seen == ["t1", "t4", "t5"]
    ids = [json.loads(found.line({"id": one.id}))["id"] for one, found, _ in results]
    assert ids == [one.id for one in rows]


def test_few_rows_are_read_ahead(scorer):
    taken = 0

    def rows():
        nonlocal taken
        for taken in range(1, 10_000):
            yield Row(taken, f"row-{taken}", None, "no")

    results = score_log(rows(), scorer, processes=2, alone=0)
    next(results)
    assert taken <= 2 * AHEAD * scoring._GROUP_ROWS
    results.close()


def test_the_first_row_is_returned_at_once(scorer):
    def rows():
        yield row(1)
        raise AssertionError("the second row was read before the first was returned")

    assert next(score_log(rows(), scorer, processes=2))[0].id == "t1"


def test_duplicate_ids_give_a_warning():
    good = row(1).turn
    rows = [Row(1, "a", good), Row(4, "b", good), Row(7, "a", good), Row(9, "a", None, "no")]
    warnings: list[str] = []
    assert list(with_warnings(rows, warnings.append)) == rows
    assert warnings == ['row 7: id "a" is also the id of row 1; both are kept (and 1 more row)']
