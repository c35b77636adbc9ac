"""``python -m benchmarks.learning``: the value of a few rated answers of a company.

The start is `default` with models trained without the company. Its rated answers are split by page;
for each part, a few of the other answers are drawn and fitted, and the part is scored.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from klopt import Scorer, Turn
from klopt.evaluation.fitting.evidence_weights import PENALTY, Sample, samples, splits
from klopt.evaluation.fitting.fitting import (
    FitSettings,
    FittedWeights,
    Sent,
    fit,
    held_out_scores,
    measuring,
    sent,
    threshold_by_risk,
)
from klopt.scoring.profile import Profile
from training.answers import UNSCORED
from training.claims import rho
from training.command import given, store
from training.rated_turns import CENTRES, techqa_turns
from training.support import scorer_without

COUNTS: Final = (25, 50, 100, 200)
DRAWS: Final = 10
PARTS: Final = 8
FOLDS: Final = 5
"""Of the drawn answers, to see whether fitting them improves on the start."""
SENT_UNTRUE: Final = 0.10
"""The largest share of untrue answers among those sent, for a threshold by risk."""
NEARLY: Final = 0.9
"""The least share of a count that must remain beside a part for that count to be measured."""
NEARNESS: Final = (PENALTY / 2, PENALTY, 2 * PENALTY, 4 * PENALTY, 8 * PENALTY)
DUTCH: Final = ("bc nl", "hr nl", "fin nl")
LABELLED: Final = "techqa en"
"""Answers with labels instead of ratings, in no training data."""
WAYS: Final = {
    "default": "`default`",
    "from_scratch": "ratings alone",
    "from_default": "from `default`",
    "where_better": "that, where it is better held out",
}
"""Way of fitting → its heading."""
LINES: Final = {
    "default": "`default`, its own line",
    "line": "`default`, a line by the ratings",
    "fit_and_line": "fitted, a line by the ratings",
}

Figure = tuple[float | None, Sent]
"""Spearman on one part, and what the threshold sends of it."""
Curve = Mapping[str, Mapping[str, Any]]
"""Way of fitting → number of ratings, as text → figures."""


class Place(NamedTuple):
    """The rated answers of one company in one language, and the profile to start from."""

    company: str
    own: Sequence[Sample]
    start: Profile

    @property
    def before(self) -> tuple[FittedWeights, float]:
        """The weights and the threshold of the start."""
        return FittedWeights(self.start.tree, self.start.evidence), self.start.send_from


def places(data: Path) -> dict[str, Place]:
    """The help centres, measured by models trained without their company, and `LABELLED`."""
    profile, found = Profile.load(), {}
    for centre in CENTRES:
        with scorer_without(centre.company) as scorer:
            own = measured(Scorer(measuring(scorer.profile), all_types=True), centre.load(data))
        found[centre.name] = Place(centre.company, own, profile)
    labelled = measured(Scorer(measuring(profile), all_types=True), techqa_turns(data))
    return {**found, LABELLED: Place("techqa", labelled, profile)}


def measured(scorer: Scorer, turns: Iterable[Turn]) -> list[Sample]:
    """The turns as samples to fit on."""
    return samples([(turn, scorer.score(turn, measure_all=True)) for turn in turns])


def scores_of(fitted: FittedWeights, some: Sequence[Sample]) -> list[float]:
    """The scores of samples; `UNSCORED` for one without."""
    walked = (fitted.walk(sample).score for sample in some)
    return [UNSCORED if score is None else score for score in walked]


def drawn(place: Place, seed: int) -> Iterator[tuple[list[Sample], list[Sample]]]:
    """Each part, with the other answers in random order."""
    for inside, outside in splits(place.own, count=PARTS, seed=seed):
        order = np.random.Generator(np.random.PCG64(seed)).permutation(inside)
        yield [place.own[at] for at in outside], [place.own[at] for at in order]


def ways(place: Place, some: Sequence[Sample]) -> dict[str, tuple[FittedWeights, float]]:
    """Way of fitting → the weights fitted on some answers, and the threshold to send from."""
    start, (before, send_from) = place.start, place.before
    fits = {"from_scratch": FitSettings(weights="anew")}
    fits |= {f"near_{nearness:g}": FitSettings(nearness=nearness) for nearness in NEARNESS}
    learnt = {name: (fit(some, start, how), send_from) for name, how in fits.items()}
    fitted = learnt[f"near_{PENALTY:g}"][0]
    held_out = [
        UNSCORED if score is None else score
        for score in held_out_scores(some, start, FitSettings(folds=FOLDS))
    ]
    own = scores_of(before, some)
    ratings = [sample.rating for sample in some]
    is_better = (rho(held_out, ratings) or 0.0) >= (rho(own, ratings) or 0.0)
    for name, which, scores in (("line", before, own), ("fit_and_line", fitted, held_out)):
        risk = threshold_by_risk(list(zip(some, scores, strict=True)), SENT_UNTRUE)
        learnt[name] = which, send_from if risk is None else risk
    learnt["where_better"] = (fitted if is_better else before), send_from
    return learnt


def curve(place: Place) -> dict[str, dict[str, Any]]:
    """Way of fitting → number of ratings → figures over all draws."""
    figures: dict[tuple[str, int], dict[int, list[Figure]]] = defaultdict(lambda: defaultdict(list))
    for seed in range(DRAWS):
        for part, others in drawn(place, seed):
            counts = [count for count in COUNTS if len(others) >= NEARLY * count]
            for count in (0, *counts):
                learnt = ways(place, others[:count]) if count else {"default": place.before}
                for way, (weights, line) in learnt.items():
                    scores = scores_of(weights, part)
                    spearman = rho(scores, [sample.rating for sample in part])
                    scored = list(zip(part, scores, strict=True))
                    figures[way, count][seed].append((spearman, sent(scored, line)))
    table: dict[str, dict[str, Any]] = defaultdict(dict)
    for (way, count), draws in figures.items():
        table[way][str(count)] = summed(list(draws.values()))
    return table


def summed(draws: Sequence[Sequence[Figure]]) -> dict[str, Any]:
    """The mean Spearman over all draws, and the counts of answers sent in all of them."""
    means = [
        float(np.mean([spearman for spearman, _ in parts if spearman is not None]))
        for parts in draws
    ]
    every = [sent for parts in draws for _, sent in parts]
    counts = [(part.untrue_count, part.count, part.true_count, part.total_true) for part in every]
    sums = np.sum(counts, axis=0).tolist()
    spearman = round(float(np.mean(means)), 3)
    return {"spearman": spearman, "untrue_of_sent": sums[:2], "sent_of_true": sums[2:]}


def chosen_elsewhere(curves: Mapping[str, Curve], companies: Mapping[str, str], name: str) -> float:
    """The nearness with the highest mean Spearman over the other companies."""

    def mean(nearness: float) -> float:
        others = [
            [figure["spearman"] for figure in ways[f"near_{nearness:g}"].values()]
            for other, ways in curves.items()
            if companies[other] != companies[name]
        ]
        return float(np.mean([np.mean(other) for other in others]))

    return max(NEARNESS, key=mean)


def table(curves: Mapping[str, Curve], names: Sequence[str]) -> str:
    """The mean Spearman over places as Markdown: a row for each count, a column for each way."""
    rows = [["ratings", *WAYS.values()]]
    for count in map(str, COUNTS):
        if all(count in curves[name]["line"] for name in names):
            rows.append([count])
            for way in WAYS:
                own = [curves[name].get(way, {}).get(_key(way, count)) for name in names]
                mean = None if None in own else round(np.mean([x["spearman"] for x in own]), 3)
                rows[-1].append("–" if mean is None else f"{mean:.2f}")
    return _markdown(rows)


def lines_table(curves: Mapping[str, Curve], names: Sequence[str]) -> str:
    """What a threshold by risk sends, as Markdown."""
    rows = [["ratings", "by", "of it untrue", "of the true sent"]]
    for count in map(str, COUNTS):
        own = [curves[name] for name in names if count in curves[name]["line"]]
        for way, heading in LINES.items():
            figures = [curve[way][_key(way, count)] for curve in own if way in curve]
            if figures:
                sums = [
                    np.sum([figure[name] for figure in figures], axis=0)
                    for name in ("untrue_of_sent", "sent_of_true")
                ]
                rows.append([count, heading, *(f"{part / whole:.0%}" for part, whole in sums)])
    return _markdown(rows)


def _key(way: str, count: str) -> str:
    return "0" if way == "default" else count


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    head, *others = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|---" * len(rows[0]) + "|", *others])


def main() -> None:
    """Print and store the figures."""
    options = given(__doc__, Path(__file__).with_suffix(".json"))
    every = places(options.data)
    curves = {name: curve(place) for name, place in every.items()}
    companies = {name: place.company for name, place in every.items()}
    stored: dict[str, Any] = {}
    for name in every:
        nearness = chosen_elsewhere(curves, companies, name)
        stored[name] = {
            "nearness_chosen_elsewhere": nearness,
            "from_default": curves[name][f"near_{nearness:g}"],
            **curves[name],
        }
    for title, names in {
        "Three Dutch centres": DUTCH,
        **{name: (name,) for name in stored},
    }.items():
        print(f"{title}\n\n{table(stored, names)}\n")
    print(lines_table(stored, [name for name in stored if name != LABELLED]))
    store(stored, options.output)


if __name__ == "__main__":
    main()
