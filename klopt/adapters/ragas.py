"""ragas: a metric for experiments, and one for ``evaluate``, to stand beside faithfulness."""

from __future__ import annotations

import math
from typing import Any

from klopt import Scorer
from klopt.adapters import assess_async, to_share
from klopt.extras import needs

with needs("ragas", "klopt's adapter needs ragas"):
    from ragas.dataset_schema import SingleTurnSample
    from ragas.metrics.base import MetricType, SingleTurnMetric
    from ragas.metrics.collections.base import BaseMetric
    from ragas.metrics.result import MetricResult

_COLUMNS = ("user_input", "response", "retrieved_contexts")


class KloptMetric(BaseMetric):
    """Scores from 0 to 1, with klopt's explanation as the reason; None for what is unchecked."""

    def __init__(self, scorer: Scorer, name: str = "klopt") -> None:
        super().__init__(name=name)
        self.scorer = scorer

    async def ascore(self, **row: Any) -> MetricResult:
        """Checks ``response`` to ``user_input`` against ``retrieved_contexts``."""
        assessment = await assess_async(self.scorer, *(row.get(column) for column in _COLUMNS))
        return MetricResult(value=to_share(assessment.score), reason=assessment.explanation)


class KloptSampleMetric(SingleTurnMetric):
    """The same for ``evaluate``, where what was not checked is NaN, as with ragas' own metrics."""

    def __init__(self, scorer: Scorer, name: str = "klopt") -> None:
        super().__init__({MetricType.SINGLE_TURN: set(_COLUMNS)}, name)
        self.scorer = scorer

    def init(self, run_config: object) -> None:
        """There is nothing to set up."""

    async def _single_turn_ascore(self, sample: SingleTurnSample, callbacks: object) -> float:
        turn = (getattr(sample, column) for column in _COLUMNS)
        share = to_share((await assess_async(self.scorer, *turn)).score)
        return math.nan if share is None else share
