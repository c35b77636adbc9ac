"""How right scores of answers are that were not learnt from, in words."""

from __future__ import annotations

from collections.abc import Sequence

from klopt.evaluation.agreement import Difference, auc, spearman, spearman_difference
from klopt.evaluation.estimate import Estimate, share
from klopt.evaluation.rated import TRUE_FROM, UNTRUE_TO
from klopt.scoring.profile import Profile
from klopt.scoring.tree import HIGHEST, LOWEST
from klopt.tuning.fitting import LearntWeights, by_language
from klopt.tuning.lines import Scored, sent
from klopt.tuning.samples import Sample

Scores = Sequence[float | None]
"""One a sample; None counts for nothing."""


def figures(samples: Sequence[Sample], scores: Scores, send_from: float) -> dict[str, list[str]]:
    """How right scores are, a line for each figure, for a terminal and the head of a profile file.

    Returns:
        Language → answers and pages; rho with the ratings; the chance that a true answer (4 or
        more) scores above an untrue one (2 or less); and of those rated 1 and those rated 5 the
        share that is held back.
    """
    pairs = zip(samples, scores, strict=True)
    scored = [(sample, score) for sample, score in pairs if score is not None]
    found: dict[str, list[str]] = {}
    for language in by_language(samples):
        rows = [(sample, score) for sample, score in scored if sample.language == language]
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
            held_back = share(len(own) - sent(own, send_from).count, len(own))
            told = _shown(held_back, ".0%", f" of {len(own)}")
            found[language].append(f"rated {rating:g} and not sent from {send_from:g}: {told}")
    return found


def differences(samples: Sequence[Sample], scores: Scores, start: Profile) -> dict[str, Difference]:
    """Language → how much higher rho with the ratings is than by the profile of the start.

    Samples that the start itself was learnt from are left out, since it knows them.
    """
    found = {}
    for language in by_language(samples):
        known = start.learnt_from.get(language, frozenset())
        rows = [
            (score, before, sample.rating)
            for sample, score, before in zip(
                samples, scores, scores_by(start, samples), strict=True
            )
            if sample.language == language and score is not None and before is not None
            if sample.row not in known
        ]
        first, second, ratings = ([row[at] for row in rows] for at in range(3))
        found[language] = spearman_difference(first, second, ratings)
    return found


def scores_by(profile: Profile, samples: Sequence[Sample]) -> list[float | None]:
    """What a profile scores."""
    as_it_is = LearntWeights(profile.tree, profile.evidence)
    return [as_it_is.walk(sample).score for sample in samples]


def compared(difference: Difference, name: str) -> str:
    """A line on it, for a terminal and the head of a profile file."""
    if difference.estimate.value is None:
        return f"Spearman beside {name}: not known, too few of these answers are new to {name}"
    return f"Spearman beside {name}: {_shown(difference.estimate, '+.2f')}"


def sent_lines(
    samples: Sequence[Sample], scores: Scores, start: Profile, send_from: float
) -> list[str]:
    """What is sent of judged answers by the start, and by what was learnt, a line for each."""
    before = scores_by(start, samples)
    rows = [row for row in zip(samples, scores, before, strict=True) if row[1] is not None]
    return [
        f"What is sent of these {len(rows)}:",
        _sent_line(
            start.name, [(sample, at) for sample, _, at in rows if at is not None], start.send_from
        ),
        _sent_line("learnt", [(sample, at) for sample, at, _ in rows if at is not None], send_from),
    ]


def _sent_line(name: str, scored: Scored, send_from: float) -> str:
    found = sent(scored, send_from)
    told = [f"  {name}, from {send_from:g}: {found.count}"]
    if found.count:
        told.append(_shown(found.untrue, ".0%", " of them untrue"))
    return ", ".join([*told, _shown(found.true, ".0%", " of the true ones")])


def _shown(figure: Estimate, style: str, of: str = "") -> str:
    if figure.value is None:
        return f"not known ({figure.reason})"
    if figure.low is None or figure.high is None:
        return f"{figure.value:{style}}{of}"
    return f"{figure.value:{style}}{of} (95%: {figure.low:{style}} to {figure.high:{style}})"
