"""LangChain and LangSmith."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from klopt import Scorer
from tests.adapters.adapted import ASKED, PAGE, TRUE, UNTRUE, WHY, adapter


@pytest.mark.parametrize(("answer", "said"), [(TRUE, TRUE), (UNTRUE, "block"), (None, "else")])
def test_a_chain_goes_on_by_the_verdict(scorer: Scorer, answer: str | None, said: str) -> None:
    klopt = adapter("langchain")
    from langchain_core.documents import Document
    from langchain_core.runnables import RunnableLambda

    chain = klopt.check(scorer, ("input", "answer", "context")) | klopt.route(
        send=RunnableLambda(lambda state: state["answer"]),
        block=RunnableLambda(lambda state: state["klopt"].verdict),
        otherwise=RunnableLambda(lambda state: "else"),
    )
    page = Document(PAGE, metadata={"source": "wifi.md"})
    state = {"input": ASKED, "answer": answer, "context": [page], "kept": 1}
    assert chain.invoke(state) == said
    assert asyncio.run(chain.ainvoke(state)) == said
    assert chain.batch([state, state]) == [said, said]


@pytest.mark.parametrize(
    ("outputs", "verdict", "is_scored"),
    [
        ({"answer": UNTRUE, "context": [PAGE]}, "block", True),
        ({"answer": UNTRUE}, "unscored", False),
        (None, "unscored", False),
    ],
)
def test_evaluator(
    scorer: Scorer, outputs: dict[str, object] | None, verdict: str, is_scored: bool
) -> None:
    klopt = adapter("langchain")
    run = SimpleNamespace(inputs={"question": ASKED}, outputs=outputs)
    found = klopt.KloptEvaluator(scorer).evaluate_run(run, None)
    assert (found.key, found.value, found.score is not None) == ("klopt", verdict, is_scored)
    assert not is_scored or (0 < found.score < 0.5 and WHY in found.comment)
