"""LangChain: runnables that check and route answers, and an evaluator for LangSmith."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from klopt import Scorer
from klopt._internal.imports import needs
from klopt.integrations import assess, next_by, to_share

with needs("langchain", "klopt's adapter needs langchain-core"):
    from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough
    from langsmith.evaluation import EvaluationResult, RunEvaluator

_FIELDS = ("question", "answer", "context")


def check(
    scorer: Scorer, fields: tuple[str, str, str] = _FIELDS, *, budget_ms: float | None = None
) -> Runnable[dict[str, Any], dict[str, Any]]:
    """Return a runnable that adds an `Assessment` to the state of ``fields``, as ``klopt``.

    Question and answer are texts or messages, the context one document or many; the budget is as
    for `Scorer.score`.
    """

    def assessed(state: Mapping[str, Any]) -> object:
        question, answer, context = (state.get(name) for name in fields)
        return assess(scorer, question, answer, context, budget_ms=budget_ms)

    return RunnablePassthrough.assign(klopt=RunnableLambda(assessed, name="klopt"))


def route(
    *, otherwise: Runnable[Any, Any], **verdicts: Runnable[Any, Any]
) -> Runnable[dict[str, Any], Any]:
    """Return a runnable that runs that of the verdict (``send=``, ``block=``), or `otherwise`."""
    following = next_by(verdicts, otherwise)
    return RunnableLambda(lambda state: following(state["klopt"].verdict))


class KloptEvaluator(RunEvaluator):
    """Score a run from 0 to 1; ``fields`` are in the run's outputs or else its inputs."""

    def __init__(self, scorer: Scorer, fields: tuple[str, str, str] = _FIELDS) -> None:
        self.scorer, self.fields = scorer, fields

    def evaluate_run(self, run: Any, *_: object, **__: object) -> EvaluationResult:
        """Return the result of one run; an unscored answer has no score."""
        state = {**(run.inputs or {}), **(run.outputs or {})}
        assessment = assess(self.scorer, *(state.get(name) for name in self.fields))
        share, why = to_share(assessment.score), assessment.explanation
        return EvaluationResult(key="klopt", score=share, value=assessment.verdict, comment=why)
