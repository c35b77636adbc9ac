"""LangChain: a runnable that checks, one that routes, and an evaluator for LangSmith."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from klopt import Scorer
from klopt.adapters import assess, next_by, to_share
from klopt.extras import needs

with needs("langchain", "klopt's adapter needs langchain-core"):
    from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough
    from langsmith.evaluation import EvaluationResult, RunEvaluator

_FIELDS = ("question", "answer", "context")


def check(
    scorer: Scorer, fields: tuple[str, str, str] = _FIELDS
) -> Runnable[dict[str, Any], dict[str, Any]]:
    """Adds the `Assessment` of a chain's state to it, as ``klopt``.

    The fields are where question, answer and documents stand in the state.
    """

    def assessed(state: Mapping[str, Any]) -> object:
        return assess(scorer, *(state.get(name) for name in fields))

    return RunnablePassthrough.assign(klopt=RunnableLambda(assessed, name="klopt"))


def route(
    *, otherwise: Runnable[Any, Any], **verdicts: Runnable[Any, Any]
) -> Runnable[dict[str, Any], Any]:
    """Goes on with the runnable of the verdict (``send=``, ``block=`` ...), or `otherwise`."""
    following = next_by(verdicts, otherwise)
    return RunnableLambda(lambda state: following(state["klopt"].verdict))


class KloptEvaluator(RunEvaluator):
    """Scores a run from 0 to 1 by its inputs and outputs, with the verdict and why.

    The fields are where question, answer and documents stand, in the outputs or else the inputs.
    """

    def __init__(self, scorer: Scorer, fields: tuple[str, str, str] = _FIELDS) -> None:
        self.scorer, self.fields = scorer, fields

    def evaluate_run(self, run: Any, *_: object, **__: object) -> EvaluationResult:
        """The result of one run; without a score where nothing could be checked."""
        state = {**(run.inputs or {}), **(run.outputs or {})}
        assessment = assess(self.scorer, *(state.get(name) for name in self.fields))
        share, why = to_share(assessment.score), assessment.explanation
        return EvaluationResult(key="klopt", score=share, value=assessment.verdict, comment=why)
