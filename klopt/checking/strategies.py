"""From errors to a score between 0 and 1."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from functools import cache
from statistics import fmean
from typing import Final, Literal, TypeAlias

from klopt import shipped
from klopt.checking.grading import Error, ErrorKind
from klopt.checking.reference import Reference
from klopt.checking.solution import Solution
from klopt.errors import ConfigurationError

_WEIGHTS: Final = "weights:"
_DIGITS: Final = 8


@dataclass(frozen=True, slots=True)
class Weights:
    """What each kind of error takes off the score, 0 or more, when the answer is full of it.

    Attributes:
        key_term: Every key term is mismatched.
        step_missing: Every step is missing.
        step_reversal: Every step is out of order.

    >>> str(Weights(0.3, 0.5))
    'weights:key_term=0.3,step_missing=0.5,step_reversal=0.0'
    """

    key_term: float = 0.0
    step_missing: float = 0.0
    step_reversal: float = 0.0

    def __post_init__(self) -> None:
        weights = asdict(self)
        for name, weight in weights.items():
            if not (math.isfinite(weight) and weight >= 0):
                raise ConfigurationError(
                    f"strategy: {name} is {weight}, not a number from 0 upwards"
                )
        if not any(weights.values()):
            raise ConfigurationError(
                "strategy: all weights are 0, so that every answer would score 1"
            )

    def __str__(self) -> str:
        return _WEIGHTS + ",".join(f"{name}={float(one)}" for name, one in asdict(self).items())


@dataclass(frozen=True, slots=True)
class Graded:
    """What each shortfall takes off a score of 1, at most.

    Attributes:
        key_terms: The mean shortfall of the key terms; that of the steps where there are none.
        steps: The mean shortfall of the steps.
        weakest_step: The shortfall of the step that the answer has least of.
        reversal: The share of the steps that are out of order.
        contradiction: The sign of that name; see `klopt.checking.signs`.
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
        text = ",".join(f"{name}={one}" for name, one in asdict(self).items())
        return f"{self}@{hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]}"

    def score(self, errors: Iterable[Error], solution: Solution) -> float:
        """How right an answer is, 0 to 1; of the errors only steps out of order are read.

        Raises:
            ConfigurationError: The solver gives no degrees.
        """
        steps = [one.degree for one in solution.steps if one.degree is not None]
        terms = [one.degree for one in solution.fills if one.degree is not None]
        if len(steps) < len(solution.steps) or len(terms) < len(solution.fills):
            raise ConfigurationError(
                'the strategy "graded" needs a solver that gives degrees, such as text; strict, '
                "gate and weights do not"
            )
        if not steps:
            return 1.0
        lost: float = (
            self.key_terms * (1.0 - fmean(terms or steps))
            + self.steps * (1.0 - fmean(steps))
            + self.weakest_step * (1.0 - min(steps))
            + self.reversal * sum(error.kind == "step_reversal" for error in errors) / len(steps)
            + sum(getattr(self, sign.kind) * sign.value for sign in solution.signs)
        )
        return max(0.0, 1.0 - lost)


@cache
def graded() -> Graded:
    """The strategy with the weights of ``graded.toml``.

    >>> graded().key_terms + graded().steps + graded().weakest_step
    1.0
    """
    return Graded(**shipped.table("klopt.checking", "graded.toml")["graded"])


Strategy: TypeAlias = Literal["strict", "gate"] | Weights | Graded


def read_strategy(text: str) -> Strategy:
    """A strategy as it is written on the command line.

    Args:
        text: ``strict``, ``gate``, ``graded``, or
            ``weights:key_term=0.3,step_missing=0.5,step_reversal=0.2``; a weight that is left out
            is 0.

    Raises:
        ConfigurationError: It is none of these.

    >>> read_strategy("weights:key_term=0.3,step_missing=0.5").step_missing
    0.5
    """
    if text == "strict":
        return "strict"
    if text == "gate":
        return "gate"
    if text == "graded":
        return graded()
    if not text.startswith(_WEIGHTS):
        raise ConfigurationError(
            f'strategy "{text}" is not one of strict, gate, graded, {_WEIGHTS}NAME=NUMBER,…'
        )
    names = [field.name for field in fields(Weights)]
    weights: dict[str, float] = {}
    for part in text.removeprefix(_WEIGHTS).split(","):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if name not in names:
            allowed = ", ".join(names)
            raise ConfigurationError(f'strategy "{text}": "{name}" is not one of {allowed}')
        if name in weights:
            raise ConfigurationError(f'strategy "{text}": {name} stands twice')
        try:
            weights[name] = float(value)
        except ValueError:
            raise ConfigurationError(
                f'strategy "{text}": {name} is "{value}", not a number'
            ) from None
    return Weights(**weights)


def score(
    reference: Reference,
    errors: Iterable[Error],
    strategy: Strategy = "strict",
    solution: Solution | None = None,
) -> float:
    """How right an answer is.

    Args:
        reference: What the answer should say.
        errors: What is wrong with it.
        strategy: ``strict``: 0 with any error, else 1. ``gate``: 0 with a missing or reversed
            step, else the share of key terms that match. `Weights`: 1 less, for each kind, its
            weight times the share of key terms or steps that have it, each by its severity; not
            below 0. `Graded`: 1 less weighted shortfalls, errors or not.
        solution: What a solver found; only `Graded` needs it.

    Returns:
        0 to 1; further errors never raise it. 1 without errors, so also for a reference without
        steps.

    Source:
        TechSupportEval, section III-D: the strict strategy is its default; "alternative
        strategies can penalize step omissions or reversals with a score of 0 while
        proportionally scoring responses based on precisely matched key terms" is the gate.

    Differs:
        Weights are ours, and so is the graded strategy.

    Raises:
        ConfigurationError: The strategy is graded, and the solution is missing or without degrees.

    >>> from klopt.checking.reference import read_reference
    >>> reference = read_reference("1. Open **httpd.conf** and **save**.")
    >>> wrong = Error("key_term_mismatch", 0, 0, "httpd.conf", None, 1.0, 10, 20)
    >>> score(reference, [wrong]), score(reference, [wrong], "gate")
    (0.0, 0.5)
    """
    met = tuple(errors)
    if isinstance(strategy, Graded):
        if solution is None:
            raise ConfigurationError('the strategy "graded" needs what a solver found')
        return strategy.score(met, solution)
    if strategy == "strict":
        return 0.0 if met else 1.0
    if strategy == "gate":
        if any(error.kind != "key_term_mismatch" for error in met):
            return 0.0
        return 1.0 - len({error.term for error in met}) / len(reference.terms) if met else 1.0
    lost = (
        strategy.key_term * _share(met, "key_term_mismatch", len(reference.terms))
        + strategy.step_missing * _share(met, "step_missing", len(reference.steps))
        + strategy.step_reversal * _share(met, "step_reversal", len(reference.steps))
    )
    return max(0.0, 1.0 - lost)


def _share(errors: Iterable[Error], kind: ErrorKind, count: int) -> float:
    severities = [error.severity for error in errors if error.kind == kind]
    return math.fsum(severities) / count if severities else 0.0
