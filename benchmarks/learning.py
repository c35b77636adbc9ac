"""``python -m benchmarks.learning``: what a few rated answers of a company are worth.

For each place the start is what everything but that company taught: the comparator, the weights
and the lines. Its own answers fall into parts, all answers on one page in one; for each part a few
of the others are drawn, learnt from, and the part is scored. (The answers that the start's weights
and lines are from were measured by comparators that had not seen their company, but this one.)
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks.learning_tables import COUNTS, LABELLED, shown
from klopt import Scorer
from klopt.evaluation.agreement import rho
from klopt.evaluation.rated import TRUE_FROM, UNTRUE_TO
from klopt.scoring.profile import Profile
from klopt.tuning.evidence_weights import PENALTY
from klopt.tuning.fitting import Learnt, Settings, fit, held_out_scores, measuring
from klopt.tuning.lines import Lines, Sent, line_by_risk, sent
from klopt.tuning.samples import Sample, samples, splits
from training.claims import area_under
from training.companies import (
    SENT_UNTRUE,
    SETTINGS,
    UNSCORED,
    lines_left_out,
    lines_of,
    measured,
    scores_left_out,
    weights_without,
)
from training.profile import base_profile
from training.rated_turns import techqa_turns

OUTPUT: Final = Path(__file__).parent / "learning.json"
DRAWS: Final = 10
PARTS: Final = 8
FOLDS: Final = 5
"""Of what was drawn, to see whether what it teaches is better than the start."""
NEARLY: Final = 0.9
"""A part beside which so much of a count can be drawn has that count."""
NEARNESS: Final = (PENALTY / 2, PENALTY, 2 * PENALTY, 4 * PENALTY, 8 * PENALTY)


class Place(NamedTuple):
    """One company's rated answers in one language, and what all others taught."""

    company: str
    own: Sequence[Sample]
    start: Profile


class Figure(NamedTuple):
    """How right scores are on one part, and what the line sends of it."""

    spearman: float | None
    auc: float | None
    sent: Sent


def places(data: Path) -> dict[str, Place]:
    """The help centres and the labelled answers, each with a start that knows nothing of it."""
    base = base_profile()
    found = measured(data, base)
    scores = scores_left_out(found, base)
    lines = lines_left_out(found, scores, base)
    every = {
        centre.name: Place(
            centre.company,
            own,
            started(base, weights_without(centre.company, found, base), lines[centre.company]),
        )
        for centre, own in found.items()
    }
    line = lines_of(found, scores, list(found), base)
    weights = fit([one for own in found.values() for one in own], base, SETTINGS)
    scorer = Scorer(measuring(base), all_types=True)
    labelled = samples((turn, scorer.score(turn, measure_all=True)) for turn in techqa_turns(data))
    return {**every, LABELLED: Place("techqa", labelled, started(base, weights, line))}


def started(base: Profile, learnt: Learnt, lines: Lines) -> Profile:
    """The base with what was learnt elsewhere."""
    return dataclasses.replace(base, tree=learnt.tree, evidence=learnt.evidence, **lines._asdict())


def drawn(place: Place, seed: int) -> Iterator[tuple[list[Sample], list[Sample]]]:
    """For each part its answers, and the others in the order in which they are drawn."""
    for inside, outside in splits(place.own, count=PARTS, seed=seed):
        order = np.random.Generator(np.random.PCG64(seed)).permutation(inside)
        yield [place.own[at] for at in outside], [place.own[at] for at in order]


def scored(learnt: Learnt, part: Sequence[Sample]) -> list[float]:
    """The scores of a part."""
    walked = (learnt.walk(one).score for one in part)
    return [UNSCORED if score is None else score for score in walked]


def figure(scores: Sequence[float], part: Sequence[Sample], send_from: float) -> Figure:
    """How right they are."""
    ratings = np.array([one.rating for one in part])
    decided = (ratings <= UNTRUE_TO) | (ratings >= TRUE_FROM)
    is_true = ratings >= TRUE_FROM
    is_mixed = 0 < is_true[decided].sum() < decided.sum()
    return Figure(
        rho(scores, ratings.tolist()),
        area_under(np.array(scores)[decided], is_true[decided]) if is_mixed else None,
        sent(list(zip(part, scores, strict=True)), send_from),
    )


