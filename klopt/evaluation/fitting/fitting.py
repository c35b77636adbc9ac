"""Fit a profile's weights and thresholds to rated answers, and score held-out answers."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from klopt._internal.imports import needs
from klopt.errors import InputError, ProfileError
from klopt.evaluation.estimate import FEWEST_FOR_INTERVAL, Estimate, share
from klopt.evaluation.fitting.evidence_weights import (
    FOLDS,
    PENALTY,
    UNFITTED,
    Sample,
    fit_weights,
    splits,
)
from klopt.evaluation.rated import MIN_SAMPLES, TRUE_FROM, UNTRUE_TO
from klopt.scoring.profile import Profile, Rows, Source, packed
from klopt.scoring.tree import HIGHEST, LOWEST, Node, Term, Walk, Weigh, Weighing, printed, walk

with needs("evaluate", "klopt fit needs scipy and tomlkit"):
    import scipy  # noqa: F401 - fails before anything is measured
    import tomlkit


_STEPS: Final = tuple(round(LOWEST + step * 0.1, 1) for step in range(41))

Scored = Sequence[tuple[Sample, float]]  # Rated answers with their held-out scores


class FittedThresholds(NamedTuple):
    """Scores at which the verdicts of a profile change."""

    block_below: float
    send_from: float


@dataclass(frozen=True, slots=True)
class Sent:
    """Numbers of rated answers that a threshold sends, and of all; true means 4 or more."""

    count: int
    untrue_count: int
    true_count: int
    total: int
    total_true: int

    @property
    def untrue(self) -> Estimate:
        """Share of the sent answers that is untrue."""
        return share(self.untrue_count, self.count)

    @property
    def true(self) -> Estimate:
        """Share of the true answers that is sent."""
        return share(self.true_count, self.total_true)


def sent(scored: Scored, send_from: float) -> Sent:
    """Count what a threshold sends; an answer held for a fault is not sent at any score.

    >>> sent([(Sample({}, 5.0, "nl", "a"), 4.0), (Sample({}, 4.0, "nl", "b"), 2.0)], 3.0).count
    1
    """
    ratings = [
        sample.rating for sample, score in scored if printed(score) >= send_from and not sample.held
    ]
    return Sent(
        len(ratings),
        sum(rating <= UNTRUE_TO for rating in ratings),
        sum(rating >= TRUE_FROM for rating in ratings),
        len(scored),
        sum(sample.rating >= TRUE_FROM for sample, _ in scored),
    )


def threshold_by_risk(scored: Scored, untrue_share: float) -> float | None:
    """Return the lowest score sent where at most a share of the sent answers is untrue.

    From 1 to 5, in steps of 0.1; None if no threshold that sends ten answers is safe enough. Not
    the lowest threshold: one below all scores that may be sent would also send what nobody rated.
    Laplace's rule of succession, (untrue + 1) / (sent + 2), corrects for choosing the threshold
    where few answers happen to be untrue.
    """
    for threshold in _STEPS:
        found = sent(scored, threshold)
        if found.count < FEWEST_FOR_INTERVAL:
            return None
        if found.untrue_count + 1 <= untrue_share * (found.count + 2):
            scores = (printed(score) for sample, score in scored if not sample.held)
            return min(score for score in scores if score >= threshold)
    return None


DECIMALS: Final = 3
Weights: TypeAlias = Literal["near", "anew", "kept"]


@dataclass(frozen=True)
class FitSettings:
    """Settings of a fit; by ``near``, weights stay near the profile's with penalty ``nearness``."""

    folds: int = FOLDS
    weights: Weights = "near"
    nearness: float = PENALTY


DEFAULTS: Final = FitSettings()


@dataclass(frozen=True)
class FittedWeights:
    """The result of a fit, by language: weights, hashes of answers, heuristics without weight."""

    tree: tuple[Node, ...]
    evidence: Mapping[str, Weighing]
    rows: Mapping[str, Rows] = field(default_factory=dict)
    idle: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    thresholds: FittedThresholds | None = None

    def walk(self, sample: Sample) -> Walk:
        """Walk a sample through the tree, as a scorer does."""
        return walk(self.tree, {}, sample.measurements, self.evidence.get(sample.language))


def weighed(profile: Profile) -> tuple[str, ...]:
    """Return the heuristics that a profile's last node weighs; none if it adds up."""
    last = profile.tree[-1]
    return last.heuristics if isinstance(last, Weigh) else ()


def measuring(profile: Profile) -> Profile:
    """Return the profile with equal weights and no thresholds, which scores all with a value."""
    equal = Weighing(0.0, dict.fromkeys(weighed(profile), Term(1.0, 0.5)))
    evidence = dict.fromkeys(profile.languages, equal)
    return dataclasses.replace(profile, evidence=evidence, block_below=LOWEST, send_from=LOWEST)


def check_profile(profile: Profile) -> None:
    """Raise ProfileError if the tree ends in a sum, or the threshold sends all or nothing."""
    if not LOWEST < profile.send_from < HIGHEST:
        raise ProfileError(
            f'profile "{profile.name}" has send_from = {profile.send_from:g}; to fit this '
            "threshold, set it between 1 and 5, such as 3"
        )
    if not isinstance(profile.tree[-1], Weigh):
        raise ProfileError(
            f'profile "{profile.name}" adds up its features with one weight each (sum), so there '
            "are no weights to fit; use a profile whose last node is a weigh, such as default"
        )


