"""Learns a profile's weights, line and cuts from judged answers, and says how right they are."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from klopt.errors import InputError, ProfileError
from klopt.measurement import Measurement
from klopt.scoring.learnt_rows import Rows
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
    walk,
)
from klopt.tuning.cuts import decider, learn_cuts
from klopt.tuning.evidence_weights import PENALTY, UNLEARNT, add, learn, log_odds
from klopt.tuning.lines import AS_IT_IS, Line, Lines, find_line
from klopt.tuning.samples import FOLDS, Sample, splits

FEWEST_SAMPLES: Final = 20
"""Fewer judged answers of a language than this teach nothing."""
DECIMALS: Final = 3
Weights: TypeAlias = Literal["near", "anew", "kept"]
_MISSING: Final = Measurement.missing("not measured")


@dataclass(frozen=True)
class Settings:
    """How to learn.

    Attributes:
        held_back_share: Of the answers rated 5, so many may score below what the profile sends;
            None for scores on the scale of the ratings.
        folds: Of the cross-validation.
        seed: Of the folds.
        cuts: Whether the tree's cuts are learnt too.
        pooled: Whether all languages are learnt together and count alike, from scratch and on the
            scale of the ratings.
        only: Learn the weights of these heuristics alone; all else stays as the profile has it.
        weights: ``near``: the profile's own are left as far as the answers show; ``anew``: they
            are forgotten; ``kept``: they stay.
        nearness: What leaving them costs.
    """

    held_back_share: float | None = None
    folds: int = FOLDS
    seed: int = 0
    cuts: bool = False
    pooled: bool = False
    only: tuple[str, ...] = ()
    weights: Weights = "near"
    nearness: float = PENALTY


DEFAULTS: Final = Settings()


@dataclass(frozen=True)
class Learnt:
    """What was learnt.

    Attributes:
        tree: The nodes in order.
        evidence: Language → how evidence counts.
        rows: Language → the judged answers behind its evidence.
        idle: Language → heuristics that were measured on its judged answers and have no weight:
            they told true from untrue no better than the others did already.
        lines: Those that were drawn by risk; None where they stay.
    """

    tree: tuple[Node, ...]
    evidence: Mapping[str, Weighing]
    rows: Mapping[str, Rows] = field(default_factory=dict)
    idle: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lines: Lines | None = None

    def walk(self, sample: Sample) -> Walk:
        """The way of a sample through the learnt tree, as a scorer would take it."""
        return walk(
            self.tree,
            {},
            lambda name: sample.measurements.get(name, _MISSING),
            self.evidence.get(sample.language),
        )


def weighed(profile: Profile) -> tuple[str, ...]:
    """The heuristics that a profile's last node weighs; none when it adds up."""
    last = profile.tree[-1]
    return last.heuristics if isinstance(last, Weigh) else ()


def measuring(profile: Profile) -> Profile:
    """The profile with every heuristic of its last node weighed alike, in every language.

    With it an answer gets a score, and so becomes a sample, whatever the profile has learnt
    before and whichever of its heuristics can be measured. Any score is sent, unless something
    beside it forbids that.
    """
    alike = Weighing(0.0, dict.fromkeys(weighed(profile), Term(1.0, 0.5)))
    evidence = dict.fromkeys(profile.languages, alike)
    return dataclasses.replace(profile, evidence=evidence, block_below=LOWEST, send_from=LOWEST)


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
    for language, own in by_language(samples).items():
        _check(own, language)
    learnt = _learnt(samples, profile, settings)
    rows, idle = dict(profile.learnt_from), {}
    for language, own in by_language(samples).items():
        is_anew = settings.weights == "anew" and not settings.only
        before = frozenset() if is_anew else rows.get(language, frozenset())
        rows[language] = before | {one.row for one in own if one.row}
        terms = learnt.evidence[language].terms
        idle[language] = tuple(
            name
            for name in settings.only or weighed(profile)
            if name not in terms and any(one.value(name) is not None for one in own)
        )
    return dataclasses.replace(learnt, rows=rows, idle=idle)


def held_out_scores(
    samples: Sequence[Sample], profile: Profile, settings: Settings = DEFAULTS
) -> list[float | None]:
    """The score of each sample by what was learnt from the other folds.

    None for a sample that gets none, and where the other folds have no answer in its language.
    """
    check_profile(profile)
    scores: list[float | None] = [None] * len(samples)
    for inside, outside in splits(samples, count=settings.folds, seed=settings.seed):
        others = [samples[place] for place in inside]
        learnt = _learnt(others, profile, settings)
        languages = {one.language for one in others}
        for place in outside:
            if samples[place].language in languages:
                scores[place] = learnt.walk(samples[place]).score
    return scores


