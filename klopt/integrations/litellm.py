"""LiteLLM: a guardrail for its proxy that stops an answer, streamed or not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

from klopt import Scorer
from klopt._internal.imports import needs
from klopt.integrations import assess_async

with needs("litellm", "klopt's adapter needs litellm and fastapi"):
    from fastapi import HTTPException
    from litellm import ModelResponse, stream_chunk_builder
    from litellm.integrations.custom_guardrail import CustomGuardrail
    from litellm.litellm_core_utils.prompt_templates.common_utils import convert_content_list_to_str


class KloptGuardrail(CustomGuardrail):
    """Replace an answer with another verdict than ``send`` by status 422 and the reason.

    The documents are ``contexts`` in the request's metadata, or else the messages of tools, or of
    the system. LiteLLM's configuration gives the scorer as the name or file of a profile.
    """

    def __init__(self, scorer: Scorer | str = "default", **settings: Any) -> None:
        super().__init__(**settings)
        self.scorer = Scorer.load(scorer) if isinstance(scorer, str) else scorer

    async def async_post_call_success_hook(
        self, data: dict[str, Any], user_api_key_dict: object, response: Any
    ) -> Any:
        """Check each choice with text; one that only calls tools passes."""
        messages = data.get("messages") or []
        contexts = (data.get("metadata") or {}).get("contexts")
        contexts = contexts or _texts(messages, "tool") or _texts(messages, "system", "developer")
        question = "".join(_texts(messages, "user")[-1:])
        for choice in response.choices if isinstance(response, ModelResponse) else ():
            if answer := choice.message.content:
                assessment = await assess_async(self.scorer, question, answer, contexts)
                if assessment.verdict != "send":
                    raise HTTPException(
                        422, {"error": assessment.explanation, "klopt": assessment.verdict}
                    )
        return response

    async def async_post_call_streaming_iterator_hook(
        self, user_api_key_dict: object, response: Any, request_data: dict[str, Any]
    ) -> AsyncIterator[Any]:
        """Collect a stream, check it, and pass it on unchanged."""
        chunks = [chunk async for chunk in response]
        whole = stream_chunk_builder(chunks)
        await self.async_post_call_success_hook(request_data, user_api_key_dict, whole)
        for chunk in chunks:
            yield chunk


def _texts(messages: list[Mapping[str, Any]], *roles: str) -> list[str]:
    return [
        convert_content_list_to_str(message) for message in messages if message.get("role") in roles
    ]
