"""Checks and metrics of rows: values, reasons and failures."""

import dataclasses

import pytest

from klopt.errors import LlmError
from klopt.llm.calls import Call, CallError, Reply, Usage
from klopt.logs.checks import Figures, check_rows, read_names
from klopt.logs.rows import Row
from klopt.reference import Checker, Solution, TextSolver
from klopt.types import Page, Turn

TURN = Turn(
    "Hoe exporteer ik de klanten?",
    "Open Beheer en kies Exporteren.",
    ["Wifi staat in de balk.", "Klanten exporteert u in Beheer."],
    id="7",
    language="nl",
    reference="1. Open **Beheer**.\n2. Kies **Exporteren**.",
)


class Label:
    """A model that always gives the same reply, or fails."""

    name = "tiny"

    def __init__(self, text: str | None) -> None:
        self.text = text
        self.techniques: list[str] = []

    def complete(self, call: Call) -> Reply:
        self.techniques.append(call.technique)
        if self.text is None:
            raise LlmError("refused", "answered 401")
        return Reply(self.text, call.task, self.name, Usage(calls=1))


def test_a_missing_value_has_a_reason():
    turn = Turn("Hoe?", "Open Beheer.", id="7")
    found = Figures(read_names("bleu,retrieval_top_1")).of(turn)
    assert found.values == {"bleu": None, "retrieval_top_1": None}
    assert found.reasons == {
        "bleu": "there is no reference answer",
        "retrieval_top_1": "the row does not say which page is the right one",
    }
    assert (found.failures, found.usage) == ({}, Usage())


@pytest.mark.parametrize(
    ("gold", "values"),
    [
        ("Klanten exporteert u in Beheer.", [0, 1]),
        (["weg.md", "context-1"], [1, 1]),
        ({"id": "context-2"}, [0, 1]),
        ("beheer.md", [0, 1]),
        ("weg.md", [0, 0]),
    ],
)
def test_retrieval_metrics(gold, values):
    pages = {"beheer.md": Page("Klanten exporteert u in Beheer.", id="beheer.md")}
    figures = Figures(read_names("retrieval_top_1,retrieval_top_2"), pages=pages)
    assert list(figures.of(TURN, gold).values.values()) == values


def test_a_judge_that_fails_and_an_empty_answer():
    names = read_names("g_eval.usability,prometheus.usability")
    failed = Figures(names, model=Label(None)).of(TURN)
    assert failed.failures == {"g_eval.usability": "refused", "prometheus.usability": "refused"}
    assert failed.reasons["g_eval.usability"] == "row '7', g_eval.usability: answered 401"
    model = Label("{}")
    empty = Figures(names, model=model).of(Turn("Hoe?", " "))
    assert (empty.failures, model.techniques) == ({}, [])
    assert set(empty.reasons.values()) == {"the answer is empty"}


class FailingSolver:
    """A text solver that fails for one row."""

    name = signature = "fails"

    def solve(self, turn, reference):
        if turn.id == "r2":
            raise CallError("timeout", "too slow", Usage(seconds=1.0, retries=4))
        found: Solution = TextSolver("nl").solve(turn, reference)
        return dataclasses.replace(found, usage=Usage(calls=2))


def test_a_failed_row_has_its_usage():
    rows = [Row(n, f"r{n}", dataclasses.replace(TURN, id=f"r{n}")) for n in (1, 2)]
    figures = Figures(read_names(""))
    first, second = check_rows(rows, Checker(FailingSolver()), figures, pytest.fail)
    assert (first.failures, first.usage.calls) == ((), 2)
    assert second.failures == (("timeout", "too slow"),)
    assert second.usage.retries == 4
    assert second.to_dict()["usage"]["seconds"] == 1.0
