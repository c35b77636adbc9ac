"""The decision tree: from measurements to a score, and from a score to a verdict.

`needed` names the features that a walk still needs, so that only those are measured; `walk` and
`Thresholds.decide` are pure functions of what was measured.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from klopt.types import Figure, Measurement

LOWEST, HIGHEST = 1.0, 5.0

WEAKEST: Final = "weakest_statement"
DENIED: Final = "denied_names"
"""The heuristic whose faults come from the company's list and not from a page."""

_TENTH: Final = 0.1
_INSIDE: Final = 0.09
"""Difference of scores that print alike."""

Verdict: TypeAlias = Literal["send", "review", "block", "unscored"]
"""What to do with an answer; an answer without a score is never sent."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A node that decides on its score if one heuristic is low or high enough."""

    node: str
    heuristic: str
    below: float | None
    at_least: float | None
    score: float
    says: Mapping[str, str]

    @property
    def condition(self) -> str:
        """The condition in figures: ``< 1`` or ``≥ 0.9``."""
        return f"< {self.below:g}" if self.below is not None else f"≥ {self.at_least:g}"

    def holds(self, value: float | None) -> bool:
        """Return whether the node decides; without a value it does not."""
        if value is None:
            return False
        if self.below is not None:
            return value < self.below
        return self.at_least is not None and value >= self.at_least


@dataclass(frozen=True, slots=True)
class Sum:
    """The last node: the weighted mean of several heuristics, scaled to 1–5."""

    node: str
    heuristics: tuple[str, ...]
    says: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Weigh:
    """The last node of a trained profile: evidence added up as log-odds."""

    node: str
    heuristics: tuple[str, ...]
    says: Mapping[str, str]


Node: TypeAlias = Cut | Sum | Weigh


@dataclass(frozen=True, slots=True)
class Term:
    """The weight of one heuristic among the evidence.

    Attributes:
        weight: Log-odds per unit of its value, 0 or more: more support never lowers a score.
        neutral: The value, 0 to 1, that adds nothing; a missing value adds nothing either.
    """

    weight: float
    neutral: float


@dataclass(frozen=True, slots=True)
class Weighing:
    """The weights that `klopt fit` fits for one language.

    Attributes:
        base: The log-odds without evidence.
        terms: Heuristic → its weight.
    """

    base: float
    terms: Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class Visit:
    """A node on the path.

    Attributes:
        node: Its name.
        heuristic: The heuristic of its condition; None at the last node.
        value: The heuristic's value, or at the last node the score on a scale of 0 to 1; None if
            it is not measurable.
        condition: The condition in figures, such as ``< 1``.
        decided: Whether the walk ended here.
    """

    node: str
    heuristic: str | None
    value: Figure | None
    condition: str
    decided: bool


@dataclass(frozen=True, slots=True)
class Walk:
    """The result of a walk.

    Attributes:
        score: 1 to 5; None if nothing was measurable.
        rule: The node that decided.
        visits: The path.
        contributions: What each heuristic added at a `Weigh` node, in log-odds.
    """

    score: float | None
    rule: str | None
    visits: tuple[Visit, ...]
    contributions: Mapping[str, float] = field(default_factory=dict)


Measured: TypeAlias = Mapping[str, Measurement]
"""Heuristic → measurement."""


def needed(
    tree: tuple[Node, ...], measured: Measured, weighing: Weighing | None = None
) -> tuple[str, ...]:
    """Return the heuristics that the next node of the walk needs; none when the walk can end."""
    for node in tree:
        if isinstance(node, Cut):
            if node.heuristic not in measured:
                return (node.heuristic,)
            if node.holds(measured[node.heuristic].value):
                return ()
        elif missing := [name for name in _read_by(node, weighing) if name not in measured]:
            return tuple(missing)
    return ()


