"""``python -m training.comparator``: train the network that compares claims with passages.

The training data are labelled claims, claims beside other passages of their page, which do not
state them, and pairs of answers that differ in one fact, of which the true one must score higher.
To keep the network from using the claim's words alone, the log-probabilities of a model of those
words are added to its output during training only (a product of experts; Clark et al. 2019).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from klopt.verification.networks import LABELS
from klopt.verification.pairs import MARKS, Batch
from klopt.verification.units import Coordinates
from training.claims import (
    LEFT_OUT,
    AnswerPair,
    Example,
    Examples,
    Fold,
    batch_with_rows,
    claim_only_logs,
    length_of,
    outputs,
    write,
)
from training.command import given

OUTPUT: Final = Path(__file__).parent.parent / "klopt" / "verification" / "network.npz"
WIDTH: Final = 64
DIMENSIONS: Final = 128
DROPOUT: Final = 0.2
BATCH: Final = 32
EPOCHS: Final = 10
SEED: Final = 0
RATE: Final = 2e-3
DECAY: Final = 0.01
SMOOTHING: Final = 0.03
PAIRS: Final = 12
"""Pairs of answers that are added to every other batch of claims."""
PAIRS_WEIGHT: Final = 0.6
"""Weight of their loss beside that of the claims."""
WORDS_ALONE: Final = 4.0
"""Log-odds per unit of `AnswerPair.words_alone`."""
NEIGHBOURS: Final = 0.5
"""Claims beside a neighbouring passage, per labelled claim."""
PROCESSES: Final = 2
DATA: Final[list[Data]] = []
"""The training data, read once; the training processes are forks."""


@dataclass(frozen=True)
class Data:
    """The training data, with the coordinates of all words."""

    claims: Sequence[Example]
    neighbours: Sequence[Example]
    pairs: Sequence[AnswerPair]
    coordinates: Coordinates


class Model(nn.Module):  # type: ignore[misc]
    """The network of `klopt.verification.networks` in torch."""

    def __init__(self, width: int = WIDTH, dropout: float = DROPOUT) -> None:
        super().__init__()
        marks, relations = len(MARKS), 4
        self.vectors = nn.Linear(DIMENSIONS, width, bias=False)
        self.marks = nn.Linear(marks, width)
        self.around = nn.Linear(3 * width, width)
        self.attend = nn.Linear(width, width, bias=False)
        self.near = nn.Parameter(torch.tensor(4.0))
        self.related = nn.Parameter(torch.tensor([0.0, 3.0, 2.0, 1.5, 2.0]))
        self.compare = nn.Linear(4 * width + marks + relations, width)
        self.compose = nn.Linear(3 * width, width)
        self.gate = nn.Linear(width, 1)
        self.decide = nn.Linear(6 * width, width)
        self.label = nn.Linear(width, len(LABELS))
        self.drop = nn.Dropout(dropout)
        self.mark_drop = nn.Dropout(dropout)

    def read(self, vectors: Tensor, marks: Tensor, mask: Tensor) -> Tensor:
        """Return each word with its neighbours; shape ``(n, n_words, width)``."""
        words = torch.relu(self.vectors(self.drop(vectors)) + self.marks(self.mark_drop(marks)))
        words = words * mask
        return (words + torch.relu(self.around(_three(words)))) * mask

    def side(self, own: Tensor, other: Tensor, marks: Tensor, link: Tensor, mask: Tensor) -> Tensor:
        """Compare one side with the other; shape ``(n, 3 * width)``."""
        both = torch.cat([own, other, (own - other).abs(), own * other, marks, link], -1)
        words = torch.relu(self.compare(self.drop(both))) * mask
        words = (words + torch.relu(self.compose(_three(words)))) * mask
        far = ~mask.bool()
        most = words.masked_fill(far, -1e4).max(1).values
        mean = words.sum(1) / mask.sum(1).clamp(min=1)
        chosen = (words * self.gate(words).masked_fill(far, -1e4).softmax(1)).sum(1)
        return torch.cat([most, mean, chosen], -1)

    def forward(self, batch: Batch, coordinates: Tensor) -> Tensor:
        """Return the logits of the labels for each pair; shape ``(n, 3)``."""
        claim_mask = torch.from_numpy(batch.claim.mask)[..., None].float()
        page_mask = torch.from_numpy(batch.page.mask)[..., None].float()
        claim_marks, page_marks = map(torch.from_numpy, (batch.claim.marks, batch.page.marks))
        relations = torch.from_numpy(batch.relations).long()
        claim = self.read(coordinates[torch.from_numpy(batch.claim.rows)], claim_marks, claim_mask)
        page = self.read(coordinates[torch.from_numpy(batch.page.rows)], page_marks, page_mask)
        points = self.attend(claim) @ page.transpose(1, 2) / claim.shape[-1] ** 0.5
        points = points + self.near * torch.from_numpy(batch.cosines) + self.related[relations]
        points = points.masked_fill(~(claim_mask @ page_mask.transpose(1, 2)).bool(), -1e4)
        to_page, to_claim = points.softmax(2), points.softmax(1)
        related = [(relations == relation).float() for relation in (1, 2, 3, 4)]
        of_claim = torch.stack([(to_page * one).sum(2) for one in related], -1)
        of_page = torch.stack([(to_claim * one).sum(1) for one in related], -1)
        sides = [
            self.side(claim, to_page @ page, claim_marks, of_claim, claim_mask),
            self.side(page, to_claim.transpose(1, 2) @ claim, page_marks, of_page, page_mask),
        ]
        hidden = torch.relu(self.decide(self.drop(torch.cat(sides, -1))))
        return self.label(self.drop(hidden))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the weights as `klopt.verification.networks.Network` takes them."""
        state = {name: value.detach().numpy() for name, value in self.state_dict().items()}
        width = len(state["attend.weight"])
        arrays = {"near": state.pop("near"), "related": state.pop("related")}
        for name, value in state.items():
            layer, kind = name.split(".")
            arrays[layer if kind == "weight" else f"{layer}_base"] = value.T
        arrays["words_base"] = arrays.pop("marks_base")
        arrays["attend"] = arrays["attend"] / width**0.5
        for layer in ("around", "compose"):
            arrays[layer] = arrays[layer].reshape(3, width, width)
        return arrays | {"gate": arrays["gate"][:, 0], "gate_base": arrays["gate_base"][0]}


