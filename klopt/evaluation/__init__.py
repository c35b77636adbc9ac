"""Agreement of scores with human judgements: the papers' tables, ablation and comparison."""

from __future__ import annotations

from klopt.evaluation.estimate import Estimate, Resampling
from klopt.evaluation.evaluation import Evaluation, evaluate
from klopt.evaluation.features import ColumnAgreement, NumberColumn
from klopt.evaluation.rated import InputColumn
from klopt.evaluation.retrieval import Retrieval, rank, read_gold

__all__ = [
    "ColumnAgreement",
    "Estimate",
    "Evaluation",
    "InputColumn",
    "NumberColumn",
    "Resampling",
    "Retrieval",
    "evaluate",
    "rank",
    "read_gold",
]
