"""TechSupportEval as it was published: ClozeFact and StepRestore put to a model, and its grading.

The way in is `LlmSolver`, which asks a model both tests, or replays what it said. Its replies are
graded strictly by `klopt.checking.grading.grade`, or as the released code does by
`grade_as_published`.
"""

from __future__ import annotations

from klopt.checking.published.lax_grading import grade_as_published
from klopt.checking.published.llm_solver import LlmSolver

__all__ = ["LlmSolver", "grade_as_published"]
