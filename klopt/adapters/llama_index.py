"""LlamaIndex: an evaluator, to stand beside its faithfulness and relevancy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from klopt.adapters import assess_async, needs, page_of, to_share

with needs("llama-index", "llama-index-core"):
    from llama_index.core.async_utils import asyncio_run
    from llama_index.core.base.response.schema import Response
    from llama_index.core.evaluation import BaseEvaluator, EvaluationResult

if TYPE_CHECKING:
    from klopt.scoring.scorer import Scorer

__all__ = ["KloptEvaluator"]


class KloptEvaluator(BaseEvaluator):
    """Passes what klopt would send, with a score from 0 to 1 and why as feedback.

    Args:
        scorer: What checks.
    """

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer

    def _get_prompts(self) -> dict[str, Any]:
        return {}

    def _update_prompts(self, prompts_dict: dict[str, Any]) -> None:
        """There are none."""

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[Any] | None = None,
        **_: object,
    ) -> EvaluationResult:
        """Evaluates texts, and contexts that are texts or documents."""
        found = await assess_async(self.scorer, query, response, contexts)
        return EvaluationResult(
            query=query,
            response=response,
            contexts=[page_of(one).text for one in contexts or ()],
            passing=found.verdict == "send",
            score=to_share(found.score),
            feedback=found.explanation,
            invalid_result=found.score is None,
            invalid_reason=found.reason,
        )

    async def aevaluate_response(
        self, query: str | None = None, response: Response | None = None, **_: object
    ) -> EvaluationResult:
        """Evaluates a response beside its source nodes, each by the name in its metadata."""
        nodes = response.source_nodes if response else ()
        pages = [
            page_of({"text": one.get_content(), "metadata": one.metadata}, number)
            for number, one in enumerate(nodes, 1)
        ]
        return await self.aevaluate(query, response.response if response else None, pages)

    def evaluate_response(
        self, query: str | None = None, response: Response | None = None, **_: object
    ) -> EvaluationResult:
        """The same, waited for."""
        return asyncio_run(self.aevaluate_response(query, response))