def ways(place: Place, some: Sequence[Sample]) -> dict[str, tuple[Learnt, float]]:
    """Way of learning → what it learns from a few answers, and where it sends from."""
    start = place.start
    before = Learnt(start.tree, start.evidence)
    fits = {"from_scratch": Settings(weights="anew")}
    fits |= {f"near_{one:g}": Settings(nearness=one) for one in NEARNESS}
    learnt = {name: (fit(some, start, one), start.send_from) for name, one in fits.items()}
    fitted = learnt[f"near_{PENALTY:g}"][0]
    held_out = [
        UNSCORED if score is None else score
        for score in held_out_scores(some, start, Settings(folds=FOLDS))
    ]
    own = scored(before, some)
    ratings = [one.rating for one in some]
    is_better = (rho(held_out, ratings) or 0.0) >= (rho(own, ratings) or 0.0)
    for name, which, scores in (("line", before, own), ("fit_and_line", fitted, held_out)):
        risk = line_by_risk(list(zip(some, scores, strict=True)), SENT_UNTRUE)
        learnt[name] = which, start.send_from if risk is None else risk
    learnt["where_better"] = (fitted if is_better else before), start.send_from
    return learnt


def curve(place: Place) -> dict[str, dict[str, list[list[Figure]]]]:
    """Way of learning → count of ratings → for each draw the figures of its parts."""
    found: dict[str, dict[str, list[list[Figure]]]] = {}

    def keep(way: str, count: int, seed: int, one: Figure) -> None:
        draws = found.setdefault(way, {}).setdefault(str(count), [])
        draws.extend([] for _ in range(seed + 1 - len(draws)))
        draws[seed].append(one)

    start = place.start
    before = Learnt(start.tree, start.evidence)
    for seed in range(DRAWS):
        for part, others in drawn(place, seed):
            own = figure(scored(before, part), part, start.send_from)
            keep("default", 0, seed, own)
            for count in COUNTS:
                if len(others) < NEARLY * count:
                    continue
                for way, (learnt, line) in ways(place, others[:count]).items():
                    keep(way, count, seed, figure(scored(learnt, part), part, line))
    return found


def summed(draws: Sequence[Sequence[Figure]]) -> dict[str, Any]:
    """Draws as means with the lowest and the highest, and what is sent in all of them."""
    told: dict[str, Any] = {"draws": len(draws)}
    for name in ("spearman", "auc"):
        means = [_mean([getattr(one, name) for one in parts]) for parts in draws]
        told[name] = [round(one, 3) for one in (float(np.mean(means)), min(means), max(means))]
    every = [one.sent for parts in draws for one in parts]
    told["untrue_of_sent"] = [
        sum(one.untrue_count for one in every),
        sum(one.count for one in every),
    ]
    told["sent_of_true"] = [
        sum(one.true_count for one in every),
        sum(one.total_true for one in every),
    ]
    return told


def _mean(values: Sequence[float | None]) -> float:
    return float(np.mean([one for one in values if one is not None]))


def chosen_elsewhere(
    curves: Mapping[str, Mapping[str, Mapping[str, Any]]], companies: Mapping[str, str], name: str
) -> float:
    """The nearness with the highest mean Spearman over the other companies."""

    @cache
    def mean(nearness: float) -> float:
        return float(
            np.mean(
                [
                    np.mean([one["spearman"][0] for one in ways[f"near_{nearness:g}"].values()])
                    for other, ways in curves.items()
                    if companies[other] != companies[name]
                ]
            )
        )

    return max(NEARNESS, key=mean)


def _lines(found: Mapping[str, Mapping[str, Any]]) -> str:
    """As JSON, each way of a place on one line."""
    named = (
        ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in one.items())
        for one in found.values()
    )
    parts = (f" {json.dumps(name)}: {{\n{one}\n }}" for name, one in zip(found, named, strict=True))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> None:
    """Prints the figures and stores them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learning", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"The real data are not at {arguments.data}: no company can be left out.")
        return
    every = places(arguments.data)
    curves: dict[str, dict[str, dict[str, Any]]] = {}
    for name, place in every.items():
        curves[name] = {
            way: {count: summed(draws) for count, draws in counts.items()}
            for way, counts in curve(place).items()
        }
        print(f"{name}: done", flush=True)
    companies = {name: place.company for name, place in every.items()}
    found: dict[str, Any] = {}
    for name, place in every.items():
        nearness = chosen_elsewhere(curves, companies, name)
        found[name] = {
            "answers": len(place.own),
            "pages": len({one.group for one in place.own}),
            "nearness_chosen_elsewhere": nearness,
            "from_default": curves[name][f"near_{nearness:g}"],
            **curves[name],
        }
    arguments.output.write_text(_lines(found), encoding="utf-8")
    print(shown(found))
    print(f"Written to {arguments.output}")


if __name__ == "__main__":
    main()