def _three(words: Tensor) -> Tensor:
    none = torch.zeros_like(words[:, :1])
    before, after = torch.cat([none, words[:, :-1]], 1), torch.cat([words[:, 1:], none], 1)
    return torch.cat([before, words, after], -1)


def sorted_batches(
    examples: Sequence[Example], random: np.random.Generator
) -> Iterator[list[Example]]:
    """Yield batches of examples of similar length, in random order."""
    lengths = np.array([length_of(example) for example in examples], float)
    lengths += random.random(len(lengths)) * 12
    order = np.argsort(lengths, kind="stable")
    groups = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    random.shuffle(groups)
    for group in groups:
        yield [examples[number] for number in group]


def loss_of(model: Model, examples: Sequence[Example], coordinates: Tensor) -> Tensor:
    """Return the cross-entropy of claims, with `claim_only_logs` added to the logits."""
    logits = model(batch_with_rows(examples), coordinates)
    logits = logits + torch.from_numpy(claim_only_logs(examples))
    labels = torch.tensor([example.label for example in examples])
    return functional.cross_entropy(logits, labels, label_smoothing=SMOOTHING)


def pair_loss_of(model: Model, pairs: Sequence[AnswerPair], coordinates: Tensor) -> Tensor:
    """Return the loss of pairs, by the log-odds of supported against contradicted."""
    true = model(batch_with_rows([pair.true for pair in pairs]), coordinates)
    untrue = model(batch_with_rows([pair.untrue for pair in pairs]), coordinates)
    alone = torch.tensor([WORDS_ALONE * pair.words_alone for pair in pairs])
    margins = (true[:, 0] - true[:, 1]) - (untrue[:, 0] - untrue[:, 1]) + alone
    return functional.softplus(-margins).mean()


def train(data: Data, fold: Fold = ()) -> Model:
    """Train the network without the companies of a fold; each epoch draws other neighbours."""
    claims, near, pairs = (
        [one for one in some if getattr(one, "true", one).company not in fold]
        for some in (data.claims, data.neighbours, data.pairs)
    )
    torch.manual_seed(SEED)
    random = np.random.default_rng(SEED)
    model = Model()
    vectors = data.coordinates.astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)
    coordinates = torch.from_numpy(vectors)
    count = int(NEIGHBOURS * len(claims))
    steps = EPOCHS * -(-(len(claims) + count) // BATCH)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=RATE, total_steps=steps, pct_start=0.1
    )
    model.train()
    for _ in range(EPOCHS):
        picked = random.choice(len(near), count, replace=False)
        some = [*claims, *(near[number] for number in picked)]
        for number, examples in enumerate(sorted_batches(some, random)):
            loss = loss_of(model, examples, coordinates)
            if number % 2:
                few = [pairs[at] for at in random.choice(len(pairs), PAIRS, replace=False)]
                loss = loss + PAIRS_WEIGHT * pair_loss_of(model, few, coordinates)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
    model.eval()
    return model


def train_and_write(fold: Fold, output: Path) -> None:
    """Train one network without some companies and write it."""
    torch.set_num_threads(1)
    write(output, train(DATA[0], fold).arrays())


def main() -> None:
    """Train the network that is shipped, and one without the companies of each fold."""
    arguments = given(__doc__, OUTPUT, "claims")
    examples = Examples(arguments.data)
    some = examples.claims(), examples.neighbours(), examples.answer_pairs()
    DATA.append(Data(*some, examples.coordinates))
    files = {(): arguments.output, **outputs(LEFT_OUT, "network")}
    with ProcessPoolExecutor(PROCESSES, get_context("fork")) as pool:
        jobs = {
            pool.submit(train_and_write, fold, output): output for fold, output in files.items()
        }
        for job in as_completed(jobs):
            job.result()
            print(f"Written to {jobs[job]}: see `make bench-accuracy`", flush=True)


if __name__ == "__main__":
    main()
