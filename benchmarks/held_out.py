"""What the default profile would score answers whose page it has not learnt from.

The three steps of ``training/profile.py`` are taken anew for each fold. The folds are by page, and
a Dutch turn and its translation are in the same fold: the cuts of the tree are learnt from the
Dutch turns and serve both.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from typing import Final

from benchmarks.measured import Scored, say, workers
from klopt.errors import ProfileError
from klopt.evaluation.rated import Rated
from klopt.scoring.profile import Profile
from klopt.scoring.tree import Cut, Weigh
from klopt.tuning.fitting import Learnt, Settings, fit, held_out_scores
from klopt.tuning.samples import Sample, sample, splits
from training.profile import LABELLED, base_profile, learnt_profile

SEEDS: Final = (0, 1, 2, 3, 4)
DUTCH, ENGLISH, LABELS = "turns nl", "turns en", "TechQA en"
Scores = Mapping[str, tuple[float | None, ...]]
"""Data set → the score of each judged row, in order; None for a row that gets none."""


@dataclass(frozen=True)
class Material:
    """What the default profile is learnt from.

    Attributes:
        judged: Data set → its judged rows as samples, in order.
        made: Language → answers made from the help pages.
    """

    judged: Mapping[str, Sequence[Sample]]
    made: Mapping[str, Sequence[Sample]]


@dataclass(frozen=True)
class Variant:
    """A way to learn the profile.

    Attributes:
        name: For tables and JSON.
        unweighed: A heuristic that the last node may not weigh, or None.
        uncut: A heuristic whose cuts are taken out of the tree, or None.
        made: Whether answers made from the help pages are learnt from too.
    """

    name: str
    unweighed: str | None = None
    uncut: str | None = None
    made: bool = True

    def profile(self) -> Profile:
        """The profile before anything is learnt."""
        base = base_profile()
        tree = tuple(
            dataclasses.replace(
                node, heuristics=tuple(one for one in node.heuristics if one != self.unweighed)
            )
            if isinstance(node, Weigh)
            else node
            for node in base.tree
            if not (isinstance(node, Cut) and node.heuristic == self.uncut)
        )
        return dataclasses.replace(base, tree=tree)

    @property
    def labelled(self) -> tuple[str, ...]:
        """The heuristics whose weight the third step learns."""
        return tuple(name for name in LABELLED if name != self.unweighed)


WHOLE: Final = Variant("the whole profile")


def variants() -> tuple[Variant, ...]:
    """The whole profile; then without each heuristic that is weighed, each cut, made answers."""
    base = base_profile()
    last = base.tree[-1]
    weighed = last.heuristics if isinstance(last, Weigh) else ()
    cuts = dict.fromkeys(node.heuristic for node in base.tree if isinstance(node, Cut))
    return (
        WHOLE,
        *(Variant(name, unweighed=name) for name in weighed),
        *(Variant(f"cut: {name}", uncut=name) for name in cuts),
        Variant("made answers", made=False),
    )


def material(scored: Sequence[Scored], made: Mapping[str, Sequence[Sample]]) -> Material:
    """The judged rows as samples; what rests on one page in either language has one group.

    Raises:
        ProfileError: The default profile was learnt from another tree than there is now.
    """
    if Profile.load().options != base_profile().options:
        raise ProfileError(
            "the default profile was learnt before training/default_profile.toml was changed: "
            "make profile first"
        )
    rows = {one.data_set.name: one.judged["default"] for one in scored}
    judged = {name: [_sample(row) for row in rows[name]] for name in (DUTCH, ENGLISH, LABELS)}
    other = {row.turn.id: one.group for row, one in zip(rows[DUTCH], judged[DUTCH], strict=True)}
    head = linked(
        (other[row.turn.id], one.group)
        for row, one in zip(rows[ENGLISH], judged[ENGLISH], strict=True)
        if row.turn.id in other
    )

    def regrouped(some: Sequence[Sample]) -> list[Sample]:
        return [dataclasses.replace(one, group=head.get(one.group, one.group)) for one in some]

    return Material(
        {name: regrouped(some) for name, some in judged.items()},
        {language: regrouped(some) for language, some in made.items()},
    )


def _sample(row: Rated) -> Sample:
    found = sample(row.turn, row.assessment)
    if found is None:
        raise ValueError("a judged row is scored and has a rating or a label")
    return found


def linked(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Group → the first of all groups that pairs link it with, directly or by others."""
    head: dict[str, str] = {}
    for one, other in pairs:
        first, second = head.get(one, one), head.get(other, other)
        keep = min(first, second)
        for name in {one, other, first, second, *head}:
            if head.get(name, name) in (first, second):
                head[name] = keep
    return head


