"""A net that ONNX Runtime runs: no code of its own, and nothing from outside its file."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from klopt.errors import ConfigurationError
from klopt.extras import needs

if TYPE_CHECKING:
    from types import ModuleType

    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

EXTRA: Final = "encoder"
_LONGEST_TOLD_CHARS: Final = 300


def libraries(told: str) -> tuple[ModuleType, ModuleType]:
    """The packages onnxruntime and tokenizers.

    Args:
        told: What needs them, for people.

    Raises:
        ExtraMissingError: One is not installed.
    """
    with needs(EXTRA, f"{told} needs onnxruntime and tokenizers"):
        return import_module("onnxruntime"), import_module("tokenizers")


class Net:
    """A net in a file. Safe to use from several threads, and in processes that are forked off.

    Args:
        runtime: onnxruntime.
        path: The net.
        threads: It is computed on so many.

    Raises:
        ConfigurationError: The file is no net, or not one that can be loaded.
    """

    def __init__(self, runtime: ModuleType, path: Path, threads: int = 1) -> None:
        self._open: Callable[[], InferenceSession] = lambda: _opened(runtime, path, threads)
        self._sessions = {os.getpid(): self._open()}

    @property
    def session(self) -> InferenceSession:
        """That of this process: a forked one has nothing of its parent's threads and locks.

        Its parent's stays, since to end that would wait for threads that are not there.
        """
        here = os.getpid()
        return self._sessions.get(here) or self._sessions.setdefault(here, self._open())


def read_tokenizer(library: ModuleType, path: Path) -> Tokenizer:
    """The tokenizer of a file, which fills nothing up.

    Raises:
        ConfigurationError: The file is no tokenizer.
    """
    try:
        tokenizer: Tokenizer = library.Tokenizer.from_buffer(path.read_bytes())
    except ValueError as error:
        raise ConfigurationError(f"{path}: {in_one_line(error)}") from None
    tokenizer.no_padding()
    return tokenizer


def sendable(text: str, most_chars: int) -> str:
    """The beginning of a text, without lone surrogates, which a tokenizer does not take."""
    return text[:most_chars].encode("utf-8", "replace").decode()


def in_one_line(error: Exception) -> str:
    """What a library says, in one line."""
    return " ".join(str(error).split())[:_LONGEST_TOLD_CHARS]


def _opened(runtime: ModuleType, path: Path, threads: int) -> InferenceSession:
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.use_deterministic_compute = True
    options.log_severity_level = 4
    options.add_session_config_entry("session.load_model_format", "ONNX")
    try:
        session: InferenceSession = runtime.InferenceSession(
            path, options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # those of onnxruntime share no narrower class
        raise ConfigurationError(
            f"{path}: the model cannot be loaded, and may be cut off or of another kind: "
            f"{in_one_line(error)}"
        ) from None
    return session
