"""Options of a check against a reference, and the checker that they describe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

import click

from klopt.checking import (
    GRADINGS,
    KEY_TERM_MODES,
    Checker,
    Grading,
    KeyTermMode,
    LlmSolver,
    Solver,
    Strategy,
    TextSolver,
    read_strategy,
)
from klopt.checking.strategies import Graded
from klopt.cli.options import declared, gathered, option
from klopt.models.calls import Model

SolverName = Literal["text", "llm", "recorded", "none"]


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What the options say of a check; see their help."""

    reference_field: str | None = option(
        metavar="FIELD",
        help="The field with the reference answer, such as meta.solution; reference and "
        "ground_truth need not be named.",
    )
    solver: SolverName = option(
        type=click.Choice(get_args(SolverName)),
        default="text",
        help="Who looks for the reference in the answer. text: its words alone decide; llm: a "
        "model is asked (--model); recorded: what a model said before (--transcripts); none: "
        "nobody, for --metrics alone.",
    )
    grading: Grading = option(
        type=click.Choice(GRADINGS),
        default="strict",
        help="When a key term counts as right. published repeats the paper's released code, which "
        "lets a key term that is left out pass.",
    )
    strategy: str | None = option(
        metavar="NAME",
        help="From errors to a score. strict: any error makes it 0; gate: a wrong step makes it "
        "0, else it is the share of key terms that are right; graded: by how much of each is "
        "there (--solver text); or weights:key_term=0.3,step_missing=0.5. Left out: graded for "
        "text, strict for the others.",
    )
    key_terms: KeyTermMode = option(
        type=click.Choice(KEY_TERM_MODES),
        default="auto",
        help="What of a reference is a key term. bold: what is bold; rules: commands, paths, "
        "versions and the like; auto: bold, or by rules where nothing is bold.",
    )
    seed: int = option(
        type=click.IntRange(min=0),
        default=0,
        help="Of the order in which a model is shown the steps.",
    )

    def read_strategy(self) -> Strategy:
        """How errors become a score.

        Raises:
            ConfigurationError: There is no such strategy.
            click.UsageError: The solver does not give what it needs.
        """
        default = "graded" if self.solver == "text" else "strict"
        found = read_strategy(self.strategy or default)
        if isinstance(found, Graded) and self.solver != "text":
            raise click.UsageError(
                "--strategy graded goes by how much of each term and step is there, which only "
                "--solver text tells."
            )
        return found

    def checker(self, model: Model | None) -> Checker | None:
        """The checker; None when nobody is to look for the reference."""
        strategy = self.read_strategy()
        if self.solver == "none":
            return None
        solver: Solver = TextSolver()
        if model is not None and self.solver != "text":
            solver = LlmSolver(model, self.seed, reading=self.grading)
        return Checker(solver, self.grading, strategy, self.key_terms)


check_options: Final = gathered(CheckOptions, declared(CheckOptions))
"""The options of a check, as one `CheckOptions`."""
