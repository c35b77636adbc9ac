"""The decision tree, and what is done with an answer.

The tree's nodes go in order, each measured only when the walk gets there. The verdict is decided in
one function, by all that it may depend on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from klopt.records import Figure, Measurement

LOWEST, HIGHEST = 1.0, 5.0

WEAKEST: Final = "weakest_statement"
DENIED: Final = "denied_names"
"""Where the company's own list, and no page, says that something is wrong: it may still be true."""

_TENTH: Final = 0.1
_INSIDE: Final = 0.09
"""So far apart are scores that print alike."""

Verdict: TypeAlias = Literal["send", "review", "block", "unscored"]
"""What to do with an answer; what is not scored is never sent."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A node that decides, and gives its score, where one heuristic is low or high enough."""

    node: str
    heuristic: str
    below: float | None
    at_least: float | None
    score: float
    says: Mapping[str, str]

    @property
    def condition(self) -> str:
        """Its question in figures: ``< 1`` or ``≥ 0.9``."""
        return f"< {self.below:g}" if self.below is not None else f"≥ {self.at_least:g}"

    def holds(self, value: float) -> bool:
        """Whether the node decides."""
        if self.below is not None:
            return value < self.below
        return self.at_least is not None and value >= self.at_least


@dataclass(frozen=True, slots=True)
class Sum:
    """The last node: the weighted mean of several heuristics, brought to 1–5."""

    node: str
    heuristics: tuple[str, ...]
    says: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Weigh:
    """The last node of a learned profile: evidence for and against, added up as log-odds."""

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
    """What a walk through the tree came to: the score is None if nothing was measurable.

    ``rule`` is the node that decided; ``contributions`` are what each heuristic added or took away
    at a `Weigh` node, in log-odds.
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
    """
    visits: list[Visit] = []
    for node in tree:
        if isinstance(node, Cut):
            value = measure(node.heuristic).value
            decided = value is not None and node.holds(value)
            visits.append(Visit(node.node, node.heuristic, value, node.condition, decided))
            if decided:
                return Walk(node.score, node.node, tuple(visits))
            continue
        contributions: Mapping[str, float] = {}
        if isinstance(node, Sum):
            mean = _mean(node, weights, measure)
        else:
            mean, contributions = _weighed(node, weighing, measure)
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
    """The most that a walk can come to, whatever is measured beside what was."""
    undecided = [node for node in tree if isinstance(node, Cut) and node.heuristic not in measured]
    others = tuple(node for node in tree if node not in undecided)
    best = Measurement(1.0)
    score = walk(others, weights, lambda name: measured.get(name, best), weighing).score
    return max([HIGHEST if score is None else score, *(node.score for node in undecided)])


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


