"""Rows to checks: order, ids, failures, progress, and the dictionaries that come out."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator

import pytest

from klopt.batch.checking import check_rows
from klopt.batch.figures import Figures, read_names
from klopt.batch.rows import Row
from klopt.checking import Checker, Reference, Solution, TextSolver
from klopt.models.calls import CallError, Usage
from klopt.records import Turn

REFERENCE = "1. Open **Beheer**.\n2. Kies **Exporteren**."
ANSWER = "Open Beheer en kies Exporteren."
NOTHING = Figures(read_names(""))
TEXT = Checker(TextSolver("nl"))


def row(number: int, answer: str = ANSWER, **fields) -> Row:
    name = fields.pop("id", f"r{number}")
    turn = Turn("Hoe?", answer, id=name, language="nl", reference=REFERENCE)
    return Row(number, name, turn, fields=fields)


def bad(number: int) -> Row:
    return Row(number, f"row-{number}", None, f"row {number}: not JSON")


class Told(list):
    """Warnings."""

    def __call__(self, sentence: str) -> None:
        self.append(sentence)


class Gate:
    """A solver by words that waits with one row until it is let through, or fails with one."""

    name = signature = "gate"

    def __init__(self, slow: str = "", failing: str = "") -> None:
        self.slow, self.failing = slow, failing
        self.open, self.opened_in_time = threading.Event(), True

    def solve(self, turn: Turn, reference: Reference) -> Solution:
        if turn.id == self.slow:
            self.opened_in_time = self.open.wait(10)
        if turn.id == self.failing:
            raise CallError("timeout", "too slow", Usage(seconds=1.0, retries=4))
        found = TextSolver("nl").solve(turn, reference)
        return dataclasses.replace(found, usage=Usage(calls=2))


@pytest.mark.parametrize("at_once", [1, 4])
def test_rows_are_taken_as_they_are_needed(at_once):
    taken = []

    def rows() -> Iterator[Row]:
        for number in range(1000):
            taken.append(number)
            yield row(number)

    found = check_rows(rows(), TEXT, NOTHING, Told(), at_once=at_once)
    next(iter(found))
    assert len(taken) <= 8 * at_once


def test_progress_counts_rows_that_are_done_and_not_those_that_are_read():
    gate = Gate(slow="r0")
    seen = []

    def progress(count: int) -> None:
        seen.append(count)
        if count == 4:
            gate.open.set()

    rows = [row(number) for number in range(5)]
    found = list(check_rows(rows, Checker(gate), NOTHING, Told(), at_once=2, progress=progress))
    assert gate.opened_in_time
    assert seen == [1, 2, 3, 4, 5]
    assert [one.row.id for one in found] == [f"r{number}" for number in range(5)]


def test_a_row_that_failed_tells_what_it_cost():
    checker = Checker(Gate(failing="r2"))
    first, second = check_rows([row(1), row(2)], checker, NOTHING, Told())
    assert (first.failures, first.usage.calls) == ((), 2)
    assert second.failures == (("timeout", "too slow"),)
    assert second.usage.retries == 4
    assert second.to_dict()["usage"]["seconds"] == 1.0


@pytest.mark.parametrize(
    ("checker", "fields"),
    [
        (TEXT, ["id", "score", "errors", "status", "reason_code", "reason"]),
        (None, ["id", "status", "reason_code", "reason"]),
    ],
)
def test_a_dictionary_of_a_row_that_cannot_be_read(checker, fields):
    (found,) = check_rows([bad(1)], checker, NOTHING, Told())
    written = found.to_dict()
    assert list(written) == fields
    assert (written["status"], written["reason_code"]) == ("error", "row")
    assert written["reason"] == "row 1: not JSON"
