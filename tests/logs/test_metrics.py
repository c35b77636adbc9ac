"""Figures by name: which there are, and what each row gets."""

import pytest

from klopt.errors import LlmError
from klopt.llm.calls import Call, Reply, Usage
from klopt.logs.checks import Figures, read_names
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
    """A model that says the same every time, or fails."""

    name = "tiny"

    def __init__(self, text: str | None) -> None:
        self.text = text
        self.asked: list[str] = []

    def complete(self, call: Call) -> Reply:
        self.asked.append(call.technique)
        if self.text is None:
            raise LlmError("refused", "answered 401")
        return Reply(self.text, call.task, self.name, Usage(calls=1))


def test_what_cannot_be_measured_says_why():
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
def test_retrieval(gold, values):
    pages = {"beheer.md": Page("Klanten exporteert u in Beheer.", id="beheer.md")}
    figures = Figures(read_names("retrieval_top_1,retrieval_top_2"), pages=pages)
    assert list(figures.of(TURN, gold).values.values()) == values


def test_a_judge_that_fails_and_one_that_has_nothing_to_judge():
    asked = read_names("g_eval.usability,prometheus.usability")
    failed = Figures(asked, model=Label(None)).of(TURN)
    assert failed.failures == {"g_eval.usability": "refused", "prometheus.usability": "refused"}
    assert failed.reasons["g_eval.usability"] == "row '7', g_eval.usability: answered 401"
    model = Label("{}")
    empty = Figures(asked, model=model).of(Turn("Hoe?", " "))
    assert (empty.failures, model.asked) == ({}, [])
    assert set(empty.reasons.values()) == {"the answer is empty"}
