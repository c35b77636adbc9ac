"""Write a trained encoder for onnxruntime, in whole numbers of eight bits."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
import onnx
import regex
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from torch import Tensor, nn

from training.encoder.learning import Encoder
from training.published import Published, tokenizer_of

OPSET: Final = 17
SPECIAL: Final = ("<s>", "<pad>", "</s>", "<unk>")
FEWEST: Final = 1
"""A piece that the Dutch and English texts have less often is cut into smaller ones."""
PIECES: Final = 48_000
"""Pieces that are kept; the rest of the room goes to the most frequent pieces in Latin letters."""
EVERY: Final = 20
"""One of so many sentences of the corpora is read."""
LANGUAGES: Final = ("nl", "en")
_LATIN: Final = regex.compile(r"▁?[\p{Latin}\p{N}\p{P}\p{S}]*")


class WholeNumbers(nn.Module):  # type: ignore[misc]
    """An embedding in eight bits, with a scale for each piece."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        scale = weight.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("rows", torch.round(weight / scale).to(torch.int8))
        self.register_buffer("scale", scale.half())

    def forward(self, ids: Tensor) -> Tensor:
        """Return the rows of some pieces."""
        return self.rows[ids].float() * self.scale[ids].float()


def kept_pieces(published: Published, data: Path) -> list[int]:
    """Return the numbers of the pieces to keep, the special ones first."""
    whole = tokenizer_of(published.pieces, published.scores)
    whole.no_padding()
    counts: Counter[int] = Counter()
    texts = _texts(data)
    while batch := list(islice(texts, 4096)):
        for one in whole.encode_batch(batch, add_special_tokens=False):
            counts.update(one.ids)
    special = [published.pieces.index(one) for one in SPECIAL]
    own = [at for at, count in counts.items() if count >= FEWEST or len(published.pieces[at]) == 1]
    kept = dict.fromkeys([*special, *sorted(own)])
    for at in np.argsort(-np.array(published.scores), kind="stable").tolist():
        if len(kept) >= PIECES:
            break
        if _LATIN.fullmatch(published.pieces[at]):
            kept.setdefault(at)
    return list(kept)


def _texts(data: Path) -> Iterator[str]:
    """Yield the texts that say which pieces Dutch and English need."""
    for language in LANGUAGES:
        with gzip.open(data / "corpus" / f"{language}.txt.gz", "rt", encoding="utf-8") as lines:
            yield from islice(lines, 0, None, EVERY)
    for page in sorted((data / "help").glob("*/*.md")):
        yield from page.read_text("utf-8").splitlines()
    with gzip.open(data / "nli" / "public-en.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in islice(lines, 0, None, EVERY):
            row = json.loads(line)
            yield row["passage"]
            yield row["claim"]


def smaller(published: Published, numbers: Sequence[int]) -> Tokenizer:
    """Return a tokenizer of some pieces."""
    pieces = [published.pieces[one] for one in numbers]
    found = tokenizer_of(pieces, [published.scores[one] for one in numbers])
    found.no_padding()
    return found


def export(model: Encoder, numbers: Sequence[int], output: Path) -> None:
    """Write a model of some pieces; matrices in eight bits by channel, sums in float32."""
    own = deepcopy(model).eval()
    words = own.bert.embeddings.word_embeddings.weight.detach()[torch.tensor(list(numbers))]
    own.bert.embeddings.word_embeddings = WholeNumbers(words)
    ids = torch.randint(4, 100, (1, 12))
    whole = output.with_suffix(".float.onnx")
    torch.onnx.export(
        own,
        (ids, torch.ones_like(ids)),
        str(whole),
        input_names=["input_ids", "attention_mask"],
        output_names=["logits"],
        dynamic_axes={"input_ids": {1: "length"}, "attention_mask": {1: "length"}},
        opset_version=OPSET,
        dynamo=False,
    )
    quantize_dynamic(
        whole,
        output,
        per_channel=True,
        op_types_to_quantize=["MatMul"],
        weight_type=QuantType.QInt8,
    )
    whole.unlink()
    onnx.checker.check_model(str(output))
