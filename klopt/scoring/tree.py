"""The decision tree: nodes in order, each measured only when the walk gets there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from klopt.measurement import Measurement

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
class Visit:
    """One node that the walk came to.

    Attributes:
        node: Its name.
        heuristic: What was asked; None at the sum.
        value: What was measured; None when not measurable.
        condition: The node's question in figures, such as ``< 1``.
        decided: Whether the walk ended here.
    """

    node: str
    heuristic: str | None
    value: float | None
    condition: str
    decided: bool


@dataclass(frozen=True, slots=True)
class Walk:
    """What a walk through the tree came to: a score (None if nothing was measurable)."""

    score: float | None
    rule: str | None
    visits: tuple[Visit, ...]


def walk(
    tree: tuple[Cut | Sum, ...],
    weights: Mapping[str, float],
    measure: Callable[[str], Measurement],
) -> Walk:
    """Walks the nodes in order; the first that decides gives the score.

    A node whose heuristic is not measurable does not decide. In the sum, heuristics that are
    not measurable are left out and the others' weights grow in proportion.

    Args:
        tree: The nodes, a `Sum` last.
        weights: Heuristic → weight.
        measure: Heuristic → its measurement, made when first asked for.
    """
    visits: list[Visit] = []
    for node in tree:
        if isinstance(node, Cut):
            value = measure(node.heuristic).value
            decided = value is not None and node.holds(value)
            visits.append(Visit(node.node, node.heuristic, value, condition(node), decided))
            if decided:
                return Walk(node.score, node.node, tuple(visits))
        else:
            mean = _mean(node, weights, measure)
            visits.append(Visit(node.node, None, mean, "", mean is not None))
            if mean is not None:
                score = LOWEST + (HIGHEST - LOWEST) * mean
                return Walk(score, node.node, tuple(visits))
    return Walk(None, None, tuple(visits))


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
