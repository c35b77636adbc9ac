"""``python -m benchmarks.learning``: how much a few rated answers of a company improve scores.

Fitting starts from `default` with models trained without the company. Its rated answers are split
by page; for each part, a few of the other answers are drawn, weights are fitted to them, and the
part is scored.
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
from training.answers import ranking_scores
from training.claims import rho
from training.command import given, share, show, store
from training.rated_turns import CENTRES, techqa_turns
from training.support import scorer_without

COUNTS: Final = (25, 50, 100, 200)
DRAWS: Final = 10
PARTS: Final = 8
FOLDS: Final = 5
"""Folds of the drawn answers, to compare the fit with the start on held-out answers."""
SENT_UNTRUE: Final = 0.10
"""The largest share of untrue answers among those sent, for a threshold by risk."""
NEARLY: Final = 0.9
"""A count is measured if at least this share of it remains outside a part."""
PENALTIES: Final = (PENALTY / 2, PENALTY, 2 * PENALTY, 4 * PENALTY, 8 * PENALTY)
DUTCH: Final = ("bc nl", "hr nl", "fin nl")
LABELLED: Final = "techqa en"
"""Answers with labels instead of ratings, not used in training."""
METHODS: Final = {
    "default": "`default`",
    "from_scratch": "ratings alone",
    "from_default": "from `default`",
    "where_better": "that, where it is better held out",
}
"""Method → its heading."""
THRESHOLDS: Final = {
    "default": "`default`, its own threshold",
    "line": "`default`, a threshold by the ratings",
    "fit_and_line": "fitted, a threshold by the ratings",
}

Figure = tuple[float | None, Sent]
"""Spearman on one part, and the answers of it that the threshold sends."""
Curve = Mapping[str, Mapping[str, Any]]
"""Method → number of ratings, as text → figures."""


class Place(NamedTuple):
    """The rated answers of a company in one language, and the profile to start from."""

    company: str
    own: Sequence[Sample]
    start: Profile

    @property
    def before(self) -> tuple[FittedWeights, float]:
        """Return the weights and the threshold of the start."""
        return FittedWeights(self.start.tree, self.start.evidence), self.start.send_from


def places(data: Path) -> dict[str, Place]:
    """Measure the help centres by models trained without their company, and `LABELLED`."""
    profile, found = Profile.load(), {}
    for centre in CENTRES:
        with scorer_without(centre.company) as scorer:
            own = measured(Scorer(measuring(scorer.profile), all_types=True), centre.load(data))
        found[centre.name] = Place(centre.company, own, profile)
    labelled = measured(Scorer(measuring(profile), all_types=True), techqa_turns(data))
    return {**found, LABELLED: Place("techqa", labelled, profile)}


def measured(scorer: Scorer, turns: Iterable[Turn]) -> list[Sample]:
    """Return turns as samples to fit to."""
    return samples([(turn, scorer.score(turn, measure_all=True)) for turn in turns])


def scores_of(fitted: FittedWeights, some: Sequence[Sample]) -> list[float]:
    """Return the scores of samples; `UNSCORED` for those without."""
    return ranking_scores(fitted.walk(sample).score for sample in some)


def parts(place: Place, seed: int) -> Iterator[tuple[list[Sample], list[Sample]]]:
    """Yield each part, and the other answers in random order."""
    for inside, outside in splits(place.own, count=PARTS, seed=seed):
        order = np.random.Generator(np.random.PCG64(seed)).permutation(inside)
        yield [place.own[at] for at in outside], [place.own[at] for at in order]


def fits(place: Place, some: Sequence[Sample]) -> dict[str, tuple[FittedWeights, float]]:
    """Return method → the weights fitted to some answers, and the threshold."""
    start, (before, send_from) = place.start, place.before
    settings = {"from_scratch": FitSettings(weights="anew")}
    settings |= {f"near_{penalty:g}": FitSettings(nearness=penalty) for penalty in PENALTIES}
    found = {name: (fit(some, start, own), send_from) for name, own in settings.items()}
    fitted = found[f"near_{PENALTY:g}"][0]
    held_out = ranking_scores(held_out_scores(some, start, FitSettings(folds=FOLDS)))
    own = scores_of(before, some)
    ratings = [sample.rating for sample in some]
    is_better = (rho(held_out, ratings) or 0.0) >= (rho(own, ratings) or 0.0)
    for name, weights, scores in (("line", before, own), ("fit_and_line", fitted, held_out)):
        threshold = threshold_by_risk(list(zip(some, scores, strict=True)), SENT_UNTRUE)
        found[name] = weights, send_from if threshold is None else threshold
    found["where_better"] = (fitted if is_better else before), send_from
    return found


def curve(place: Place) -> dict[str, dict[str, Any]]:
    """Return method → number of ratings → figures over all draws."""
    figures: dict[tuple[str, int], dict[int, list[Figure]]] = defaultdict(lambda: defaultdict(list))
    for seed in range(DRAWS):
        for part, others in parts(place, seed):
            counts = [count for count in COUNTS if len(others) >= NEARLY * count]
            for count in (0, *counts):
                fitted = fits(place, others[:count]) if count else {"default": place.before}
                for method, (weights, threshold) in fitted.items():
                    scores = scores_of(weights, part)
                    spearman = rho(scores, [sample.rating for sample in part])
                    scored = list(zip(part, scores, strict=True))
                    figures[method, count][seed].append((spearman, sent(scored, threshold)))
    table: dict[str, dict[str, Any]] = defaultdict(dict)
    for (method, count), draws in figures.items():
        table[method][str(count)] = summed(list(draws.values()))
    return table


def summed(draws: Sequence[Sequence[Figure]]) -> dict[str, Any]:
    """Return the mean Spearman of the draws, and the total counts of answers sent."""
    means = [
        float(np.mean([spearman for spearman, _ in parts if spearman is not None]))
        for parts in draws
    ]
    every = [sent for parts in draws for _, sent in parts]
    counts = [(part.untrue_count, part.count, part.true_count, part.total_true) for part in every]
    sums = np.sum(counts, axis=0).tolist()
    spearman = round(float(np.mean(means)), 3)
    return {"spearman": spearman, "untrue_of_sent": sums[:2], "sent_of_true": sums[2:]}


def chosen_elsewhere(curves: Mapping[str, Curve], places: Mapping[str, Place], name: str) -> float:
    """Return the penalty with the highest mean Spearman over the other companies."""

    def mean(penalty: float) -> float:
        others = [
            [figure["spearman"] for figure in curve[f"near_{penalty:g}"].values()]
            for other, curve in curves.items()
            if places[other].company != places[name].company
        ]
        return float(np.mean([np.mean(other) for other in others]))

    return max(PENALTIES, key=mean)


def table(curves: Mapping[str, Curve], names: Sequence[str]) -> str:
    """Return the mean Spearman as Markdown: a row for each count, a column for each method."""
    rows = [["ratings", *METHODS.values()]]
    for count in map(str, COUNTS):
        if all(count in curves[name]["line"] for name in names):
            rows.append([count])
            for method in METHODS:
                own = [curves[name].get(method, {}).get(_key(method, count)) for name in names]
                mean = None if None in own else round(np.mean([x["spearman"] for x in own]), 3)
                rows[-1].append("–" if mean is None else f"{mean:.2f}")
    head, *others = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|---" * len(rows[0]) + "|", *others])


def show_thresholds(curves: Mapping[str, Curve], names: Sequence[str]) -> None:
    """Print what a threshold by risk sends."""
    rows = []
    for count in map(str, COUNTS):
        own = [curves[name] for name in names if count in curves[name]["line"]]
        for method, heading in THRESHOLDS.items():
            figures = [curve[method][_key(method, count)] for curve in own if method in curve]
            if figures:
                sums = [
                    np.sum([figure[name] for figure in figures], axis=0)
                    for name in ("untrue_of_sent", "sent_of_true")
                ]
                rows.append([f"{count}, {heading}", *(share(*map(int, sum_)) for sum_ in sums)])
    show("Sent", ["ratings", "untrue, of what is sent", "sent, of the true"], rows)


def _key(method: str, count: str) -> str:
    return "0" if method == "default" else count


def main() -> None:
    """Print the figures and write them as JSON."""
    options = given(__doc__, Path(__file__).with_suffix(".json"))
    every = places(options.data)
    curves = {name: curve(place) for name, place in every.items()}
    stored: dict[str, Any] = {}
    for name in every:
        penalty = chosen_elsewhere(curves, every, name)
        stored[name] = {
            "nearness_chosen_elsewhere": penalty,
            "from_default": curves[name][f"near_{penalty:g}"],
            **curves[name],
        }
    print(f"Three Dutch centres\n\n{table(stored, DUTCH)}\n")
    for name in stored:
        print(f"{name}\n\n{table(stored, [name])}\n")
    show_thresholds(stored, [name for name in stored if name != LABELLED])
    store(stored, options.output)


if __name__ == "__main__":
    main()
