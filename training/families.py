"""``python -m training.families``: the small networks that weigh what the families find.

Trained on the labelled claims, and from pairs of answers that differ in one fact: what the true
one says otherwise is to stand above what the untrue one says. How likely both are elsewhere is not
learnt from pairs. What words alone give away is taken out: what a model of them thinks is added
while training, and left off after.
"""

import re
from collections.abc import Sequence
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
from klopt.verification.words import Floats
from training.claims import (
    OTHERS,
    Examples,
    Fold,
    known_of,
    lesson_pairs,
    numbers_of,
    outputs,
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
"""So many pairs come to each batch of claims."""
PAIRS_COUNT: Final = 0.3
"""What their loss counts beside that of the claims."""
WORDS_ALONE: Final = 4.0
"""What it counts as, in log-odds, that the words alone put the true answer higher by 1."""
MOST: Final = 3
"""So many sentences of an answer that the other one does not have are looked at."""
_NO_WORD: Final = re.compile(r"\W+")


@dataclass(frozen=True, eq=False)
class Contrasts:
    """The sentences in which pairs of answers differ.

    Attributes:
        rows: The pairs; those of which an answer has no such sentence beside a place are left out.
        numbers: What the families find of all sentences.
        sentences: The numbers of the sentences of the true and of the untrue answer, -1 for none,
            shape ``(len(rows), 2, MOST)``.
    """

    rows: Sequence[PairRow]
    numbers: Floats
    sentences: NDArray[np.int64]

    @property
    def companies(self) -> NDArray[Any]:
        """Whose each pair is."""
        return np.array([row.company for row in self.rows])

    @property
    def words_alone(self) -> Floats:
        """By how much the words of the answers alone put the true one higher."""
        return np.array([row.words_alone for row in self.rows], np.float32)


def contrasts(data: Path) -> Contrasts:
    """The pairs of all help centres."""
    rows: list[PairRow] = []
    sentences: list[list[list[int]]] = []
    pairs: list[Pair] = []
    starts = [0]
    for row in lesson_pairs(data):
        true, untrue = (_beside_places(row, answer, data) for answer in row.answers)
        if not true.keys() - untrue.keys() or not untrue.keys() - true.keys():
            continue
        rows.append(row)
        sentences.append([])
        for own, others in ((true, untrue), (untrue, true)):
            kept = [pair for words, pair in own.items() if words not in others][:MOST]
            rest = range(len(pairs), len(pairs) + len(kept))
            sentences[-1].append([*rest, *[-1] * (MOST - len(kept))])
            pairs += kept
        if len(pairs) - starts[-1] >= BATCH:
            starts.append(len(pairs))
    batches = (pairs[start:end] for start, end in pairwise([*starts, len(pairs)]) if start < end)
    numbers = np.concatenate([comparator.numbers_of(some, batch_of(some)) for some in batches])
    return Contrasts(rows, numbers, np.array(sentences))


def _beside_places(row: PairRow, answer: str, data: Path) -> dict[str, Pair]:
    """The words of each claim of an answer → it beside the best place."""
    language, pages = language_of(row.language), row.pages_in(data)
    return {
        _NO_WORD.sub(" ", sentence.text.lower()): pair
        for sentence in sentences_of(language, row.question, answer, pages)
        if (pair := sentence.pair) is not None
    }


@dataclass(frozen=True, eq=False)
class Lessons:
    """What there is to learn from.

    Attributes:
        claims: The numbers of all claims, shape ``(n, n_numbers)``.
        labels: The number of the label of each.
        known: The logarithms of what the claim's words alone say of the three labels.
        companies: Whose pages.
        contrasts: The pairs of answers.
    """

    claims: Floats
    labels: NDArray[Any]
    known: Floats
    companies: NDArray[Any]
    contrasts: Contrasts


def trained(lessons: Lessons, fold: Fold = ()) -> dict[str, Floats]:
    """The weights of `FamilyNetworks`, learnt without some companies."""
    claims = np.flatnonzero(~np.isin(lessons.companies, fold))
    pairs = np.flatnonzero(~np.isin(lessons.contrasts.companies, fold))
    numbers = lessons.claims[claims]
    means, deviations = numbers.mean(axis=0), numbers.std(axis=0) + 1e-3
    members = [_member(lessons, claims, pairs, means, deviations, seed) for seed in range(MEMBERS)]
    weights = {"means": means, "deviations": deviations}
    for name, layers in zip(("first", "second", "third"), zip(*members, strict=True), strict=True):
        weights[name] = np.stack([layer.weight.detach().numpy().T for layer in layers])
        weights[f"{name}_base"] = np.stack([layer.bias.detach().numpy()[None] for layer in layers])
    return weights


def _member(
    lessons: Lessons,
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
        for some in (lessons.claims[claims], lessons.contrasts.numbers)
    )
    wanted = torch.from_numpy(lessons.labels[claims])
    start = torch.from_numpy(lessons.known[claims])
    alone = torch.from_numpy(WORDS_ALONE * lessons.contrasts.words_alone)
    numbers, others = torch.from_numpy(lessons.contrasts.sentences), torch.from_numpy(pairs)
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
            loss = loss + PAIRS_COUNT * functional.softplus(-apart).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return layers


def main() -> None:
    """Writes the weights of all companies, and those without the companies of each fold."""
    arguments = given(__doc__, OUTPUT, "claims", left_out=OTHERS)
    torch.set_num_threads(1)
    examples = Examples(arguments.data).claims()
    lessons = Lessons(
        numbers_of([example.pair for example in examples]),
        np.array([example.label for example in examples]),
        known_of(examples),
        np.array([example.company for example in examples]),
        contrasts(arguments.data),
    )
    for fold, output in {(): arguments.output, **outputs(arguments.left_out, "families")}.items():
        write(output, trained(lessons, fold))
    print(f"Written to {arguments.output}: see `make bench-accuracy`")


if __name__ == "__main__":
    main()
