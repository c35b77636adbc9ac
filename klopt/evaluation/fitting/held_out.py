"""Figures of held-out scores, as lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from klopt.evaluation.agreement import Difference, auc, spearman, spearman_difference
from klopt.evaluation.estimate import Estimate, share
from klopt.evaluation.fitting.evidence_weights import Sample
from klopt.evaluation.fitting.fitting import FittedWeights, Sent, by_language, sent
from klopt.evaluation.rated import TRUE_FROM, UNTRUE_TO
from klopt.scoring.profile import Profile
from klopt.scoring.tree import HIGHEST, LOWEST

FEW_RATINGS: Final = 100  # Figures on fewer ratings say little
_COMPARISONS: Final = ("unlike", "less well than", "no better than", "better than")

Scores = Sequence[float | None]  # One score for each sample; None is left out


def figures(samples: Sequence[Sample], scores: Scores, send_from: float) -> dict[str, list[str]]:
    """Return language → lines on the agreement of scores with ratings, and on what is not sent."""
    found: dict[str, list[str]] = {}
    for language in by_language(samples):
        pairs = zip(samples, scores, strict=True)
        rows = [(one, at) for one, at in pairs if at is not None and one.language == language]
        decided = [pair for pair in rows if not UNTRUE_TO < pair[0].rating < TRUE_FROM]
        rho = spearman([score for _, score in rows], [sample.rating for sample, _ in rows])
        area = auc([score for _, score in decided], [s.rating >= TRUE_FROM for s, _ in decided])
        found[language] = [
            f"answers: {len(rows)} on {len({sample.group for sample, _ in rows})} pages",
            f"Spearman with the ratings: {_shown(rho, '.2f')}",
            f"AUC, true against untrue: {_shown(area, '.2f')}",
        ]
        for rating in (LOWEST, HIGHEST):
            own = [row for row in rows if row[0].rating == rating]
            not_sent = share(len(own) - sent(own, send_from).count, len(own))
            shown = _shown(not_sent, ".0%", f" of {len(own)}")
            found[language].append(f"rated {rating:g} and not sent from {send_from:g}: {shown}")
    return found


def differences(samples: Sequence[Sample], scores: Scores, start: Profile) -> dict[str, Difference]:
    """Return language → the gain in Spearman's rho over the start, on answers new to it."""
    every = list(zip(samples, scores, scores_by(start, samples), strict=True))
    found = {}
    for language in by_language(samples):
        known = start.learnt_from.get(language, frozenset())
        rows = [
            (score, before, sample.rating)
            for sample, score, before in every
            if sample.language == language and sample.row not in known
            if score is not None and before is not None
        ]
        first, second, ratings = ([row[at] for row in rows] for at in range(3))
        found[language] = spearman_difference(first, second, ratings)
    return found


def scores_by(profile: Profile, samples: Sequence[Sample]) -> list[float | None]:
    """Score samples with a profile."""
    weights = FittedWeights(profile.tree, profile.evidence)
    return [weights.walk(sample).score for sample in samples]


def compared(difference: Difference, name: str) -> str:
    """Return a line on the gain over the profile with this name."""
    if difference.estimate.value is None:
        return f"Spearman compared with {name}: unknown, too few of these answers are new to {name}"
    return f"Spearman compared with {name}: {_shown(difference.estimate, '+.2f')}"


@dataclass(frozen=True, slots=True)
class SentBeforeAndNow:
    """What the start profile sends of held-out answers, and what the fitted one does."""

    before: Sent
    now: Sent

    @classmethod
    def of(
        cls, samples: Sequence[Sample], scores: Scores, start: Profile, send_from: float
    ) -> SentBeforeAndNow:
        """Count what both send of the samples with a held-out score."""
        known = scores_by(start, samples)
        rows = [row for row in zip(samples, scores, known, strict=True) if row[1] is not None]
        old = [(sample, at) for sample, _, at in rows if at is not None]
        new = [(sample, at) for sample, at, _ in rows if at is not None]
        return cls(sent(old, start.send_from), sent(new, send_from))

    def lines(self, start: Profile, send_from: float) -> list[str]:
        """Return lines on both."""
        before = _sent_line(start.name, self.before, start.send_from)
        return [
            f"Sent of these {self.now.total}:",
            before,
            _sent_line("fitted", self.now, send_from),
        ]


def _sent_line(name: str, found: Sent, send_from: float) -> str:
    parts = [f"  {name}, from {send_from:g}: {found.count}"]
    if found.count:
        parts.append(_shown(found.untrue, ".0%", " of them untrue"))
    return ", ".join([*parts, _shown(found.true, ".0%", " of the true ones")])


@dataclass(frozen=True, slots=True)
class Advice:
    """Whether to use a fitted profile, and why."""

    use: bool
    reason: str


def weights_advice(found: Mapping[str, Difference], name: str) -> Advice:
    """Advise on fitted weights: use them if they rank held-out answers better in each language.

    >>> better = Difference(Estimate(0.1, 0.02, 0.18), 0.5, 0.4)
    >>> weights_advice({"nl": better}, "default").reason
    'its weights rank held-out answers better than default (Spearman 0.500 against 0.400)'
    """
    reasons = {language: _comparison(one, name) for language, one in found.items()}
    worst = min(reasons, key=lambda language: reasons[language][0])
    rank, reason = reasons[worst]
    return Advice(rank == len(_COMPARISONS) - 1, reason)


def _comparison(difference: Difference, name: str) -> tuple[int, str]:
    """Return the rank of `_COMPARISONS`, the worst first, and a sentence with figures."""
    estimate = difference.estimate
    if estimate.value is None:
        return 0, f"too few of these answers are new to {name} to tell"
    rank = 1 if estimate.value < 0 else 3 if (estimate.low or 0.0) > 0 else 2
    against = f"Spearman {difference.first or 0.0:.3f} against {difference.second or 0.0:.3f}"
    return rank, f"its weights rank held-out answers {_COMPARISONS[rank]} {name} ({against})"


def threshold_advice(found: SentBeforeAndNow, start: Profile, send_from: float | None) -> Advice:
    """Advise on a fitted threshold alone; None if there is none."""
    now, before, name = found.now, found.before, start.name
    if send_from is None:
        return Advice(False, f"no threshold is safe enough, so it does the same as {name}")
    if now == before:
        same = f"from {send_from:g} it sends the same {now.count} held-out answers as {name} does"
        return Advice(False, f"{same} from {start.send_from:g}")
    shares = [
        f"{one.count} of {one.total} held-out answers, {_shown(one.untrue, '.0%')} untrue"
        if one.count
        else "none of them"
        for one in (now, before)
    ]
    return Advice(True, f"from {send_from:g} it sends {shares[0]}; {name} sends {shares[1]}")


def _shown(figure: Estimate, style: str, of: str = "") -> str:
    if figure.value is None:
        return f"unknown ({figure.reason})"
    if figure.low is None or figure.high is None:
        return f"{figure.value:{style}}{of}"
    return f"{figure.value:{style}}{of} (95%: {figure.low:{style}} to {figure.high:{style}})"
