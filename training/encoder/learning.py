"""Train the encoder: batches of similar length, a loss of labels and one of order in pairs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertModel

from klopt.verification.encoder import encode
from training.encoder.examples import Example

BATCH_TOKENS: Final = 3_000
MOST: Final = 48
"""Maximum examples of a batch."""
SMOOTHING: Final = 0.05
RANK_WEIGHT: Final = 0.5
MARGIN: Final = 2.0
DECAY: Final = 0.01
WARM_UP: Final = 0.06
REPORT_STEPS: Final = 50
SAVE_STEPS: Final = 500
LAYERS: Final = 6
LEAST_KNOWN: Final = 1e-2


class Encoder(nn.Module):  # type: ignore[misc]
    """The lower layers of a larger encoder, and a head for the three labels."""

    def __init__(self, bert: BertModel) -> None:
        super().__init__()
        self.bert = bert
        hidden = bert.config.hidden_size
        self.gather = nn.Linear(2 * hidden, hidden)
        self.label = nn.Linear(hidden, 3)
        self.drop = nn.Dropout(0.1)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return the logits of the three labels, shape ``(n, 3)``."""
        words = self.bert(ids, mask).last_hidden_state
        own = mask[..., None].to(words.dtype)
        mean = (words * own).sum(1) / own.sum(1)
        both = torch.cat([words[:, 0], mean], -1)
        logits: Tensor = self.label(self.drop(torch.tanh(self.gather(self.drop(both)))))
        return logits


Row = tuple[Example, list[int]]
"""An example with its tokens."""


def tokenized(examples: Sequence[Example], tokenizer: Tokenizer) -> list[Row]:
    """Return examples with their tokens, as `klopt.verification.encoder` encodes them."""
    first = tokenizer.encode_batch(
        [f"{one.question} {one.claim}".strip() for one in examples], add_special_tokens=False
    )
    second = tokenizer.encode_batch([one.passage for one in examples], add_special_tokens=False)
    return [
        (example, encode(claim.ids, passage.ids))
        for example, claim, passage in zip(examples, first, second, strict=True)
    ]


def batches(rows: Sequence[Row], chance: np.random.Generator) -> Iterator[list[Row]]:
    """Yield all examples once, those of similar length and pairs together, in random order."""
    pairs = [row for row in rows if row[0].kind == "pair"]
    groups = [[row] for row in rows if row[0].kind != "pair"]
    ranked = {row[0].rival for row in pairs if row[0].rival >= 0}
    for number, row in enumerate(pairs):
        if row[0].rival >= 0:
            groups.append([pairs[row[0].rival], row])
        elif number not in ranked:
            groups.append([row])
    lengths = np.array([max(len(ids) for _, ids in group) for group in groups], float)
    order = np.argsort(lengths + chance.random(len(lengths)) * 8, kind="stable")
    made: list[list[Row]] = [[]]
    for number in order.tolist():
        group, current = groups[number], made[-1]
        longest = max(len(ids) for _, ids in (*current, *group))
        if current and (
            longest * (len(current) + len(group)) > BATCH_TOKENS or len(current) >= MOST
        ):
            made.append([])
        made[-1] += group
    for number in chance.permutation(len(made)).tolist():
        yield made[number]


def tensors(rows: Sequence[Row]) -> tuple[Tensor, Tensor]:
    """Return tokens and mask, padded to the longest."""
    longest = max(len(ids) for _, ids in rows)
    ids = torch.ones((len(rows), longest), dtype=torch.long)
    mask = torch.zeros((len(rows), longest), dtype=torch.long)
    for number, (_, own) in enumerate(rows):
        ids[number, : len(own)] = torch.tensor(own)
        mask[number, : len(own)] = 1
    return ids, mask


def loss_of(model: Encoder, rows: Sequence[Row]) -> Tensor:
    """Return the loss of the labels, without what the claim alone gives away, and of the order."""
    with torch.autocast("cpu", torch.bfloat16):
        logits = model(*tensors(rows))
    logits = logits.float()
    examples = [example for example, _ in rows]
    known = np.log(np.maximum([one.claim_only for one in examples], LEAST_KNOWN))
    informed = logits + torch.from_numpy(known.astype(np.float32))
    labels = torch.tensor([one.label for one in examples])
    weights = torch.tensor([one.weight for one in examples])
    each = functional.cross_entropy(informed, labels, label_smoothing=SMOOTHING, reduction="none")
    is_open = torch.tensor([one.open for one in examples])
    not_supported = -torch.log(1 - informed.softmax(1)[:, 0] + 1e-4)
    each = torch.where(is_open, not_supported, each)
    loss = (each * weights).sum() / weights.sum()
    ranked = [number for number, one in enumerate(examples) if one.rival >= 0]
    if ranked:
        odds = logits[:, 0] - torch.logsumexp(logits[:, 1:], 1)
        above = torch.tensor(ranked)  # the rival stands before it
        order = functional.softplus(MARGIN - (odds[above] - odds[above - 1]))
        loss = loss + RANK_WEIGHT * order.mean() * len(ranked) * 2 / len(examples)
    return loss


def learn(model: Encoder, rows: Sequence[Row], folder: Path, *, rate: float, seed: int) -> None:
    """Train a model, resuming from the checkpoint in the folder, if there is one."""
    torch.manual_seed(seed)
    chance = np.random.default_rng(seed)
    plan = list(batches(rows, chance))
    model.bert.embeddings.requires_grad_(requires_grad=False)
    tuned = [one for one in model.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(tuned, lr=rate, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, rate, total_steps=len(plan) + 1, pct_start=WARM_UP, anneal_strategy="linear"
    )
    checkpoint, done = folder / "checkpoint.pt", 0
    if checkpoint.exists():
        state: dict[str, Any] = torch.load(checkpoint, weights_only=True)
        done = state["done"]
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
        torch.set_rng_state(state["random"])
    model.train()
    begun, losses, first = time.monotonic(), list[float](), done
    for batch in plan[done:]:
        loss = loss_of(model, batch)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(tuned, 1.0)
        optimizer.step()
        schedule.step()
        losses.append(float(loss.detach()))
        done += 1
        if done % REPORT_STEPS == 0:
            each = (time.monotonic() - begun) / (done - first)
            mean = np.mean(losses[-200:])
            print(f"{done}/{len(plan)}: loss {mean:.3f}, {each:.2f} s a step", flush=True)
        if done % SAVE_STEPS == 0:
            state = {
                "done": done,
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict(),
                "schedule": schedule.state_dict(),
                "random": torch.get_rng_state(),
            }
            torch.save(state, checkpoint)
    model.eval()
