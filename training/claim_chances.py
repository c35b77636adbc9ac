"""What a network and slots say of claims, as klopt computes it: numpy alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.learnt import LABELS, Network, softmax
from klopt.comparing.pairs import Batch, batch_of
from klopt.comparing.slots import FAMILIES, slots_of
from klopt.comparing.words import Coordinates, Floats
from training.claims import Example

BATCH: Final = 128


def batch_with_rows(examples: Sequence[Example]) -> Batch:
    """The pairs of examples as one batch, with the rows of their words among all."""
    batch = batch_of([pair for one in examples for pair in one.pairs])
    first = np.repeat([one.first_row for one in examples], [len(one.pairs) for one in examples])
    batch.claim_rows[:] += first[:, None]
    batch.page_rows[:] += first[:, None]
    return batch


def length_of(example: Example) -> int:
    """How much work an example is; those of like length go into one batch."""
    pair = max(example.pairs, key=lambda one: 3 * len(one.claim) + len(one.page))
    return 3 * len(pair.claim) + len(pair.page)


def chances(
    network: Network, examples: Sequence[Example], coordinates: Coordinates
) -> NDArray[np.float32]:
    """The chances of the three labels for each claim, as klopt computes them."""
    found = np.zeros((len(examples), len(LABELS)), np.float32)
    order = np.argsort([length_of(one) for one in examples], kind="stable")
    for start in range(0, len(order), BATCH):
        numbers = order[start : start + BATCH]
        points = network(batch_with_rows([examples[one] for one in numbers]), coordinates)
        found[numbers] = softmax(points, 1)
    return found


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
