"""Learns a profile's weights from judged answers, and scores answers that were held out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from klopt.errors import InputError, ProfileError
from klopt.records import Measurement
from klopt.scoring.profile import Profile, Rows
from klopt.scoring.tree import HIGHEST, LOWEST, Node, Term, Walk, Weigh, Weighing, walk
from klopt.tuning.evidence_weights import PENALTY, UNLEARNT, add, learn
from klopt.tuning.lines import DrawnLines
from klopt.tuning.samples import FOLDS, Sample, splits

FEWEST_SAMPLES: Final = 20
"""Fewer judged answers of a language than this teach nothing."""
DECIMALS: Final = 3
Weights: TypeAlias = Literal["near", "anew", "kept"]
_MISSING: Final = Measurement.missing("not measured")


@dataclass(frozen=True)
class FitSettings:
    """How to learn.

    Attributes:
        folds: Of the cross-validation.
        pooled: Whether all languages are learnt together and count alike, from scratch and on the
            scale of the ratings.
        only: Learn the weights of these heuristics alone; all else stays as the profile has it.
        held_back_share: With ``only``: of the answers rated 5, so many may score below what the
            profile sends.
        weights: ``near``: the profile's own are left as far as the answers show; ``anew``: they
            are forgotten; ``kept``: they stay.
        nearness: What leaving them costs.
    """

    folds: int = FOLDS
    pooled: bool = False
    only: tuple[str, ...] = ()
    held_back_share: float = 0.1
    weights: Weights = "near"
    nearness: float = PENALTY


DEFAULTS: Final = FitSettings()


@dataclass(frozen=True)
class LearntWeights:
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
    lines: DrawnLines | None = None

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


def fit(
    samples: Sequence[Sample], profile: Profile, settings: FitSettings = DEFAULTS
) -> LearntWeights:
    """Learns from judged answers, of one or more languages; see `FitSettings`.

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
        rows[language] = before | {sample.row for sample in own if sample.row}
        terms = learnt.evidence[language].terms
        idle[language] = tuple(
            name
            for name in settings.only or weighed(profile)
            if name not in terms and any(sample.value(name) is not None for sample in own)
        )
    return dataclasses.replace(learnt, rows=rows, idle=idle)


def held_out_scores(
    samples: Sequence[Sample], profile: Profile, settings: FitSettings = DEFAULTS
) -> list[float | None]:
    """The score of each sample by what was learnt from the other folds.

    None for a sample that gets none, and where the other folds have no answer in its language.
    """
    check_profile(profile)
    scores: list[float | None] = [None] * len(samples)
    for inside, outside in splits(samples, count=settings.folds):
        others = [samples[place] for place in inside]
        learnt = _learnt(others, profile, settings)
        languages = {sample.language for sample in others}
        for place in outside:
            if samples[place].language in languages:
                scores[place] = learnt.walk(samples[place]).score
    return scores


def by_language(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    """The samples of each language, sorted by its name."""
    languages = sorted({sample.language for sample in samples})
    return {name: [sample for sample in samples if sample.language == name] for name in languages}


def _check(samples: Sequence[Sample], language: str) -> None:
    if len(samples) < FEWEST_SAMPLES:
        raise InputError(
            f"{len(samples)} judged answers in language {language} are too few to learn from: "
            f"{FEWEST_SAMPLES} are the least, and 100 begin to tell"
        )
    if len({sample.rating for sample in samples}) < 2:
        raise InputError(f"all answers in language {language} are judged alike: nothing to learn")


def _learnt(samples: Sequence[Sample], profile: Profile, settings: FitSettings) -> LearntWeights:
    """What samples teach, however few they are: a fold has fewer than there are."""
    evidence, tree = dict(profile.evidence), profile.tree
    if settings.weights == "kept":
        return LearntWeights(tree, evidence)
    by_cuts = LearntWeights(tree, {})
    undecided = [sample for sample in samples if by_cuts.walk(sample).score is None]
    if settings.pooled and not settings.only:
        weights = _rounded(learn(undecided, weighed(profile)))
        return LearntWeights(tree, dict.fromkeys(profile.languages, weights))
    for language in by_language(samples):
        own = [sample for sample in undecided if sample.language == language]
        before = evidence.get(language, UNLEARNT)
        if settings.only:
            line, share = profile.send_from, settings.held_back_share
            weights = add(own, settings.only, before, held_back_share=share, send_from=line)
        else:
            start = UNLEARNT if settings.weights == "anew" else before
            weights = learn(own, weighed(profile), start, settings.nearness)
        evidence[language] = _rounded(weights)
    return LearntWeights(tree, evidence)


def _rounded(weighing: Weighing) -> Weighing:
    """To the decimals that a profile file has, so that the file scores what was measured."""
    terms = {
        name: Term(round(term.weight, DECIMALS), round(term.neutral, DECIMALS))
        for name, term in sorted(weighing.terms.items())
    }
    return Weighing(round(weighing.base, DECIMALS), terms)
