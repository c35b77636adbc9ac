"""Agreement of scores with human judgements: the papers' tables, ablation, comparison."""

from __future__ import annotations

from klopt.evaluation.estimate import Estimate
from klopt.evaluation.evaluation import Evaluation, evaluate
from klopt.evaluation.judged import Column
from klopt.evaluation.resampling import Resampling

__all__ = ["Column", "Estimate", "Evaluation", "Resampling", "evaluate"]
