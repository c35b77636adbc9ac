"""Teaches the encoder: batches of like length, a loss of labels, of order and of marked words."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from training.encoder.examples import Example
from training.encoder.model import LONGEST, Encoder

BATCH_TOKENS: Final = 2_900
MOST: Final = 48
SMOOTHING: Final = 0.05
MARK_WEIGHT: Final = 0.3
RANK_WEIGHT: Final = 0.5
MARGIN: Final = 2.0
LEAN: Final = 4.0
"""What the words alone give away, as a chance, in logarithms."""
DECAY: Final = 0.01
EVERY: Final = 50


def cut(examples: Sequence[Example], tokenizer: Tokenizer) -> None:
    """Gives examples their ids, and a 1 for each token of a wrong word, -1 where none is known."""
    tokenizer.enable_truncation(LONGEST, strategy="longest_first")
    for example in examples:
        found = tokenizer.encode(example.first, example.place)
        example.ids = found.ids
        example.marks = [-1.0] * len(found.ids)
        if example.wrong is None:
            continue
        shift = len(example.first) - len(example.claim)
        wrong = [(one + shift, two + shift) for one, two in example.wrong]
        for at, (first, end) in enumerate(found.offsets):
            if found.sequence_ids[at] == 0 and first >= shift:
                example.marks[at] = float(any(one < end and first < two for one, two in wrong))


def batches(examples: Sequence[Example], random: np.random.Generator) -> Iterator[list[Example]]:
    """All examples once, those of like length together, rivals in one batch, in random order."""
    lower = {id(one.rival) for one in examples if one.rival is not None}
    groups = [
        [one] if one.rival is None else [one, one.rival] for one in examples if id(one) not in lower
    ]
    lengths = np.array([max(len(one.ids) for one in group) for group in groups], float)
    order = np.argsort(lengths + random.random(len(lengths)) * 8, kind="stable")
    made: list[list[Example]] = [[]]
    for number in order.tolist():
        group, current = groups[number], made[-1]
        longest = max(len(one.ids) for one in (*current, *group))
        is_full = longest * (len(current) + len(group)) > BATCH_TOKENS or len(current) >= MOST
        if current and is_full:
            made.append([])
        made[-1] += group
    for number in random.permutation(len(made)).tolist():
        yield made[number]


def tensors(examples: Sequence[Example]) -> tuple[Tensor, Tensor]:
    """Ids and mask, filled up to the longest."""
    longest = max(len(one.ids) for one in examples)
    ids = torch.ones((len(examples), longest), dtype=torch.long)
    mask = torch.zeros((len(examples), longest), dtype=torch.long)
    for row, one in enumerate(examples):
        ids[row, : len(one.ids)] = torch.tensor(one.ids)
        mask[row, : len(one.ids)] = 1
    return ids, mask


def loss_of(model: Encoder, examples: Sequence[Example]) -> Tensor:
    """Labels (what the words alone give away taken out), order of rivals, marked words."""
    ids, mask = tensors(examples)
    with torch.autocast("cpu", torch.bfloat16):
        points, marks = model(ids, mask)
    points, marks = points.float(), marks.float()
    known = np.log(np.maximum([one.given_away for one in examples], 1e-2)).astype(np.float32)
    with_known = points + torch.from_numpy(known)
    labels = torch.tensor([one.label for one in examples])
    weights = torch.tensor([one.weight for one in examples])
    each = functional.cross_entropy(with_known, labels, label_smoothing=SMOOTHING, reduction="none")
    is_open = torch.tensor([one.open for one in examples])
    if is_open.any():
        chances = with_known.softmax(1)
        each = torch.where(is_open, -torch.log(1 - chances[:, 0] + 1e-4), each)
    loss = (each * weights).sum() / weights.sum()
    numbers = {id(one): row for row, one in enumerate(examples)}
    rows = [(row, numbers[id(one.rival)]) for row, one in enumerate(examples) if one.rival]
    if rows:
        first, second = (torch.tensor(some) for some in zip(*rows, strict=True))
        odds = points[:, 0] - torch.logsumexp(points[:, 1:], 1)
        lean = torch.tensor([LEAN * examples[row].lean for row, _ in rows])
        order = functional.softplus(MARGIN - (odds[first] - odds[second] + lean))
        loss = loss + RANK_WEIGHT * order.mean() * len(rows) * 2 / len(examples)
    wanted = torch.full(marks.shape, -1.0)
    for row, one in enumerate(examples):
        wanted[row, : len(one.marks)] = torch.tensor(one.marks)
    told = wanted >= 0
    if told.any():
        found = functional.binary_cross_entropy_with_logits(marks[told], wanted[told])
        loss = loss + MARK_WEIGHT * found
    return loss


def in_order(model: Encoder, examples: Sequence[Example]) -> float:
    """How many of the examples, 0 to 1, stand above their rivals at the place that decides."""
    model.eval()
    above = []
    for one in (one for one in examples if one.rival is not None):
        with torch.no_grad():
            points, _ = model(*tensors([one, one.rival]))
        odds = points[:, 0] - torch.logsumexp(points[:, 1:], 1)
        above.append(bool(odds[0] > odds[1]))
    return float(np.mean(above))


def learn(
    name: str, model: Encoder, rounds: Sequence[Sequence[Example]], *, rate: float, seed: int
) -> None:
    """Teaches a model, in place, and prints how far it is under a name.

    The highest ``rate`` is reached after a twentieth of all steps; it falls to nothing.
    """
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    plan = [some for examples in rounds for some in batches(examples, random)]
    model.words.weight.requires_grad_(requires_grad=False)
    tuned = [one for one in model.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(tuned, lr=rate, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, rate, total_steps=len(plan) + 1, pct_start=0.06, anneal_strategy="linear"
    )
    model.train()
    begun, losses = time.monotonic(), []
    for done, some in enumerate(plan, 1):
        loss = loss_of(model, some)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(tuned, 1.0)
        optimizer.step()
        schedule.step()
        losses.append(float(loss.detach()))
        if done % EVERY == 0:
            each = (time.monotonic() - begun) / done
            mean = np.mean(losses[-200:])
            print(f"{name} {done}/{len(plan)} loss {mean:.3f} {each:.2f} s a step", flush=True)
    model.eval()
