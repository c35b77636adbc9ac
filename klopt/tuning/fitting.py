"""Learns a profile's weights, line and cuts from judged answers, and says how right they are."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from klopt.errors import InputError, ProfileError
from klopt.measurement import Measurement
from klopt.scoring.profile import Profile
from klopt.scoring.tree import (
    HIGHEST,
    LOWEST,
    Cut,
    Node,
    Term,
    Walk,
    Weigh,
    Weighing,
    logistic,
    walk,
)
from klopt.tuning.calibration import calibrate
from klopt.tuning.cuts import decides, learn_cuts
from klopt.tuning.evidence_weights import add, contributions, learn
from klopt.tuning.folds import FOLDS, picked, splits
from klopt.tuning.samples import Sample, telling

FEWEST_SAMPLES: Final = 20
"""Fewer judged answers of a language than this teach nothing."""
DECIMALS: Final = 3
_MISSING: Final = Measurement.missing("not measured")


@dataclass(frozen=True)
class Settings:
    """How to learn.

    Attributes:
        penalty: What a weight costs; see `klopt.tuning.evidence_weights.learn`.
        made_weight: What answers that were made count beside judged ones; see there too.
        held_back_share: Of the answers rated 5, so many may score below what the profile sends.
        folds: Of the cross-validation.
        seed: Of the folds.
        cuts: Whether the tree's cuts are learnt too.
        only: Learn the weights of these heuristics alone; all else stays as the profile has it.
    """

    penalty: float = 6.0
    made_weight: float = 0.5
    held_back_share: float = 0.10
    folds: int = FOLDS
    seed: int = 0
    cuts: bool = True
    only: tuple[str, ...] = ()


DEFAULTS: Final = Settings()


@dataclass(frozen=True)
class Learnt:
    """What was learnt: the tree and, for each language, how evidence counts."""

    tree: tuple[Node, ...]
    evidence: Mapping[str, Weighing]

    def walk(self, sample: Sample) -> Walk:
        """The way of a sample through the learnt tree, as a scorer would take it."""
        return walk(
            self.tree,
            {},
            lambda name: sample.measurements.get(name, _MISSING),
            self.evidence.get(sample.language),
        )


def measuring(profile: Profile) -> Profile:
    """The profile with every heuristic of its last node weighed alike, in every language.

    With it an answer gets a score, and so becomes a sample, whatever the profile has learnt
    before and whichever of its heuristics can be measured.
    """
    last = profile.tree[-1]
    names = last.heuristics if isinstance(last, Weigh) else ()
    alike = Weighing(0.0, {name: Term(1.0, 0.5) for name in names})
    return dataclasses.replace(profile, evidence=dict.fromkeys(profile.languages, alike))


def fit(samples: Sequence[Sample], profile: Profile, settings: Settings = DEFAULTS) -> Learnt:
    """Learns from all samples.

    Args:
        samples: Judged answers, of one or more languages.
        profile: Its tree must end in a `weigh` node, which names the heuristics to weigh.
        settings: How to learn.

    Raises:
        ProfileError: The tree ends in a sum.
        InputError: A language has too few judged answers, or all of them are judged alike.
    """
    check_profile(profile)
    for language in sorted({one.language for one in samples}):
        _check(telling([one for one in samples if one.language == language]), language)
    return _learnt(samples, profile, settings)


def check_profile(profile: Profile) -> None:
    """Refuses a profile that has nothing to learn.

    Raises:
        ProfileError: Its tree ends in a sum, or its verdicts leave nothing to hold back or send.
    """
    if not LOWEST < profile.send_from < HIGHEST:
        raise ProfileError(
            f'profile "{profile.name}" has send_from = {profile.send_from:g}; to learn where that '
            "line lies it must be between 1 and 5, such as 3"
        )
    if not isinstance(profile.tree[-1], Weigh):
        raise ProfileError(
            f'profile "{profile.name}" adds up its features with one weight each (sum), so there '
            "is nothing to learn: give one whose last node is a weigh, such as default"
        )


def _learnt(samples: Sequence[Sample], profile: Profile, settings: Settings) -> Learnt:
    """What samples teach, however few they are: a fold has fewer than there are."""
    last = profile.tree[-1]
    languages = sorted({one.language for one in samples})
    if settings.only:
        return Learnt(profile.tree, _added(samples, languages, profile, settings))
    tree = profile.tree
    judged = [place for place, one in enumerate(samples) if not one.made]
    if settings.cuts and judged:
        first = {
            one: _learn_language(samples, one, (last,), settings, profile.send_from)
            for one in languages
        }
        otherwise = [first[samples[place].language].score(place) for place in judged]
        tree = learn_cuts(tree, picked(samples, judged), otherwise)
    learnt = {
        one: _learn_language(samples, one, tree, settings, profile.send_from) for one in languages
    }
    evidence = {language: one.weighing for language, one in learnt.items()}
    return Learnt(tree, {**profile.evidence, **evidence})


def held_out_scores(
    samples: Sequence[Sample], profile: Profile, settings: Settings = DEFAULTS
) -> list[float | None]:
    """The score of each sample by what was learnt from the other folds.

    None for a sample that gets none, for made answers where there are judged ones, and where the
    other folds have no answer in its language. What was made from a page is held out with the
    answers that rest on it.
    """
    check_profile(profile)
    scores: list[float | None] = [None] * len(samples)
    wanted = {id(one) for one in telling(samples)}
    for inside, outside in splits(samples, count=settings.folds, seed=settings.seed):
        others = picked(samples, inside)
        learnt = _learnt(others, profile, settings)
        languages = {one.language for one in others}
        for place in outside:
            if id(samples[place]) in wanted and samples[place].language in languages:
                scores[place] = learnt.walk(samples[place]).score
    return scores


def _check(samples: Sequence[Sample], language: str) -> None:
    if len(samples) < FEWEST_SAMPLES:
        raise InputError(
            f"{len(samples)} judged answers in language {language} are too few to learn from: "
            f"{FEWEST_SAMPLES} are the least, and 100 begin to tell"
        )
    if len({one.rating for one in samples}) < 2:
        raise InputError(f"all answers in language {language} are judged alike: nothing to learn")


def _added(
    samples: Sequence[Sample], languages: Sequence[str], profile: Profile, settings: Settings
) -> Mapping[str, Weighing]:
    """The profile's evidence with the weights of some heuristics learnt anew."""
    evidence = dict(profile.evidence)
    for language in languages:
        left = [
            one
            for one in samples
            if one.language == language and _decider(profile.tree, one) is None
        ]
        evidence[language] = _rounded(
            add(
                left,
                settings.only,
                profile.evidence[language],
                penalty=settings.penalty,
                held_back_share=settings.held_back_share,
                send_from=profile.send_from,
            )
        )
    return evidence


