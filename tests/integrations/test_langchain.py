"""LangChain and LangSmith."""

import asyncio

import pytest

from tests.integrations.adapted import ASKED, PAGE, TRUE, UNTRUE, adapter


@pytest.mark.parametrize(("answer", "said"), [(TRUE, TRUE), (UNTRUE, "block"), (None, "else")])
def test_a_chain_goes_on_by_the_verdict(scorer, answer, said):
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
