"""ragas: a metric for experiments, and one for ``evaluate``."""

from __future__ import annotations

import math
from typing import Any

from klopt import Scorer
from klopt._internal.imports import needs
from klopt.integrations import assess_async, to_share

with needs("ragas", "klopt's adapter needs ragas"):
    from ragas.dataset_schema import SingleTurnSample
    from ragas.metrics.base import MetricType, SingleTurnMetric
    from ragas.metrics.collections.base import BaseMetric
    from ragas.metrics.result import MetricResult

_COLUMNS = ("user_input", "response", "retrieved_contexts")


class KloptMetric(BaseMetric):
    """Score from 0 to 1, with klopt's explanation as the reason; None if unscored."""

    def __init__(self, scorer: Scorer, name: str = "klopt") -> None:
        super().__init__(name=name)
        self.scorer = scorer

    async def ascore(self, **row: Any) -> MetricResult:
        """Check ``response`` to ``user_input`` against ``retrieved_contexts``."""
        assessment = await assess_async(self.scorer, *(row.get(column) for column in _COLUMNS))
        return MetricResult(value=to_share(assessment.score), reason=assessment.explanation)


class KloptSampleMetric(SingleTurnMetric):
    """The same for ``evaluate``; NaN if unscored, as with ragas' own metrics."""

    def __init__(self, scorer: Scorer, name: str = "klopt") -> None:
        super().__init__({MetricType.SINGLE_TURN: set(_COLUMNS)}, name)
        self.scorer = scorer

    def init(self, run_config: object) -> None:
        """Do nothing; no setup is needed."""

    async def _single_turn_ascore(self, sample: SingleTurnSample, callbacks: object) -> float:
        turn = (getattr(sample, column) for column in _COLUMNS)
        share = to_share((await assess_async(self.scorer, *turn)).score)
        return math.nan if share is None else share
