"""Learns where the tree's cuts lie, what they give, and whether they are worth having."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from klopt.scoring.tree import HIGHEST, LOWEST, Cut, Node
from klopt.tuning.samples import Sample

FEWEST_CAUGHT: Final = 5
"""A cut that decides for fewer answers cannot be judged: it stays as the profile has it."""
_BELOW: Final = (0.25, 0.5, 0.75, 1.0)
_AT_LEAST: Final = (0.8, 0.9, 0.95, 1.0)
_STEP: Final = 0.5

Judged = Sequence[tuple[Sample, float]]
"""Judged answers, each with the score that the last node gives it."""


def learn_cuts(tree: Sequence[Node], judged: Judged) -> tuple[Node, ...]:
    """The tree with each cut where it comes closest to the ratings, or without it.

    Args:
        tree: The profile's nodes.
        judged: Judged answers, each with the score that the last node gives it.

    Returns:
        The nodes. A cut keeps its side (below, or at least) and its heuristic. Its score is the
        mean rating of what it decides, to half a star. It goes when the last node is closer to
        those ratings than the cut is at any place.
    """
    found: list[Node] = []
    for node in tree:
        best = _best(node, judged) if isinstance(node, Cut) else node
        if best is not None:
            found.append(best)
        if isinstance(best, Cut):
            judged = [one for one in judged if decider([best], one[0]) is None]
    return tuple(found)


def decider(tree: Sequence[Node], sample: Sample) -> Cut | None:
    """The cut that decides for a sample, if any does."""
    for node in tree:
        value = sample.value(node.heuristic) if isinstance(node, Cut) else None
        if isinstance(node, Cut) and value is not None and node.holds(value):
            return node
    return None


def _best(cut: Cut, judged: Judged) -> Cut | None:
    """The cut at its best place; as it was when too few answers tell, None when it has none."""
    gains: list[tuple[float, Cut]] = []
    if cut.below is None:
        places = [replace(cut, at_least=place) for place in _AT_LEAST]
    else:
        places = [replace(cut, below=place) for place in _BELOW]
    for moved in places:
        caught = [(one.rating, other) for one, other in judged if decider([moved], one) is not None]
        if len(caught) < FEWEST_CAUGHT:
            continue
        ratings, otherwise = np.array(caught).T
        score = min(HIGHEST, max(LOWEST, round(float(ratings.mean()) / _STEP) * _STEP))
        own = float(((ratings - score) ** 2).sum()) * len(caught) / (len(caught) - 1)
        other = float(((ratings - otherwise) ** 2).sum())
        gains.append((other - own, replace(moved, score=score)))
    if not gains:
        return cut
    gain, best = max(gains, key=lambda one: one[0])
    return best if gain > 0 else None
