"""TechSupportEval as it was published: ClozeFact and StepRestore put to a model, and its grading.

The way in is `klopt.checking.published.llm_solver.LlmSolver`, which asks a model both tests, or
replays what it said. Its replies are graded strictly by `klopt.checking.grading.grade`, or as the
released code does by `klopt.checking.published.lax_grading.grade_as_published`.
"""
