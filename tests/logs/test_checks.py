"""Rows to checks: failures, and the dictionaries that come out."""

import dataclasses

import pytest

from klopt.llm.calls import CallError, Usage
from klopt.logs.checks import Figures, check_rows, read_names
from klopt.logs.rows import Row
from klopt.reference import Checker, Reference, Solution, TextSolver
from klopt.types import Turn

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
