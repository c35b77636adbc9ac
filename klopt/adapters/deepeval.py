"""deepeval: a metric, to stand beside its faithfulness and hallucination."""

from __future__ import annotations

from typing import Any

from klopt import Assessment, Scorer
from klopt.adapters import assess, assess_async, to_share
from klopt.extras import needs

with needs("deepeval", "klopt's adapter needs deepeval"):
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase


class KloptMetric(BaseMetric):
    """Scores a test case from 0 to 1, with klopt's explanation as the reason.

    A test succeeds from the threshold, or where klopt would send. What could not be checked has no
    score and its reason as the error, and is no success.
    """

    def __init__(self, scorer: Scorer, threshold: float | None = None) -> None:
        self.scorer, self.own = scorer, to_share(scorer.profile.send_from) or 0.0
        self.threshold = self.own if threshold is None else threshold

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float | None:
        """Checks the actual output against the retrieval context."""
        return self._set(assess(self.scorer, *_said(test_case)))

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float | None:
        """The same without holding up the loop."""
        return self._set(await assess_async(self.scorer, *_said(test_case)))

    def is_successful(self) -> bool:
        """Whether the test succeeds."""
        return bool(self.success)

    @property
    def __name__(self) -> str:
        return "klopt"

    def _set(self, assessment: Assessment) -> float | None:
        self.score, self.reason, self.error = (
            to_share(assessment.score),
            assessment.explanation,
            assessment.reason,
        )
        self.success = self.score is not None and self.score >= self.threshold
        if self.threshold == self.own:  # deepeval makes a copy with it for each test
            self.success = assessment.verdict == "send"
        return self.score


def _said(case: LLMTestCase) -> tuple[object, object, object]:
    return case.input, case.actual_output, case.retrieval_context
