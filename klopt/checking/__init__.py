"""Answers against a reference answer: ClozeFact, StepRestore, and what counts shared words.

>>> from klopt import Turn
>>> turn = Turn("How do I stop it?", "Run `stop -f`.", reference="1. Run **stop -f**.")
>>> check_answer(turn).errors
()
"""

from __future__ import annotations

from klopt.checking.bert import BertScorer
from klopt.checking.check import Checker, ReferenceCheck
from klopt.checking.grading import ERROR_KINDS, GRADINGS, Error, ErrorKind, Grading
from klopt.checking.metrics import METRICS, Measured, measure, needs_model, signatures
from klopt.checking.published.llm_solver import LlmSolver
from klopt.checking.reference import (
    KEY_TERM_MODES,
    KeyTerm,
    KeyTermMode,
    Reference,
    Step,
    read_reference,
)
from klopt.checking.solution import Fill, Sign, SignPlace, Solution, Solver, StepFinding
from klopt.checking.strategies import Strategy, Weights, read_strategy, score
from klopt.checking.text_solver import TextSolver
from klopt.records import Turn

__all__ = [
    "ERROR_KINDS",
    "GRADINGS",
    "KEY_TERM_MODES",
    "METRICS",
    "BertScorer",
    "Checker",
    "Error",
    "ErrorKind",
    "Fill",
    "Grading",
    "KeyTerm",
    "KeyTermMode",
    "LlmSolver",
    "Measured",
    "Reference",
    "ReferenceCheck",
    "Sign",
    "SignPlace",
    "Solution",
    "Solver",
    "Step",
    "StepFinding",
    "Strategy",
    "TextSolver",
    "Weights",
    "check_answer",
    "measure",
    "needs_model",
    "read_reference",
    "read_strategy",
    "score",
    "signatures",
]


def check_answer(turn: Turn) -> ReferenceCheck:
    """Checks one answer against its reference by words alone, graded."""
    return Checker(TextSolver(), strategy=read_strategy("graded")).check(turn)
