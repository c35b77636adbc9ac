"""LangGraph."""

import pytest

from tests.integrations.adapted import PAGE, QUESTION, TRUE, UNTRUE, WHY, adapter


@pytest.mark.parametrize(("answer", "to"), [(TRUE, "speak"), (UNTRUE, "hand"), (None, "hand")])
def test_a_state_with_fields_is_routed(scorer, answer, to):
    node = adapter("langgraph").check_node(scorer, send="speak", otherwise="hand")
    command = node({"question": QUESTION, "answer": answer, "context": [PAGE]})
    assert command.goto == to


def test_a_state_with_messages_is_routed(scorer):
    node = adapter("langgraph").check_node(scorer, send="speak", block="stop", otherwise="hand")
    from langchain_core.documents import Document
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    page = Document(PAGE, metadata={"source": "wifi.md"})
    before = [HumanMessage("Hoi"), ToolMessage("Klik op **Turbo**.", tool_call_id="0")]
    tool = ToolMessage("1 page", tool_call_id="1", artifact=[page])
    content = [{"type": "text", "text": UNTRUE}]
    messages = [*before, HumanMessage(QUESTION), tool, AIMessage(content=content)]
    command = node({"messages": messages})
    assert command.goto == "stop"
    why = f"{WHY} Niet bevestigd: “Klik op Turbo”."
    assert command.update["klopt"]["explanation"].endswith(why)
    assert node({"messages": [*messages[:-1], AIMessage(TRUE)]}).goto == "speak"
    assert node({"messages": []}).goto == "hand"
    assert node({}).update["klopt"]["reason_code"] == "empty_question"


@pytest.mark.parametrize(
    "messages", [7, [7], [{"role": "user"}], [{"role": "tool", "content": ""}]]
)
def test_invalid_messages_are_unscored(scorer, messages):
    command = adapter("langgraph").check_node(scorer, otherwise="hand")({"messages": messages})
    assert command.goto == "hand"
    assert command.update["klopt"]["reason_code"] == "row"
