"""LiteLLM: a guardrail of its proxy that stops an answer before it leaves, streamed or not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

from klopt.adapters import assess_async, needs
from klopt.scoring.scorer import Scorer

with needs("litellm", "litellm and fastapi"):
    from fastapi import HTTPException
    from litellm import ModelResponse, stream_chunk_builder
    from litellm.integrations.custom_guardrail import CustomGuardrail

__all__ = ["KloptGuardrail"]


class KloptGuardrail(CustomGuardrail):
    """Answers a chat completion that klopt would not send by status 422 and the reason.

    The question is the last message of the user; the documents are the request's ``metadata``
    ``contexts``, else what tools said, else the system's messages. A stream is held until its end.

    Args:
        scorer: What checks; or the name or file of a profile, as in LiteLLM's configuration.
        settings: LiteLLM's own: ``guardrail_name``, ``event_hook``, ``default_on`` ...
    """

    def __init__(self, scorer: Scorer | str = "default", **settings: Any) -> None:  # noqa: ANN401
        super().__init__(**settings)
        self.scorer = Scorer.load(scorer) if isinstance(scorer, str) else scorer

    async def async_post_call_success_hook(
        self,
        data: dict[str, Any],
        user_api_key_dict: object,
        response: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401 - what LiteLLM answers with
        """Checks each choice that says something; one that only calls tools goes by."""
        messages = data.get("messages") or []
        contexts = (data.get("metadata") or {}).get("contexts") or (
            _said(messages, "tool") or _said(messages, "system", "developer")
        )
        question = "".join(_said(messages, "user")[-1:])
        for choice in response.choices if isinstance(response, ModelResponse) else ():
            if choice.message.content:
                found = await assess_async(self.scorer, question, choice.message.content, contexts)
                if found.verdict != "send":
                    detail = {"error": found.explanation, "klopt": found.verdict}
                    raise HTTPException(422, detail)
        return response

    async def async_post_call_streaming_iterator_hook(
        self,
        user_api_key_dict: object,
        response: Any,  # noqa: ANN401
        request_data: dict[str, Any],
    ) -> AsyncIterator[Any]:
        """Checks a stream when it has ended, and lets it go on as it came."""
        chunks = [chunk async for chunk in response]
        whole = stream_chunk_builder(chunks, messages=request_data.get("messages"))
        await self.async_post_call_success_hook(request_data, user_api_key_dict, whole)
        for chunk in chunks:
            yield chunk


def _said(messages: list[Mapping[str, Any]], *roles: str) -> list[str]:
    """The texts of what these said; a message may come in parts."""
    contents = (one.get("content") or "" for one in messages if one.get("role") in roles)
    return [
        one if isinstance(one, str) else " ".join(part.get("text", "") for part in one)
        for one in contents
    ]
