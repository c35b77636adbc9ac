"""spaCy pipelines by language: two bundled (nl, en), any installed one by its package name.

Importing this package does not import spaCy; loading a pipeline does.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from klopt._internal.imports import needs
from klopt.errors import PipelineError, UnknownLanguageError

if TYPE_CHECKING:
    from spacy.language import Language

BUNDLED: Final = "klopt"
"""The name of the bundled pipelines in a profile."""
SUBJECT_LABELS: Final = frozenset({"nsubj", "nsubj:outer", "nsubj:pass", "nsubjpass"})
"""Labels of nominal subjects: Universal Dependencies, and ``nsubjpass`` of ``en_core_web_*``."""
_HOME: Final = Path(__file__).parent
_SPACY_KINDS: Final = ("_core_", "_dep_", "_ent_")
_NEEDED: Final = {
    "parser": ("parser",),
    "part-of-speech tagger": ("morphologizer", "tagger"),
    "lemmatizer": ("lemmatizer", "trainable_lemmatizer"),
}
_HASH_CHARS: Final = 12
_NOT_HASHED: Final = frozenset({".md", ".pyc"})
_FIGURES: Final = "scores.json"


@dataclass(frozen=True, slots=True)
class PipelineInfo:
    """One pipeline that can be loaded now.

    Attributes:
        language: ISO 639-1 code: ``nl``, ``en``.
        name: Its name in a profile: ``klopt``, or the package's name.
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

    bundled = [_read(_HOME / code, BUNDLED) for code in _bundled_languages()]
    installed = [
        _read(folder, entry.name)
        for entry in entry_points(group="spacy_models")
        if (folder := _package_folder(entry.name)) is not None
    ]
    return (*bundled, *sorted(installed, key=lambda info: (info.language, info.name)))


def load(language: str, name: str | None = None) -> Language:
    """Return a pipeline, loaded once per process and shared: do not add components to it.

    Args:
        language: ISO 639-1 code: ``nl``, ``en``.
        name: ``klopt`` or None for the bundled pipeline; else an installed spaCy pipeline package,
            such as ``nl_core_news_sm``.

    Raises:
        UnknownLanguageError: No pipeline is bundled for the language.
        PipelineError: The package is not installed, is for another language, or lacks a parser,
            tagger or lemmatizer.
        ExtraMissingError: spaCy is not installed.

    >>> document = load("nl")("De wijziging wordt opgeslagen.")
    >>> [word.text for word in document if word.dep_ == "nsubj:pass"]
    ['wijziging']
    >>> load("nl", "nl_core_news_xx")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    klopt.errors.PipelineError: pipeline "nl_core_news_xx" is not installed; ...
    """
    return _load(_find(language, name))


def check_installed() -> None:
    """Check that spaCy is installed, without importing it.

    Raises:
        ExtraMissingError: spaCy is not installed.
    """
    with needs("afas", "a profile that reads a parse needs spacy"):
        if importlib.util.find_spec("spacy") is None:
            raise ModuleNotFoundError


def signature(language: str, name: str | None = None) -> str:
    """Return the hash of a pipeline's files, without model card and scores; 12 hexadecimal digits.

    Machines with the same signature and version of spaCy parse alike.

    Raises:
        UnknownLanguageError, PipelineError: As `load`.

    >>> len(signature("nl")), signature("nl") == signature("en")
    (12, False)
    """
    return hash_of(_find(language, name).path)


@cache
def _load(info: PipelineInfo) -> Language:
    check_installed()
    import spacy

    from klopt.text.pipelines import lemma_rules  # noqa: F401 - registers the factory

    # Bundled pipelines use spaCy's tokenizer; reading it from the file would take half a second.
    nlp = spacy.load(info.path, exclude=["tokenizer"] if info.bundled else [])
    missing = [
        what for what, pipes in _NEEDED.items() if not any(pipe in nlp.pipe_names for pipe in pipes)
    ]
    if missing:
        raise PipelineError(
            f'pipeline "{info.name}" has no {" and no ".join(missing)}; '
            f"it has {', '.join(nlp.pipe_names) or 'no components'}"
        )
    return nlp


@cache
def hash_of(folder: Path) -> str:
    """The hash of a pipeline's folder, as `signature` gives it."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix()):
        if path.is_file() and path.suffix not in _NOT_HASHED and path.name != _FIGURES:
            content = path.read_bytes()
            digest.update(f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()[:_HASH_CHARS]


def _find(language: str, name: str | None) -> PipelineInfo:
    """Return the pipeline of a name."""
    if name is None or name == BUNDLED:
        bundled = _bundled_languages()
        if language in bundled:
            return _read(_HOME / language, BUNDLED)
        raise UnknownLanguageError(
            f'no pipeline is bundled for language "{language}"; bundled: {", ".join(bundled)}. '
            "Name an installed spaCy pipeline in the profile, or translate the answers"
        )
    if not name.isidentifier():
        raise PipelineError(
            f'"{name}" is not the name of a package, such as nl_core_news_sm; {_there_is(language)}'
        )
    folder = _package_folder(name)
    if folder is None:
        raise PipelineError(_not_there(language, name))
    info = _read(folder, name)
    if info.language != language:
        raise PipelineError(
            f'pipeline "{name}" is for language "{info.language}", not "{language}"; '
            f"{_there_is(language)}"
        )
    return info


def _bundled_languages() -> list[str]:
    return sorted(meta.parent.name for meta in _HOME.glob("[a-z]*/meta.json"))


def _read(folder: Path, name: str) -> PipelineInfo:
    meta: dict[str, Any] = json.loads((folder / "meta.json").read_text("utf-8"))
    licence = str(meta.get("license", ""))
    return PipelineInfo(meta["lang"], name, meta["version"], licence, folder, name == BUNDLED)


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
    return f"installed for {language}: {', '.join(names) or 'none'}"


def _not_there(language: str, name: str) -> str:
    if importlib.util.find_spec(name) is not None:
        return f'package "{name}" is installed but is not a spaCy pipeline; {_there_is(language)}'
    spacys = any(kind in name for kind in _SPACY_KINDS)
    command = f"python -m spacy download {name}" if spacys else f"pip install {name}"
    return (
        f'pipeline "{name}" is not installed; {_there_is(language)}. '
        f"Install it with `{command}`, or name an installed one"
    )
