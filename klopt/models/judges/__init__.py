"""LLM judges: G-Eval and Prometheus, each on one of four dimensions, from 1 to 5."""

from __future__ import annotations

from klopt.models.judges.forms import Dimension, dimension, dimensions
from klopt.models.judges.judgement import Judge, Judgement, judge, judges_by_name

__all__ = [
    "Dimension",
    "Judge",
    "Judgement",
    "dimension",
    "dimensions",
    "judge",
    "judges_by_name",
]
