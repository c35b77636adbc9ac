"""Sentence embeddings: the similarity of pages and a question by a local embedding model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt._internal.onnx_model import CONFIG, ModelFailedError, OnnxModel, listed, read_json
from klopt.errors import ConfigurationError
from klopt.retrieval.search import title_in
from klopt.text.plain import PlainText
from klopt.types import Page

Vector: TypeAlias = NDArray[np.float32]  # An embedding of length 1, shape ``(dimensions,)``
PassageVectors: TypeAlias = NDArray[np.int8]  # shape ``(n, dimensions)``, of any length

PASSAGE_WORDS: Final = 90
MAX_PASSAGES: Final = 64  # Passages of a page that are embedded
MAX_TEXT_CHARS: Final = 4_000  # Characters of a text that are tokenized
MAX_TOKENS: Final = 256  # Tokens of a text that are embedded
BM25_WEIGHT: Final = 0.003  # of a point beside the cosine, 0.7 to 1 for e5 models

_LARGEST: Final = 127
_BLOCK: Final = 8_192  # Vectors that are converted to floats at a time
_MIN_POSITIONS: Final = 16
_RESERVED_POSITIONS: Final = 2
_TEXT_OUTPUTS: Final = ("sentence_embedding", "text_embeds")  # else one for each token
_QUESTION_PROMPTS: Final = ("query", "question")
_PASSAGE_PROMPTS: Final = ("passage", "document")


class Embedder:
    """A sentence-embedding model in a local folder.

    Safe for several threads. The folder has ``model.onnx`` and ``tokenizer.json``, as an export of
    sentence-transformers. Optional files: ``config.json`` (``max_position_embeddings``),
    ``1_Pooling/config.json`` (``pooling_mode_cls_token``; without it token vectors are averaged)
    and ``config_sentence_transformers.json`` (``prompts`` named ``query`` and ``passage`` or
    ``document``, put before a text). ``digest`` is of its files; vectors of different models cannot
    be compared. Raises ConfigurationError if it has no usable model.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = folder = Path(folder).absolute()
        config = read_json(folder, CONFIG) if folder.is_dir() else {}
        positions = config.get("max_position_embeddings", MAX_TOKENS + _RESERVED_POSITIONS)
        if not isinstance(positions, int) or positions < _MIN_POSITIONS:
            raise ConfigurationError(
                f"{folder / CONFIG}: max_position_embeddings is {listed([positions])}; "
                f"allowed is a whole number from {_MIN_POSITIONS}"
            )
        self._model = OnnxModel(
            folder,
            purpose="an index with vectors",
            task="feature-extraction",
            max_tokens=min(MAX_TOKENS, positions - _RESERVED_POSITIONS),
        )
        self.digest = self._model.digest
        prompts = read_json(folder, "config_sentence_transformers.json").get("prompts") or {}
        self._question_prompt = _prompt(prompts, _QUESTION_PROMPTS)
        self._passage_prompt = _prompt(prompts, _PASSAGE_PROMPTS)
        pooling = read_json(folder, "1_Pooling/config.json")
        self._uses_first_token = pooling.get("pooling_mode_cls_token") is True
        outputs = self._model.outputs
        self._output = next((name for name in _TEXT_OUTPUTS if name in outputs), outputs[0])
        try:
            self.dimensions = len(self._vector("klopt dat?"))
        except ModelFailedError as error:
            raise ConfigurationError(f"{self._model.path}: the model {error}") from None

    def __reduce__(self) -> tuple[Any, ...]:
        return Embedder, (self.folder,)

    def question(self, text: str) -> Vector:
        """Return the embedding of a question."""
        return self._vector(self._question_prompt + text)

    def passages(self, page: Page, plain: PlainText) -> PassageVectors:
        """Return the embeddings of a page's passages, as integers up to 127."""
        vectors = [self._vector(self._passage_prompt + text) for text in passages_of(page, plain)]
        scaled = np.array(vectors, np.float32).reshape(-1, self.dimensions)
        largest = np.abs(scaled).max(axis=1, keepdims=True, initial=1e-9)
        whole: PassageVectors = np.round(scaled * (_LARGEST / largest)).astype(np.int8)
        return whole

    def _vector(self, text: str) -> Vector:
        found = self._model.run(self._model.encode(text, max_chars=MAX_TEXT_CHARS), self._output)
        if found.dtype.kind == "f" and found.ndim == 3 and found.shape[0] == 1 and found.shape[1]:
            found = found[:, 0] if self._uses_first_token else found.mean(axis=1)
        if found.dtype.kind != "f" or found.ndim != 2 or len(found) != 1 or not found.size:
            raise ModelFailedError(
                f"returns {found.dtype} of shape {found.shape} for a text; needed is a vector for "
                "the text or for each token"
            )
        vector = found[0].astype(np.float32)
        length = float(np.linalg.norm(vector))
        normal: Vector = vector / np.float32(length or 1.0)
        return normal


def _prompt(prompts: object, names: tuple[str, ...]) -> str:
    known = prompts if isinstance(prompts, dict) else {}
    return next((known[name] for name in names if isinstance(known.get(name), str)), "")


def passages_of(page: Page, plain: PlainText) -> list[str]:
    r"""Return a page's text in passages of `PASSAGE_WORDS` words, each after the page's title.

    >>> from klopt.text.markup import read_text
    >>> page = Page("# Wifi\n\nKlik op **Uit**.", "wifi.md")
    >>> passages_of(page, read_text(page.text))
    ['Wifi. Wifi Klik op Uit.']
    """
    title = (page.title or title_in(plain) or page.id or "")[:MAX_TEXT_CHARS]
    words = plain.text.split()
    starts = range(0, len(words), PASSAGE_WORDS)[:MAX_PASSAGES]
    return [f"{title}. {' '.join(words[at : at + PASSAGE_WORDS])}" for at in starts]


def passage_type(dimensions: int) -> np.dtype[Any]:
    """Return the type of a passage's row: the number of its page's record, and its vector."""
    return np.dtype([("record", "<u4"), ("vector", "i1", (dimensions,))])


class Similarity:
    """The similarity of a question to pages; ValueError for passages not sorted by record."""

    def __init__(self, passages: NDArray[np.void], records: NDArray[np.int64]) -> None:
        self._vectors: PassageVectors = passages["vector"]
        self._lengths = self._blockwise(lambda some: np.linalg.norm(some, axis=1)).clip(min=1)
        owners = passages["record"].astype(np.int64)
        if (np.diff(owners) < 0).any():
            raise ValueError("the passages are not sorted")
        self._records, self._starts = np.unique(owners, return_index=True)
        self._rows = np.searchsorted(self._records, records)
        self._rows[self._rows == len(self._records)] = 0
        self._has_any = np.isin(records, self._records)

    def of(self, question: Vector) -> NDArray[np.float64]:
        """Return the cosine of each page's best passage; 0 for a page without text."""
        if not len(self._records):
            return np.zeros(len(self._rows))
        cosines = self._blockwise(lambda some: some @ question) / self._lengths
        best = np.maximum.reduceat(cosines, self._starts)
        return np.where(self._has_any, best[self._rows], 0.0)

    def _blockwise(self, function: Callable[[NDArray[np.float32]], NDArray[np.float32]]) -> Vector:
        """A number for each vector, in blocks that bound the memory for floats."""
        blocks = range(0, len(self._vectors), _BLOCK)
        floats = (self._vectors[at : at + _BLOCK].astype(np.float32) for at in blocks)
        return np.concatenate([np.zeros(0, np.float32), *map(function, floats)])
