"""Product names of a company: the lexicon ``product_names`` with allowed and denied names."""

from __future__ import annotations

import datetime
from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

import tomlkit

from klopt._internal.files import read_text_file, whole_file
from klopt.lexicons import lexicon_in, read_lexicon

LEXICON: Final = "product_names"
MAX_ORIGIN_CHARS: Final = 300
Part: TypeAlias = Literal["allowed", "denied"]


@dataclass(frozen=True)
class ProductName:
    """A name in a company's list of allowed or denied names.

    ``origin``, how often and where it was found, goes into the table ``[about]`` of the file.
    """

    name: str
    part: Part = "allowed"
    origin: str = ""


def names_file(folder: Path, language: str) -> Path:
    """Return the path of the lexicon of one language."""
    return folder / language / f"{LEXICON}.toml"


def read_names(folder: Path, language: str) -> list[ProductName]:
    """Return the names of one language, without their origins."""
    path = names_file(folder, language)
    lists = read_lexicon(path).lists if path.is_file() else {}
    return [ProductName(name, part) for part in get_args(Part) for name in lists.get(part, ())]


def add_names(folder: Path, language: str, names: Iterable[ProductName]) -> None:
    """Add names in alphabetical order; comments and names that are listed already stay.

    Raises:
        LexiconError: The file breaks its schema, or would with the names. It stays unchanged.
    """
    _edit(folder, language, names, _add)


def remove_names(folder: Path, language: str, names: Iterable[ProductName]) -> None:
    """Remove names; see `add_names`."""
    _edit(folder, language, names, _remove)


def _edit(
    folder: Path,
    language: str,
    names: Iterable[ProductName],
    edit: Callable[[tomlkit.TOMLDocument, ProductName], None],
) -> None:
    path = names_file(folder, language)
    before = read_text_file(path) if path.is_file() else _empty(language)
    lexicon_in(before, str(path))
    document = tomlkit.parse(before)
    for name in names:
        edit(document, name)
    text = tomlkit.dumps(document)
    if text != before:
        lexicon_in(text, str(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            file.write(text)


def _empty(language: str) -> str:
    head = {
        "id": LEXICON,
        "language": language,
        "source": "klopt company",
        "licence": "as the pages",
        "retrieved": datetime.date.today(),
        "changes": "none",
    }
    lists: dict[str, Sequence[str]] = {part: [] for part in get_args(Part)}
    return tomlkit.dumps({"lexicon": head, "lists": lists})


def _add(document: tomlkit.TOMLDocument, name: ProductName) -> None:
    lists: Any = document["lists"]
    names = lists.setdefault(name.part, tomlkit.array())
    if name.name in names:
        return
    names.insert(bisect(list(names.unwrap()), name.name), name.name)
    names.multiline(True)
    if origin := " ".join(name.origin.split())[:MAX_ORIGIN_CHARS]:
        about: Any = document.setdefault("about", tomlkit.table())
        about[name.name] = origin


def _remove(document: tomlkit.TOMLDocument, name: ProductName) -> None:
    about: Any = document.get("about", {})
    about.pop(name.name, None)
    lists: Any = document["lists"]
    names = lists.get(name.part, [])
    if name.name in names:
        del names[names.index(name.name)]
