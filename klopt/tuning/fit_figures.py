"""How right a learnt profile is, on answers that it was not learnt from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from klopt.evaluation.agreement import auc, spearman
from klopt.evaluation.estimate import Estimate, share
from klopt.evaluation.rated import TRUE_FROM, UNTRUE_TO
from klopt.scoring.tree import HIGHEST, LOWEST
from klopt.tuning.samples import Sample


@dataclass(frozen=True, slots=True)
class Figures:
    """Agreement of scores with the judgements of one language.

    Attributes:
        n: Judged answers that got a score.
        page_count: Pages that they rest on.
        spearman: Rho with the ratings.
        auc: Chance that a true answer (4 or more) scores above an untrue one (2 or less).
        send_from: The profile's: an answer that scores less is held back.
        caught: Share of the answers rated 1 that are held back.
        held_back: Share of the answers rated 5 that are held back.
    """

    n: int
    page_count: int
    spearman: Estimate
    auc: Estimate
    send_from: float
    caught: Estimate
    held_back: Estimate

    def lines(self) -> tuple[str, ...]:
        """A line for each figure, for a terminal and for the head of a profile file."""
        return (
            f"answers: {self.n} on {self.page_count} pages",
            f"Spearman with the ratings: {_words(self.spearman)}",
            f"AUC, true against untrue: {_words(self.auc)}",
            f"rated 1 and below {self.send_from:g}: {_percent(self.caught)}",
            f"rated 5 and below {self.send_from:g}: {_percent(self.held_back)}",
        )


def figures(
    samples: Sequence[Sample], scores: Sequence[float | None], send_from: float
) -> Mapping[str, Figures]:
    """The figures for each language.

    Args:
        samples: Judged answers.
        scores: The score of each; None counts for nothing.
        send_from: The profile's.
    """
    found: dict[str, Figures] = {}
    for language in sorted({one.language for one in samples}):
        rows = [
            (one, score)
            for one, score in zip(samples, scores, strict=True)
            if one.language == language and score is not None
        ]
        own = [score for _, score in rows]
        ratings = [one.rating for one, _ in rows]
        decided = [pair for pair in rows if not UNTRUE_TO < pair[0].rating < TRUE_FROM]
        found[language] = Figures(
            n=len(rows),
            page_count=len({one.group for one, _ in rows}),
            spearman=spearman(own, ratings),
            auc=auc([score for _, score in decided], [s.rating >= TRUE_FROM for s, _ in decided]),
            send_from=send_from,
            caught=_below([score for one, score in rows if one.rating == LOWEST], send_from),
            held_back=_below([score for one, score in rows if one.rating == HIGHEST], send_from),
        )
    return found


def _below(scores: Sequence[float], send_from: float) -> Estimate:
    return share(sum(score < send_from for score in scores), len(scores))


def _words(figure: Estimate) -> str:
    if figure.value is None:
        return f"not known ({figure.reason})"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.2f}"
    return f"{figure.value:.2f} (95%: {figure.low:.2f} to {figure.high:.2f})"


def _percent(figure: Estimate) -> str:
    if figure.value is None or figure.low is None or figure.high is None:
        return f"not known ({figure.reason})"
    return f"{figure.value:.0%} of {figure.n} (95%: {figure.low:.0%} to {figure.high:.0%})"