def learnt(
    found: Material, variant: Variant, seed: int, left_out: frozenset[str] = frozenset()
) -> Learnt:
    """The first two steps of ``training/profile.py``, without the groups that are left out."""
    profile = variant.profile()
    what = Learnt(profile.tree, profile.evidence)
    for name, language in ((DUTCH, "nl"), (ENGLISH, "en")):
        made = found.made[language] if variant.made else ()
        samples = [one for one in (*found.judged[name], *made) if one.group not in left_out]
        what = fit(samples, profile, Settings(seed=seed, cuts=name == DUTCH))
        profile = learnt_profile(profile, what)
    return what


def third_step(
    found: Material, variant: Variant, seed: int, before: Learnt
) -> tuple[Profile, Settings | None]:
    """What the third step starts from and how it learns; None when nothing is left to learn."""
    profile = learnt_profile(variant.profile(), before)
    return profile, Settings(seed=seed, only=variant.labelled) if variant.labelled else None


def held_out(found: Material, variant: Variant, seed: int) -> dict[str, tuple[float | None, ...]]:
    """The held-out score of each judged row.

    Args:
        found: What is learnt from.
        variant: How.
        seed: Of the folds.
    """
    labels = found.judged[LABELS]
    both = {name: found.judged[name] for name in (DUTCH, ENGLISH)}
    scores: dict[str, dict[int, float | None]] = {name: {} for name in both}
    every = [one for some in both.values() for one in some]
    for _, outside in splits(every, seed=seed):
        left_out = frozenset(every[place].group for place in outside)
        profile, settings = third_step(found, variant, seed, learnt(found, variant, seed, left_out))
        last = Learnt(profile.tree, profile.evidence)
        if settings is not None:
            last = fit(labels, profile, settings)
        for name, some in both.items():
            for place, one in enumerate(some):
                if one.group in left_out:
                    scores[name][place] = last.walk(one).score
    profile, settings = third_step(found, variant, seed, learnt(found, variant, seed))
    whole = Learnt(profile.tree, profile.evidence)
    return {
        **{name: tuple(one[at] for at in range(len(both[name]))) for name, one in scores.items()},
        LABELS: tuple(
            held_out_scores(labels, profile, settings)
            if settings is not None
            else [whole.walk(one).score for one in labels]
        ),
    }


def held_out_by_seed(found: Material) -> dict[Variant, list[Scores]]:
    """Every variant with every seed, on all cores."""
    jobs = [(variant, seed) for variant in variants() for seed in SEEDS]
    results: dict[tuple[Variant, int], Scores] = {}
    with workers(_keep, (found,)) as pool:
        waiting = {pool.submit(_one, *job): job for job in jobs}
        for number, done in enumerate(as_completed(waiting), 1):
            results[waiting[done]] = done.result()
            if number % 10 == 0 or number == len(jobs):
                say(f"learnt and held out: {number} of {len(jobs)} cross-validations")
    return {variant: [results[variant, seed] for seed in SEEDS] for variant in variants()}


_kept: list[Material] = []
"""In a worker: what it was started with."""


def _keep(found: Material) -> None:
    _kept[:] = [found]


def _one(variant: Variant, seed: int) -> Scores:
    return held_out(_kept[0], variant, seed)


def rescored(rows: Sequence[Rated], scores: Sequence[float | None]) -> tuple[Rated, ...]:
    """The rows with other scores; those without one are left out."""
    return tuple(
        dataclasses.replace(row, score=round(score, 6))
        for row, score in zip(rows, scores, strict=True)
        if score is not None
    )