def walk(
    tree: tuple[Node, ...],
    weights: Mapping[str, float],
    measured: Measured,
    weighing: Weighing | None = None,
) -> Walk:
    """Walk the nodes in order; the first that decides gives the score.

    A node whose heuristic is not measurable, or not among ``measured``, does not decide. A sum
    leaves such heuristics out, and the others' weights grow in proportion; among weighed evidence
    they count for nothing.
    """
    visits: list[Visit] = []
    for node in tree:
        if isinstance(node, Cut):
            value = _value(measured, node.heuristic)
            decided = node.holds(value)
            visits.append(Visit(node.node, node.heuristic, value, node.condition, decided))
            if decided:
                return Walk(node.score, node.node, tuple(visits))
            continue
        contributions: Mapping[str, float] = {}
        if isinstance(node, Sum):
            mean = _mean(node, weights, measured)
        else:
            mean, contributions = _weighed(node, weighing, measured)
        visits.append(Visit(node.node, None, mean, "", mean is not None))
        if mean is not None:
            score = LOWEST + (HIGHEST - LOWEST) * mean
            return Walk(score, node.node, tuple(visits), contributions)
    return Walk(None, None, tuple(visits))


def highest_score(
    tree: tuple[Node, ...],
    weights: Mapping[str, float],
    measured: Measured,
    weighing: Weighing | None = None,
) -> float:
    """Return the highest score that a walk can still reach."""
    undecided = [node for node in tree if isinstance(node, Cut) and node.heuristic not in measured]
    others = tuple(node for node in tree if node not in undecided)
    names = (name for node in others for name in _read_by(node, weighing))
    best = {**dict.fromkeys(names, Measurement(1.0)), **measured}
    score = walk(others, weights, best, weighing).score
    return max([HIGHEST if score is None else score, *(node.score for node in undecided)])


def _read_by(node: Node, weighing: Weighing | None) -> tuple[str, ...]:
    """Return the heuristics that a node reads."""
    if isinstance(node, Cut):
        return (node.heuristic,)
    if isinstance(node, Sum):
        return node.heuristics
    terms = {} if weighing is None else weighing.terms
    return tuple([name for name in node.heuristics if name in terms and terms[name].weight])


def _value(measured: Measured, name: str) -> float | None:
    return measured[name].value if name in measured else None


def _mean(node: Sum, weights: Mapping[str, float], measured: Measured) -> float | None:
    total = weight_sum = 0.0
    for name in node.heuristics:
        value = _value(measured, name)
        if value is not None:
            total += weights[name] * value
            weight_sum += weights[name]
    return total / weight_sum if weight_sum > 0 else None


