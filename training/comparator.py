"""``python -m training.comparator``: the network that compares statements with passages.

Learns from the labelled claims, and from claims beside other passages of their page, which do not
state them. What a claim's words alone give away is taken out: while training, the logarithm of
what a model of the claim alone thinks is added to what the network says, and not afterwards (a
product of experts; Clark et al. 2019).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from klopt.comparing.network import LABELS, Network
from klopt.comparing.pairs import MARKS, Batch
from training.claim_chances import batch_with_rows, chances, length_of
from training.claims import FOLDS, LEFT_OUT, Example, Examples, Fold, figures

OUTPUT: Final = Path(__file__).parent.parent / "klopt" / "comparing" / "network.npz"
WIDTH: Final = 64
DIMENSIONS: Final = 100
DROPOUT: Final = 0.2
BATCH: Final = 32
EPOCHS: Final = 10
RATE: Final = 2e-3
DECAY: Final = 0.01
SMOOTHING: Final = 0.03
NEIGHBOURS: Final = 0.5
"""So many claims beside a neighbouring passage come to each claim."""


class Model(nn.Module):  # type: ignore[misc]
    """`klopt.comparing.network` as it is trained."""

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
        claim_mask = torch.from_numpy(batch.claim_mask)[..., None].float()
        page_mask = torch.from_numpy(batch.page_mask)[..., None].float()
        claim_marks, page_marks = map(torch.from_numpy, (batch.claim_marks, batch.page_marks))
        relations = torch.from_numpy(batch.relations).long()
        claim = self.read(coordinates[torch.from_numpy(batch.claim_rows)], claim_marks, claim_mask)
        page = self.read(coordinates[torch.from_numpy(batch.page_rows)], page_marks, page_mask)
        points = self.attend(claim) @ page.transpose(1, 2) / claim.shape[-1] ** 0.5
        points = points + self.near * torch.from_numpy(batch.cosines) + self.related[relations]
        points = points.masked_fill(~(claim_mask @ page_mask.transpose(1, 2)).bool(), -1e4)
        to_page, to_claim = points.softmax(2), points.softmax(1)
        told = [(relations == one).float() for one in (1, 2, 3, 4)]
        claim_told = torch.stack([(to_page * one).sum(2) for one in told], -1)
        page_told = torch.stack([(to_claim * one).sum(1) for one in told], -1)
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
        """The weights as `klopt.comparing.network.Network` takes them."""
        found = {name: value.detach().numpy() for name, value in self.state_dict().items()}
        width = len(found["attend.weight"])
        return {
            "vectors": found["vectors.weight"].T,
            "marks": found["marks.weight"].T,
            "words_base": found["marks.bias"],
            "around": found["around.weight"].T.reshape(3, width, width),
            "around_base": found["around.bias"],
            "attend": found["attend.weight"].T / width**0.5,
            "near": found["near"],
            "related": found["related"],
            "compare": found["compare.weight"].T,
            "compare_base": found["compare.bias"],
            "compose": found["compose.weight"].T.reshape(3, width, width),
            "compose_base": found["compose.bias"],
            "gate": found["gate.weight"][0],
            "gate_base": found["gate.bias"][0],
            "decide": found["decide.weight"].T,
            "decide_base": found["decide.bias"],
            "label": found["label.weight"].T,
            "label_base": found["label.bias"],
        }


def _three(words: Tensor) -> Tensor:
    none = torch.zeros_like(words[:, :1])
    before, after = torch.cat([none, words[:, :-1]], 1), torch.cat([words[:, 1:], none], 1)
    return torch.cat([before, words, after], -1)


def sorted_batches(
    examples: Sequence[Example], size: int, random: np.random.Generator | None
) -> Iterator[list[Example]]:
    """Examples of like length together, in random order where there is one."""
    lengths = np.array([length_of(one) for one in examples], float)
    if random is not None:
        lengths += random.random(len(lengths)) * 12
    order = np.argsort(lengths, kind="stable")
    groups = [order[start : start + size] for start in range(0, len(order), size)]
    if random is not None:
        random.shuffle(groups)
    for group in groups:
        yield [examples[number] for number in group]


def loss_of(model: Model, examples: Sequence[Example], coordinates: Tensor) -> Tensor:
    """The cross-entropy, with what the claims alone give away added to what the model says."""
    points = model(batch_with_rows(examples), coordinates)
    known = np.log(np.maximum([one.claim_only for one in examples], 1e-3)).astype(np.float32)
    labels = torch.tensor([one.label for one in examples])
    return functional.cross_entropy(
        points + torch.from_numpy(known), labels, label_smoothing=SMOOTHING
    )


def train(
    claims: Sequence[Example], neighbours: Sequence[Example], coordinates: Tensor, seed: int
) -> Model:
    """The network learnt from claims, and in each round from some of their neighbours."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    model = Model()
    count = int(NEIGHBOURS * len(claims))
    steps = EPOCHS * -(-(len(claims) + count) // BATCH)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=RATE, total_steps=steps, pct_start=0.1
    )
    model.train()
    for _ in range(EPOCHS):
        picked = random.choice(len(neighbours), count, replace=False)
        some = [*claims, *(neighbours[number] for number in picked)]
        for examples in sorted_batches(some, BATCH, random):
            loss = loss_of(model, examples, coordinates)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
    model.eval()
    return model


