"""``python -m training.support``: the weights of claims and answers, from labelled answers.

The weights of a claim's features (`klopt.verification.networks`) are trained on whole answers: an
answer's log-odds, averaged over its claims, should agree with its label, and the true answer of a
pair should score higher than the untrue one. Each set of real answers counts by the square root of
its size, so that a large one does not dominate; `expertqa`, whose labels are noisy, counts less.
One training uses all sets and is shipped; others leave out one set or company each, for
`make bench-accuracy`.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from klopt import Scorer, Turn
from klopt.scoring.measuring import Measuring
from klopt.scoring.reading import NotScorableError
from klopt.verification import VerifierWeights, using
from klopt.verification.networks import FEATURES, FamilyNetworks, Network, SupportWeights
from training.answers import SETS, pairs, real_answers
from training.claims import FOLDS, LEFT_OUT, outputs
from training.command import given

OUTPUT: Final = Path(__file__).parent.parent / "klopt" / "verification" / "support.toml"
WITHOUT: Final = LEFT_OUT / "support.json"
"""Group → the weights that were trained without it."""
PAIRS_WEIGHT: Final = 1.0
"""Weight of the loss of pairs beside that of real answers."""
PAIRS_SCALE: Final = 3.0
"""Factor of the difference in log-odds of a pair's answers, which is small."""
PENALTY: Final = 0.05
"""L2 penalty, for features with a standard deviation of 1."""
NOISY: Final = {"expertqa": 0.3}
"""Weights of sets with noisy labels."""
MIN_DEVIATION: Final = 0.05
DIGITS: Final = 4
Floats = NDArray[np.float64]


def compared_without(group: str) -> VerifierWeights:
    """Return the models trained without a company; the shipped ones if none was trained on it."""
    weights = VerifierWeights.load()
    fold = next((fold for fold in FOLDS if group in fold), None)
    if fold is None:
        return weights
    return dataclasses.replace(
        weights,
        network=Network(np.load(outputs(LEFT_OUT, "network")[fold])),
        families=FamilyNetworks(np.load(outputs(LEFT_OUT, "families")[fold])),
    )


@cache
def trained_without(group: str) -> VerifierWeights:
    """Return everything that compares claims, trained without a set or a company."""
    tables = json.loads(WITHOUT.read_text("utf-8"))
    return dataclasses.replace(compared_without(group), support=SupportWeights.of(tables[group]))


@contextmanager
def scorer_without(group: str) -> Iterator[Scorer]:
    """Yield a scorer of the default profile that was trained without a set or a company."""
    with using(trained_without(group)):
        yield Scorer.load(all_types=True)


@dataclass(frozen=True, eq=False)
class Measured:
    """The claims of answers, concatenated; answers without a claim are left out.

    Attributes:
        features: Shape ``(n_claims, n_features)``.
        weights: The square root of each claim's number of words.
        starts: The first claim of each answer.
        labels: 1 for a faithful answer, -1 for another, shape ``(n_answers,)``.
        groups: The set or company of each answer.
    """

    features: Floats
    weights: Floats
    starts: NDArray[np.int64]
    labels: Floats
    groups: NDArray[Any]

    def where(self, kept: NDArray[np.bool_]) -> Measured:
        """Return some of the answers."""
        counts = np.diff(np.append(self.starts, len(self.features)))
        claims = np.repeat(kept, counts)
        starts = np.cumsum(np.append(0, counts[kept]))[:-1]
        return Measured(
            *(self.features[claims], self.weights[claims], starts),
            *(self.labels[kept], self.groups[kept]),
        )

    def log_odds(self, logits: Floats) -> tuple[Floats, Floats]:
        """Return each answer's log-odds and their gradient, from the log-odds of claims.

        As in `klopt.verification.networks.support_of_answer`.
        """
        counts = np.diff(np.append(self.starts, len(logits)))
        lowest = np.minimum.reduceat(logits, self.starts)
        roots = self.weights * np.exp(-(logits - np.repeat(lowest, counts)) / 2)
        sums = np.add.reduceat(roots, self.starts)
        means = sums / np.add.reduceat(self.weights, self.starts)
        return lowest - 2 * np.log(means), roots / np.repeat(sums, counts)


def measured(rows: Sequence[tuple[str, Turn, bool]]) -> tuple[Measured, NDArray[np.int64]]:
    """Measure the claims of answers, given by group, turn and label.

    Returns:
        The claims, and of each row the number of its answer among them, -1 for one without claims.
    """
    numbers = np.full(len(rows), -1)
    features, words, labels, groups = [], [], [], []
    by_group: dict[str, list[int]] = {}
    for number, (group, _, _) in enumerate(rows):
        by_group.setdefault(group, []).append(number)
    for group, own in by_group.items():
        with using(compared_without(group)):
            measuring = Measuring(Scorer.load(all_types=True).setup)
            for number in own:
                _, turn, is_faithful = rows[number]
                claims = _claims(measuring, turn)
                if claims is not None:
                    numbers[number] = len(labels)
                    for values, some in zip((features, words), claims, strict=True):
                        values.append(some)
                    labels.append(1.0 if is_faithful else -1.0)
                    groups.append(group)
    starts = np.cumsum([0, *map(len, features)])[:-1]
    return Measured(
        *(np.concatenate(features), np.concatenate(words), starts),
        *(np.array(labels), np.array(groups)),
    ), numbers


