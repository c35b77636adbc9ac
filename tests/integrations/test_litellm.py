"""LiteLLM: what its proxy hands to a guardrail; the example runs the proxy itself."""

import asyncio
from typing import Any

import pytest

from klopt import Scorer
from tests.integrations.adapted import ASKED, PAGE, TRUE, UNTRUE, WHY, adapter

USER = {"role": "user", "content": [{"type": "text", "text": ASKED}]}


def ask(scorer: Scorer, answer: str, *messages: dict[str, Any], stream: bool = False, **more: Any):
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
def test_an_answer_that_holds_goes_on_and_another_is_stopped(scorer, role, stream):
    adapter("litellm")
    from fastapi import HTTPException

    assert ask(scorer, TRUE, {"role": role, "content": PAGE}, stream=stream)
    with pytest.raises(HTTPException) as stopped:
        ask(scorer, UNTRUE, {"role": role, "content": PAGE}, stream=stream)
    assert stopped.value.status_code == 422
    assert stopped.value.detail["klopt"] == "block"
    assert WHY in stopped.value.detail["error"]
    with pytest.raises(HTTPException) as stopped:  # without documents nothing passes
        ask(scorer, TRUE, stream=stream)
    assert stopped.value.detail["klopt"] == "unscored"


def test_contexts_of_the_request_come_first(scorer):
    given = {"metadata": {"contexts": [{"id": "w", "text": PAGE}]}}
    assert ask(scorer, TRUE, {"role": "system", "content": UNTRUE}, **given)


def test_what_is_no_chat_completion_goes_by(scorer):
    guardrail = adapter("litellm").KloptGuardrail(guardrail_name="klopt")
    reply = object()
    assert asyncio.run(guardrail.async_post_call_success_hook({}, None, reply)) is reply
