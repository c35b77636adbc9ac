"""Which kind of translation file a file is."""

from __future__ import annotations

import codecs
from collections import Counter
from pathlib import Path
from typing import Final

import regex

from klopt.bilingual.memory_lines import read_lines
from klopt.bilingual.pairs import Read, stated
from klopt.bilingual.po import read_po
from klopt.bilingual.tmx import read_tmx
from klopt.bilingual.xliff import read_xliff
from klopt.errors import InputError

KNOWN: Final = "TMX, XLIFF 1.2 and 2, gettext PO, and the JSON lines of klopt memory export"

_LOOK_BYTES: Final = 4_000
_ROOT: Final = regex.compile(r"<(?:[\w.-]+:)?(tmx|xliff)[\s>]")
_MESSAGE: Final = regex.compile(r'(?m)^(?:#~ )?msg(?:id|ctxt) "')
_LINE: Final = regex.compile(r"\s*\{")
_LINES: Final = (".jsonl", ".ndjson")
_CATALOGUES: Final = (".po", ".pot")


def read_file(
    path: Path, source_language: str | None = None, target_language: str | None = None
) -> Read:
    """What a translation file holds, whatever kind it is; its content says that, then its name.

    Args:
        path: TMX, XLIFF, PO, or JSON lines of a memory.
        source_language: The language of the sources to come; may be None for a file that klopt
            wrote. When stated, its entries in other languages are left out, and counted.
        target_language: The language of the targets to come.

    Raises:
        InputError: The file is not there, cannot be read, or is of another kind.
        ConfigurationError: Languages are not stated, or are not those of the file.
        ExtraMissingError: The extra ``translation`` is not installed.
    """
    head = _head(path)
    root = _ROOT.search(head)
    if root is not None and head.lstrip("\ufeff \t\r\n").startswith("<"):
        if root[1] == "tmx":
            return _in(read_tmx(path, source_language, target_language),
                       source_language, target_language)  # fmt: skip
        return read_xliff(path, *stated(path, source_language, target_language))
    if path.suffix.lower() in _LINES or _LINE.match(head):
        return _in(read_lines(path), source_language, target_language)
    if path.suffix.lower() in _CATALOGUES or _MESSAGE.search(head):
        return read_po(path, *stated(path, source_language, target_language))
    raise InputError(f"{path}: not a translation file; klopt reads {KNOWN}")


def _in(found: Read, source_language: str | None, target_language: str | None) -> Read:
    """The same, with only the entries in the languages that were stated."""
    kept = tuple(
        entry
        for entry in found.entries
        if source_language in (None, entry.source_language)
        and target_language in (None, entry.target_language)
    )
    left = len(found.entries) - len(kept)
    skipped = Counter(found.skipped)
    if left:
        skipped[f"not in {source_language or 'any'} and {target_language or 'any'}"] += left
    return Read(kept, found.pairs, skipped)


def _head(path: Path) -> str:
    """The first characters, in the encoding that the first bytes tell."""
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    try:
        with path.open("rb") as file:
            data = file.read(_LOOK_BYTES)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "ignore")
    return data.decode("utf-8-sig", "ignore")
