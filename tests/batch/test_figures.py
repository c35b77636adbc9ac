"""Figures by name: which there are, and what each row gets."""

from __future__ import annotations

import pytest

from klopt.batch.figures import Figures, WantedFigures, read_names
from klopt.errors import ConfigurationError, LlmError
from klopt.models.calls import Call, Reply, Usage
from klopt.records import Page, Turn

JUDGES = tuple(
    f"{form}.{dimension}"
    for form in ("g_eval", "prometheus")
    for dimension in ("readability", "relevance", "truthfulness", "usability")
)
TURN = Turn(
    "Hoe exporteer ik de klanten?",
    "Open Beheer en kies Exporteren.",
    ["Wifi staat in de balk.", "Klanten exporteert u in Beheer."],
    id="7",
    language="nl",
    reference="1. Open **Beheer**.\n2. Kies **Exporteren**.",
)


class Says:
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


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("", WantedFigures()),
        (" , ", WantedFigures()),
        ("bleu", WantedFigures(metrics=("bleu",))),
        ("rouge_l, bleu,rouge", WantedFigures(metrics=("rouge_l", "bleu", "rouge_1", "rouge_2"))),
        ("retrieval", WantedFigures(tops=(1, 2, 3, 5))),
        ("retrieval_top_7,retrieval_top_1,retrieval_top_7", WantedFigures(tops=(7, 1))),
        ("g_eval,prometheus", WantedFigures(judges=JUDGES)),
        ("prometheus.usability,g_eval.usability", WantedFigures(judges=(JUDGES[7], JUDGES[3]))),
    ],
)
def test_names(text, asked):
    assert read_names(text) == asked


@pytest.mark.parametrize(
    "name",
    ["BLEU", "bleu_", "retrieval_top_0", "retrieval_top_", "g_eval.truth", "judge", "rouge_3"],
)
def test_names_that_are_none(name):
    with pytest.raises(ConfigurationError, match=rf'^metric "{name}" is not known\.'):
        read_names(f"bleu,{name}")


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
    failed = Figures(asked, model=Says(None)).of(TURN)
    assert failed.failures == {"g_eval.usability": "refused", "prometheus.usability": "refused"}
    assert failed.reasons["g_eval.usability"] == "row '7', g_eval.usability: answered 401"
    model = Says("{}")
    empty = Figures(asked, model=model).of(Turn("Hoe?", " "))
    assert (empty.failures, model.asked) == ({}, [])
    assert set(empty.reasons.values()) == {"the answer is empty"}
