"""Agreement of scores with human judgements: the papers' tables, ablation and comparison."""

from klopt.evaluation.evaluation import evaluate

__all__ = ["evaluate"]