def _weighed(
    node: Weigh, weighing: Weighing | None, measure: Callable[[str], Measurement]
) -> tuple[float | None, dict[str, float]]:
    """The log-odds together, on a scale of 0 to 1, and what each measured heuristic adds to it."""
    added: dict[str, float] = {}
    if weighing is None:
        return None, added
    for name in node.heuristics:
        term = weighing.terms.get(name)
        if term is not None and term.weight and (value := measure(name).value) is not None:
            added[name] = term.weight * (value - term.neutral)
    return logistic(weighing.base + math.fsum(added.values())) if added else None, added


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """All that the verdict on an answer may depend on, beside the profile.

    Attributes:
        score: By the tree, 1 to 5; where its time was up before there was one, the highest that it
            can still come to; None when it is not scored.
        faults: The heuristics, of those that forbid to send, that found a fault.
        is_unstated: Whether no page states one of its statements.
        is_weighed: Whether evidence for and against was added up to the score.
        is_open: Whether it was weighed and leaves a part of the question open.
        is_rough: Whether it was read word for word in another language, or has a word of two
            scripts, which may say something else than it seems to.
        is_cut_off: Whether its time was up before all faults were looked for.
    """

    score: float | None
    faults: tuple[str, ...] = ()
    is_unstated: bool = False
    is_weighed: bool = False
    is_open: bool = False
    is_rough: bool = False
    is_cut_off: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What is done with an answer, and the score that goes with it.

    ``held`` are the heuristics whose faults hold back one that would be sent by its score.
    """

    verdict: Verdict
    score: float | None
    held: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Lines:
    """By what a profile decides.

    Attributes:
        block_below: A score below this is blocked.
        send_from: A score of this or more is sent; in between a person reviews.
        review_on: The heuristics that name faults: beside one nothing is sent, and an answer whose
            evidence was weighed is not blocked without one; it goes to ``review``.
    """

    block_below: float
    send_from: float
    review_on: tuple[str, ...] = ()

    def decide(self, grounds: Grounds) -> Decision:
        """What to do with an answer.

        By the score as it is printed, with one decimal; but to ``review`` goes what would be sent
        beside a fault, with a part of the question open, read word for word in another language,
        with a word of two scripts, or before all faults were looked for, and what would be blocked
        though evidence was weighed and nothing in it is known to be untrue.
        The score is then the nearest one that is reviewed; where not all faults were looked for,
        no higher than it was.

        >>> from klopt.scoring.profile import Profile
        >>> default = Profile.load()
        >>> default.decide(Grounds(score=4.5)).verdict
        'send'
        >>> default.decide(Grounds(score=4.5, faults=("components_defined",))).verdict
        'review'
        """
        score = grounds.score
        if score is None:
            return Decision("unscored", None)
        held: tuple[str, ...] = ()
        verdict = own = self.verdict(score)
        if own == "send":
            held = grounds.faults or ((WEAKEST,) if grounds.is_unstated else ())
            if held or grounds.is_open or grounds.is_rough or grounds.is_cut_off:
                verdict = "review"
        elif own == "block" and grounds.is_weighed and self.review_on:
            verdict = "block" if any(name != DENIED for name in grounds.faults) else "review"
        moved = self.on_its_side(score, verdict)
        return Decision(verdict, min(score, moved) if grounds.is_cut_off else moved, held)

    def verdict(self, score: float) -> Verdict:
        """What goes with a score as it is printed, by the lines alone.

        >>> from klopt.scoring.profile import Profile
        >>> Profile.load("afas").verdict(1.0), Profile.load("afas").verdict(2.96)
        ('block', 'review')
        """
        told = printed(score)
        if told < self.block_below:
            return "block"
        return "send" if told >= self.send_from else "review"

    def on_its_side(self, score: float, verdict: Verdict) -> float:
        """A score as it is printed where the verdict is not by the lines alone; the order stays.

        So what is held back for a fault scores below the line, and two scores that print alike
        have one verdict. A profile whose two lines are one has no scores in between.
        """
        lowest, above = (
            round(math.ceil(round(line / _TENTH, 6)) * _TENTH, 1)
            for line in (self.block_below, self.send_from)
        )
        highest = round(above - _TENTH, 1)
        if verdict != "review" or self.verdict(score) == "review" or lowest > highest:
            return score
        ends = (LOWEST, self.block_below) if score < lowest else (self.send_from, HIGHEST)
        share = (score - ends[0]) / max(_TENTH, ends[1] - ends[0])
        end = lowest if score < lowest else highest
        return round(end + _INSIDE * min(1.0, max(0.0, share)), 6)

    def faulty(self, measurements: Mapping[str, Measurement]) -> tuple[str, ...]:
        """The heuristics that found a fault beside which nothing is sent."""
        names: list[str] = []
        for name in self.review_on:
            evidence = measurements[name].evidence if name in measurements else ()
            if "unsupported" in [one.kind for one in evidence]:
                names.append(name)
        return tuple(names)


def printed(score: float, places: int = 1) -> float:
    """A score as people read it, with one decimal or more, rounded down: verdicts go by it.

    >>> printed(2.96), printed(4.299, 2), printed(0.3 + 3.9)
    (2.9, 4.29, 4.2)
    """
    scale = 10**places
    rounded: float = math.floor(round(score * scale, 6)) / scale
    return rounded


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
