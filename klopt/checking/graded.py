"""The graded strategy: a score from how much of a reference a solver found."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from statistics import fmean
from typing import Final

from klopt.checking.grading import Error
from klopt.checking.solution import Solution
from klopt.errors import ConfigurationError

__all__ = ["Graded", "graded"]

_DIGITS: Final = 8


@dataclass(frozen=True, slots=True)
class Graded:
    """What each shortfall takes off a score of 1, at most.

    Attributes:
        key_terms: The mean shortfall of the key terms; that of the steps where there are none.
        steps: The mean shortfall of the steps.
        weakest_step: The shortfall of the step that the answer has least of.
        reversal: The share of the steps that are out of order.
        contradiction: The sign of that name; see `klopt.checking.text_signs`.
        added: The same.
        doubt: The same.
    """

    key_terms: float
    steps: float
    weakest_step: float
    reversal: float
    contradiction: float
    added: float
    doubt: float

    def __str__(self) -> str:
        return "graded"

    @property
    def signature(self) -> str:
        """The name with a digest of the weights, for fingerprints."""
        text = ",".join(f"{one.name}={getattr(self, one.name)}" for one in fields(self))
        return f"{self}@{hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]}"

    def score(self, errors: Iterable[Error], solution: Solution) -> float:
        """How right an answer is, 0 to 1.

        Args:
            errors: What is wrong with it; only steps out of order are read.
            solution: What a solver found of the reference, with a degree for each key term and
                step.

        Raises:
            ConfigurationError: The solver gives no degrees.
        """
        steps = [finding.degree for finding in solution.steps]
        terms = [fill.degree for fill in solution.fills]
        known_steps = [one for one in steps if one is not None]
        known_terms = [one for one in terms if one is not None]
        if len(known_steps) != len(steps) or len(known_terms) != len(terms):
            raise ConfigurationError(
                'the strategy "graded" needs a solver that gives degrees, such as text; strict, '
                "gate and weights do not"
            )
        if not known_steps:
            return 1.0
        step = fmean(known_steps)
        term = fmean(known_terms) if known_terms else step
        reversed_count = sum(error.kind == "step_reversal" for error in errors)
        weights = {
            "contradiction": self.contradiction,
            "added": self.added,
            "doubt": self.doubt,
        }
        lost = (
            self.key_terms * (1.0 - term)
            + self.steps * (1.0 - step)
            + self.weakest_step * (1.0 - min(known_steps))
            + self.reversal * reversed_count / len(known_steps)
            + sum(weights[sign.kind] * sign.value for sign in solution.signs)
        )
        return max(0.0, 1.0 - lost)


@cache
def graded() -> Graded:
    """The strategy with the weights of ``graded.toml``.

    >>> graded().key_terms + graded().steps + graded().weakest_step
    1.0
    """
    text = resources.files("klopt.checking").joinpath("graded.toml").read_text("utf-8")
    return Graded(**tomllib.loads(text)["graded"])
