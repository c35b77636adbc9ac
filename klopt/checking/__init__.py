"""Answers against a reference answer: ClozeFact, StepRestore, and what counts shared words.

>>> from klopt import Turn
>>> turn = Turn("How do I stop it?", "Run `stop -f`.", reference="1. Run **stop -f**.")
>>> check_answer(turn).errors
()
"""

from __future__ import annotations

from klopt.checking.check import Checker, ReferenceCheck, Strategy
from klopt.checking.grading import GRADINGS, Error, Grading, Solution, Solver
from klopt.checking.llm_solver import LlmSolver
from klopt.checking.metrics import METRICS, BertScorer, measure, needs_model, signatures
from klopt.checking.reference import KEY_TERM_MODES, KeyTermMode, Reference, read_reference
from klopt.checking.text_solver import TextSolver
from klopt.records import Turn

__all__ = [
    "GRADINGS",
    "KEY_TERM_MODES",
    "METRICS",
    "BertScorer",
    "Checker",
    "Error",
    "Grading",
    "KeyTermMode",
    "LlmSolver",
    "Reference",
    "ReferenceCheck",
    "Solution",
    "Solver",
    "Strategy",
    "TextSolver",
    "check_answer",
    "measure",
    "needs_model",
    "read_reference",
    "signatures",
]


def check_answer(turn: Turn) -> ReferenceCheck:
    """Checks one answer against its reference by words alone, graded."""
    return Checker(TextSolver(), strategy="graded").check(turn)
