"""Holds statements against passages: supported, contradicted or not stated, and why."""

from klopt.comparing.comparator import LANGUAGES, Comparator, Comparison, Learnt, using
from klopt.comparing.statements import Statement

__all__ = ["LANGUAGES", "Comparator", "Comparison", "Learnt", "Statement", "using"]
