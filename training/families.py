"""``python -m training.families``: train the small networks that weigh the features of families.

The training data are labelled claims, and pairs of answers that differ in one fact: the differing
sentences of the true one must score higher than those of the untrue one. As in
`training.comparator`, the log-probabilities of the words alone are added during training only.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from klopt.verification import comparator
from klopt.verification.networks import FARTHEST
from klopt.verification.pairs import Pair, batch_of
from klopt.verification.units import Floats
from training.claims import (
    LEFT_OUT,
    Examples,
    Fold,
    claim_only_logs,
    numbers_of,
    outputs,
    training_pairs,
    write,
)
from training.command import given
from training.pair_rows import PairRow, language_of, sentences_of

OUTPUT: Final = Path(__file__).parent.parent / "klopt" / "verification" / "families.npz"
MEMBERS: Final = 3
WIDTH: Final = 96
EPOCHS: Final = 10
BATCH: Final = 128
RATE: Final = 2e-3
DECAY: Final = 0.2
INPUT_DROPOUT, DROPOUT = 0.1, 0.3
SMOOTHING: Final = 0.03
PAIRS: Final = 64
"""Pairs that are added to each batch of claims."""
PAIRS_WEIGHT: Final = 0.3
"""Weight of their loss beside that of the claims."""
WORDS_ALONE: Final = 4.0
"""Log-odds per unit of `PairRow.words_alone`."""
MAX_SENTENCES: Final = 3
"""Sentences of an answer that the other one does not have."""
_NO_WORD: Final = re.compile(r"\W+")


@dataclass(frozen=True, eq=False)
class Contrasts:
    """The sentences in which pairs of answers differ.

    Attributes:
        companies: The company of each pair whose answers both have such a sentence.
        words_alone: The `PairRow.words_alone` of each.
        numbers: The families' inputs for all sentences.
        sentences: The row in ``numbers`` of each sentence of the true and of the untrue answer, -1
            for none, shape ``(n_pairs, 2, MAX_SENTENCES)``.
    """

    companies: NDArray[Any]
    words_alone: Floats
    numbers: Floats
    sentences: NDArray[np.int64]


def contrasts(data: Path) -> Contrasts:
    """Return the pairs of all help centres."""
    rows: list[PairRow] = []
    sentences: list[list[list[int]]] = []
    pairs: list[Pair] = []
    starts = [0]
    for row in training_pairs(data):
        true, untrue = (_with_passages(row, answer, data) for answer in row.answers)
        if not true.keys() - untrue.keys() or not untrue.keys() - true.keys():
            continue
        rows.append(row)
        sentences.append([])
        for own, others in ((true, untrue), (untrue, true)):
            kept = [pair for words, pair in own.items() if words not in others][:MAX_SENTENCES]
            rest = range(len(pairs), len(pairs) + len(kept))
            sentences[-1].append([*rest, *[-1] * (MAX_SENTENCES - len(kept))])
            pairs += kept
        if len(pairs) - starts[-1] >= BATCH:
            starts.append(len(pairs))
    batches = (pairs[start:end] for start, end in pairwise([*starts, len(pairs)]) if start < end)
    numbers = np.concatenate([comparator.numbers_of(some, batch_of(some)) for some in batches])
    companies = np.array([row.company for row in rows])
    alone = np.array([row.words_alone for row in rows], np.float32)
    return Contrasts(companies, alone, numbers, np.array(sentences))


def _with_passages(row: PairRow, answer: str, data: Path) -> dict[str, Pair]:
    """Return the words of each claim of an answer → the claim beside its closest passage."""
    language, pages = language_of(row.language), row.pages_in(data)
    return {
        _NO_WORD.sub(" ", sentence.text.lower()): pair
        for sentence in sentences_of(language, row.question, answer, pages)
        if (pair := sentence.pair) is not None
    }


@dataclass(frozen=True, eq=False)
class Data:
    """The training data: the families' inputs for claims with labels, and pairs of answers."""

    claims: Floats
    labels: NDArray[Any]
    claim_only: Floats
    companies: NDArray[Any]
    contrasts: Contrasts


def trained(data: Data, fold: Fold = ()) -> dict[str, Floats]:
    """Train the weights of `FamilyNetworks` without some companies."""
    claims = np.flatnonzero(~np.isin(data.companies, fold))
    pairs = np.flatnonzero(~np.isin(data.contrasts.companies, fold))
    numbers = data.claims[claims]
    means, deviations = numbers.mean(axis=0), numbers.std(axis=0) + 1e-3
    members = [_member(data, claims, pairs, means, deviations, seed) for seed in range(MEMBERS)]
    weights = {"means": means, "deviations": deviations}
    for name, layers in zip(("first", "second", "third"), zip(*members, strict=True), strict=True):
        weights[name] = np.stack([layer.weight.detach().numpy().T for layer in layers])
        weights[f"{name}_base"] = np.stack([layer.bias.detach().numpy()[None] for layer in layers])
    return weights


def _member(
    data: Data,
    claims: NDArray[np.int64],
    pairs: NDArray[np.int64],
    means: Floats,
    deviations: Floats,
    seed: int,
) -> list[nn.Linear]:
    torch.manual_seed(seed)
    layers = [nn.Linear(len(means), WIDTH), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 3)]
    first, second, third = layers
    hidden = (nn.ReLU(), nn.Dropout(DROPOUT), second, nn.ReLU(), nn.Dropout(DROPOUT))
    model = nn.Sequential(nn.Dropout(INPUT_DROPOUT), first, *hidden, third)
    rows, sentences = (
        torch.from_numpy(np.clip((some - means) / deviations, -FARTHEST, FARTHEST))
        for some in (data.claims[claims], data.contrasts.numbers)
    )
    wanted = torch.from_numpy(data.labels[claims])
    start = torch.from_numpy(data.claim_only[claims])
    alone = torch.from_numpy(WORDS_ALONE * data.contrasts.words_alone)
    numbers, others = torch.from_numpy(data.contrasts.sentences), torch.from_numpy(pairs)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, RATE, total_steps=EPOCHS * -(-len(rows) // BATCH), pct_start=0.1
    )
    for _ in range(EPOCHS):
        for some in torch.randperm(len(rows)).split(BATCH):
            few = others[torch.randperm(len(others))[:PAIRS]]
            theirs = numbers[few]
            points = model(torch.cat([rows[some], sentences[theirs.clamp(min=0).flatten()]]))
            own = points[: len(some)] + start[some]
            loss = functional.cross_entropy(own, wanted[some], label_smoothing=SMOOTHING)
            odds = (points[len(some) :, 0] - points[len(some) :, 1]).reshape(theirs.shape)
            worst = -torch.logsumexp((-odds).masked_fill(theirs < 0, -torch.inf), 2)
            apart = worst[:, 0] - worst[:, 1] + alone[few]
            loss = loss + PAIRS_WEIGHT * functional.softplus(-apart).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return layers


def main() -> None:
    """Train the weights that are shipped, and those without the companies of each fold."""
    arguments = given(__doc__, OUTPUT, "claims")
    torch.set_num_threads(1)
    examples = Examples(arguments.data).claims()
    data = Data(
        numbers_of([example.pair for example in examples]),
        np.array([example.label for example in examples]),
        claim_only_logs(examples),
        np.array([example.company for example in examples]),
        contrasts(arguments.data),
    )
    for fold, output in {(): arguments.output, **outputs(LEFT_OUT, "families")}.items():
        write(output, trained(data, fold))
    print(f"Written to {arguments.output}: see `make bench-accuracy`")


if __name__ == "__main__":
    main()
