"""``python -m training.slots``: the small trees that weigh what the slots find.

Learnt from the labelled claims. What a claim's words alone give away is taken out: the logarithm
of what a model of the claim alone thinks is where training starts from, and is left off after.
Figures are of companies that were left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import lightgbm
import numpy as np
from numpy.typing import NDArray

from klopt.comparing.network import LABELS
from klopt.comparing.pairs import Floats, batch_of
from klopt.comparing.slots import FAMILIES, slots_of
from training.claims import FOLDS, Example, Examples, figures

ROUNDS: Final = 400
SETTINGS: Final = {
    "objective": "multiclass",
    "num_class": len(LABELS),
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "num_threads": 1,
    "seed": 1,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}
BATCH: Final = 64


def numbers_of(examples: Sequence[Example]) -> list[Floats]:
    """For each family its numbers for all claims."""
    order = np.argsort([len(one.pairs[0].page) for one in examples], kind="stable")
    found: list[list[Floats]] = [[] for _ in FAMILIES]
    for start in range(0, len(order), BATCH):
        pairs = [examples[number].pairs[0] for number in order[start : start + BATCH]]
        for some, numbers in zip(found, slots_of(pairs, batch_of(pairs))[0], strict=True):
            some.append(numbers)
    back = np.argsort(order)
    return [np.concatenate(some)[back] for some in found]


def trained(numbers: Floats, labels: NDArray[Any], known: Floats, rounds: int) -> Any:
    """The trees; ``known`` are the logarithms that the claims alone give away."""
    data = lightgbm.Dataset(numbers, labels, init_score=known.T.ravel(), free_raw_data=False)
    return lightgbm.train(SETTINGS, data, rounds)


def chances(model: Any, numbers: Floats) -> Floats:
    """The three chances of each row, without what was known."""
    points = model.predict(numbers, raw_score=True)
    points = np.exp(points - points.max(axis=1, keepdims=True))
    found: Floats = points / points.sum(axis=1, keepdims=True)
    return found


def left_out(
    numbers: Floats, labels: NDArray[Any], known: Floats, companies: NDArray[Any], rounds: int
) -> Floats:
    """The chances of each claim by trees that saw no claim of its company."""
    found = np.zeros((len(labels), len(LABELS)), np.float32)
    for fold in FOLDS:
        out = np.isin(companies, fold)
        model = trained(numbers[~out], labels[~out], known[~out], rounds)
        found[out] = chances(model, numbers[out])
    return found


def report(
    name: str, chance: Floats, labels: NDArray[Any], known: Floats, companies: NDArray[Any]
) -> None:
    """Prints the figures of all claims, of the hard ones, and of each fold."""
    hard = known.argmax(axis=1) != labels
    print(f"{name}: all {figures(chance, labels)}  hard {figures(chance[hard], labels[hard])}")
    for fold in FOLDS if name == "all families" else ():
        out = np.isin(companies, fold)
        print(
            f"  {'+'.join(fold)}: {figures(chance[out], labels[out])}  "
            f"hard {figures(chance[out & hard], labels[out & hard])}"
        )


def main() -> None:
    """Reports what the families are worth on companies left out."""
    parser = argparse.ArgumentParser(prog="python -m training.slots", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--without", action="store_true", help="also without each family")
    arguments = parser.parse_args()
    examples = Examples(arguments.data).claims()
    families = numbers_of(examples)
    labels = np.array([one.label for one in examples])
    known = np.log(np.maximum([one.claim_only for one in examples], 1e-3)).astype(np.float32)
    companies = np.array([one.company for one in examples])
    print("right of three, AUC " + " ".join(LABELS))
    kept = {"all families": families}
    if arguments.without:
        for number, family in enumerate(FAMILIES):
            some = [one for other, one in enumerate(families) if other != number]
            kept[f"without {family.__name__}"] = some
    for name, some in kept.items():
        chance = left_out(np.concatenate(some, axis=1), labels, known, companies, arguments.rounds)
        report(name, chance, labels, known, companies)


if __name__ == "__main__":
    main()