@dataclass(frozen=True)
class _Language:
    """What was learnt for one language, and the scores that the last node gives held-out answers.

    Attributes:
        weighing: Calibrated, with the decimals of a profile file.
        scores: Place of a sample → its score.
    """

    weighing: Weighing
    scores: Mapping[int, float]

    def score(self, place: int) -> float:
        return self.scores[place]


def _learn_language(
    samples: Sequence[Sample],
    language: str,
    tree: Sequence[Node],
    settings: Settings,
    send_from: float,
) -> _Language:
    """Learns from the answers of a language that no cut of the tree decides."""
    last = tree[-1]
    names = last.heuristics if isinstance(last, Weigh) else ()
    own = [place for place, one in enumerate(samples) if one.language == language]
    decided = {place: cut for place in own if (cut := _decider(tree, samples[place])) is not None}
    places = [place for place in own if place not in decided]
    left = picked(samples, places)
    log_odds = [0.0] * len(left)

    def weigh(some: Sequence[Sample]) -> Weighing:
        return learn(some, names, penalty=settings.penalty, made_weight=settings.made_weight)

    for inside, outside in splits(left, count=settings.folds, seed=settings.seed + 1):
        part = weigh(picked(left, inside))
        for at in outside:
            log_odds[at] = _log_odds(left[at], part)
    whole = weigh(left)
    tells = {id(one) for one in telling(left)}
    telling_places = [at for at, one in enumerate(left) if id(one) in tells]
    line = calibrate(
        whole,
        picked(log_odds, telling_places),
        [left[at].rating for at in telling_places],
        held_back_share=_share_left(samples, own, decided, settings.held_back_share, send_from),
        send_from=send_from,
    )
    steepness, base = _shift(whole, line)
    scores = {
        place: LOWEST + (HIGHEST - LOWEST) * logistic(steepness * one + base)
        for place, one in zip(places, log_odds, strict=True)
    }
    return _Language(_rounded(line), scores)


def _decider(tree: Sequence[Node], sample: Sample) -> Cut | None:
    """The cut that decides for a sample, if any does."""
    cuts = (node for node in tree if isinstance(node, Cut))
    return next((cut for cut in cuts if decides(cut, sample)), None)


def _share_left(
    samples: Sequence[Sample],
    own: Sequence[int],
    decided: Mapping[int, Cut],
    held_back_share: float,
    send_from: float,
) -> float:
    """The share of the highest rated that the last node may still hold back."""
    tells = {id(one) for one in telling(picked(samples, own))}
    highest = [
        place for place in own if samples[place].rating == HIGHEST and id(samples[place]) in tells
    ]
    open_count = sum(place not in decided for place in highest)
    lost = sum(place in decided and decided[place].score < send_from for place in highest)
    if not open_count:
        return held_back_share
    return min(1.0, max(0.0, (held_back_share * len(highest) - lost) / open_count))


def _log_odds(sample: Sample, weighing: Weighing) -> float:
    return weighing.base + sum(contributions(sample, weighing.terms).values())


def _shift(before: Weighing, after: Weighing) -> tuple[float, float]:
    """Steepness and line with which log-odds before become those after."""
    steepness = next(
        (
            after.terms[name].weight / term.weight
            for name, term in before.terms.items()
            if term.weight
        ),
        1.0,
    )
    return steepness, after.base - steepness * before.base


def _rounded(weighing: Weighing) -> Weighing:
    """To the decimals that a profile file has, so that the file scores what was measured."""
    terms = {
        name: Term(round(term.weight, DECIMALS), round(term.neutral, DECIMALS))
        for name, term in sorted(weighing.terms.items())
    }
    return Weighing(round(weighing.base, DECIMALS), terms)


def changed_cuts(before: Sequence[Node], after: Sequence[Node]) -> list[tuple[Cut, Cut | None]]:
    """The cuts that were moved, or are gone (None)."""
    kept = {node.node: node for node in after if isinstance(node, Cut)}
    return [
        (node, kept.get(node.node))
        for node in before
        if isinstance(node, Cut) and kept.get(node.node) != node
    ]
