"""Pairs of answers that differ in one fact, each scored by models trained without its company.

A pair is hard when its words alone do not put the true answer higher. `benchmarks.accuracy` prints
the figures.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt import Assessment
from training.answers import ranking_scores
from training.claims import above
from training.pair_rows import PairRow, pair_rows
from training.support import scorer_without

SENT_TRUE: Final = 0.65
"""The threshold at which untrue answers are counted sends this share of the true ones."""
CHATTER: Final = frozenset(
    {"opener", "lead_in", "source", "closing", "question_back", "disclaimer"}
)
"""The parts of an answer that chatbots add to claims and steps."""
_QUOTED: Final = re.compile("[“„«]\\s?([^”“»]*?)\\s?[”“»]")
Floats = NDArray[np.float64]
Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair and the assessments of its two answers.

    Attributes:
        row: The pair.
        scores: Of the true and the untrue answer; `UNSCORED` for none.
        sent: Whether each is sent.
        named: Whether the explanation of the untrue answer quotes its untrue words.
        has_chatter: Whether the true answer has parts of `CHATTER`.
    """

    row: PairRow
    scores: Sequence[float]
    sent: Sequence[bool]
    named: bool
    has_chatter: bool = False


def judged(data: Path) -> list[Judged]:
    """Assess all pairs by models trained without their company."""
    rows, done = list(pair_rows(data)), []
    for company in dict.fromkeys(row.company for row in rows):
        with scorer_without(company) as scorer:
            for row in rows:
                if row.company == company:
                    both = [scorer.score(turn) for turn in row.turns(data)]
                    scores = ranking_scores(one.score for one in both)
                    sent = [one.verdict == "send" for one in both]
                    start, end = row.untrue_span
                    named = any(at < end and start < to for at, to in named_in(both[1]))
                    has_chatter = any(part.kind in CHATTER for part in both[0].parts)
                    done.append(Judged(row, scores, sent, named, has_chatter))
    return done


def named_in(assessment: Assessment) -> Iterator[tuple[int, int]]:
    """Yield the spans of an answer that its explanation quotes, without quotes of pages."""
    quoted = {words.strip("… ") for words in _QUOTED.findall(assessment.why)}
    unsupported = (
        evidence
        for measurement in assessment.measurements.values()
        for evidence in measurement.evidence
        if evidence.kind == "unsupported"
    )
    theirs = {page for claim in assessment.claims for _, page in claim.rivals}
    for part in (*assessment.claims, *unsupported):
        text = " ".join(part.text.split())
        for words in quoted - theirs:
            at = text.find(words)
            if words and at >= 0:
                yield part.start + at, min(part.end, part.start + at + len(words))


def figures(pairs: Sequence[Judged]) -> Figures:
    """Return the figures of some pairs, as shares."""
    true, untrue = np.array([pair.scores for pair in pairs]).T
    sent, sent_untrue = np.array([pair.sent for pair in pairs]).T
    hard = np.array([pair.row.is_hard for pair in pairs])
    held = np.array([pair.named for pair in pairs])[~sent_untrue]
    shares: Figures = {
        "n": len(pairs),
        "above": above(true, untrue),
        "hard": int(hard.sum()),
        "hard_above": above(true[hard], untrue[hard]) if hard.any() else None,
        "untrue_over_line": float((untrue >= line_of(true)).mean()),
        "true_sent": float(sent.mean()),
        "untrue_sent": float(sent_untrue.mean()),
        "held_named": float(held.mean()) if len(held) else None,
    }
    return {name: _rounded(value) for name, value in shares.items()}


def line_of(true: Floats) -> float:
    """Return the highest threshold that sends at least `SENT_TRUE` of the true answers."""
    return float(np.sort(true)[::-1][int(np.ceil(SENT_TRUE * len(true))) - 1])


def by_group(pairs: Sequence[Judged], group_of: Callable[[PairRow], str]) -> dict[str, Figures]:
    """Return the figures of each group, sorted by name."""
    groups: dict[str, list[Judged]] = {}
    for pair in pairs:
        groups.setdefault(group_of(pair.row), []).append(pair)
    return {name: figures(groups[name]) for name in sorted(groups)}


def over_all(centres: Mapping[str, Figures]) -> dict[str, Figures]:
    """Return the mean over the help centres, and the worst."""
    mean, worst = dict[str, Any](), dict[str, Any]()
    for name in next(iter(centres.values())):
        known = [centre[name] for centre in centres.values() if centre[name] is not None]
        if name in ("n", "hard"):
            mean[name] = worst[name] = sum(known)
        else:
            mean[name] = _rounded(float(np.mean(known)))
            worst[name] = max(known) if name.startswith("untrue") else min(known)
    return {"mean": mean, "worst": worst}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
