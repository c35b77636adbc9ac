"""Pydantic AI: an output validator that asks the model again, with klopt's reason."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from klopt import Scorer
from klopt.adapters import assess_async
from klopt.extras import needs
from klopt.scoring.profile import Verdict

with needs("pydantic-ai", "klopt's adapter needs pydantic-ai-slim"):
    from pydantic_ai import ModelRetry, RunContext


def checked_output(
    scorer: Scorer,
    documents: Callable[[RunContext[Any]], object],
    *,
    passing: frozenset[Verdict] = frozenset({"send"}),
    text: Callable[[Any], str] = str,
) -> Callable[[RunContext[Any], Any], Awaitable[Any]]:
    """For ``agent.output_validator(...)``: lets an answer through, or asks for another one.

    ``documents`` finds those of a run, in ``context.deps`` or ``context.messages``; ``text`` is the
    answer in an output that is no text; with verdicts in ``passing`` an answer goes through.
    """

    async def validate(context: RunContext[Any], output: Any) -> Any:
        if context.partial_output:
            return output
        parts = [context.prompt] if isinstance(context.prompt, str) else context.prompt or ()
        question = " ".join(part for part in parts if isinstance(part, str))
        assessment = await assess_async(scorer, question, text(output), documents(context))
        if assessment.verdict not in passing:
            raise ModelRetry(assessment.explanation)
        return output

    return validate
