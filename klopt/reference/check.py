"""Check an answer against its reference answer: its errors, and a score from 0 to 1."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from statistics import fmean
from typing import Any, Final, Literal, TypeAlias, get_args

from klopt._internal import shipped
from klopt.errors import ConfigurationError, LlmError, PatternTimeoutError, UnknownLanguageError
from klopt.llm.calls import CallError, Usage
from klopt.reference.grading import GRADINGS, Error, Grading, Sign, Solution, Solver, grade
from klopt.reference.reference import KEY_TERM_MODES, KeyTermMode, Reference, read_reference
from klopt.text.key_terms import rules_digest
from klopt.types import Turn
from klopt.version import VERSION

_DIGITS: Final = 8


Strategy: TypeAlias = Literal["strict", "gate", "graded"]
STRATEGIES: Final[tuple[Strategy, ...]] = get_args(Strategy)
_PLAIN_FIELDS: Final = ("status", "reason_code", "reason", "solver", "grading", "strategy")


@cache
def weights() -> dict[str, float]:
    """The weights of the graded strategy, from ``graded.toml``."""
    found: dict[str, float] = shipped.table("klopt.reference", "graded.toml")["graded"]
    return found


def graded_score(
    errors: Iterable[Error], solution: Solution, weights: Mapping[str, float]
) -> float:
    """The graded score, 0 to 1; of the errors only reversed steps count."""
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
    """The score of an answer, 0 to 1; a further error never raises it.

    ``strict``: 0 with any error, else 1. ``gate``: 0 with a missing or reversed step, else the
    share of key terms that match. ``graded``: 1 less the weighted shortfalls of the solution; a
    ConfigurationError if the solver gives no degrees. Source: TechSupportEval, section III-D;
    ``graded`` is ours.

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
    """The score and the errors of one answer by its reference.

    ``fingerprint`` has the settings that decide the score, 0 to 1, or None with a stable
    ``reason_code``; ``signs`` are other evidence against the answer; ``notes`` problems that the
    solver ignored; ``usage`` the cost of calls, also for a failed row.
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
        """A dictionary for JSON, figures to six decimals; steps and key terms count from 1."""
        errors = [
            {
                **asdict(own),
                "step": own.step + 1,
                "term": None if own.term is None else own.term + 1,
            }
            | {"severity": round(own.severity, 6)}
            for own in self.errors
        ]
        signs = [{**asdict(sign), "value": round(sign.value, 6)} for sign in self.signs]
        score = None if self.score is None else round(self.score, 6)
        own = {name: getattr(self, name) for name in _PLAIN_FIELDS}
        usage = {"usage": asdict(self.usage), "fingerprint": self.fingerprint}
        found = {"id": self.id, "score": score, "errors": errors, "signs": signs}
        return {**found, **own, "notes": list(self.notes), **usage}


class Checker:
    r"""Checks answers against their references; thread-safe when the solver is.

    Args:
        solver: Finds the reference in an answer: a `klopt.reference.TextSolver`.
        grading: ``strict``, or ``published`` for the rules of the paper's released code, with which
            the key terms ``auto`` are ``bold``.
        strategy: How errors become a score, 0 to 1. ``strict``: any error gives 0; ``gate``: a
            wrong step gives 0, else the share of correct key terms; ``graded``: the share of each
            step and term that was found.
        key_terms: The key terms of a reference: ``bold`` text, by ``rules`` for commands, paths and
            the like, or ``auto``: bold text, or by rules where nothing is bold.

    Raises:
        ConfigurationError: A setting is unknown.

    >>> from klopt.reference import TextSolver
    >>> checker = Checker(TextSolver("nl"), strategy="graded")
    >>> reference = "1. Klik op **Bestand**.\n2. Klik op **Opslaan**."
    >>> check = checker.check(Turn("Hoe?", "Klik op Bestand en **Bewaren**.", reference=reference))
    >>> check.status, [(error.kind, error.expected) for error in check.errors]
    ('scored', [('key_term_mismatch', 'Opslaan')])
    """

    def __init__(
        self,
        solver: Solver,
        grading: Grading = "strict",
        strategy: Strategy = "strict",
        key_terms: KeyTermMode = "auto",
    ) -> None:
        settings = {"grading": (grading, GRADINGS), "key_terms": (key_terms, KEY_TERM_MODES)}
        for name, (value, allowed) in settings.items():
            if value not in allowed:
                raise ConfigurationError(f'{name} "{value}" is not one of {", ".join(allowed)}')
        if strategy not in STRATEGIES:
            raise ConfigurationError(f'unknown strategy "{strategy}": use strict, gate or graded')
        if grading == "published" and key_terms == "auto":
            key_terms = "bold"
        self._solver, self._grading, self._strategy = solver, grading, strategy
        self._key_terms: KeyTermMode = key_terms

    @property
    def fingerprint(self) -> str:
        """Klopt's version, solver, grading, strategy and key terms, separated by ``|``."""
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
        """Check the turn's answer against its reference; an empty answer is scored."""
        empty = ReferenceCheck(
            turn.id, "scored", self._solver.name, self._grading, self._strategy, self.fingerprint
        )

        def without(status: Literal["not_scorable", "error"], *reason: str) -> ReferenceCheck:
            return replace(empty, status=status, reason_code=reason[0], reason=reason[1])

        if not (turn.reference or "").strip():
            return without("not_scorable", "no_reference", "the row has no reference answer")
        try:
            text, published = turn.reference or "", self._grading == "published"
            reference = read_reference(text, key_terms=self._key_terms, as_published=published)
            if not reference.steps:
                return without("not_scorable", "no_steps", "the reference answer has no step")
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
        found = score(reference, errors, self._strategy, solution)
        own = {name: getattr(solution, name) for name in ("signs", "notes", "usage")}
        return replace(empty, score=found, errors=errors, **own)
