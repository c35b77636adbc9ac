"""deepeval: a metric to use beside its faithfulness and hallucination."""

from __future__ import annotations

from typing import Any

from klopt import Assessment, Scorer
from klopt._internal.imports import needs
from klopt.integrations import assess, assess_async, to_share

with needs("deepeval", "klopt's adapter needs deepeval"):
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase


class KloptMetric(BaseMetric):
    """Score a test case from 0 to 1, with klopt's explanation as the reason.

    A test succeeds from the threshold up; by default when the verdict is ``send``. An unscored
    answer fails, with its reason as the error.
    """

    def __init__(self, scorer: Scorer, threshold: float | None = None) -> None:
        self.scorer, self.own = scorer, to_share(scorer.profile.send_from) or 0.0
        self.threshold = self.own if threshold is None else threshold

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float | None:
        """Check the actual output against the retrieval context."""
        return self._set(assess(self.scorer, *_turn(test_case)))

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float | None:
        """Do the same without blocking the event loop."""
        return self._set(await assess_async(self.scorer, *_turn(test_case)))

    def is_successful(self) -> bool:
        """Return whether the test succeeds."""
        return bool(self.success)

    @property
    def __name__(self) -> str:
        return "klopt"

    def _set(self, assessment: Assessment) -> float | None:
        self.score, self.error = to_share(assessment.score), assessment.reason
        self.reason = assessment.explanation
        self.success = self.score is not None and self.score >= self.threshold
        if self.threshold == self.own:  # deepeval copies the metric with it for each test
            self.success = assessment.verdict == "send"
        return self.score


def _turn(case: LLMTestCase) -> tuple[object, object, object]:
    return case.input, case.actual_output, case.retrieval_context
