"""Reads statements with an encoder that was learnt here: what does it add to what klopt knows?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from klopt.comparing.learnt import LABELS, softmax
from klopt.comparing.statements import FACTS, odds_of
from klopt.comparing.words import Floats
from training.claims import Fold
from training.encoder.model import LONGEST
from training.pair_rows import Sentence

ENCODERS: Final = Path(__file__).parent.parent.parent / ".encoder"
"""Where ``make encoder`` keeps what it has learnt."""
FOLDS: Final[tuple[Fold, ...]] = (
    ("alch", "ci", "gnome", "telecom"),
    ("bank", "bc", "hr"),
    ("fin", "m365", "sp"),
)
"""The companies that are left out together: three folds, since each takes half an hour."""
READ: Final = (*FACTS, *(f"read_{label}" for label in LABELS))
"""What trees are told of a statement that was read: what klopt knows, and what the encoder says."""
_SUPPORTED, _CONTRADICTED = 0, 1


class Reader:
    """Reads statements beside their places, by a folder that ``make encoder`` wrote."""

    def __init__(self, folder: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(folder / "encoder.onnx", options)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(LONGEST, strategy="longest_first")
        self._chances = cache(self._read)

    @staticmethod
    def without(company: str) -> Reader:
        """The one that has not seen a company."""
        return _reader("+".join(next(fold for fold in FOLDS if company in fold)))

    def facts(self, sentences: Sequence[Sentence], known: Floats) -> Floats:
        """What is known of the statements of one answer, and what the encoder says of them.

        Of several places counts the one that supports a statement most, unless another
        contradicts it with more certainty. Shape ``(n, len(READ))``; 0 without a place.
        """
        found = np.zeros((len(sentences), len(READ)), np.float32)
        found[:, : len(FACTS)] = known
        for row, one in enumerate(sentences):
            if not one.places:
                continue
            before = f"{one.question.plain.text} " if one.question.plain.text else ""
            chances = np.array([self._chances(before + one.text, place) for place in one.texts])
            best, worst = chances[:, _SUPPORTED].argmax(), chances[:, _CONTRADICTED].argmax()
            is_denied = chances[worst, _CONTRADICTED] > chances[best, _SUPPORTED]
            found[row, len(FACTS) :] = odds_of(chances[worst if is_denied else best])
        return found

    def _read(self, statement: str, place: str) -> tuple[float, ...]:
        ids = np.array([self._tokenizer.encode(statement, place).ids], np.int64)
        labels = self._session.run(["labels"], {"ids": ids, "mask": np.ones_like(ids)})[0]
        return tuple(softmax(labels, 1)[0].tolist())


@cache
def _reader(fold: str) -> Reader:
    return Reader(ENCODERS / fold)
