"""``python -m benchmarks.pairs``: whether the true one of two answers scores above the untrue one.

The answers of a pair are alike but for one fact. All that was learnt - what compares statements,
the weights, the lines of the verdicts - was learnt without their company. Hard are the pairs whose
words alone do not put the true answer higher.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.left_out import meets
from benchmarks.reasons import named_in
from benchmarks.text_tables import grid, number
from klopt import Assessment, Scorer
from klopt.comparing import using
from klopt.scoring.profile import Profile
from training.claims import area_under
from training.companies import (
    UNSCORED,
    learnt_without,
    lines_left_out,
    lines_of,
    measured,
    scores_left_out,
    weights_without,
)
from training.pair_rows import PairRow, pages_of, pair_rows
from training.profile import base_profile

OUTPUT: Final = Path(__file__).parent / "pairs.json"
SENT_TRUE: Final = 0.6
"""The line that is looked at sends so many of the true answers."""
Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair and what its answers were assessed as.

    Attributes:
        row: The pair.
        true: The score of the true one; `training.companies.UNSCORED` for none.
        untrue: That of the other.
        sent: Whether each is sent.
        named: Whether the reason for holding the untrue one back quotes what is wrong with it.
    """

    row: PairRow
    true: float
    untrue: float
    sent: tuple[bool, bool]
    named: bool


def judged(data: Path, profile: Profile) -> list[Judged]:
    """All pairs, each assessed by what was learnt without its company."""
    found = measured(data, profile)
    scores = scores_left_out(found, profile)
    lines = lines_left_out(found, scores, profile)
    of_all = lines_of(found, scores, list(found), profile)
    rows, done = list(pair_rows(data)), []
    for company in dict.fromkeys(row.company for row in rows):
        weights = weights_without(company, found, profile)
        own = lines.get(company, of_all)._asdict()
        fitted = dataclasses.replace(profile, tree=weights.tree, evidence=weights.evidence, **own)
        with using(learnt_without(company)):
            scorer = Scorer(fitted, all_types=True)
            for row in rows:
                if row.company == company:
                    turns = row.turns(pages_of(data / "help" / row.help))
                    done.append(_judged(row, *map(scorer.score, turns)))
    return done


def figures(pairs: Sequence[Judged]) -> Figures:
    """What is worth knowing of the pairs of a centre or of a kind, in shares."""
    true, untrue = (np.array(one) for one in zip(*((p.true, p.untrue) for p in pairs), strict=True))
    sent, sent_untrue = (np.array(one) for one in zip(*(p.sent for p in pairs), strict=True))
    hard = np.array([one.row.is_hard for one in pairs])
    named = np.array([one.named for one in pairs])
    held = named[~sent_untrue]
    return {
        "n": len(pairs),
        "above": _rounded(above(true, untrue)),
        "auc": _rounded(auc(true, untrue)),
        "hard": int(hard.sum()),
        "hard_above": _rounded(above(true[hard], untrue[hard])),
        "hard_auc": _rounded(auc(true[hard], untrue[hard])),
        "untrue_over_line": _rounded(float((untrue >= line_of(true)).mean())),
        "true_sent": _rounded(float(sent.mean())),
        "untrue_sent": _rounded(float(sent_untrue.mean())),
        "held_named": _rounded(float(held.mean()) if len(held) else None),
    }


def above(true: NDArray[np.float64], untrue: NDArray[np.float64]) -> float | None:
    """How often the true one scores higher; a tie counts half. None without pairs."""
    if not len(true):
        return None
    return float((true > untrue).mean() + (true == untrue).mean() / 2)


def auc(true: NDArray[np.float64], untrue: NDArray[np.float64]) -> float | None:
    """How often any true one scores higher than any untrue one. None without pairs."""
    if not len(true):
        return None
    return area_under(np.concatenate([true, untrue]), np.arange(2 * len(true)) < len(true))


def line_of(true: NDArray[np.float64]) -> float:
    """The highest score that at least `SENT_TRUE` of the true ones reach."""
    return float(np.sort(true)[::-1][int(np.ceil(SENT_TRUE * len(true))) - 1])


def by_group(pairs: Sequence[Judged], group_of: Callable[[PairRow], str]) -> dict[str, Figures]:
    """Group → its figures, in the order of their names."""
    groups: dict[str, list[Judged]] = {}
    for one in pairs:
        groups.setdefault(group_of(one.row), []).append(one)
    return {name: figures(groups[name]) for name in sorted(groups)}


def over_all(centres: Mapping[str, Figures]) -> dict[str, Figures]:
    """The mean of the centres, and the worst of them."""
    names = [name for name in next(iter(centres.values())) if name not in ("n", "hard")]
    known = {
        name: [one[name] for one in centres.values() if one[name] is not None] for name in names
    }
    worst = {name: max if name.startswith("untrue") else min for name in names}
    counts = {name: sum(one[name] for one in centres.values()) for name in ("n", "hard")}
    return {
        "mean": counts | {name: _rounded(float(np.mean(some))) for name, some in known.items()},
        "worst": counts | {name: worst[name](some) for name, some in known.items()},
    }


def lines(title: str, found: Mapping[str, Figures]) -> list[str]:
    """The figures as a table."""
    head = ["", "n", "above", "AUC", "hard", "above", "AUC", "untrue over line", "true sent"]
    rows = [
        [
            name,
            *(str(v) if isinstance(v, int) else number(v) for v in one.values()),
        ]
        for name, one in found.items()
    ]
    return grid(title, [*head, "untrue sent", "held named"], rows)


def main() -> None:
    """Prints the figures and stores them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pairs", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("--each", type=Path, help="also writes the scores of each pair, as JSONL")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    if not (arguments.data / "pairs").is_dir():
        print(f"The pairs are not at {arguments.data / 'pairs'}: none is scored.")
        return
    pairs = judged(arguments.data, base_profile())
    centres = by_group(pairs, lambda row: row.centre)
    kinds = by_group(pairs, lambda row: row.kind)
    print("\n".join(lines("Pairs of companies left out", centres | over_all(centres))))
    print("\n".join(lines("Of each kind", kinds)))
    if arguments.each:
        with arguments.each.open("w", encoding="utf-8") as file:
            for one in pairs:
                scores = {"id": one.row.id, "true": one.true, "untrue": one.untrue}
                file.write(json.dumps(scores | {"sent": one.sent, "named": one.named}) + "\n")
    stored = {"centres": centres | over_all(centres), "kinds": kinds}
    arguments.output.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    print(f"Written to {arguments.output}")


def _judged(row: PairRow, true: Assessment, untrue: Assessment) -> Judged:
    scores = [UNSCORED if one.score is None else one.score for one in (true, untrue)]
    sent = (true.verdict == "send", untrue.verdict == "send")
    named = any(meets(span, [row.untrue_span]) for span in named_in(untrue))
    return Judged(row, *scores, sent, named)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


if __name__ == "__main__":
    main()
