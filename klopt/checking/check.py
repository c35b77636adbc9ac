"""Checks one answer against its reference answer: what is wrong with it, and a score, 0 to 1."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from statistics import fmean
from typing import Any, Final, Literal, TypeAlias, get_args

from klopt import shipped
from klopt.checking.grading import GRADINGS, Error, Grading, Sign, Solution, Solver, grade
from klopt.checking.reference import KEY_TERM_MODES, KeyTermMode, Reference, read_reference
from klopt.errors import ConfigurationError, LlmError, PatternTimeoutError, UnknownLanguageError
from klopt.models.calls import CallError, Usage
from klopt.reading.key_terms import rules_digest
from klopt.records import Turn
from klopt.version import VERSION

_DIGITS: Final = 8


Strategy: TypeAlias = Literal["strict", "gate", "graded"]
STRATEGIES: Final[tuple[Strategy, ...]] = get_args(Strategy)


@cache
def weights() -> dict[str, float]:
    """What each shortfall takes off a graded score of 1, at most, as ``graded.toml`` says."""
    found: dict[str, float] = shipped.table("klopt.checking", "graded.toml")["graded"]
    return found


def graded_score(
    errors: Iterable[Error], solution: Solution, weights: Mapping[str, float]
) -> float:
    """How right an answer is, 0 to 1, by degrees; of the errors only steps out of order are read.

    Raises:
        ConfigurationError: The solver gives no degrees.
    """
    steps = [part.degree for part in solution.steps if part.degree is not None]
    terms = [part.degree for part in solution.fills if part.degree is not None]
    if len(steps) < len(solution.steps) or len(terms) < len(solution.fills):
        raise ConfigurationError(
            'the strategy "graded" needs a solver that gives degrees, such as text; strict and '
            "gate do not"
        )
    if not steps:
        return 1.0
    lost = (
        weights["key_terms"] * (1.0 - fmean(terms or steps))
        + weights["steps"] * (1.0 - fmean(steps))
        + weights["weakest_step"] * (1.0 - min(steps))
        + weights["reversal"] * sum(error.kind == "step_reversal" for error in errors) / len(steps)
        + sum(weights[sign.kind] * sign.value for sign in solution.signs)
    )
    return max(0.0, 1.0 - lost)


def score(
    reference: Reference, errors: Sequence[Error], strategy: Strategy, solution: Solution
) -> float:
    """How right an answer is, 0 to 1, by what is wrong with it; further errors never raise it.

    ``strict``: 0 with any error, else 1. ``gate``: 0 with a missing or reversed step, else the
    share of key terms that match. ``graded``: 1 less weighted shortfalls of what a solver found,
    errors or not.

    Source:
        TechSupportEval, section III-D: the strict strategy is its default; "alternative
        strategies can penalize step omissions or reversals with a score of 0 while
        proportionally scoring responses based on precisely matched key terms" is the gate. The
        graded strategy is ours.

    Raises:
        ConfigurationError: The strategy is graded, and the solver gives no degrees.

    >>> reference = read_reference("1. Open **httpd.conf** and **save**.")
    >>> wrong = Error("key_term_mismatch", 0, 0, "", None, 1.0, 10, 20)
    >>> found = Solution((), (), ())
    >>> [score(reference, [wrong], strategy, found) for strategy in ("strict", "gate")]
    [0.0, 0.5]
    """
    if strategy == "graded":
        return graded_score(errors, solution, weights())
    if not errors:
        return 1.0
    if strategy == "strict" or any(error.kind != "key_term_mismatch" for error in errors):
        return 0.0
    return 1.0 - len({error.term for error in errors}) / len(reference.terms)


@dataclass(frozen=True, slots=True)
class ReferenceCheck:
    """How right one answer is by its reference, and what is wrong with it.

    Attributes:
        status: ``scored``; ``not_scorable``: there is nothing to compare; ``error``: a model or a
            resource is at fault.
        fingerprint: What was used, so that like is compared with like.
        reason_code: A stable word for the reason; None when scored.
        reason: The reason in words; None when scored.
        score: 0 to 1; None unless the status is ``scored``.
        errors: What is wrong with the answer, with spans in the reference and the answer.
        signs: What else speaks against the answer, where the solver looks for it.
        notes: What the solver met and overlooked.
        usage: What calls to a model cost, also for a row that failed.
    """

    id: str
    status: Literal["scored", "not_scorable", "error"]
    solver: str
    grading: Grading
    strategy: Strategy
    fingerprint: str = field(repr=False)
    reason_code: str | None = None
    reason: str | None = None
    score: float | None = None
    errors: tuple[Error, ...] = ()
    signs: tuple[Sign, ...] = ()
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON, ``id`` first, in a fixed order; figures to six decimals.

        Steps and key terms count from 1 here, and from 0 in Python.
        """
        return {
            "id": self.id,
            "score": None if self.score is None else round(self.score, 6),
            "errors": [
                asdict(error)
                | {
                    "step": error.step + 1,
                    "term": None if error.term is None else error.term + 1,
                    "severity": round(error.severity, 6),
                }
                for error in self.errors
            ],
            "signs": [{**asdict(sign), "value": round(sign.value, 6)} for sign in self.signs],
            "status": self.status,
            "reason_code": self.reason_code,
            "reason": self.reason,
            "solver": self.solver,
            "grading": self.grading,
            "strategy": self.strategy,
            "notes": list(self.notes),
            "usage": asdict(self.usage),
            "fingerprint": self.fingerprint,
        }


