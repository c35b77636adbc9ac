"""``python -m benchmarks.pairs``: whether the true one of two answers scores above the untrue one.

The answers of a pair are alike but for one fact. All that was learnt - what compares statements,
the weights, the lines of the verdicts - was learnt without their company. Hard are the pairs whose
words alone do not put the true answer higher.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.left_out import meets, named_in
from klopt.scoring.interpretation import Translate
from klopt.translation.word_for_word import word_for_word
from training.claims import above
from training.command import given, number, show, store
from training.companies import UNSCORED, LeftOut
from training.pair_rows import PairRow, pair_rows

SENT_TRUE: Final = 0.6
"""The line that is looked at sends so many of the true answers."""
Floats = NDArray[np.float64]
Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair and what its answers were assessed as.

    Attributes:
        row: The pair.
        scores: Of the true and the untrue one; `training.companies.UNSCORED` for none.
        sent: Whether each is sent.
        named: Whether the reason for holding the untrue one back quotes what is wrong with it.
    """

    row: PairRow
    scores: Sequence[float]
    sent: Sequence[bool]
    named: bool


def judged(data: Path, rated: LeftOut, translate: Translate | None = None) -> list[Judged]:
    """All pairs, each assessed by what was learnt without its company.

    With a translation those whose answers are in another language than their pages.
    """
    rows, done = list(pair_rows(data, across=translate is not None)), []
    for company in dict.fromkeys(row.company for row in rows):
        with rated.scorer(company, translate) as scorer:
            for row in rows:
                if row.company == company:
                    both = [scorer.score(turn) for turn in row.turns(data)]
                    scores = [UNSCORED if one.score is None else one.score for one in both]
                    named = any(meets(span, [row.untrue_span]) for span in named_in(both[1]))
                    done.append(Judged(row, scores, [one.verdict == "send" for one in both], named))
    return done


def figures(pairs: Sequence[Judged]) -> Figures:
    """What is worth knowing of the pairs of a centre or of a kind, in shares."""
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
    """The highest score that at least `SENT_TRUE` of the true ones reach."""
    return float(np.sort(true)[::-1][int(np.ceil(SENT_TRUE * len(true))) - 1])


def by_group(pairs: Sequence[Judged], group_of: Callable[[PairRow], str]) -> dict[str, Figures]:
    """Group → its figures, in the order of their names."""
    groups: dict[str, list[Judged]] = {}
    for pair in pairs:
        groups.setdefault(group_of(pair.row), []).append(pair)
    return {name: figures(groups[name]) for name in sorted(groups)}


def over_all(centres: Mapping[str, Figures]) -> dict[str, Figures]:
    """The mean of the centres, and the worst of them."""
    mean: Figures = {}
    worst: Figures = {}
    for name in next(iter(centres.values())):
        known = [centre[name] for centre in centres.values() if centre[name] is not None]
        if name in ("n", "hard"):
            mean[name] = worst[name] = sum(known)
        else:
            mean[name] = _rounded(float(np.mean(known)))
            worst[name] = max(known) if name.startswith("untrue") else min(known)
    return {"mean": mean, "worst": worst}


def main() -> None:
    """Prints the figures and stores them."""
    options = given(__doc__, Path(__file__).with_suffix(".json"), "pairs")
    rated = LeftOut.measured(options.data)
    pairs = judged(options.data, rated)
    words = judged(options.data, rated, word_for_word())
    meaning = judged(options.data, rated, word_for_word(any_language=True))
    centres = by_group(pairs, lambda row: row.centre)
    stored = {
        "centres": centres | over_all(centres),
        "kinds": by_group(pairs, lambda row: row.kind),
        "other languages, by words": by_group(words, _across),
        "other languages, by words and meaning": by_group(meaning, _across),
    }
    for title, groups in stored.items():
        head = [name.replace("_", " ") for name in next(iter(groups.values()))]
        rows = [
            [name, *(str(x) if isinstance(x, int) else number(x) for x in some.values())]
            for name, some in groups.items()
        ]
        show(f"Pairs of companies left out, {title}", ["", *head], rows)
    store(stored, options.output)


def _across(row: PairRow) -> str:
    return f"{row.language} over {row.help}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


if __name__ == "__main__":
    main()
