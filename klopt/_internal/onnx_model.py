"""Run a local ONNX model and its tokenizer deterministically on the CPU.

Nothing is downloaded, weights in further files are refused, and no code of a model is executed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable
from importlib import import_module
from mmap import ACCESS_READ, mmap
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt._internal.imports import needs
from klopt.errors import ConfigurationError, KloptError

if TYPE_CHECKING:
    from types import ModuleType

    from onnxruntime import InferenceSession
    from tokenizers import Encoding

EXTRA: Final = "encoder"
CONFIG: Final = "config.json"
MAX_BYTES: Final = {
    CONFIG: 1 << 20,
    "config_sentence_transformers.json": 1 << 20,
    "1_Pooling/config.json": 1 << 20,
    "tokenizer.json": 1 << 26,
    "model.onnx": 1 << 31,
    "onnx/model.onnx": 1 << 31,
}  # The files that are read, and their largest size

_MODELS: Final = ("model.onnx", "onnx/model.onnx")
_TORCH: Final = ("*.safetensors", "*.bin", "*.pt")
_INPUTS: Final = {
    "input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids",
}  # fmt: skip
_LOCATION: Final = b"location"
_LOCATION_KEY: Final = re.compile(rb"(?:\x0a|\x8a\x80*\x00)(?:\x08|\x88\x80*\x00)\Z")
"""The bytes before the key by which an ONNX file names another file, in every encoding."""
_KEY_BYTES: Final = 20
_MAX_LISTED: Final = 8
_MAX_LISTED_CHARS: Final = 60
_MAX_MESSAGE_CHARS: Final = 300
_DIGEST_CHARS: Final = 12


class ModelFailedError(KloptError):
    """The model fails on an input or returns numbers that are not finite."""


class OnnxModel:
    """An ONNX model with its tokenizer.

    Safe for several threads and for forked processes. The folder has ``model.onnx`` or
    ``onnx/model.onnx``, ``tokenizer.json`` and perhaps ``config.json``. Inputs are run one by one
    and never padded, so that the result for a text does not depend on the texts around it.
    ``purpose`` and ``task`` (of optimum's export) are for messages; longer inputs than
    ``max_tokens`` are truncated; ``threads`` are per input. ``digest`` is of all files that are
    read, 12 hexadecimal digits. Raises ConfigurationError for a file that is missing, invalid, too
    large or outside the folder.
    """

    def __init__(
        self, folder: Path, *, purpose: str, task: str, max_tokens: int, threads: int = 1
    ) -> None:
        self._runtime, library = libraries(purpose)
        self.path = model_path(folder, task)
        tokenizer = checked_path(folder, "tokenizer.json")
        present = [name for name in MAX_BYTES if name not in _MODELS and (folder / name).exists()]
        try:
            self.digest = _digest([*(checked_path(folder, one) for one in present), self.path])
            content = tokenizer.read_bytes()
        except OSError as error:
            raise ConfigurationError(f"{folder}: cannot be read: {error}") from None
        try:
            self._tokenizer = library.Tokenizer.from_buffer(content)
        except ValueError as error:
            raise ConfigurationError(f"{tokenizer}: {_one_line(error)}") from None
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_tokens)
        self._threads = threads
        self._sessions: dict[int, InferenceSession] = {}
        session = self._session()
        self._inputs = {
            given.name: np.int32 if given.type == "tensor(int32)" else np.int64
            for given in session.get_inputs()
            if given.name in _INPUTS
        }
        self.outputs = [given.name for given in session.get_outputs()]
        self.versions = ",".join(
            f"{module.__name__}:{module.__version__}" for module in (self._runtime, library)
        )

    def _session(self) -> InferenceSession:
        """Return the session of this process; a forked process lacks its parent's threads."""
        if (pid := os.getpid()) not in self._sessions:
            self._sessions[pid] = self._open()
        return self._sessions[pid]

    def encode(self, *texts: str, max_chars: int) -> Encoding:
        """Tokenize a text or a pair of texts; of a pair the longer text is truncated first."""
        # A tokenizer does not accept lone surrogates.
        cut = (text[:max_chars].encode("utf-8", "replace").decode() for text in texts)
        encoding: Encoding = self._tokenizer.encode(*cut)
        return encoding

    def run(self, encoding: Encoding, output: str) -> NDArray[Any]:
        """Return one output for one input, or raise `ModelFailedError`."""
        feed: dict[str, NDArray[Any]] = {
            name: np.array([getattr(encoding, _INPUTS[name])], kind)
            for name, kind in self._inputs.items()
        }
        try:
            found = np.asarray(self._session().run([output], feed)[0])
        except Exception as error:  # those of onnxruntime share no narrower class
            raise ModelFailedError(f"fails: {_one_line(error)}") from None
        if found.dtype.kind == "f" and not np.isfinite(found).all():
            raise ModelFailedError("returns numbers that are not finite")
        return found

    def _open(self) -> InferenceSession:
        options = self._runtime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        options.use_deterministic_compute = True
        options.log_severity_level = 4
        options.add_session_config_entry("session.load_model_format", "ONNX")
        try:
            session: InferenceSession = self._runtime.InferenceSession(
                self.path, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # those of onnxruntime share no narrower class
            raise ConfigurationError(
                f"{self.path}: the model cannot be loaded; it may be truncated or of another kind: "
                f"{_one_line(error)}"
            ) from None
        return session


def libraries(purpose: str) -> tuple[ModuleType, ModuleType]:
    """Return onnxruntime and tokenizers, or raise `ExtraMissingError`."""
    with needs(EXTRA, f"{purpose} needs onnxruntime and tokenizers"):
        return import_module("onnxruntime"), import_module("tokenizers")


def model_path(folder: Path, task: str) -> Path:
    """Return the model file of a folder; one with weights in another file is refused."""
    if not folder.is_dir():
        problem = "is a file" if folder.exists() else "does not exist"
        raise ConfigurationError(f"{folder}: {problem}; give the folder of a model")
    name = next((name for name in _MODELS if (folder / name).exists()), None)
    if name is None:
        torch = sorted(file.name for kind in _TORCH for file in folder.glob(kind))
        found = f"{listed(torch)} can be read by torch only" if torch else "there is none"
        raise ConfigurationError(
            f"{folder}: needs a model in ONNX ({' or '.join(_MODELS)}), and {found}; to convert a "
            "model of transformers: pip install 'optimum-onnx[onnxruntime]', then optimum-cli "
            f"export onnx --model {quote(str(folder))} --task {task} NEW_FOLDER"
        )
    path = checked_path(folder, name)
    # Weights in another file are refused: whatever that file is would be read.
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        at = content.find(_LOCATION)
        while at >= 0:
            if _LOCATION_KEY.search(content[max(0, at - _KEY_BYTES) : at]):
                raise ConfigurationError(
                    f"{path}: has weights in another file, which klopt does not read; merge them: "
                    'python -c \'import onnx; onnx.save(onnx.load("model.onnx"), "whole.onnx")\''
                )
            at = content.find(_LOCATION, at + 1)
    return path


def checked_path(folder: Path, name: str) -> Path:
    """Return the path of a file in a model folder, after checking its presence, link and size."""
    path = folder / name
    if not path.is_file():
        raise ConfigurationError(f"{folder}: file {name} is missing; it comes with the model")
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ConfigurationError(
            f"{path}: is a link to a file outside the folder; put the file itself there"
        )
    size, largest = path.stat().st_size, MAX_BYTES[name]
    if not 0 < size <= largest:
        raise ConfigurationError(f"{path}: has {size:,} bytes; allowed are 1 to {largest:,}")
    return path


def read_json(folder: Path, name: str) -> dict[str, Any]:
    """Return the object in an optional JSON file of a model folder; empty without the file."""
    if not (folder / name).exists():
        return {}
    path = checked_path(folder, name)
    try:
        table = json.loads(path.read_bytes())
    except (RecursionError, ValueError) as error:
        raise ConfigurationError(f"{path}: is not JSON: {_one_line(error)}") from None
    if not isinstance(table, dict):
        raise ConfigurationError(f"{path}: has {type(table).__name__}; allowed is an object")
    return table


def listed(values: Iterable[object]) -> str:
    """Return the first few values, shortened, for a message."""
    items = list(values)
    more = f" and {len(items) - _MAX_LISTED} more" if len(items) > _MAX_LISTED else ""
    return ", ".join(str(value)[:_MAX_LISTED_CHARS] for value in items[:_MAX_LISTED]) + more


def _digest(paths: Iterable[Path]) -> str:
    whole = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()[:_DIGEST_CHARS]


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:_MAX_MESSAGE_CHARS]
