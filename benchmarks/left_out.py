"""``python -m benchmarks.left_out``: what the scores are worth for a company never seen.

For each help centre all that was learnt - what compares statements, the weights, the lines of the
verdicts - was learnt from other companies, and its own rated answers are scored with that.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from klopt.scoring.learnt_rows import row_of
from klopt.scoring.profile import Profile
from klopt.scoring.tree import HIGHEST, LOWEST, Weigh
from klopt.tuning.lines import Lines
from klopt.tuning.samples import Sample
from training.claims import area_under
from training.companies import (
    UNTRUE,
    Found,
    has_fault,
    lines_left_out,
    measured,
    scores_left_out,
)
from training.profile import base_profile
from training.rated_turns import Centre

OUTPUT: Final = Path(__file__).parent / "left_out.json"
FAULTS: Final = "weakest_statement"
PROFILE: Final = base_profile()


def verdicts(
    scores: NDArray[np.float64], samples: Sequence[Sample], lines: Lines
) -> dict[str, list[int]]:
    """Of the answers sent, how many are untrue; of those rated 5, how many are sent; and so on."""
    ratings = np.array([one.rating for one in samples])
    held = np.array([one.held for one in samples])
    faulty = np.array([has_fault(one, PROFILE) for one in samples])
    sent, blocked = (scores >= lines.send_from) & ~held, (scores < lines.block_below) & faulty
    best, worst = ratings == HIGHEST, ratings == LOWEST
    return {
        "untrue_of_sent": [int((sent & (ratings <= UNTRUE)).sum()), int(sent.sum())],
        "sent_of_5": [int((sent & best).sum()), int(best.sum())],
        "true_of_blocked": [int((blocked & best).sum()), int(blocked.sum())],
        "blocked_of_1": [int((blocked & worst).sum()), int(worst.sum())],
    }


def spans(centre: Centre, samples: Sequence[Sample], data: Path) -> dict[str, list[int]]:
    """How many untrue spans lie in a statement marked as fault, and how many others are marked."""
    marked = centre.spans(data)
    by_row = {row_of(turn.question, turn.answer): turn for turn in centre.load(data)}
    found = {"marked_of_untrue_spans": [0, 0], "marked_of_other_statements": [0, 0]}
    for sample in samples:
        turn = by_row[sample.row]
        untrue, unsupported = (
            [(at, at + len(words)) for words in some if (at := turn.answer.find(words)) >= 0]
            for some in marked[turn.id]
        )
        faults = [(one.start, one.end) for one in sample.measurements[FAULTS].evidence]
        found["marked_of_untrue_spans"][0] += sum(meets(one, faults) for one in untrue)
        found["marked_of_untrue_spans"][1] += len(untrue)
        for one in sample.measurements["statements_hold"].evidence:
            span = (one.start, one.end)
            if not meets(span, [*untrue, *unsupported]):
                found["marked_of_other_statements"][0] += span in faults
                found["marked_of_other_statements"][1] += 1
    return found


def weighing_without(names: Collection[str]) -> Profile:
    """The profile, some of its heuristics not weighed."""
    *nodes, last = PROFILE.tree
    if isinstance(last, Weigh):
        kept = tuple(one for one in last.heuristics if one not in names)
        last = dataclasses.replace(last, heuristics=kept)
    return dataclasses.replace(PROFILE, tree=(*nodes, last))


def left_out(found: Found, data: Path, profile: Profile) -> dict[str, dict[str, Any]]:
    """The figures of each centre, and of all."""
    scores = scores_left_out(found, profile)
    lines = lines_left_out(found, scores, profile)
    figures: dict[str, dict[str, Any]] = {}
    for centre, own in found.items():
        ratings = np.array([one.rating for one in own])
        figures[centre.name] = {
            "n": len(own),
            "spearman": round(float(spearmanr(scores[centre], ratings).statistic), 3),
            "auc_1_or_5": round(_auc(scores[centre], ratings), 3),
            **verdicts(scores[centre], own, lines[centre.company]),
            **(spans(centre, own, data) if centre.has_spans else {}),
        }
    rhos = [one["spearman"] for one in figures.values()]
    figures["all"] = {
        "spearman": round(float(np.mean(rhos)), 3),
        "lowest": min(rhos),
        **_added(list(figures.values())),
    }
    return figures


def _added(figures: Sequence[Mapping[str, Any]]) -> dict[str, list[int]]:
    names = dict.fromkeys(
        name for one in figures for name, value in one.items() if isinstance(value, list)
    )
    return {
        name: [sum(one[name][at] for one in figures if name in one) for at in (0, 1)]
        for name in names
    }


def meets(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    """Whether a stretch has a character in common with one of others."""
    return any(start < span[1] and span[0] < end for start, end in others)


def _auc(scores: NDArray[np.float64], ratings: NDArray[np.float64]) -> float:
    ends = (ratings == LOWEST) | (ratings == HIGHEST)
    return area_under(scores[ends], ratings[ends] == HIGHEST)


def main() -> None:
    """Prints the figures and stores them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.left_out", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    parser.add_argument(
        "--without", action="append", default=[], help="a heuristic that is not weighed; not stored"
    )
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"The real data are not at {arguments.data}: no company can be left out.")
        return
    found = measured(arguments.data, PROFILE)
    figures = left_out(found, arguments.data, weighing_without(arguments.without))
    for name, one in figures.items():
        told = (f"{key} {_shown(value)}" for key, value in one.items())
        print(f"{name:<9} {'  '.join(told)}")
    if not arguments.without:
        arguments.output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
        print(f"Written to {arguments.output}")


def _shown(value: object) -> str:
    if isinstance(value, list):
        return f"{value[0]}/{value[1]} ({value[0] / max(1, value[1]):.0%})"
    return str(value)


if __name__ == "__main__":
    main()
