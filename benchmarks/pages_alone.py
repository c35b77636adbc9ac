"""Profiles that no rating has taught: from help pages alone, and with all weights alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.held_out import DUTCH, ENGLISH, LABELS, Material, rescored
from benchmarks.over_seeds import LABELLED, RATED, RESAMPLING
from klopt.evaluation import Estimate
from klopt.evaluation.rated import Rated
from klopt.scoring.profile import Profile
from klopt.tuning.fitting import Learnt, Settings, fit, measuring
from training.profile import base_profile, learnt_profile


@dataclass(frozen=True, slots=True)
class Untaught:
    """The figures of one such profile.

    Attributes:
        name: What it is.
        figures: Data set → figure → what it is there.
    """

    name: str
    figures: Mapping[str, Mapping[str, Estimate]]


def untaught(judged: Mapping[str, Sequence[Rated]], found: Material) -> tuple[Untaught, ...]:
    """The profiles beside the ratings that they have not seen.

    Args:
        judged: Data set → its judged rows.
        found: The same as samples, and the answers made from the pages.
    """
    base = base_profile()
    alike = measuring(base)
    ways = {
        "pages alone, from the tree before training": _from_pages(base, found),
        "pages alone, as klopt fit --pages (default's cuts)": _from_pages(Profile.load(), found),
        "all weights alike, tree before training": Learnt(alike.tree, alike.evidence),
    }
    return tuple(
        Untaught(
            name,
            {
                where: _figures(judged[where], found, where, learnt)
                for where in (DUTCH, ENGLISH, LABELS)
            },
        )
        for name, learnt in ways.items()
    )


def _from_pages(start: Profile, found: Material) -> Learnt:
    """What ``klopt fit --pages`` learns, with seed 0, from Dutch and then from English pages."""
    for made in found.made.values():
        start = learnt_profile(start, fit(made, start, Settings()))
    return Learnt(start.tree, start.evidence)


def _figures(
    rows: Sequence[Rated], found: Material, where: str, learnt: Learnt
) -> dict[str, Estimate]:
    own = rescored(rows, [learnt.walk(one).score for one in found.judged[where]])
    figures = LABELLED if where == LABELS else RATED
    return {name: figure(own, RESAMPLING) for name, figure in figures.items()}
