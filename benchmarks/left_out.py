"""``python -m benchmarks.left_out``: what the scores are worth for a company never seen.

For each help centre all that was learnt - what compares statements, the weights, the lines of the
verdicts - was learnt from other companies, and its own rated answers are scored with that. Of an
untrue answer that is not sent, it is looked at whether the reason that is given names what people
marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from klopt import Assessment
from klopt.evaluation.agreement import rho
from klopt.scoring.profile import row_of
from klopt.scoring.tree import HIGHEST, LOWEST
from training.command import given, share, store
from training.companies import UNTRUE, LeftOut
from training.rated_turns import Centre

Span = tuple[int, int]
FAULTS: Final = "weakest_statement"
LINES: Final = (3.6, 4.0, 4.2, 4.4)
QUOTED: Final = re.compile("[“„«]\\s?([^”“»]*?)\\s?[”“»]")


def verdicts(rated: LeftOut, centre: Centre) -> dict[str, list[int]]:
    """Of the answers sent, how many are untrue; of those rated 5, how many are sent; and so on."""
    ratings, scores, held, faulty = rated.known(centre)
    lines = rated.lines(centre.company)
    sent, blocked = (scores >= lines.send_from) & ~held, (scores < lines.block_below) & faulty
    best, worst = ratings == HIGHEST, ratings == LOWEST
    parts = {
        "untrue_of_sent": (ratings <= UNTRUE, sent),
        "sent_of_5": (sent, best),
        "true_of_blocked": (best, blocked),
        "blocked_of_1": (blocked, worst),
    }
    return {name: [int((some & of).sum()), int(of.sum())] for name, (some, of) in parts.items()}


def spans(rated: LeftOut, centre: Centre, data: Path) -> dict[str, list[int]]:
    """How many untrue spans lie in a statement marked as fault, and how many others are marked."""
    marked = centre.spans(data)
    by_row = {row_of(turn.question, turn.answer): turn for turn in centre.load(data)}
    untrue_spans, others = [0, 0], [0, 0]
    for sample in rated.samples[centre]:
        turn = by_row[sample.row]
        untrue, unsupported = (places(turn.answer, some) for some in marked[turn.id])
        faults = [
            (evidence.start, evidence.end) for evidence in sample.measurements[FAULTS].evidence
        ]
        untrue_spans[0] += sum(meets(span, faults) for span in untrue)
        untrue_spans[1] += len(untrue)
        for evidence in sample.measurements["statements_hold"].evidence:
            span = (evidence.start, evidence.end)
            if not meets(span, [*untrue, *unsupported]):
                others[0] += span in faults
                others[1] += 1
    return {"marked_of_untrue_spans": untrue_spans, "marked_of_other_statements": others}


def reasons(rated: LeftOut, centre: Centre, data: Path) -> dict[str, list[int]]:
    """Of untrue answers that are not sent, how many reasons name words that people marked."""
    marked, named, held = centre.spans(data), 0, 0
    with rated.scorer(centre.company) as scorer:
        for turn in centre.load(data):
            if turn.rating is None or turn.rating > UNTRUE:
                continue
            assessment = scorer.score(turn)
            if assessment.verdict not in ("send", "unscored"):
                spans = places(turn.answer, [words for some in marked[turn.id] for words in some])
                held += bool(spans)
                named += any(meets(span, spans) for span in named_in(assessment))
    return {"named_of_held_untrue": [named, held]}


def named_in(assessment: Assessment) -> Iterator[Span]:
    """Where in an answer the words of it stand that its reason quotes; words of a page are none."""
    quoted = {words.strip("… ") for words in QUOTED.findall(assessment.why)}
    unsupported = (
        evidence
        for measurement in assessment.measurements.values()
        for evidence in measurement.evidence
        if evidence.kind == "unsupported"
    )
    theirs = {page for statement in assessment.statements for _, page in statement.rivals}
    for part in (*assessment.statements, *unsupported):
        text = " ".join(part.text.split())
        for words in quoted - theirs:
            at = text.find(words)
            if words and at >= 0:
                yield part.start + at, min(part.end, part.start + at + len(words))


def places(text: str, marked: Sequence[str]) -> list[Span]:
    """Where marked words stand in a text, those that are there."""
    return [(at, at + len(words)) for words in marked if (at := text.find(words)) >= 0]


def meets(span: Span, others: Sequence[Span]) -> bool:
    """Whether a stretch has a character in common with one of others."""
    return any(start < span[1] and span[0] < end for start, end in others)


def left_out(rated: LeftOut, data: Path) -> dict[str, dict[str, Any]]:
    """The figures of each centre, and of all."""
    figures: dict[str, dict[str, Any]] = {}
    for centre, own in rated.samples.items():
        ratings, scores, *_ = rated.known(centre)
        figures[centre.name] = {
            "n": len(own),
            "spearman": round(rho(scores.tolist(), ratings.tolist()) or 0.0, 3),
            **verdicts(rated, centre),
        }
        if centre.has_spans:
            figures[centre.name] |= spans(rated, centre, data) | reasons(rated, centre, data)
    counted = max(figures.values(), key=len)
    rhos = [figure["spearman"] for figure in figures.values()]
    figures["all"] = {"spearman": round(float(np.mean(rhos)), 3), "lowest": min(rhos)} | {
        name: np.sum(
            [figure[name] for figure in figures.values() if name in figure], axis=0
        ).tolist()
        for name, value in counted.items()
        if isinstance(value, list)
    }
    return figures


def by_line(rated: LeftOut) -> dict[str, dict[str, list[int]]]:
    """What would be sent from each line: how much, of it untrue, and of the answers rated 5."""
    ratings, scores, held, _ = rated.known(*rated.samples)
    figures = {}
    for line in LINES:
        sent = (scores >= line) & ~held
        untrue, best = ratings[sent] <= UNTRUE, ratings == HIGHEST
        figures[f"{line:g}"] = {
            "sent": [int(sent.sum()), len(sent)],
            "untrue_of_sent": [int(untrue.sum()), int(sent.sum())],
            "sent_of_5": [int(sent[best].sum()), int(best.sum())],
        }
    return figures


def main() -> None:
    """Prints the figures and stores them."""
    options = given(__doc__, Path(__file__).with_suffix(".json"))
    rated = LeftOut.measured(options.data)
    figures = left_out(rated, options.data)
    lines = by_line(rated)
    for name, own in (figures | {f"from {line}": own for line, own in lines.items()}).items():
        told = (
            f"{key} {share(*value) if isinstance(value, list) else value}"
            for key, value in own.items()
        )
        print(f"{name:<9} {'  '.join(told)}")
    store({**figures, "lines": lines}, options.output)


if __name__ == "__main__":
    main()
