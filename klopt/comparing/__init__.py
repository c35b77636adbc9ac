"""Holds statements against passages: supported, contradicted or not stated, and why."""

from klopt.comparing.comparator import LANGUAGES, Comparator, Comparison, using
from klopt.comparing.findings import Finding
from klopt.comparing.learnt import LABELS, Learnt, Says
from klopt.comparing.statements import Statement, most_true, statements_of

__all__ = [
    "LABELS",
    "LANGUAGES",
    "Comparator",
    "Comparison",
    "Finding",
    "Learnt",
    "Says",
    "Statement",
    "most_true",
    "statements_of",
    "using",
]
