"""LlamaIndex: an evaluator to use beside its faithfulness and relevancy."""

from __future__ import annotations

from typing import Any

from klopt import Scorer
from klopt._internal.imports import needs
from klopt.integrations import assess_async, to_share

with needs("llama-index", "klopt's adapter needs llama-index-core"):
    from llama_index.core.async_utils import asyncio_run
    from llama_index.core.base.response.schema import Response
    from llama_index.core.evaluation import BaseEvaluator, EvaluationResult


class KloptEvaluator(BaseEvaluator):
    """Pass answers with the verdict ``send``; score from 0 to 1, the explanation as feedback."""

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer

    async def aevaluate(
        self, query: Any = None, response: Any = None, contexts: Any = None, **_: object
    ) -> EvaluationResult:
        """Evaluate texts; the contexts may be nodes."""
        given = contexts or ()
        texts = [
            context if isinstance(context, str) else context.get_content() for context in given
        ]
        about = [{"metadata": getattr(context, "metadata", {})} for context in given]
        pages = [known | {"text": text} for text, known in zip(texts, about, strict=True)]
        assessment = await assess_async(self.scorer, query, response, pages)
        return EvaluationResult(
            query=query,
            response=response,
            contexts=texts,
            passing=assessment.verdict == "send",
            score=to_share(assessment.score),
            feedback=assessment.explanation,
            invalid_result=assessment.score is None,
            invalid_reason=assessment.reason,
        )

    async def aevaluate_response(
        self, query: str | None = None, response: Response | None = None, **_: object
    ) -> EvaluationResult:
        """Evaluate a response with its source nodes, which their metadata names."""
        answer, nodes = (response.response, response.source_nodes) if response else (None, ())
        return await self.aevaluate(query, answer, nodes)

    def evaluate_response(self, *response: Any, **named: Any) -> EvaluationResult:
        """Do the same synchronously."""
        return asyncio_run(self.aevaluate_response(*response, **named))

    def _get_prompts(self) -> dict[str, Any]:
        return {}

    def _update_prompts(self, prompts: dict[str, Any]) -> None:
        """Do nothing; there are no prompts."""
