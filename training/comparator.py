"""``python -m training.comparator``: the network that compares statements with passages.

Learns from the labelled claims, from claims beside other passages of their page, which do not
state them, and from pairs of answers that differ in one fact, of which the true one is to stand
above the untrue one. What words alone give away is taken out: while training, the logarithm of what
a model of them thinks is added to what the network says, and not afterwards (a product of experts;
Clark et al. 2019).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from klopt.comparing.learnt import LABELS, Network
from klopt.comparing.pairs import MARKS, Batch
from klopt.comparing.words import Coordinates
from training.claim_chances import batch_with_rows, chances, length_of
from training.claims import FOLDS, LEFT_OUT, Example, Examples, Fold, Rivals, figures

OUTPUT: Final = Path(__file__).parent.parent / "klopt" / "comparing" / "network.npz"
WIDTH: Final = 64
DIMENSIONS: Final = 128
DROPOUT: Final = 0.2
BATCH: Final = 32
EPOCHS: Final = 10
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
LESSONS: Final[list[Lessons]] = []
"""Read once; the processes that learn are forks."""


class Model(nn.Module):  # type: ignore[misc]
    """`klopt.comparing.learnt` as it is trained."""

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
        """The weights as `klopt.comparing.learnt.Network` takes them."""
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


def order_of(model: Model, rivals: Sequence[Rivals], coordinates: Tensor) -> Tensor:
    """The loss of pairs: the true one likelier supported than contradicted, beside the untrue."""
    points = model(batch_with_rows([one.true for one in rivals]), coordinates)
    others = model(batch_with_rows([one.untrue for one in rivals]), coordinates)
    alone = torch.tensor([WORDS_ALONE * one.words_alone for one in rivals])
    apart = (points[:, 0] - points[:, 1]) - (others[:, 0] - others[:, 1]) + alone
    return functional.softplus(-apart).mean()


@dataclass(frozen=True)
class Lessons:
    """What there is to learn from, with the coordinates of all words."""

    claims: Sequence[Example]
    neighbours: Sequence[Example]
    rivals: Sequence[Rivals]
    coordinates: Coordinates

    @classmethod
    def read(cls, data: Path) -> Lessons:
        """From the folder of the real data."""
        examples = Examples(data)
        found = examples.claims(), examples.neighbours(), examples.rivals()
        return cls(*found, examples.coordinates)

    def without(self, fold: Fold) -> Lessons:
        """What the other companies teach."""
        return Lessons(
            [one for one in self.claims if one.company not in fold],
            [one for one in self.neighbours if one.company not in fold],
            [one for one in self.rivals if one.true.company not in fold],
            self.coordinates,
        )


def train(lessons: Lessons, seed: int) -> Model:
    """The network learnt from claims and pairs, and in each round from some neighbours."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    model = Model()
    vectors = lessons.coordinates.astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)
    coordinates = torch.from_numpy(vectors)
    count = int(NEIGHBOURS * len(lessons.claims))
    steps = EPOCHS * -(-(len(lessons.claims) + count) // BATCH)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=RATE, total_steps=steps, pct_start=0.1
    )
    model.train()
    for _ in range(EPOCHS):
        picked = random.choice(len(lessons.neighbours), count, replace=False)
        some = [*lessons.claims, *(lessons.neighbours[number] for number in picked)]
        for number, examples in enumerate(sorted_batches(some, BATCH, random)):
            loss = loss_of(model, examples, coordinates)
            if number % 2:
                few = random.choice(len(lessons.rivals), RIVALS, replace=False)
                rivals = [lessons.rivals[one] for one in few]
                loss = loss + RIVALS_COUNT * order_of(model, rivals, coordinates)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
    model.eval()
    return model


def learn(fold: Fold, share: float, seed: int, output: Path) -> list[str]:
    """Learns one network without some companies, and says what it is worth on theirs."""
    torch.set_num_threads(1)
    every, lessons = LESSONS[0], LESSONS[0].without(fold)
    if share < 1:
        count = len(lessons.claims)
        kept = np.random.default_rng(seed).permutation(count)[: int(share * count)]
        lessons = replace(lessons, claims=[lessons.claims[number] for number in kept])
    model = train(lessons, seed)
    output.parent.mkdir(parents=True, exist_ok=True)
    halves: dict[str, Any] = {
        name: array.astype(np.float16) for name, array in model.arrays().items()
    }
    np.savez_compressed(output, **halves)
    with np.load(output) as arrays:
        network = Network(arrays)
    lines = []
    for language in ("nl", "en"):
        name = f"{'+'.join(fold)} {language}"
        outside = [one for one in every.claims if one.company in fold and one.language == language]
        if outside:
            known = np.array([one.claim_only for one in outside])
            labels = np.array([one.label for one in outside])
            hard = known.argmax(axis=1) != labels
            found = chances(network, outside, every.coordinates)
            lines.append(
                f"{name} ({len(lessons.claims)} claims): all "
                f"{figures(found, labels)}  hard {figures(found[hard], labels[hard])}"
            )
        rivals = [one for one in every.rivals if one.true.company in fold]
        rivals = [one for one in rivals if one.true.language == language]
        if rivals:
            sides = [[one.true for one in rivals], [one.untrue for one in rivals]]
            odds = [np.log(chances(network, one, every.coordinates)[:, :2]) for one in sides]
            true, untrue = (one[:, 0] - one[:, 1] for one in odds)
            lines.append(f"{name}: true above untrue {(true > untrue).mean():.3f} of {len(true)}")
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
    LESSONS.append(Lessons.read(arguments.data))
    with ProcessPoolExecutor(arguments.jobs, get_context("fork")) as pool:
        for fold in ((), *FOLDS):
            name = "+".join(fold) or "none"
            if arguments.fold and name not in arguments.fold:
                continue
            output = arguments.left_out / f"{name}.network.npz" if fold else arguments.output
            jobs.append(pool.submit(learn, fold, arguments.share, arguments.seed, output))
        print("right of three, AUC " + " ".join(LABELS))
        for job in jobs:
            for line in job.result():
                print(line, flush=True)


if __name__ == "__main__":
    main()
