"""LangGraph."""

from __future__ import annotations

from typing import Any, TypedDict

import pytest

from klopt import Scorer
from tests.adapters.adapted import ASKED, PAGE, TRUE, UNTRUE, adapter


@pytest.mark.parametrize(("answer", "to"), [(TRUE, "speak"), (UNTRUE, "hand"), (None, "hand")])
def test_a_state_with_fields(scorer: Scorer, answer: str | None, to: str) -> None:
    node = adapter("langgraph").check_node(scorer, send="speak", otherwise="hand")
    command = node({"question": ASKED, "answer": answer, "context": [PAGE]})
    assert command.goto == to


def test_a_state_with_messages(scorer: Scorer) -> None:
    node = adapter("langgraph").check_node(scorer, send="speak", block="stop", otherwise="hand")
    from langchain_core.documents import Document
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    page = Document(PAGE, metadata={"source": "wifi.md"})
    before = [HumanMessage("Hoi"), ToolMessage("Klik op **Turbo**.", tool_call_id="0")]
    tool = ToolMessage("1 page", tool_call_id="1", artifact=[page])
    said = [{"type": "text", "text": UNTRUE}]
    messages = [*before, HumanMessage(ASKED), tool, AIMessage(content=said)]
    command = node({"messages": messages})
    assert command.goto == "stop"
    assert command.update["klopt"]["explanation"].endswith("Geen pagina noemt “Turbo”.")
    assert node({"messages": [*messages[:-1], AIMessage(TRUE)]}).goto == "speak"
    assert node({"messages": []}).goto == "hand"
    assert node({}).update["klopt"]["reason_code"] == "empty_question"


def test_a_tool_that_failed_brought_up_no_page(scorer: Scorer) -> None:
    node = adapter("langgraph").check_node(scorer, send="speak", otherwise="hand")
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    failed = ToolMessage("Error: no **Turbo**", tool_call_id="1", status="error")
    command = node({"messages": [HumanMessage(ASKED), failed, AIMessage(UNTRUE)]})
    assert command.update["klopt"]["reason_code"] == "no_contexts"


@pytest.mark.parametrize(
    "messages", [7, [7], [{"role": "user"}], [{"role": "tool", "content": ""}]]
)
def test_what_are_no_messages_is_unscored(scorer: Scorer, messages: object) -> None:
    command = adapter("langgraph").check_node(scorer, otherwise="hand")({"messages": messages})
    assert command.goto == "hand"
    assert command.update["klopt"]["reason_code"] == "row"


def test_a_checkpoint_holds_the_assessment(scorer: Scorer) -> None:
    klopt = adapter("langgraph")
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import StateGraph

    class State(TypedDict):
        question: str
        answer: str
        context: list[str]
        klopt: dict[str, Any]

    graph = StateGraph(State).add_node("hand", lambda state: {"answer": "?"})
    node = klopt.check_node(scorer, send="__end__", otherwise="hand")
    graph.add_node("check", node, destinations=("__end__", "hand")).set_entry_point("check")
    app = graph.compile(checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "1"}}
    state = {"question": ASKED, "answer": UNTRUE, "context": [PAGE]}
    assert app.invoke(state, thread)["answer"] == "?"
    assert app.get_state(thread).values["klopt"]["verdict"] == "block"
