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

from klopt.comparing.learnt import LABELS
from klopt.comparing.words import Floats
from training.claims import FOLDS, LEAST_KNOWN, Example, Examples, chances, numbers_of
from training.command import given
from training.companies import learnt_without

START: Final = (0.5, 0.5, 0.0, 0.0)
LEAST: Final = 1e-4


def left_out_chances(claims: Sequence[Example], examples: Examples) -> tuple[Floats, Floats]:
    """What the network and the slots say of each claim, both learnt without its company."""
    network, slots = (np.zeros((len(claims), len(LABELS)), np.float32) for _ in range(2))
    companies = np.array([claim.company for claim in claims])
    numbers = numbers_of([claim.pair for claim in claims])
    for fold in FOLDS:
        own = np.flatnonzero(np.isin(companies, fold))
        learnt = learnt_without(fold[0])
        some = [claims[number] for number in own.tolist()]
        network[own] = chances(learnt.network, some, examples.coordinates)
        slots[own] = learnt.families(numbers[own])
    return network, slots


def main() -> None:
    """Prints what each of the two counts, and how much likelier the first two labels are."""
    examples = Examples(given(__doc__, needs="claims").data)
    claims = examples.claims()
    labels = np.array([claim.label for claim in claims])
    known = np.log(np.maximum([claim.claim_only for claim in claims], LEAST_KNOWN))
    network, slots = (np.log(np.maximum(one, LEAST)) for one in left_out_chances(claims, examples))

    def loss(numbers: NDArray[np.float64]) -> float:
        points = numbers[0] * network + numbers[1] * slots + np.append(numbers[2:], 0.0) + known
        right = points[np.arange(len(labels)), labels]
        return float((np.logaddexp.reduce(points, axis=1) - right).mean())

    print(np.round(optimize.minimize(loss, START, method="L-BFGS-B").x, 2))


if __name__ == "__main__":
    main()
