"""Checks against a reference answer: ClozeFact, StepRestore, BLEU, ROUGE and BERTScore.

>>> from klopt import Turn
>>> turn = Turn("How do I stop it?", "Run `stop -f`.", reference="1. Run **stop -f**.")
>>> check_answer(turn).errors
()
"""

from __future__ import annotations

from klopt.reference.check import Checker, ReferenceCheck, Strategy
from klopt.reference.grading import GRADINGS, Error, Grading, Solution, Solver
from klopt.reference.llm_solver import LlmSolver
from klopt.reference.metrics import METRICS, BertScorer, measure, needs_model, signatures
from klopt.reference.reference import KEY_TERM_MODES, KeyTermMode, Reference, read_reference
from klopt.reference.text_solver import TextSolver
from klopt.types import Turn

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
    """Check one answer against its reference by comparing words, with the graded strategy."""
    return Checker(TextSolver(), strategy="graded").check(turn)
