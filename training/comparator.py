"""``python -m training.comparator``: the network that compares claims with passages.

Learns from the labelled claims, from claims beside other passages of their page, which do not
state them, and from pairs of answers that differ in one fact, of which the true one is to stand
above the untrue one. What words alone give away is taken out: while training, the logarithm of what
a model of them thinks is added to what the network says, and not afterwards (a product of experts;
Clark et al. 2019).
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
from klopt.verification.words import Coordinates
from training.claims import (
    OTHERS,
    Example,
    Examples,
    Fold,
    Rivals,
    batch_with_rows,
    known_of,
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
RIVALS: Final = 12
"""So many pairs of answers come to every other batch of claims."""
RIVALS_COUNT: Final = 0.6
"""What their loss counts there beside that of the claims."""
WORDS_ALONE: Final = 4.0
"""What it counts as, in log-odds, that the words alone put the true answer higher by 1."""
NEIGHBOURS: Final = 0.5
"""So many claims beside a neighbouring passage come to each claim."""
PROCESSES: Final = 2
LESSONS: Final[list[Lessons]] = []
"""Read once; the processes that learn are forks."""


@dataclass(frozen=True)
class Lessons:
    """What there is to learn from, with the coordinates of all words."""

    claims: Sequence[Example]
    neighbours: Sequence[Example]
    rivals: Sequence[Rivals]
    coordinates: Coordinates


class Model(nn.Module):  # type: ignore[misc]
    """`klopt.verification.networks` as it is trained."""

    def __init__(self, width: int = WIDTH, dropout: float = DROPOUT) -> None:
        super().__init__()
        marks, told = len(MARKS), 4
        self.vectors = nn.Linear(DIMENSIONS, width, bias=False)
        self.marks = nn.Linear(marks, width)
        self.around = nn.Linear(3 * width, width)
        self.attend = nn.Linear(width, width, bias=False)
        self.near = nn.Parameter(torch.tensor(4.0))
        self.related = nn.Parameter(torch.tensor([0.0, 3.0, 2.0, 1.5, 2.0]))
        self.compare = nn.Linear(4 * width + marks + told, width)
        self.compose = nn.Linear(3 * width, width)
        self.gate = nn.Linear(width, 1)
        self.decide = nn.Linear(6 * width, width)
        self.label = nn.Linear(width, len(LABELS))
        self.drop = nn.Dropout(dropout)
        self.mark_drop = nn.Dropout(dropout)

    def read(self, vectors: Tensor, marks: Tensor, mask: Tensor) -> Tensor:
        """Each word with its neighbours; shape ``(n, n_words, width)``."""
        words = torch.relu(self.vectors(self.drop(vectors)) + self.marks(self.mark_drop(marks)))
        words = words * mask
        return (words + torch.relu(self.around(_three(words)))) * mask

    def side(self, own: Tensor, other: Tensor, marks: Tensor, told: Tensor, mask: Tensor) -> Tensor:
        """What one side says beside the other; shape ``(n, 3 * width)``."""
        both = torch.cat([own, other, (own - other).abs(), own * other, marks, told], -1)
        words = torch.relu(self.compare(self.drop(both))) * mask
        words = (words + torch.relu(self.compose(_three(words)))) * mask
        far = ~mask.bool()
        most = words.masked_fill(far, -1e4).max(1).values
        mean = words.sum(1) / mask.sum(1).clamp(min=1)
        chosen = (words * self.gate(words).masked_fill(far, -1e4).softmax(1)).sum(1)
        return torch.cat([most, mean, chosen], -1)

    def forward(self, batch: Batch, coordinates: Tensor) -> Tensor:
        """How likely each label is for each pair, as logarithms; shape ``(n, 3)``."""
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
        told = [(relations == relation).float() for relation in (1, 2, 3, 4)]
        claim_told = torch.stack([(to_page * share).sum(2) for share in told], -1)
        page_told = torch.stack([(to_claim * share).sum(1) for share in told], -1)
        gathered = torch.cat(
            [
                self.side(claim, to_page @ page, claim_marks, claim_told, claim_mask),
                self.side(page, to_claim.transpose(1, 2) @ claim, page_marks, page_told, page_mask),
            ],
            -1,
        )
        hidden = torch.relu(self.decide(self.drop(gathered)))
        return self.label(self.drop(hidden))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights as `klopt.verification.networks.Network` takes them."""
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
    """Examples of like length together, in random order."""
    lengths = np.array([length_of(example) for example in examples], float)
    lengths += random.random(len(lengths)) * 12
    order = np.argsort(lengths, kind="stable")
    groups = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    random.shuffle(groups)
    for group in groups:
        yield [examples[number] for number in group]


def loss_of(model: Model, examples: Sequence[Example], coordinates: Tensor) -> Tensor:
    """The cross-entropy, with what the claims alone give away added to what the model says."""
    points = model(batch_with_rows(examples), coordinates)
    labels = torch.tensor([example.label for example in examples])
    return functional.cross_entropy(
        points + torch.from_numpy(known_of(examples)), labels, label_smoothing=SMOOTHING
    )


def order_of(model: Model, rivals: Sequence[Rivals], coordinates: Tensor) -> Tensor:
    """The loss of pairs: the true one likelier supported than contradicted, beside the untrue."""
    points = model(batch_with_rows([pair.true for pair in rivals]), coordinates)
    others = model(batch_with_rows([pair.untrue for pair in rivals]), coordinates)
    alone = torch.tensor([WORDS_ALONE * pair.words_alone for pair in rivals])
    apart = (points[:, 0] - points[:, 1]) - (others[:, 0] - others[:, 1]) + alone
    return functional.softplus(-apart).mean()


def train(lessons: Lessons, fold: Fold = ()) -> Model:
    """The network learnt from claims and pairs, and in each round from some neighbours.

    What the companies of a fold teach is left out.
    """
    claims, near, rivals = (
        [lesson for lesson in some if getattr(lesson, "true", lesson).company not in fold]
        for some in (lessons.claims, lessons.neighbours, lessons.rivals)
    )
    torch.manual_seed(SEED)
    random = np.random.default_rng(SEED)
    model = Model()
    vectors = lessons.coordinates.astype(np.float32)
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
                few = [rivals[at] for at in random.choice(len(rivals), RIVALS, replace=False)]
                loss = loss + RIVALS_COUNT * order_of(model, few, coordinates)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
    model.eval()
    return model


def learn(fold: Fold, output: Path) -> None:
    """Learns one network without some companies, and writes it."""
    torch.set_num_threads(1)
    write(output, train(LESSONS[0], fold).arrays())


def main() -> None:
    """Learns the network that is shipped, and one without the companies of each fold."""
    arguments = given(__doc__, OUTPUT, "claims", left_out=OTHERS)
    examples = Examples(arguments.data)
    some = examples.claims(), examples.neighbours(), examples.rivals()
    LESSONS.append(Lessons(*some, examples.coordinates))
    files = {(): arguments.output, **outputs(arguments.left_out, "network")}
    with ProcessPoolExecutor(PROCESSES, get_context("fork")) as pool:
        jobs = {pool.submit(learn, fold, output): output for fold, output in files.items()}
        for job in as_completed(jobs):
            job.result()
            print(f"Written to {jobs[job]}: see `make bench-accuracy`", flush=True)


if __name__ == "__main__":
    main()
