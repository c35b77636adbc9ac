"""LiteLLM: responses that its proxy passes to a guardrail; the example runs the proxy."""

import asyncio
from typing import Any

import pytest

from klopt import Scorer
from tests.integrations.adapted import PAGE, QUESTION, TRUE, UNTRUE, WHY, adapter

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
def test_only_a_verified_answer_passes(scorer, role, stream):
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


def test_contexts_of_the_request_precede_messages(scorer):
    given = {"metadata": {"contexts": [{"id": "w", "text": PAGE}]}}
    assert respond(scorer, TRUE, {"role": "system", "content": UNTRUE}, **given)


def test_other_responses_pass(scorer):
    guardrail = adapter("litellm").KloptGuardrail(guardrail_name="klopt")
    reply = object()
    assert asyncio.run(guardrail.async_post_call_success_hook({}, None, reply)) is reply
