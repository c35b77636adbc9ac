"""A short hash of a pipeline's files, for the fingerprint of an assessment."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from klopt.pipelines.inventory import find

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["hash_of", "signature"]

HASH_CHARS: Final = 12
_DOCUMENTS: Final = frozenset({".md", ".pyc"})
_FIGURES: Final = "scores.json"


def signature(language: str, name: str | None = None) -> str:
    """The hash of a pipeline's files, without loading it; 12 hexadecimal digits.

    Two machines that show the same signature parse alike, up to the version of spaCy. The model
    card and the measured scores do not count.

    Raises:
        UnknownLanguageError, PipelineError: As `klopt.pipelines.load`.

    >>> len(signature("nl")), signature("nl") == signature("en")
    (12, False)
    """
    return _hash_of_folder(find(language, name).path)


def hash_of(nlp: Language) -> str:
    """The hash of a loaded pipeline; equals its `signature` if it came from a folder.

    >>> from klopt.pipelines import load
    >>> hash_of(load("nl")) == signature("nl")
    True
    """
    if nlp.path is not None and (Path(nlp.path) / "meta.json").is_file():
        return _hash_of_folder(Path(nlp.path))
    return hashlib.sha256(nlp.to_bytes()).hexdigest()[:HASH_CHARS]


@cache
def _hash_of_folder(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix()):
        if path.is_file() and path.suffix not in _DOCUMENTS and path.name != _FIGURES:
            content = path.read_bytes()
            digest.update(f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()[:HASH_CHARS]
