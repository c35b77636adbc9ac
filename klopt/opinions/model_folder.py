"""The folder of a model: its files, bounded and all inside it, and what its labels mean."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from mmap import ACCESS_READ, mmap
from pathlib import Path
from shlex import quote
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from klopt import shipped
from klopt.comparing import LABELS, Says
from klopt.errors import ConfigurationError

_CONFIG: Final = "config.json"
_TOKENIZER: Final = "tokenizer.json"
_MODELS: Final = ("model.onnx", "onnx/model.onnx")
_LARGEST_BYTES: Final = {_CONFIG: 1 << 20, _TOKENIZER: 1 << 26} | dict.fromkeys(_MODELS, 1 << 31)
_TORCH: Final = ("*.safetensors", "*.bin", "*.pt")
_LOCATION: Final = b"location"
_IS_KEY: Final = re.compile(rb"(?:\x0a|\x8a\x80*\x00)(?:\x08|\x88\x80*\x00)\Z")
"""What stands before that where an ONNX file names another file, however it is coded."""
_BEFORE_BYTES: Final = 20
_FEWEST_PLACES: Final = 64
_MOST_SHOWN: Final = 8
_LONGEST_SHOWN_CHARS: Final = 60


class _Config(BaseModel):
    """What is read of ``config.json``."""

    model_config = ConfigDict(strict=True)

    id2label: dict[str, str] = Field({"0": "LABEL_0", "1": "LABEL_1"}, min_length=2)
    """As transformers, which writes no labels for a model that has two without names."""
    max_position_embeddings: Annotated[int, Field(ge=_FEWEST_PLACES)] | None = None


@dataclass(frozen=True)
class ModelFolder:
    """A model that was found, its configuration read; neither model nor tokenizer is open yet.

    `meanings` are of its labels, in the order of their numbers; `places` is for how many tokens it
    has a place, where it says so; `digest` is of all files.
    """

    model: Path
    tokenizer: Path
    meanings: tuple[Says, ...]
    places: int | None
    digest: str

    @classmethod
    def read(cls, folder: Path, labels: Mapping[str, Says]) -> ModelFolder:
        """Looks at a folder; what ``labels`` mean goes before what klopt knows of them.

        Raises:
            ConfigurationError: A file is missing, too large or outside the folder; or what the
                labels mean is not known.
        """
        try:
            model = _model_path(folder)
            tokenizer, config_path = _path(folder, _TOKENIZER), _path(folder, _CONFIG)
            config = _config(config_path)
            meanings = _meanings(config_path, config.id2label, labels)
            _refuse_other_files(model)
            digest = _digest([config_path, tokenizer, model])
        except OSError as error:
            raise ConfigurationError(f"{folder}: cannot be read: {error}") from None
        return cls(model, tokenizer, meanings, config.max_position_embeddings, digest)


def _model_path(folder: Path) -> Path:
    if not folder.is_dir():
        met = "a file" if folder.exists() else "not there"
        raise ConfigurationError(f"{folder}: is {met}; give the folder of a model")
    for name in _MODELS:
        if (folder / name).exists():
            return _path(folder, name)
    torch = sorted(file.name for kind in _TORCH for file in folder.glob(kind))
    met = (
        f"{', '.join(torch[:_MOST_SHOWN])} can be read by torch only" if torch else "none is there"
    )
    raise ConfigurationError(
        f"{folder}: a model in ONNX is needed ({' or '.join(_MODELS)}), and {met}; to make one of "
        "a model of transformers: pip install 'optimum-onnx[onnxruntime]', then optimum-cli export "
        f"onnx --model {quote(str(folder))} --task text-classification NEW_FOLDER"
    )


def _path(folder: Path, name: str) -> Path:
    path = folder / name
    if not path.is_file():
        raise ConfigurationError(f"{folder}: there is no file {name}; it comes with the model")
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ConfigurationError(
            f"{path}: a link to a file outside the folder; put the file itself there"
        )
    size, largest = path.stat().st_size, _LARGEST_BYTES[name]
    if not 0 < size <= largest:
        raise ConfigurationError(f"{path}: {size:,} bytes; allowed are 1 to {largest:,}")
    return path


def _config(path: Path) -> _Config:
    try:
        return _Config.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ConfigurationError(
            f"{path}: {place + ': ' if place else ''}{first['msg']}; met {_shown(first['input'])}"
        ) from None


def _meanings(path: Path, labels: Mapping[str, str], given: Mapping[str, Says]) -> tuple[Says, ...]:
    """What each label means, in the order of the model's numbers."""
    if set(labels) != {str(number) for number in range(len(labels))}:
        raise ConfigurationError(
            f"{path}: id2label numbers its labels {listed(labels)}; allowed are 0 to "
            f"{len(labels) - 1}"
        )
    names = [labels[str(number)] for number in range(len(labels))]
    table = shipped.table("klopt.opinions", "encoder.toml")["labels"]
    known: dict[str, Says] = table | {_key(name): meaning for name, meaning in given.items()}
    meanings = tuple(known[_key(name)] for name in names if _key(name) in known)
    strange = [name for name in given if _key(name) not in map(_key, names)]
    are_known = len(meanings) == len(names) and not strange
    if are_known and "supported" in meanings and len(set(meanings)) > 1:
        return meanings
    example = ", ".join(
        f'{name if name.isidentifier() else json.dumps(name)} = "..."'
        for name in map(_shown, names[:_MOST_SHOWN])
    )
    raise ConfigurationError(
        f"{path}: one label must mean supported and another not, and each must be known: "
        f"{', '.join(table)}; the model has {listed(names)}"
        + (f", and not {listed(strange)}" if strange else "")
        + f"; say in the profile what each means: labels = {{ {example} }}, each of them "
        + ", ".join(LABELS)
    )


def _refuse_other_files(path: Path) -> None:
    """Stops at a model that has weights in another file: whatever that is would be read."""
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        at = content.find(_LOCATION)
        while at >= 0:
            if _IS_KEY.search(content[max(0, at - _BEFORE_BYTES) : at]):
                raise ConfigurationError(
                    f"{path}: has weights in another file, which is not read; put them into one: "
                    'python -c \'import onnx; onnx.save(onnx.load("model.onnx"), "whole.onnx")\''
                )
            at = content.find(_LOCATION, at + 1)


def _digest(paths: Sequence[Path]) -> str:
    whole = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()


def _key(label: str) -> str:
    """A label without what may differ in how it is written."""
    return re.sub(r"[\s_-]+", "_", label.strip()).casefold()


def _shown(value: object) -> str:
    return str(value)[:_LONGEST_SHOWN_CHARS]


def listed(values: Iterable[object]) -> str:
    """The first few of some values, for a message."""
    some = list(values)
    more = f" and {len(some) - _MOST_SHOWN} more" if len(some) > _MOST_SHOWN else ""
    return ", ".join(map(_shown, some[:_MOST_SHOWN])) + more
