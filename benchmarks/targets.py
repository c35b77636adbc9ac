"""The targets, each beside its held-out figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from benchmarks.held_out import DUTCH, LABELS
from benchmarks.over_seeds import OverSeeds


@dataclass(frozen=True, slots=True)
class Target:
    """One target.

    Attributes:
        data_set: Where.
        figure: Which.
        at_least: The figure is to be this or more; or None.
        at_most: The figure is to be this or less; or None.
    """

    data_set: str
    figure: str
    at_least: float | None = None
    at_most: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """A target and whether the mean over the seeds meets it."""

    target: Target
    found: OverSeeds
    met: bool


TARGETS: Final = (
    Target(DUTCH, "Spearman's rho", at_least=0.55),
    Target(DUTCH, "rated 1 and below 3", at_least=0.80),
    Target(DUTCH, "rated 5 and below 3", at_most=0.10),
    Target(LABELS, "AUC, mean over systems", at_least=0.72),
)


def results(found: Mapping[str, Mapping[str, OverSeeds]]) -> tuple[Result, ...]:
    """Each target with its figure, the mean over the seeds unrounded."""
    return tuple(
        Result(one, own := found[one.data_set][one.figure], _met(one, own.mean)) for one in TARGETS
    )


def _met(target: Target, value: float) -> bool:
    if target.at_least is not None and value < target.at_least:
        return False
    return target.at_most is None or value <= target.at_most
