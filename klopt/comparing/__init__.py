"""Holds statements against passages: supported, contradicted or not stated, and why."""

from klopt.comparing.comparator import LANGUAGES, Comparator, Comparison, Learnt, using
from klopt.comparing.network import LABELS, Says
from klopt.comparing.slots import Finding
from klopt.comparing.statements import Statement, most_true

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
    "using",
]
