"""Rows to checks: failures, and the dictionaries that come out."""

from __future__ import annotations

import dataclasses

import pytest

from klopt.batch.checking import check_rows
from klopt.batch.figures import Figures, read_names
from klopt.batch.rows import Row
from klopt.checking import Checker, Reference, Solution, TextSolver
from klopt.models.calls import CallError, Usage
from klopt.records import Turn

REFERENCE = "1. Open **Beheer**.\n2. Kies **Exporteren**."
NOTHING = Figures(read_names(""))


class Fails:
    """A solver by words that fails with one row."""

    name = signature = "fails"

    def solve(self, turn: Turn, reference: Reference) -> Solution:
        if turn.id == "r2":
            raise CallError("timeout", "too slow", Usage(seconds=1.0, retries=4))
        found = TextSolver("nl").solve(turn, reference)
        return dataclasses.replace(found, usage=Usage(calls=2))


def test_a_row_that_failed_tells_what_it_cost():
    answer = "Open Beheer en kies Exporteren."
    turns = (Turn("Hoe?", answer, id=id, reference=REFERENCE) for id in ("r1", "r2"))
    rows = [Row(number, turn.id, turn) for number, turn in enumerate(turns, 1)]
    first, second = check_rows(rows, Checker(Fails()), NOTHING, pytest.fail)
    assert (first.failures, first.usage.calls) == ((), 2)
    assert second.failures == (("timeout", "too slow"),)
    assert second.usage.retries == 4
    assert second.to_dict()["usage"]["seconds"] == 1.0


@pytest.mark.parametrize(
    ("checker", "fields"),
    [
        (Checker(Fails()), ["id", "score", "errors", "status", "reason_code", "reason"]),
        (None, ["id", "status", "reason_code", "reason"]),
    ],
)
def test_a_dictionary_of_a_row_that_cannot_be_read(checker, fields):
    bad = Row(1, "row-1", None, "row 1: not JSON")
    (found,) = check_rows([bad], checker, NOTHING, pytest.fail)
    written = found.to_dict()
    assert list(written) == fields
    assert (written["status"], written["reason_code"]) == ("error", "row")
    assert written["reason"] == "row 1: not JSON"