def _weighed(
    node: Weigh, weighing: Weighing | None, measured: Measured
) -> tuple[float | None, dict[str, float]]:
    """Return the sum of log-odds on a scale of 0 to 1, and what each heuristic adds."""
    added: dict[str, float] = {}
    if weighing is None:
        return None, added
    for name in _read_by(node, weighing):
        value, term = _value(measured, name), weighing.terms[name]
        if value is not None:
            added[name] = term.weight * (value - term.neutral)
    return logistic(weighing.base + math.fsum(added.values())) if added else None, added


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What the verdict on an answer depends on, beside the profile.

    Attributes:
        score: The score of the tree, 1 to 5; if the time was up before, the highest possible one;
            None if the answer is not scored.
        faults: The heuristics of ``review_on`` that found a fault.
        is_weighed: Whether the score is weighed evidence.
        is_open: Whether it is weighed and leaves a part of the question open.
        is_partly_read: Whether some pages are in another language, and may state what the others
            do not.
        is_rough: Whether it has a word of two scripts, which may say something else than it seems
            to.
        is_cut_off: Whether the time was up before all checks were done.
        is_lossy: Whether its translation lacks a part, so that the score may be of something else.
        is_bare_reply: Whether it is weighed and only a yes or no, which states nothing itself.
    """

    score: float | None
    faults: tuple[str, ...] = ()
    is_weighed: bool = False
    is_open: bool = False
    is_partly_read: bool = False
    is_rough: bool = False
    is_cut_off: bool = False
    is_lossy: bool = False
    is_bare_reply: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on an answer, and its score.

    Attributes:
        verdict: The verdict.
        score: The score, moved to the side of the thresholds that the verdict is on.
        held: The heuristics whose faults hold back an answer that its score would send.
    """

    verdict: Verdict
    score: float | None
    held: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """The thresholds of a profile.

    Attributes:
        block_below: A score below this is blocked.
        send_from: A score of this or more is sent; in between a person reviews.
        review_on: The heuristics that find faults: an answer with a fault is not sent, and a
            weighed answer without one is not blocked, but reviewed.
    """

    block_below: float
    send_from: float
    review_on: tuple[str, ...] = ()

    def decide(self, grounds: Grounds) -> Decision:
        """Return the verdict on an answer, by its score as printed, with one decimal.

        To ``review`` instead of ``send`` goes an answer with a fault, an open part of the question,
        a word of two scripts, unfinished checks, or only a yes or no; and instead of ``block`` a
        weighed answer in which nothing is known to be untrue, or of which a part of the question is
        open or a page was not read as a whole; and instead of either one whose translation lacks a
        part. The score is then the nearest one that is reviewed, and after unfinished checks no
        higher than it was.

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
            held = grounds.faults
            is_doubtful = grounds.is_open or grounds.is_rough or grounds.is_bare_reply
            if held or is_doubtful or grounds.is_cut_off:
                verdict = "review"
        elif own == "block" and grounds.is_weighed and self.review_on:
            is_wrong = any(name != DENIED for name in grounds.faults)
            is_whole = not grounds.is_open and not grounds.is_partly_read
            verdict = "block" if is_wrong and is_whole else "review"
        if grounds.is_lossy:
            verdict = "review"
        moved = self.on_its_side(score, verdict)
        return Decision(verdict, min(score, moved) if grounds.is_cut_off else moved, held)

    def verdict(self, score: float) -> Verdict:
        """Return the verdict of a score as printed, by the thresholds alone.

        >>> from klopt.scoring.profile import Profile
        >>> Profile.load("afas").verdict(1.0), Profile.load("afas").verdict(2.96)
        ('block', 'review')
        """
        shown = printed(score)
        if shown < self.block_below:
            return "block"
        return "send" if shown >= self.send_from else "review"

    def on_its_side(self, score: float, verdict: Verdict) -> float:
        """Return a score on the side of the thresholds that its verdict is on; the order stays.

        An answer held back for a fault scores below the threshold, so that two scores that print
        alike have the same verdict. Equal thresholds leave no scores in between.
        """
        lowest, above = (
            round(math.ceil(round(threshold / _TENTH, 6)) * _TENTH, 1)
            for threshold in (self.block_below, self.send_from)
        )
        highest = round(above - _TENTH, 1)
        if verdict != "review" or self.verdict(score) == "review" or lowest > highest:
            return score
        ends = (LOWEST, self.block_below) if score < lowest else (self.send_from, HIGHEST)
        share = (score - ends[0]) / max(_TENTH, ends[1] - ends[0])
        end = lowest if score < lowest else highest
        return round(end + _INSIDE * min(1.0, max(0.0, share)), 6)

    def faulty(self, measurements: Mapping[str, Measurement]) -> tuple[str, ...]:
        """Return the heuristics of ``review_on`` that found a fault."""
        found: dict[str, None] = {}
        for name in self.review_on:
            for evidence in measurements[name].evidence if name in measurements else ():
                if evidence.kind == "unsupported":
                    found[name] = None
        return tuple(found)


def printed(score: float, places: int = 1) -> float:
    """Return a score as printed, rounded down; verdicts depend on it.

    >>> printed(2.96), printed(4.299, 2), printed(0.3 + 3.9)
    (2.9, 4.29, 4.2)
    """
    scale = 10**places
    rounded: float = math.floor(round(score * scale, 6)) / scale
    return rounded


def stars(score: float) -> int:
    """Return a score in whole stars, halves up.

    >>> stars(2.5)
    3
    """
    return math.floor(score + 0.5)


def logistic(log_odds: float) -> float:
    """Return log-odds as a probability.

    >>> logistic(0.0), round(logistic(2.0), 3), round(logistic(-2.0), 3)
    (0.5, 0.881, 0.119)
    """
    return 0.5 * (1.0 + math.tanh(log_odds / 2))
