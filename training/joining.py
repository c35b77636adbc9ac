"""``python -m training.joining``: what the chances of the network and of the slots count together.

A regression over the labelled claims, each read with what was learnt without its company, says what
to make of both (`klopt.comparing.comparator.joined`). What a claim's words alone give away is added
while it learns and left off after, as in the other trainings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from klopt.comparing.learnt import LABELS, softmax
from klopt.comparing.words import Floats
from training.claims import FOLDS, Example, Examples, chances, numbers_of, told
from training.command import given
from training.companies import learnt_without

START: Final = (0.5, 0.5, 0.0, 0.0)
LEAST: Final = 1e-4
LEAST_KNOWN: Final = 1e-3


def left_out_chances(claims: Sequence[Example], examples: Examples) -> tuple[Floats, Floats]:
    """What the network and the slots say of each claim, both learnt without its company."""
    network, slots = (np.zeros((len(claims), len(LABELS)), np.float32) for _ in range(2))
    companies, numbers = (
        np.array([claim.company for claim in claims]),
        numbers_of([claim.pair for claim in claims]),
    )
    for fold in FOLDS:
        own = np.flatnonzero(np.isin(companies, fold))
        learnt = learnt_without(fold[0])
        some = [claims[number] for number in own.tolist()]
        network[own] = chances(learnt.network, some, examples.coordinates)
        slots[own] = learnt.families(numbers[own])
    return network, slots


def regressed(
    logarithms: Sequence[Floats], known: Floats, labels: NDArray[np.int64]
) -> NDArray[np.float64]:
    """What each of two counts, and by how much the first two labels are likelier than the third."""

    def loss(numbers: NDArray[np.float64]) -> float:
        points = points_of(numbers, logarithms) + known
        right = points[np.arange(len(labels)), labels]
        return float((np.logaddexp.reduce(points, axis=1) - right).mean())

    numbers: NDArray[np.float64] = optimize.minimize(loss, START, method="L-BFGS-B").x
    return numbers


def points_of(numbers: NDArray[np.float64], logarithms: Sequence[Floats]) -> NDArray[np.float64]:
    """Of each claim the logarithms of what the three labels weigh together."""
    network, slots = logarithms
    points: NDArray[np.float64] = numbers[0] * network + numbers[1] * slots
    return points + np.append(numbers[2:], 0.0)


def main() -> None:
    """Prints the numbers of each fold, what they are worth on it, and those of all."""
    examples = Examples(given(__doc__, needs="claims").data)
    claims = examples.claims()
    labels = np.array([claim.label for claim in claims])
    companies = np.array([claim.company for claim in claims])
    known = np.log(np.maximum([claim.claim_only for claim in claims], LEAST_KNOWN))
    both = [np.log(np.maximum(one, LEAST)) for one in left_out_chances(claims, examples)]
    likely = np.zeros((len(claims), len(LABELS)))
    for fold in FOLDS:
        out = np.isin(companies, fold)
        numbers = regressed([one[~out] for one in both], known[~out], labels[~out])
        likely[out] = softmax(points_of(numbers, [one[out] for one in both]), 1)
        print(f"{'+'.join(fold)}: {np.round(numbers, 2)}  {told(likely[out], labels[out])}")
    print(f"by the numbers of the others: {told(likely, labels)}")
    print(f"all: {np.round(regressed(both, known, labels), 2)}")


if __name__ == "__main__":
    main()
