"""How many rated answers of its own are worth a company's work, by what others' were worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from klopt import shipped

NEAR_BEST: Final = 0.01
"""What is this near to the best, or nearer, is as good."""


FIRST: Final = 50
"""With fewer the better of two profiles is too often taken for the worse, held out."""


class Point(NamedTuple):
    """What a count of ratings is worth for a company that nothing was learnt from before.

    Attributes:
        ratings: How many rated answers were learnt from.
        places: At how many help centres.
        default: Spearman of the `default` profile with the ratings of other answers.
        fitted: That of a profile fitted to these from `default`.
    """

    ratings: int
    places: int
    default: float
    fitted: float


def curve(kind: str) -> tuple[Point, ...]:
    """What was measured (`python -m benchmarks.learning`), by count of ratings.

    Args:
        kind: ``alike``: help centres of the kind that `default` was learnt from; ``unlike``:
            answers of another kind, which it cannot put in order.

    >>> curve("alike")[0].ratings
    25
    """
    return tuple(Point(**one) for one in shipped.table("klopt.tuning", "worth.toml")[kind])


def enough(points: Sequence[Point]) -> Point:
    """The fewest ratings that bring as much as any count does.

    >>> enough([Point(25, 1, 0.4, 0.41), Point(50, 1, 0.4, 0.45), Point(100, 1, 0.4, 0.455)])[0]
    50
    """
    best = max(one.fitted - one.default for one in points)
    return next(one for one in points if one.fitted - one.default >= best - NEAR_BEST)


def how_many_are_worth() -> str:
    """A few sentences for who is about to rate answers.

    >>> how_many_are_worth().startswith("Rate 50 answers first")
    True
    """
    alike, unlike = enough(curve("alike")), curve("unlike")
    brought = ", ".join(f"{one.ratings}: {one.fitted:.2f}" for one in unlike)
    return (
        f"Rate {FIRST} answers first, and run `klopt fit`: it says whether they brought anything. "
        f"At {alike.places} help centres that `default` had never seen, {alike.ratings} ratings "
        f"brought the agreement of its scores with people (Spearman: 1 is full, 0 is chance) from "
        f"{alike.default:.2f} to {alike.fitted:.2f}, and more ratings hardly more: there they "
        f"mainly show how right klopt is, and what another line would send. Where `default` cannot "
        f"tell good answers from bad ({unlike[0].default:.2f}) each rating counts, up to "
        f"{enough(unlike).ratings} ({brought})."
    )
