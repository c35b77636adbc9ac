"""Which pipelines there are on this machine, and where each one's files lie."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from klopt.errors import PipelineError, UnknownLanguageError

__all__ = ["BUNDLED", "PipelineInfo", "available", "find"]

BUNDLED: Final = "klopt"
"""The name under which a profile asks for the bundled pipeline of its language."""

_HOME: Final = Path(__file__).parent
_SPACY_KINDS: Final = ("_core_", "_dep_", "_ent_")


@dataclass(frozen=True, slots=True)
class PipelineInfo:
    """One pipeline that can be loaded now.

    Attributes:
        language: ISO 639-1 code: ``nl``, ``en``.
        name: What to call it in a profile: ``klopt``, or the package's name.
        version: The pipeline's own version, not klopt's.
        licence: As its makers state it; empty if they do not.
        path: The folder of its files.
        bundled: True for the pipelines inside klopt's own wheel.
    """

    language: str
    name: str
    version: str
    licence: str
    path: Path
    bundled: bool


def available() -> tuple[PipelineInfo, ...]:
    """Every pipeline on this machine: the bundled ones, then installed packages, by language.

    >>> [(info.language, info.name) for info in available() if info.bundled]
    [('en', 'klopt'), ('nl', 'klopt')]
    """
    from importlib.metadata import entry_points

    bundled = [_read(_HOME / code, BUNDLED, bundled=True) for code in _bundled_languages()]
    installed = [
        _read(folder, entry.name, bundled=False)
        for entry in entry_points(group="spacy_models")
        if (folder := _package_folder(entry.name)) is not None
    ]
    by_language = sorted([*bundled, *installed], key=lambda info: (info.language, info.name))
    return tuple(sorted(by_language, key=lambda info: not info.bundled))


def find(language: str, name: str | None = None) -> PipelineInfo:
    """The pipeline of that name and no other; see `klopt.pipelines.load` for the errors.

    >>> find("nl").bundled
    True
    """
    if name is None or name == BUNDLED:
        if language in _bundled_languages():
            return _read(_HOME / language, BUNDLED, bundled=True)
        raise UnknownLanguageError(_no_language(language))
    if not name.isidentifier():
        raise PipelineError(
            f'"{name}" is not the name of a package, such as nl_core_news_sm; {_there_is(language)}'
        )
    folder = _package_folder(name)
    if folder is None:
        raise PipelineError(_not_there(language, name))
    info = _read(folder, name, bundled=False)
    if info.language != language:
        raise PipelineError(
            f'pipeline "{name}" is for language "{info.language}", not "{language}"; '
            f"{_there_is(language)}"
        )
    return info


def _bundled_languages() -> list[str]:
    return sorted(meta.parent.name for meta in _HOME.glob("[a-z]*/meta.json"))


def _read(folder: Path, name: str, *, bundled: bool) -> PipelineInfo:
    meta: dict[str, Any] = json.loads((folder / "meta.json").read_text("utf-8"))
    return PipelineInfo(
        language=str(meta["lang"]),
        name=name,
        version=str(meta["version"]),
        licence=str(meta.get("license", "")),
        path=folder,
        bundled=bundled,
    )


def _package_folder(name: str) -> Path | None:
    """Where an installed spaCy pipeline package keeps its files: ``NAME/NAME-VERSION``."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        return None
    package = Path(spec.origin).parent
    if not (package / "meta.json").is_file():
        return None
    version = json.loads((package / "meta.json").read_text("utf-8"))["version"]
    folder = package / f"{name}-{version}"
    return folder if (folder / "meta.json").is_file() else None


def _there_is(language: str) -> str:
    names = [info.name for info in available() if info.language == language]
    return f"there is for {language}: {', '.join(names) or 'none'}"


def _no_language(language: str) -> str:
    return (
        f'no pipeline is bundled for language "{language}"; '
        f"bundled: {', '.join(_bundled_languages())}. "
        "Name an installed spaCy pipeline in the profile, or go by translation"
    )


def _not_there(language: str, name: str) -> str:
    if importlib.util.find_spec(name) is not None:
        return f'package "{name}" is installed but is not a spaCy pipeline; {_there_is(language)}'
    spacys = any(kind in name for kind in _SPACY_KINDS)
    command = f"python -m spacy download {name}" if spacys else f"pip install {name}"
    return (
        f'pipeline "{name}" is not installed; {_there_is(language)}. '
        f"Install it with `{command}`, or name one that is there"
    )
