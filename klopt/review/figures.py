"""How far klopt and the people who rate agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from klopt.evaluation.agreement import quadratic_weighted_kappa, spearman
from klopt.evaluation.estimate import Estimate, Resampling
from klopt.evaluation.rated import TRUE_FROM, UNTRUE_TO
from klopt.review.book import Scored

_QUICK: Final = Resampling(resamples=500)
"""After every click: the intervals of `klopt evaluate` are of more."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far klopt agrees with one person.

    Attributes:
        spearman: Of the scores with the ratings.
        untrue: Answers rated 2 or less.
        untrue_sent: Of those the ones that klopt would send.
        true: Answers rated 4 or more.
        true_held: Of those the ones that klopt would not send.
    """

    spearman: Estimate
    untrue: int
    untrue_sent: int
    true: int
    true_held: int


def agreement(ratings: Mapping[str, float], scored: Mapping[str, Scored]) -> Agreement:
    """How far klopt's scores and a person's ratings of the same answers agree.

    >>> found = {key: Scored(key, score, "send", "") for key, score in (("a", 4.5), ("b", 3.1))}
    >>> one = agreement({"a": 5.0, "b": 1.0, "c": 1.0}, found)
    >>> one.untrue, one.untrue_sent, one.true_held, one.spearman.n
    (1, 1, 0, 2)
    """
    rated = [(scored[key], rating) for key, rating in ratings.items() if key in scored]
    sent = [(one.verdict == "send", rating) for one, rating in rated]
    untrue = [is_sent for is_sent, rating in sent if rating <= UNTRUE_TO]
    true = [is_sent for is_sent, rating in sent if rating >= TRUE_FROM]
    return Agreement(
        spearman(
            [round(one.score, 6) for one, _ in rated], [rating for _, rating in rated], _QUICK
        ),
        len(untrue),
        sum(untrue),
        len(true),
        len(true) - sum(true),
    )


def kappas(ratings: Mapping[str, Mapping[str, float]]) -> list[tuple[str, str, Estimate]]:
    """How far each two people agree on the answers that both rated: weighted kappa, -1 to 1.

    >>> [(first, second, one)] = kappas(
    ...     {"An": {"a": 1.0, "b": 5.0, "c": 3.0}, "Bo": {"a": 1.0, "b": 5.0, "c": 3.0}}
    ... )
    >>> first, second, one.value
    ('An', 'Bo', 1.0)
    """
    found = []
    for first, second in combinations(sorted(ratings), 2):
        both = [key for key in ratings[first] if key in ratings[second]]
        if both:
            one, other = ([ratings[who][key] for key in both] for who in (first, second))
            found.append((first, second, quadratic_weighted_kappa(one, other, _QUICK)))
    return found