def learn(data: Path, fold: Fold, share: float, seed: int, output: Path) -> list[str]:
    """Learns one network without some companies, and says what it is worth on their claims."""
    torch.set_num_threads(1)
    examples = Examples(data)
    claims, neighbours = examples.claims(), examples.neighbours()
    coordinates = examples.coordinates
    vectors = coordinates.astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)
    inside = [one for one in claims if one.company not in fold]
    if share < 1:
        kept = np.random.default_rng(seed).permutation(len(inside))[: int(share * len(inside))]
        inside = [inside[number] for number in kept]
    others = [one for one in neighbours if one.company not in fold]
    model = train(inside, others, torch.from_numpy(vectors), seed)
    output.parent.mkdir(parents=True, exist_ok=True)
    halves: dict[str, Any] = {
        name: array.astype(np.float16) for name, array in model.arrays().items()
    }
    np.savez_compressed(output, **halves)
    with np.load(output) as arrays:
        network = Network(arrays)
    lines = []
    for language in ("nl", "en"):
        outside = [one for one in claims if one.company in fold and one.language == language]
        if outside:
            known = np.array([one.claim_only for one in outside])
            labels = np.array([one.label for one in outside])
            hard = known.argmax(axis=1) != labels
            found = chances(network, outside, coordinates)
            lines.append(
                f"{'+'.join(fold)} {language} ({len(inside)} claims): all "
                f"{figures(found, labels)}  hard {figures(found[hard], labels[hard])}"
            )
    return lines


def main() -> None:
    """Learns the network that is shipped, and one without the companies of each fold."""
    parser = argparse.ArgumentParser(prog="python -m training.comparator", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", type=float, default=1.0, help="of the claims to learn from")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--fold", choices=["none", *map("+".join, FOLDS)], action="append")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    parser.add_argument("--left-out", type=Path, default=LEFT_OUT, help="folder of the others")
    arguments = parser.parse_args()
    jobs = []
    with ProcessPoolExecutor(arguments.jobs, get_context("spawn")) as pool:
        for fold in ((), *FOLDS):
            name = "+".join(fold) or "none"
            if arguments.fold and name not in arguments.fold:
                continue
            output = arguments.left_out / f"{name}.network.npz" if fold else arguments.output
            jobs.append(
                pool.submit(learn, arguments.data, fold, arguments.share, arguments.seed, output)
            )
        print("right of three, AUC " + " ".join(LABELS))
        for job in jobs:
            for line in job.result():
                print(line, flush=True)


if __name__ == "__main__":
    main()
