"""Runs a model of pairs of texts on this machine: ONNX Runtime and a tokenizer.

Nothing is downloaded, and no code of a model is run: ONNX Runtime knows the operators that it
comes with and no others.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.errors import ConfigurationError, KloptError
from klopt.extras import needs

if TYPE_CHECKING:
    from types import ModuleType

    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

__all__ = ["MOST_THREADS", "ModelFailedError", "PairSession", "libraries", "sendable"]

MOST_THREADS: Final = 64
"""A model computes on so many at most."""
_LONGEST_TOLD_CHARS: Final = 300


class ModelFailedError(KloptError):
    """The model gives nothing for a pair of texts, or nothing that can be used."""


class PairSession:
    """A model and its tokenizer, ready to be run.

    A pair is run by itself and never filled up: where numbers are rounded to whole ones by the
    largest of all, what stands beside a pair would show in what is said of it, and running several
    together saves a twentieth. Safe to use from several threads, and in processes that are forked
    off: each makes a session of its own.

    Args:
        model: The file of ONNX.
        tokenizer: ``tokenizer.json``.
        threads: A pair is computed on so many.
        needed_for: What needs the libraries, for people.
        extra: The extra that they come with.

    Raises:
        ConfigurationError: A file is damaged or of another kind, or so many threads are not
            allowed.
        ExtraMissingError: onnxruntime or tokenizers is not installed.
    """

    def __init__(
        self, model: Traversable, tokenizer: Traversable, threads: int, needed_for: str, extra: str
    ) -> None:
        self._runtime, library = libraries(needed_for, extra)
        if not 1 <= threads <= MOST_THREADS:
            raise ConfigurationError(f"threads = {threads}: allowed are 1 to {MOST_THREADS}")
        self._model, self._threads = model, threads
        self._sessions: dict[int, InferenceSession] = {}
        self.tokenizer = _tokenizer(library, tokenizer)
        self.versions = {
            "onnxruntime": self._runtime.__version__,
            "tokenizers": library.__version__,
        }
        self._session  # noqa: B018 - so that what is wrong with it is known now

    @property
    def inputs(self) -> dict[str, str]:
        """What the model takes: name → kind of numbers."""
        return {one.name: one.type for one in self._session.get_inputs()}

    @property
    def outputs(self) -> list[str]:
        """What it gives."""
        return [one.name for one in self._session.get_outputs()]

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Start and end of each token of a text."""
        first = self.tokenizer.encode(sendable(text), add_special_tokens=False)
        return [span for part in (first, *first.overflowing) for span in part.offsets]

    def encode(self, first: str, second: str) -> Encoding:
        """A pair as tokens."""
        return self.tokenizer.encode(sendable(first), sendable(second))

    def run(
        self, outputs: Sequence[str], feed: Mapping[str, NDArray[Any]]
    ) -> list[NDArray[np.floating[Any]]]:
        """What the model gives for some numbers.

        Raises:
            ModelFailedError: It fails, or gives what is no finite number.
        """
        try:
            found = [np.asarray(one) for one in self._session.run(list(outputs), dict(feed))]
        except Exception as error:  # those of onnxruntime share no narrower class
            raise ModelFailedError(f"fails: {_told(error)}") from None
        if any(one.dtype.kind == "f" and not np.isfinite(one).all() for one in found):
            raise ModelFailedError("gives numbers that are not finite")
        return found

    @property
    def _session(self) -> InferenceSession:
        """That of this process: a forked one has nothing of its parent's threads and locks.

        Its parent's stays, since to end that would wait for threads that are not there.
        """
        found = self._sessions.get(os.getpid())
        return found or self._sessions.setdefault(os.getpid(), self._make())

    def _make(self) -> InferenceSession:
        options = self._runtime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        options.use_deterministic_compute = True
        options.log_severity_level = 4
        options.add_session_config_entry("session.load_model_format", "ONNX")
        # A file beside others may name weights in them; what comes out of an archive names none.
        model = self._model if isinstance(self._model, Path) else self._model.read_bytes()
        try:
            return self._runtime.InferenceSession(
                model, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # those of onnxruntime share no narrower class
            raise ConfigurationError(
                f"{self._model}: the model cannot be loaded, and may be cut off or of another "
                f"kind: {_told(error)}"
            ) from None


def sendable(text: str) -> str:
    """A text without lone surrogates, which a tokenizer does not take; as long as it was."""
    return text.encode("utf-8", "replace").decode()


def libraries(needed_for: str, extra: str) -> tuple[ModuleType, ModuleType]:
    """ONNX Runtime and the library of tokenizers.

    Raises:
        ExtraMissingError: One of them is not installed; the message names the extra.
    """
    with needs(extra, f"{needed_for} needs onnxruntime and tokenizers"):
        return import_module("onnxruntime"), import_module("tokenizers")


def _tokenizer(library: ModuleType, path: Traversable) -> Tokenizer:
    try:
        found: Tokenizer = library.Tokenizer.from_buffer(path.read_bytes())
    except ValueError as error:
        raise ConfigurationError(f"{path}: {_told(error)}") from None
    found.no_padding()
    return found


def _told(error: Exception) -> str:
    """What a library says, in one line."""
    return " ".join(str(error).split())[:_LONGEST_TOLD_CHARS]