def _claims(measuring: Measuring, turn: Turn) -> tuple[Floats, Floats] | None:
    """Return features and weights of the claims of an answer; None without claims."""
    try:
        material = measuring.material(turn)
    except NotScorableError:
        return None
    claims = None if material is None else material.claims
    if not claims:
        return None
    words = np.maximum(1, [claim.words for claim in claims])
    return np.array([claim.features for claim in claims]), np.sqrt(words)


def train(real: Measured, true: Measured, untrue: Measured) -> SupportWeights:
    """Train weights on real answers and on pairs, given by their true and untrue answers."""
    deviations = np.maximum(real.features.std(axis=0), MIN_DEVIATION)
    counts = {name: int((real.groups == name).sum()) for name in set(real.groups)}
    importance = np.array([NOISY.get(name, 1.0) / counts[name] ** 0.5 for name in real.groups])
    importance /= importance.sum()
    pair_weight = PAIRS_WEIGHT / max(1, len(true.labels))

    def gradient(some: Measured, weights: Floats, slopes: Floats, moves: Floats) -> Floats:
        counts = np.diff(np.append(some.starts, len(some.features)))
        return (some.features / deviations).T @ (moves * np.repeat(slopes, counts))

    def loss(point: Floats) -> tuple[float, Floats]:
        weights, base = point[:-1], point[-1]
        own, moves = real.log_odds(real.features / deviations @ weights)
        margins = real.labels * (own + base)
        slopes = -real.labels * importance / (1 + np.exp(margins))
        total = (importance * np.logaddexp(0, -margins)).sum() + PENALTY / 2 * weights @ weights
        slope = gradient(real, weights, slopes, moves) + PENALTY * weights
        if len(true.labels):
            higher, up = true.log_odds(true.features / deviations @ weights)
            lower, down = untrue.log_odds(untrue.features / deviations @ weights)
            apart = PAIRS_SCALE * (higher - lower)
            pulls = -pair_weight * PAIRS_SCALE / (1 + np.exp(apart))
            total += pair_weight * np.logaddexp(0, -apart).sum()
            slope += gradient(true, weights, pulls, up) - gradient(untrue, weights, pulls, down)
        return float(total), np.append(slope, slopes.sum())

    start = np.append(np.full(len(FEATURES), 0.1), 0.0)
    bounds = [(0.0, None)] * len(FEATURES) + [(None, None)]
    found = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    return SupportWeights(
        round(float(found[-1]), DIGITS), np.round(found[:-1] / deviations, DIGITS)
    )


def table_of(weights: SupportWeights) -> dict[str, Any]:
    """Return weights as `SupportWeights.of` takes them."""
    named = dict(zip(FEATURES, weights.weights.tolist(), strict=True))
    return {"base": weights.base, "weights": named}


def to_toml(table: Mapping[str, Any]) -> str:
    """Return weights as a file of TOML."""
    lines = [
        "# The weights of a claim's features, trained by `make support` on real labelled answers",
        "# (klopt/verification/MODEL_CARD.md).",
        f"base = {table['base']}",
        "",
        "[weights]",
        *(f"{name} = {value}" for name, value in table["weights"].items()),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Train and write the weights that ship, and those without each set and company."""
    arguments = given(__doc__, OUTPUT, "real")
    answers = [(one.group, one.turn, one.is_faithful) for one in real_answers(arguments.data)]
    real, _ = measured(answers)
    rows = [
        (row.company, turn, number == 0)
        for row, turns in pairs(arguments.data)
        for number, turn in enumerate(turns)
    ]
    every, numbers = measured(rows)
    both = numbers.reshape(-1, 2)
    both = both[(both >= 0).all(axis=1)]
    true, untrue = (every.where(np.isin(np.arange(len(every.labels)), side)) for side in both.T)
    weights = train(real, true, untrue)
    tables = {
        group: table_of(train(*(some.where(some.groups != group) for some in (real, true, untrue))))
        for group in (*SETS, *sorted(set(true.groups)))
    }
    WITHOUT.write_text(json.dumps(tables, indent=1) + "\n", encoding="utf-8")
    arguments.output.write_text(to_toml(table_of(weights)), encoding="utf-8")
    print(to_toml(table_of(weights)))
    print(f"Written to {arguments.output} and {WITHOUT}: see `make bench-accuracy`")


if __name__ == "__main__":
    main()
