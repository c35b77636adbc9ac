"""TechSupportEval as it was published: ClozeFact and StepRestore put to a model.

The way in is `klopt.checking.published.llm_solver.LlmSolver`, which asks a model both tests, or
replays what it said. `klopt.checking.grading.grade` grades its replies.
"""
