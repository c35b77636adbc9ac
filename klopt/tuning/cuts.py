"""Learns where the tree's cuts lie, what they give, and whether they are worth having."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final

import numpy as np

from klopt.scoring.tree import HIGHEST, LOWEST, Cut, Node
from klopt.tuning.samples import Sample

FEWEST_CAUGHT: Final = 5
"""A cut that decides for fewer answers cannot be judged: it stays as the profile has it."""
_BELOW: Final = (0.25, 0.5, 0.75, 1.0)
_AT_LEAST: Final = (0.8, 0.9, 0.95, 1.0)
_STEP: Final = 0.5


def learn_cuts(
    tree: Sequence[Node], samples: Sequence[Sample], otherwise: Sequence[float]
) -> tuple[Node, ...]:
    """The tree with each cut where it comes closest to the ratings, or without it.

    Args:
        tree: The profile's nodes.
        samples: Judged answers.
        otherwise: For each, the score that the last node gives it.

    Returns:
        The nodes. A cut keeps its side (below, or at least) and its heuristic. Its score is the
        mean rating of what it decides, to half a star. It goes when the last node is closer to
        those ratings than the cut is at any place.
    """
    open_places = list(range(len(samples)))
    found: list[Node] = []
    for node in tree:
        if not isinstance(node, Cut):
            found.append(node)
            continue
        cut = _best(node, samples, otherwise, open_places)
        if cut is not None:
            found.append(cut)
            open_places = [one for one in open_places if not decides(cut, samples[one])]
    return tuple(found)


def decides(cut: Cut, sample: Sample) -> bool:
    """Whether a cut decides for a sample that comes to it."""
    value = sample.value(cut.heuristic)
    return value is not None and cut.holds(value)


def _best(
    cut: Cut, samples: Sequence[Sample], otherwise: Sequence[float], places: Sequence[int]
) -> Cut | None:
    """The cut at its best place; as it was when too few answers tell, None when it has none."""
    candidates: list[tuple[float, Cut]] = []
    for moved in _moved(cut):
        caught = [place for place in places if decides(moved, samples[place])]
        if len(caught) < FEWEST_CAUGHT:
            continue
        ratings = np.array([samples[place].rating for place in caught])
        score = _half(float(ratings.mean()))
        own = float(((ratings - score) ** 2).sum()) * len(caught) / (len(caught) - 1)
        other = float(((ratings - [otherwise[place] for place in caught]) ** 2).sum())
        candidates.append((other - own, dataclasses.replace(moved, score=score)))
    if not candidates:
        return cut
    gain, best = max(candidates, key=lambda one: one[0])
    return best if gain > 0 else None


def _moved(cut: Cut) -> list[Cut]:
    """The cut at each place that is tried."""
    if cut.below is not None:
        return [dataclasses.replace(cut, below=place) for place in _BELOW]
    return [dataclasses.replace(cut, at_least=place) for place in _AT_LEAST]


def _half(rating: float) -> float:
    """A rating to half a star, from 1 to 5."""
    return min(HIGHEST, max(LOWEST, round(rating / _STEP) * _STEP))
