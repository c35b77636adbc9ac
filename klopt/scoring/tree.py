"""The decision tree: nodes in order, each measured only when the walk gets there."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from klopt.measurement import Figure, Measurement

LOWEST, HIGHEST = 1.0, 5.0


@dataclass(frozen=True, slots=True)
class Cut:
    """A node that asks one heuristic and decides when its value is low or high enough.

    Attributes:
        node: Its name.
        heuristic: The heuristic that it asks.
        below: Decides when the value is below this; or None.
        at_least: Decides when the value is this or more; or None.
        score: The score that it gives, 1 to 5.
        says: Language → the sentence for the explanation.
    """

    node: str
    heuristic: str
    below: float | None
    at_least: float | None
    score: float
    says: Mapping[str, str]

    def holds(self, value: float) -> bool:
        """Whether the node decides."""
        if self.below is not None:
            return value < self.below
        return self.at_least is not None and value >= self.at_least


@dataclass(frozen=True, slots=True)
class Sum:
    """The last node: the weighted mean of several heuristics, brought to 1–5.

    Attributes:
        node: Its name.
        heuristics: The heuristics that it adds up.
        says: Language → the sentence for the explanation.
    """

    node: str
    heuristics: tuple[str, ...]
    says: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Weigh:
    """The last node of a learned profile: evidence for and against, added up as log-odds.

    Attributes:
        node: Its name.
        heuristics: The heuristics that it weighs.
        says: Language → the sentence for the explanation.
    """

    node: str
    heuristics: tuple[str, ...]
    says: Mapping[str, str]


Node: TypeAlias = Cut | Sum | Weigh


@dataclass(frozen=True, slots=True)
class Term:
    """How one heuristic counts among the evidence.

    Attributes:
        weight: Log-odds for each unit of its value, 0 or more: more support never lowers a score.
        neutral: The value, 0 to 1, at which it says nothing; a heuristic that could not be
            measured says nothing either.
    """

    weight: float
    neutral: float


@dataclass(frozen=True, slots=True)
class Weighing:
    """What `klopt fit` learns for one language.

    Attributes:
        base: The log-odds when every heuristic says nothing.
        terms: Heuristic → how it counts.
    """

    base: float
    terms: Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class Visit:
    """One node that the walk came to.

    Attributes:
        node: Its name.
        heuristic: What was asked; None at the last node.
        value: What was measured, or at the last node the score on a scale of 0 to 1; None when
            not measurable.
        condition: The node's question in figures, such as ``< 1``.
        decided: Whether the walk ended here.
    """

    node: str
    heuristic: str | None
    value: Figure | None
    condition: str
    decided: bool


@dataclass(frozen=True, slots=True)
class Walk:
    """What a walk through the tree came to.

    Attributes:
        score: 1 to 5; None if nothing was measurable.
        rule: The node that decided.
        visits: The nodes that it came to.
        contributions: At a `Weigh` node, heuristic → log-odds that it added or took away.
    """

    score: float | None
    rule: str | None
    visits: tuple[Visit, ...]
    contributions: Mapping[str, float] = field(default_factory=dict)


def walk(
    tree: tuple[Node, ...],
    weights: Mapping[str, float],
    measure: Callable[[str], Measurement],
    weighing: Weighing | None = None,
) -> Walk:
    """Walks the nodes in order; the first that decides gives the score.

    A node whose heuristic is not measurable does not decide. In a sum, heuristics that are not
    measurable are left out and the others' weights grow in proportion; where evidence is
    weighed, they count for nothing.

    Args:
        tree: The nodes, a `Sum` or a `Weigh` last.
        weights: Heuristic → weight in a sum.
        measure: Heuristic → its measurement, made when first asked for.
        weighing: How evidence counts in the turn's language; needed by a `Weigh`.
    """
    visits: list[Visit] = []
    for node in tree:
        if isinstance(node, Cut):
            value = measure(node.heuristic).value
            decided = value is not None and node.holds(value)
            visits.append(Visit(node.node, node.heuristic, value, condition(node), decided))
            if decided:
                return Walk(node.score, node.node, tuple(visits))
            continue
        contributions: Mapping[str, float] = {}
        if isinstance(node, Sum):
            mean = _mean(node, weights, measure)
        else:
            contributions = _contributions(node, weighing, measure)
            mean = _odds(contributions, weighing)
        visits.append(Visit(node.node, None, mean, "", mean is not None))
        if mean is not None:
            score = LOWEST + (HIGHEST - LOWEST) * mean
            return Walk(score, node.node, tuple(visits), contributions)
    return Walk(None, None, tuple(visits))


def highest_score(
    tree: tuple[Node, ...],
    weights: Mapping[str, float],
    measured: Mapping[str, Measurement],
    weighing: Weighing | None = None,
) -> float:
    """The most that a walk can come to, whatever is measured beside what was.

    Args:
        tree: As `walk` takes it.
        weights: As `walk` takes them.
        measured: Heuristic → its measurement, of some.
        weighing: As `walk` takes it.
    """
    undecided = [one for one in tree if isinstance(one, Cut) and one.heuristic not in measured]
    others = tuple(one for one in tree if one not in undecided)
    best = Measurement(1.0)
    score = walk(others, weights, lambda name: measured.get(name, best), weighing).score
    return max([HIGHEST if score is None else score, *(one.score for one in undecided)])


def condition(cut: Cut) -> str:
    """The node's question in figures: ``< 1`` or ``≥ 0.9``."""
    return f"< {cut.below:g}" if cut.below is not None else f"≥ {cut.at_least:g}"


def _mean(
    node: Sum, weights: Mapping[str, float], measure: Callable[[str], Measurement]
) -> float | None:
    total = weight_sum = 0.0
    for name in node.heuristics:
        value = measure(name).value
        if value is not None:
            total += weights[name] * value
            weight_sum += weights[name]
    return total / weight_sum if weight_sum > 0 else None


def _contributions(
    node: Weigh, weighing: Weighing | None, measure: Callable[[str], Measurement]
) -> dict[str, float]:
    """The log-odds that each measured heuristic adds."""
    terms = weighing.terms if weighing is not None else {}
    found: dict[str, float] = {}
    for name in node.heuristics:
        term = terms.get(name)
        value = measure(name).value if term is not None and term.weight else None
        if term is not None and value is not None:
            found[name] = term.weight * (value - term.neutral)
    return found


def _odds(contributions: Mapping[str, float], weighing: Weighing | None) -> float | None:
    """The log-odds together, on a scale of 0 to 1; None without any measurement."""
    if weighing is None or not contributions:
        return None
    return logistic(weighing.base + math.fsum(contributions.values()))


def printed(score: float, places: int = 1) -> float:
    """A score as people read it, with one decimal or more, rounded down: verdicts go by it.

    >>> printed(2.96), printed(4.299, 2), printed(0.3 + 3.9)
    (2.9, 4.29, 4.2)
    """
    scale = 10**places
    found: float = math.floor(round(score * scale, 6)) / scale
    return found


def stars(score: float) -> int:
    """Whole stars, halves up.

    >>> stars(2.5)
    3
    """
    return math.floor(score + 0.5)


def logistic(log_odds: float) -> float:
    """Log-odds on a scale of 0 to 1.

    >>> logistic(0.0), round(logistic(2.0), 3), round(logistic(-2.0), 3)
    (0.5, 0.881, 0.119)
    """
    return 0.5 * (1.0 + math.tanh(log_odds / 2))
