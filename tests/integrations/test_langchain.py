"""LangChain and LangSmith."""

import asyncio

import pytest

from tests.integrations.adapted import PAGE, QUESTION, TRUE, UNTRUE, adapter


@pytest.mark.parametrize(("answer", "output"), [(TRUE, TRUE), (UNTRUE, "block"), (None, "else")])
def test_a_chain_is_routed_by_the_verdict(scorer, answer, output):
    klopt = adapter("langchain")
    from langchain_core.documents import Document
    from langchain_core.runnables import RunnableLambda

    chain = klopt.check(scorer, ("input", "answer", "context")) | klopt.route(
        send=RunnableLambda(lambda state: state["answer"]),
        block=RunnableLambda(lambda state: state["klopt"].verdict),
        otherwise=RunnableLambda(lambda state: "else"),
    )
    page = Document(PAGE, metadata={"source": "wifi.md"})
    state = {"input": QUESTION, "answer": answer, "context": [page], "kept": 1}
    assert chain.invoke(state) == output
    assert asyncio.run(chain.ainvoke(state)) == output
    assert chain.batch([state, state]) == [output, output]
