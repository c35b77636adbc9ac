"""What a large encoder knows of single words, one vector each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from training.encoder.model import begun, mean
from training.encoder.pieces import SPECIAL, tokenizer_of
from training.encoder.weights import read

BATCH: Final = 256
LAYERS: Final = 12
ASKED: Final = "query: "
"""So begins each text that multilingual-e5-small was taught on."""


@torch.no_grad()
def meanings(words: Sequence[str]) -> NDArray[np.float32]:
    """The vectors of words by multilingual-e5-small, shape ``(n, 384)``."""
    weights = read()
    numbers = [at for at, piece in enumerate(weights.pieces) if piece not in SPECIAL]
    tokenizer = tokenizer_of((weights.pieces[one], weights.scores[one]) for one in numbers)
    tokenizer.enable_padding(pad_id=SPECIAL.index("<pad>"), pad_token="<pad>")
    special = [weights.pieces.index(one) for one in SPECIAL]
    model = begun(weights, [*special, *numbers], range(LAYERS)).eval()
    found = np.zeros((len(words), model.words.embedding_dim), np.float32)
    order = np.argsort([len(one) for one in words], kind="stable")
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        read_in = tokenizer.encode_batch([ASKED + words[row] for row in rows])
        ids, mask = (
            torch.tensor(some)
            for some in zip(*((one.ids, one.attention_mask) for one in read_in), strict=True)
        )
        with torch.autocast("cpu", torch.bfloat16):
            found[rows] = mean(model.read(ids, mask).float(), mask).numpy()
    return found
