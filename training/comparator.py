"""``python -m training.comparator``: the network that compares statements with passages.

Learns from the labelled claims, from claims beside other passages of their page (not stated
there), and from the statements of rated answers beside their best passages. What a claim's words
alone give away is taken out: while training, the logarithm of what a model of the claim alone
thinks is added to what the network says, and not afterwards.
"""

from __future__ import annotations

import argparse
import json
import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from klopt.comparing.network import LABELS, Network
from klopt.comparing.pairs import MARKS, Batch, Relation, batch_of
from training.claims import Example, Examples

WIDTH: Final = 64
DIMENSIONS: Final = 100
DROPOUT: Final = 0.2
BATCH: Final = 32


class Model(nn.Module):
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
        words = torch.relu(self.vectors(self.drop(vectors)) + self.marks(self.mark_drop(marks)))
        words = words * mask
        return (words + torch.relu(self.around(_three(words)))) * mask

    def side(self, own: Tensor, other: Tensor, marks: Tensor, told: Tensor, mask: Tensor) -> Tensor:
        both = torch.cat([own, other, (own - other).abs(), own * other, marks, told], -1)
        words = torch.relu(self.compare(self.drop(both))) * mask
        words = (words + torch.relu(self.compose(_three(words)))) * mask
        far = ~mask.bool()
        most = words.masked_fill(far, -1e4).max(1).values
        mean = words.sum(1) / mask.sum(1).clamp(min=1)
        chosen = (words * self.gate(words).masked_fill(far, -1e4).softmax(1)).sum(1)
        return torch.cat([most, mean, chosen], -1)

    def forward(self, batch: Batch, coordinates: Tensor) -> Tensor:
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

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
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


def batch_with_rows(examples: Sequence[Example]) -> Batch:
    """The pairs of examples as one batch, with the rows of their words among all."""
    batch = batch_of([pair for one in examples for pair in one.pairs])
    first = np.repeat([one.first_row for one in examples], [len(one.pairs) for one in examples])
    batch.claim_rows[:] += first[:, None]
    batch.page_rows[:] += first[:, None]
    return batch


def sorted_batches(
    examples: Sequence[Example], size: int, random: np.random.Generator | None
) -> Iterator[list[Example]]:
    """Examples of like length together, in random order where there is one."""
    lengths = np.array([_length(one) for one in examples], float)
    if random is not None:
        lengths += random.random(len(lengths)) * 12
    order = np.argsort(lengths, kind="stable")
    groups = [order[start : start + size] for start in range(0, len(order), size)]
    if random is not None:
        random.shuffle(groups)
    for group in groups:
        yield [examples[number] for number in group]


def _length(example: Example) -> int:
    pair = max(example.pairs, key=lambda one: 3 * len(one.claim) + len(one.page))
    return 3 * len(pair.claim) + len(pair.page)


def loss_of_claims(model: Model, examples: Sequence[Example], coordinates: Tensor) -> Tensor:
    points = model(batch_with_rows(examples), coordinates)
    known = np.log(np.maximum([one.claim_only for one in examples], 1e-3)).astype(np.float32)
    labels = torch.tensor([one.label for one in examples])
    return functional.cross_entropy(points + torch.from_numpy(known), labels, label_smoothing=0.03)


def loss_of_statements(model: Model, examples: Sequence[Example], coordinates: Tensor) -> Tensor:
    """A statement is supported when one of its best passages supports it."""
    points = model(batch_with_rows(examples), coordinates).log_softmax(1)
    odds = points[:, 0] - torch.logsumexp(points[:, 1:], 1)
    sizes = [len(one.pairs) for one in examples]
    pooled = torch.stack([torch.logsumexp(one * 2, 0) / 2 for one in odds.split(sizes)])
    supported = torch.tensor([float(one.label == 0) for one in examples])
    return functional.binary_cross_entropy_with_logits(pooled * model.sure + model.base, supported)


def train(
    claims: Sequence[Example],
    neighbours: Sequence[Example],
    statements: Sequence[Example],
    coordinates: Tensor,
    arguments: argparse.Namespace,
    report: Any,
) -> Model:
    torch.manual_seed(arguments.seed)
    random = np.random.default_rng(arguments.seed)
    model = Model(arguments.width, arguments.dropout)
    model.sure = nn.Parameter(torch.tensor(1.0))
    model.base = nn.Parameter(torch.tensor(0.0))
    share = arguments.neighbours
    steps = arguments.epochs * (
        -(-(len(claims) + int(share * len(claims))) // BATCH)
        + (-(-len(statements) // 8) * (arguments.statements > 0))
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=arguments.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=arguments.rate, total_steps=steps + 10, pct_start=0.1
    )
    for epoch in range(arguments.epochs):
        model.train()
        picked = random.choice(len(neighbours), int(share * len(claims)), replace=False) if share else []
        some = [*claims, *(neighbours[number] for number in picked)]
        work = [(loss_of_claims, 1.0, one) for one in sorted_batches(some, BATCH, random)]
        if arguments.statements:
            work += [
                (loss_of_statements, arguments.statements, one)
                for one in sorted_batches(statements, 8, random)
            ]
        total = 0.0
        for number in random.permutation(len(work)):
            loss_of, weight, examples = work[number]
            loss = weight * loss_of(model, examples, coordinates)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += loss.item()
        report(epoch, model, total / len(work))
    return model