def changed_cuts(before: Sequence[Node], after: Sequence[Node]) -> list[tuple[Cut, Cut | None]]:
    """The cuts that were moved, or are gone (None)."""
    kept = {node.node: node for node in after if isinstance(node, Cut)}
    return [
        (node, kept.get(node.node))
        for node in before
        if isinstance(node, Cut) and kept.get(node.node) != node
    ]


def by_language(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    """The samples of each language, sorted by its name."""
    languages = sorted({one.language for one in samples})
    return {name: [one for one in samples if one.language == name] for name in languages}


def _check(samples: Sequence[Sample], language: str) -> None:
    if len(samples) < FEWEST_SAMPLES:
        raise InputError(
            f"{len(samples)} judged answers in language {language} are too few to learn from: "
            f"{FEWEST_SAMPLES} are the least, and 100 begin to tell"
        )
    if len({one.rating for one in samples}) < 2:
        raise InputError(f"all answers in language {language} are judged alike: nothing to learn")


def _learnt(samples: Sequence[Sample], profile: Profile, settings: Settings) -> Learnt:
    """What samples teach, however few they are: a fold has fewer than there are."""
    evidence = dict(profile.evidence)
    tree = profile.tree
    languages = by_language(samples)
    if settings.weights == "kept":
        return Learnt(tree, evidence)
    if settings.only:
        for language, own in languages.items():
            evidence[language] = _rounded(
                add(
                    [one for one in own if decider(tree, one) is None],
                    settings.only,
                    profile.evidence[language],
                    held_back_share=settings.held_back_share,
                    send_from=profile.send_from,
                )
            )
        return Learnt(tree, evidence)
    if settings.cuts:
        uncut = dataclasses.replace(profile, tree=tree[-1:])
        scored = [pair for own in languages.values() for pair in _scores(own, uncut, settings)[1]]
        tree = learn_cuts(tree, scored)
    cut = dataclasses.replace(profile, tree=tree)
    if settings.pooled:
        left = [one for one in samples if decider(tree, one) is None]
        weights = _rounded(learn(left, weighed(profile)))
        return Learnt(tree, dict.fromkeys(profile.languages, weights))
    for language, own in languages.items():
        evidence[language] = _rounded(_weights(own, cut, settings))
    return Learnt(tree, evidence)


def _weights(samples: Sequence[Sample], profile: Profile, settings: Settings) -> Weighing:
    """The weighing for a language."""
    left = [one for one in samples if decider(profile.tree, one) is None]
    whole = _learn(left, profile, settings, samples[0].language)
    if settings.held_back_share is None:
        return whole
    return _scores(samples, profile, settings)[0].moved(whole)


def _learn(
    samples: Sequence[Sample], profile: Profile, settings: Settings, language: str
) -> Weighing:
    is_anew = settings.weights == "anew"
    start = UNLEARNT if is_anew else profile.evidence.get(language, UNLEARNT)
    return learn(samples, weighed(profile), start, settings.nearness)


def _scores(
    samples: Sequence[Sample], profile: Profile, settings: Settings
) -> tuple[Line, list[tuple[Sample, float]]]:
    """The line for a language, and the answers that no cut decides, held-out scored."""
    left = [one for one in samples if decider(profile.tree, one) is None]
    odds = [0.0] * len(left)
    for inside, outside in splits(left, count=settings.folds, seed=settings.seed + 1):
        part = _learn([left[place] for place in inside], profile, settings, samples[0].language)
        for place in outside:
            odds[place] = log_odds(left[place], part)
    line = AS_IT_IS
    if settings.held_back_share is not None:
        line = find_line(
            odds,
            [one.rating for one in left],
            held_back_share=_share_left(samples, profile, settings.held_back_share),
            send_from=profile.send_from,
        )
    return line, [(one, line.score(at)) for one, at in zip(left, odds, strict=True)]


def _share_left(samples: Sequence[Sample], profile: Profile, held_back_share: float) -> float:
    """The share of the highest rated that the last node may still hold back."""
    highest = [decider(profile.tree, one) for one in samples if one.rating == HIGHEST]
    lost = sum(cut is not None and cut.score < profile.send_from for cut in highest)
    if None not in highest:
        return held_back_share
    return min(1.0, max(0.0, (held_back_share * len(highest) - lost) / highest.count(None)))


def _rounded(weighing: Weighing) -> Weighing:
    """To the decimals that a profile file has, so that the file scores what was measured."""
    terms = {
        name: Term(round(term.weight, DECIMALS), round(term.neutral, DECIMALS))
        for name, term in sorted(weighing.terms.items())
    }
    return Weighing(round(weighing.base, DECIMALS), terms)