def fit(
    samples: Sequence[Sample], profile: Profile, settings: FitSettings = DEFAULTS
) -> FittedWeights:
    """Fit weights to rated answers of one or more languages; an InputError if they are too few."""
    check_profile(profile)
    for language, own in by_language(samples).items():
        _check(own, language)
    fitted = _fitted(samples, profile, settings)
    rows, idle = dict(profile.learnt_from), {}
    for language, own in by_language(samples).items():
        before = rows.get(language, frozenset()) if settings.weights != "anew" else frozenset()
        rows[language] = before | {sample.row for sample in own if sample.row}
        terms = fitted.evidence[language].terms
        idle[language] = tuple(
            name
            for name in weighed(profile)
            if name not in terms and any(sample.value(name) is not None for sample in own)
        )
    return dataclasses.replace(fitted, rows=rows, idle=idle)


def held_out_scores(
    samples: Sequence[Sample], profile: Profile, settings: FitSettings = DEFAULTS
) -> list[float | None]:
    """Score each sample by weights fitted to the other folds; None where that is impossible."""
    check_profile(profile)
    scores: list[float | None] = [None] * len(samples)
    for inside, outside in splits(samples, count=settings.folds):
        others = [samples[place] for place in inside]
        fitted = _fitted(others, profile, settings)
        languages = {sample.language for sample in others}
        for place in outside:
            if samples[place].language in languages:
                scores[place] = fitted.walk(samples[place]).score
    return scores


def by_language(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    """Return the samples of each language, in alphabetical order."""
    languages = sorted({sample.language for sample in samples})
    return {name: [sample for sample in samples if sample.language == name] for name in languages}


def _check(samples: Sequence[Sample], language: str) -> None:
    if len(samples) < MIN_SAMPLES:
        raise InputError(
            f"{len(samples)} rated answers in language {language} are too few: fitting needs at "
            f"least {MIN_SAMPLES}, so rate {MIN_SAMPLES - len(samples)} more; for reliable "
            "figures, rate at least 100"
        )
    if len({sample.rating for sample in samples}) < 2:
        raise InputError(
            f"all answers in language {language} have the same rating, so there is nothing to fit"
        )


def _fitted(samples: Sequence[Sample], profile: Profile, settings: FitSettings) -> FittedWeights:
    """Fit to samples however few, since a fold has fewer than the whole."""
    evidence, tree = dict(profile.evidence), profile.tree
    if settings.weights == "kept":
        return FittedWeights(tree, evidence)
    for language, own in by_language(samples).items():
        start = UNFITTED if settings.weights == "anew" else evidence.get(language, UNFITTED)
        weights = fit_weights(undecided(own, tree), weighed(profile), start, settings.nearness)
        evidence[language] = rounded(weights)
    return FittedWeights(tree, evidence)


def undecided(samples: Sequence[Sample], tree: tuple[Node, ...]) -> list[Sample]:
    """Return the samples that no node before the last decides."""
    cuts = FittedWeights(tree, {})
    return [sample for sample in samples if cuts.walk(sample).score is None]


def rounded(weighing: Weighing) -> Weighing:
    """Round to the decimals of a profile file, so that the file scores what was measured."""
    terms = {
        name: Term(round(term.weight, DECIMALS), round(term.neutral, DECIMALS))
        for name, term in sorted(weighing.terms.items())
    }
    return Weighing(round(weighing.base, DECIMALS), terms)


_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""Characters that a TOML comment may not hold, or that editors read as a line end."""


def to_toml(
    base: str, fitted: FittedWeights, *, languages: Sequence[str], name: str, head: Sequence[str]
) -> str:
    """Return the text of a profile with fitted weights and thresholds.

    ``base`` is the profile that fitting started from; its comments stay, except those before its
    first section. ``head`` are comment lines at the top.
    """
    lines = dropwhile(lambda line: line.strip()[:1] in ("", "#"), base.split("\n"))
    document = tomlkit.parse("\n".join(lines))
    profile: Any = document["profile"]
    profile["name"] = name
    profile["source"] = "fitted by klopt fit; see the comment above"
    if fitted.thresholds is not None:
        verdict: Any = document.setdefault("verdict", tomlkit.table())
        for key, value in fitted.thresholds._asdict().items():
            verdict[key] = value
    evidence: Any = document.setdefault("evidence", tomlkit.table(is_super_table=True))
    for language in languages:
        weighing = fitted.evidence[language]
        terms = {name: dataclasses.asdict(term) for name, term in sorted(weighing.terms.items())}
        evidence[language] = tomlkit.item({"base": weighing.base, **terms})
    hashes: Any = document.pop("learnt", tomlkit.table())
    for language in languages:
        hashes.pop(language, None)
        if rows := fitted.rows.get(language):
            hashes[language] = tomlkit.value(f'"""\n{packed(rows)}\n"""')
    if hashes:
        document["learnt"] = hashes
    safe = (_CONTROL.sub(" ", line).encode("utf-8", "backslashreplace").decode() for line in head)
    comments = "".join(f"# {line}".rstrip() + "\n" for line in safe)
    return comments + tomlkit.dumps(document).lstrip("\n")


def extension(source: Source, folder: Path) -> str:
    """Return the text of an empty profile in a folder that extends another, for `to_toml`."""
    base = os.path.relpath(Path(source.name).resolve(), folder.resolve())
    table: dict[str, Any] = {"profile": {"name": "", "extends": Path(base).as_posix()}}
    return tomlkit.dumps(table)