class Checker:
    """Checks answers against their references; safe in threads when the solver is.

    Args:
        solver: Looks for the reference in the answer.
        grading: ``strict``, or ``published`` for the rules of the paper's released code. For the
            latter an `LlmSolver` should read its replies by the same rules.
        strategy: From errors to a score.
        key_terms: As for `read_reference`; with ``published``, ``auto`` is ``bold``, and bold is
            what the released code takes for it.

    Raises:
        ConfigurationError: ``grading``, ``strategy`` or ``key_terms`` is none of these words.
    """

    def __init__(
        self,
        solver: Solver,
        grading: Grading = "strict",
        strategy: Strategy = "strict",
        key_terms: KeyTermMode = "auto",
    ) -> None:
        for name, value, allowed in (
            ("grading", grading, GRADINGS),
            ("key_terms", key_terms, KEY_TERM_MODES),
        ):
            if value not in allowed:
                raise ConfigurationError(f'{name} "{value}" is not one of {", ".join(allowed)}')
        if strategy not in STRATEGIES:
            gone = shipped.table("klopt", "removed.toml")["judge --strategy weights"]
            told = gone if strategy.startswith("weights:") else "they are strict, gate and graded"
            raise ConfigurationError(f'strategy "{strategy}" is not known: {told}')
        if grading == "published" and key_terms == "auto":
            key_terms = "bold"
        self._solver, self._grading, self._strategy = solver, grading, strategy
        self._key_terms: KeyTermMode = key_terms

    @property
    def fingerprint(self) -> str:
        """The version of klopt, solver, grading, strategy and key terms, separated by ``|``."""
        by_rules = self._key_terms in ("auto", "rules")
        strategy: str = self._strategy
        if strategy == "graded":
            text = ",".join(f"{name}={weight}" for name, weight in weights().items())
            strategy += f"@{hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]}"
        parts = {
            "klopt": VERSION,
            "solver": self._solver.signature,
            "grading": self._grading,
            "strategy": strategy,
            "key_terms": self._key_terms + (f"@{rules_digest()[:_DIGITS]}" if by_rules else ""),
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def check(self, turn: Turn) -> ReferenceCheck:
        """Checks the turn's answer against its reference.

        Returns:
            ``not_scorable`` without a reference (``no_reference``), with one that has no steps
            (``no_steps``), or when the solver cannot tell the language (``language_unknown``);
            ``error`` when the model gives no usable reply (the code of the `LlmError`) or a
            pattern takes too long (``pattern_timeout``). An empty answer is scored: it has
            nothing of its reference.
        """
        empty = ReferenceCheck(
            turn.id, "scored", self._solver.name, self._grading, self._strategy, self.fingerprint
        )

        def without(status: Literal["not_scorable", "error"], *reason: str) -> ReferenceCheck:
            return replace(empty, status=status, reason_code=reason[0], reason=reason[1])

        if not (turn.reference or "").strip():
            return without("not_scorable", "no_reference", "the row has no reference answer")
        try:
            reference = read_reference(
                turn.reference or "",
                key_terms=self._key_terms,
                as_published=self._grading == "published",
            )
            if not reference.steps:
                told = "the reference answer has no step with a text"
                return without("not_scorable", "no_steps", told)
            solution = self._solver.solve(turn, reference)
        except CallError as error:
            check = without("error", error.reason_code, error.message)
            return replace(check, usage=error.usage, notes=error.problems)
        except LlmError as error:
            return without("error", error.reason_code, error.message)
        except UnknownLanguageError as error:
            return without("not_scorable", "language_unknown", str(error))
        except PatternTimeoutError as error:
            return without("error", "pattern_timeout", str(error))
        errors = grade(reference, solution, self._grading)
        return replace(
            empty,
            score=score(reference, errors, self._strategy, solution),
            errors=errors,
            signs=solution.signs,
            notes=solution.notes,
            usage=solution.usage,
        )
