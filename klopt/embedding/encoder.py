"""The encoder that comes with klopt: texts of any of some thirty languages as vectors."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt.embedding.runtime import Net, libraries, read_tokenizer, sendable

WIDTH: Final = 384
"""The numbers of a vector."""
LONGEST_TOKENS: Final = 256
"""Of a text so many pieces of words are read."""
LONGEST_CHARS: Final = 4_000
_HIGHEST: Final = 127
_DIGITS: Final = 12

Vector: TypeAlias = NDArray[np.float32]
"""What a text means: length 1, shape ``(384,)``."""
WholeNumbers: TypeAlias = NDArray[np.int8]
"""Vectors in whole numbers, of any length; shape ``(n, 384)``."""


class TextEncoder:
    """Texts as vectors: the nearer two of them, the nearer what they say, in whichever language.

    It is multilingual-e5-small (Wang et al. 2024) in four bits, with those pieces of words that
    the official languages of the EU, Norwegian, Ukrainian and Turkish use. Texts are read one by
    one, so what stands beside a text does not show in its vector. Safe to use from several threads.

    Attributes:
        digest: Of the weights; vectors of other weights are not to be compared.

    Raises:
        ExtraMissingError: onnxruntime or tokenizers is not installed.
        ConfigurationError: The weights are not as they came.
    """

    def __init__(self) -> None:
        runtime, library = libraries("finding pages by what they mean")
        folder = Path(str(resources.files("klopt.embedding")))
        self._net = Net(runtime, folder / "encoder.onnx")
        self._tokenizer = read_tokenizer(library, folder / "tokenizer.json")
        self._tokenizer.enable_truncation(LONGEST_TOKENS)
        weights = (folder / "encoder.onnx").read_bytes()
        self.digest = hashlib.sha256(weights).hexdigest()[:_DIGITS]

    @staticmethod
    @cache
    def shipped() -> TextEncoder:
        """The one of this process, loaded when it is first asked for."""
        return TextEncoder()

    def question(self, text: str) -> Vector:
        """What is asked, to be held against passages.

        >>> encoder = TextEncoder.shipped()
        >>> nl, en, other = map(
        ...     encoder.question,
        ...     ("Hoe zet ik wifi uit?", "How do I switch off wifi?", "Wat kost een brood?"),
        ... )
        >>> bool(nl @ en > nl @ other + 0.1)
        True
        """
        return self._vector(f"query: {text}")

    def passage(self, text: str) -> WholeNumbers:
        """What a passage of a page says, in whole numbers up to 127; shape ``(384,)``."""
        vector = self._vector(f"passage: {text}")
        whole: WholeNumbers = np.round(vector * (_HIGHEST / np.abs(vector).max())).astype(np.int8)
        return whole

    def _vector(self, text: str) -> Vector:
        ids = self._tokenizer.encode(sendable(text, LONGEST_CHARS)).ids
        feed = {"ids": np.array([ids], np.int64)}
        vector: Vector = self._net.session.run(["vector"], feed)[0][0]
        return vector
