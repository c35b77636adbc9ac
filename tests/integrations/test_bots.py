"""Adapters for bots: Haystack, LangChain, LangGraph, LiteLLM, Pydantic AI and Rasa."""

import asyncio
from typing import Any

import pytest

from klopt import Scorer
from tests.integrations.adapted import PAGE, QUESTION, TRUE, UNTRUE, WHY, adapter


def test_haystack_routes_answers_by_verdict(scorer):
    router = adapter("haystack").KloptRouter(scorer)
    from haystack import Document, GeneratedAnswer

    page = Document(content=PAGE, meta={"source": "wifi.md"})
    answers = [GeneratedAnswer(answer, QUESTION, [page]) for answer in (TRUE, UNTRUE)]
    answers.append(GeneratedAnswer(TRUE, QUESTION, []))
    found = router.run(answers)
    assert {verdict: [one.data for one in given] for verdict, given in found.items()} == {
        "send": [TRUE],
        "block": [UNTRUE],
        "unscored": [TRUE],
    }
    checked = found["send"][0].meta["klopt"]
    assert checked["measurements"]["components_defined"]["evidence"][0]["page"] == "wifi.md"
    assert all(one.meta == {} for one in answers)
    assert router.run([]) == {}


@pytest.mark.parametrize(("answer", "output"), [(TRUE, TRUE), (UNTRUE, "block"), (None, "else")])
def test_langchain_routes_a_chain_by_verdict(scorer, answer, output):
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


def test_langchain_checks_a_message_within_a_budget(scorer):
    klopt = adapter("langchain")
    from langchain_core.documents import Document
    from langchain_core.messages import AIMessage

    state = {"question": QUESTION, "answer": AIMessage(UNTRUE), "context": Document(PAGE)}
    assert klopt.check(scorer).invoke(state)["klopt"].verdict == "block"
    assert klopt.check(scorer, budget_ms=0).invoke(state)["klopt"].status == "cut_off"


@pytest.mark.parametrize(("answer", "to"), [(TRUE, "speak"), (UNTRUE, "hand"), (None, "hand")])
def test_langgraph_routes_a_state_with_fields(scorer, answer, to):
    node = adapter("langgraph").check_node(scorer, send="speak", otherwise="hand")
    command = node({"question": QUESTION, "answer": answer, "context": [PAGE]})
    assert command.goto == to


def test_langgraph_routes_a_state_with_messages(scorer):
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
def test_langgraph_does_not_score_invalid_messages(scorer, messages):
    command = adapter("langgraph").check_node(scorer, otherwise="hand")({"messages": messages})
    assert command.goto == "hand"
    assert command.update["klopt"]["reason_code"] == "row"


USER = {"role": "user", "content": [{"type": "text", "text": QUESTION}]}


def respond(
    scorer: Scorer, answer: str, *messages: dict[str, Any], stream: bool = False, **more: Any
):
    guardrail = adapter("litellm").KloptGuardrail(scorer, guardrail_name="klopt")
    import litellm

    data = {"messages": [*messages, USER], **more}

    async def call() -> Any:
        reply = await litellm.acompletion(
            "openai/any", data["messages"], mock_response=answer, stream=stream
        )
        if not stream:
            return await guardrail.async_post_call_success_hook(data, None, reply)
        return [
            chunk
            async for chunk in guardrail.async_post_call_streaming_iterator_hook(None, reply, data)
        ]

    return asyncio.run(call())


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("role", ["system", "developer", "tool"])
def test_litellm_passes_only_verified_answers(scorer, role, stream):
    adapter("litellm")
    from fastapi import HTTPException

    assert respond(scorer, TRUE, {"role": role, "content": PAGE}, stream=stream)
    with pytest.raises(HTTPException) as stopped:
        respond(scorer, UNTRUE, {"role": role, "content": PAGE}, stream=stream)
    assert stopped.value.status_code == 422
    assert stopped.value.detail["klopt"] == "block"
    assert WHY in stopped.value.detail["error"]
    with pytest.raises(HTTPException) as stopped:  # without documents no answer passes
        respond(scorer, TRUE, stream=stream)
    assert stopped.value.detail["klopt"] == "unscored"


def test_litellm_prefers_contexts_of_the_request(scorer):
    given = {"metadata": {"contexts": [{"id": "w", "text": PAGE}]}}
    assert respond(scorer, TRUE, {"role": "system", "content": UNTRUE}, **given)


def test_litellm_passes_other_responses(scorer):
    guardrail = adapter("litellm").KloptGuardrail(guardrail_name="klopt")
    reply = object()
    assert asyncio.run(guardrail.async_post_call_success_hook({}, None, reply)) is reply


def test_pydantic_ai_retries_with_the_reason(scorer):
    klopt = adapter("pydantic-ai")
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart
    from pydantic_ai.models.function import FunctionModel

    prompts: list[str] = []

    def model(messages, info):
        prompts.append(str(messages[-1].parts[-1]))
        return ModelResponse(parts=[TextPart(UNTRUE if len(prompts) == 1 else TRUE)])

    agent = Agent(FunctionModel(model), deps_type=list)
    agent.output_validator(klopt.checked_output(scorer, lambda context: context.deps))
    assert asyncio.run(agent.run(["", QUESTION], deps=[PAGE])).output == TRUE
    assert len(prompts) == 2
    assert WHY in prompts[1]


def test_pydantic_ai_passes_no_answer_when_all_retries_fail(scorer):
    klopt = adapter("pydantic-ai")
    from pydantic_ai import Agent
    from pydantic_ai.exceptions import UnexpectedModelBehavior
    from pydantic_ai.models.test import TestModel

    for pages, answer in (([PAGE], UNTRUE), ([], TRUE)):
        agent = Agent(TestModel(custom_output_text=answer), deps_type=list)
        agent.output_validator(klopt.checked_output(scorer, lambda context: context.deps))
        with pytest.raises(UnexpectedModelBehavior):
            asyncio.run(agent.run(QUESTION, deps=pages))


@pytest.mark.parametrize(
    ("answer", "before", "utterance", "events"),
    [
        (TRUE, None, {"text": TRUE}, ["send"]),
        (UNTRUE, None, {"response": "utter_ask_rephrase"}, ["block"]),
        (UNTRUE, "send", {"response": "utter_ask_rephrase"}, ["block"]),
        (UNTRUE, "block", None, ["block", "action_hand_over"]),
        (None, None, {"response": "utter_ask_rephrase"}, ["unscored"]),
        (None, "unscored", None, ["unscored", "action_hand_over"]),
    ],
)
def test_rasa_utters_rephrases_or_hands_over(scorer, answer, before, utterance, events):
    klopt = adapter("rasa")
    from rasa_sdk import Tracker
    from rasa_sdk.executor import CollectingDispatcher

    action = type("Own", (klopt.CheckedAction,), {"scorer": scorer, "name": lambda self: "own"})()
    slots = {"answer": answer, "documents": [{"text": PAGE}], "klopt_verdict": before}
    tracker = Tracker("7", slots, {"text": QUESTION}, [], False, None, {}, "action_listen")
    dispatcher = CollectingDispatcher()
    found = asyncio.run(action.run(dispatcher, tracker, {}))
    assert [
        one.get("value") or one.get("name") for one in found if one.get("name") != "klopt_why"
    ] == events
    uttered = [
        {key: one[key] for key in ("text", "response") if one.get(key)}
        for one in dispatcher.messages
    ]
    assert uttered == ([utterance] if utterance else [])
