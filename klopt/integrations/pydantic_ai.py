"""Pydantic AI: an output validator that makes the model retry, with klopt's reason."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from klopt import Scorer
from klopt._internal.imports import needs
from klopt.integrations import assess_async
from klopt.scoring.tree import Verdict

with needs("pydantic-ai", "klopt's adapter needs pydantic-ai-slim"):
    from pydantic_ai import ModelRetry, RunContext


def checked_output(
    scorer: Scorer,
    documents: Callable[[RunContext[Any]], object],
    *,
    passing: frozenset[Verdict] = frozenset({"send"}),
    text: Callable[[Any], str] = str,
    budget_ms: float | None = None,
) -> Callable[[RunContext[Any], Any], Awaitable[Any]]:
    """Return an ``agent.output_validator`` that accepts an answer or requests another.

    ``documents`` returns the documents of a run, from ``context.deps`` or ``context.messages``;
    ``text`` returns the answer in a structured output. Verdicts in ``passing`` are accepted.
    The budget is as for `Scorer.score`.
    """

    async def validate(context: RunContext[Any], output: Any) -> Any:
        if context.partial_output:
            return output
        parts = [context.prompt] if isinstance(context.prompt, str) else context.prompt or ()
        question = " ".join(part for part in parts if isinstance(part, str))
        given = question, text(output), documents(context)
        assessment = await assess_async(scorer, *given, budget_ms=budget_ms)
        if assessment.verdict not in passing:
            raise ModelRetry(assessment.explanation)
        return output

    return validate
