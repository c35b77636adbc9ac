"""A company's folder: its pages, log, profile and ratings, and its lists of product names."""

from __future__ import annotations

import datetime
import os
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import tomlkit
from pydantic import Field

from klopt._internal.decoding import is_encoding
from klopt._internal.fields import CONVERSATION_NAMES
from klopt._internal.files import lock, read_text_file, whole_file
from klopt._internal.toml_schema import (
    MustBe,
    Table,
    Text,
    check,
    fitting,
    list_of,
    place,
    toml_lines,
)
from klopt.errors import CompanyError, InputError
from klopt.lexicons import lexicon_in, read_lexicon
from klopt.logs.pages import read_pages
from klopt.retrieval import MAX_RETRIEVED
from klopt.scoring.profile import PROFILE_FILE, Profile
from klopt.types import Page, field_names

FILE: Final = "company.toml"
LOCK_FILE: Final = ".klopt.lock"
_RETRIEVE: Final = Annotated[
    int, Field(ge=0, le=MAX_RETRIEVED), MustBe(f"a number of pages from 0 to {MAX_RETRIEVED}")
]


_SCHEMA: Final = Table.of(
    company=Table.of(
        name=Text,
        pages=list_of(place(), "a list of folders", least=1),
        log=(place(), None),
        retrieve=(_RETRIEVE, 0),
        map=(Table.of(**dict.fromkeys((*field_names(), *CONVERSATION_NAMES), (Text, ""))), None),
        encoding=(fitting(is_encoding, "an encoding, such as cp1252"), None),
    )
)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Lock a company's folder against other commands; read the files to change after that."""
    with ExitStack() as stack:
        with suppress(OSError):  # a read-only folder, or a file system without locks
            stack.callback(lock(folder / LOCK_FILE, timeout_s=-1).release)
        yield


@dataclass(frozen=True)
class Company:
    """A company's folder, its name, the folders of its help pages, and its chat log.

    ``retrieve`` is the number of pages that klopt finds for an answer without contexts; ``names``
    and ``encoding`` say how to read the log, as `--map` and `--encoding` do.
    """

    path: Path
    name: str
    page_folders: tuple[Path, ...]
    log: Path | None = None
    retrieve: int = 0
    names: Mapping[str, str] = field(default_factory=dict)
    encoding: str | None = None

    @classmethod
    def open(cls, path: Path) -> Company:
        """Read ``company.toml`` of a folder; InputError if missing, CompanyError if invalid."""
        file = path / FILE
        try:
            text = read_text_file(file)
        except (FileNotFoundError, NotADirectoryError):
            raise InputError(
                f"{path}: no company folder, because it has no {FILE}; create one with "
                f"`klopt company init --pages DIR -o {path}`"
            ) from None
        except OSError as error:
            raise InputError(f"{file}: cannot be read as text: {error}") from None
        table = check(text, where=str(file), schema=lambda _: _SCHEMA, error=CompanyError)
        own = table["company"]
        log = own.get("log")
        folders = tuple(_resolved(path, pages) for pages in own["pages"])
        log = None if log is None else _resolved(path, log)
        reading = own.get("map", {}), own.get("encoding")
        return cls(path, own["name"], folders, log, own.get("retrieve", 0), *reading)

    @property
    def profile(self) -> Path:
        """Path of its profile."""
        return self.path / PROFILE_FILE

    @property
    def rated(self) -> Path:
        """Path of its rated answers (JSON lines); the file may be missing."""
        return self.path / "rated.jsonl"

    @property
    def accepted(self) -> Path:
        """Path of the accepted run, as `klopt score -o` writes it; the file may be missing."""
        return self.path / "accepted.jsonl"

    def load(self) -> Profile:
        """Load its profile."""
        return Profile.load(self.profile)

    def pages(self) -> dict[str, Page]:
        """Read its help pages by name; the first folder wins where two have the same name."""
        found: dict[str, Page] = {}
        for number, folder in reversed([*enumerate(self.page_folders)]):
            try:
                found |= read_pages(folder)
            except InputError as error:
                raise InputError(f"{self.line_of('pages', number)} pages: {error}") from None
        return found

    def line_of(self, *key: str | int) -> str:
        """Return file and line of a key of ``company.toml``, for messages."""
        file, path = self.path / FILE, ("company", *key)
        lines = toml_lines(read_text_file(file)) if file.is_file() else {}
        return f"{file}:{lines.get(path, 1)}: [company]"

    def write(self) -> None:
        """Write ``company.toml``, with paths relative to the folder."""
        own: dict[str, Any] = {"name": self.name, "pages": [*map(self._seen, self.page_folders)]}
        if self.log is not None:
            own["log"] = self._seen(self.log)
        if self.retrieve:
            own["retrieve"] = self.retrieve
        if self.names:
            own["map"] = tomlkit.inline_table()
            own["map"].update(self.names)
        if self.encoding is not None:
            own["encoding"] = self.encoding
        text = tomlkit.dumps({"company": own})
        try:
            text.encode()
        except UnicodeEncodeError:
            raise InputError(
                f"{self.path / FILE}: {text!a} is not valid Unicode; rename the company, its "
                "pages or its log"
            ) from None
        with whole_file(self.path / FILE) as file:
            file.write(text)

    def _seen(self, path: Path) -> str:
        return Path(os.path.relpath(path, self.path)).as_posix()


def _resolved(folder: Path, path: str) -> Path:
    """Return a path of ``company.toml``, without ``..`` unless a symbolic link needs it."""
    whole = folder / path
    short = Path(os.path.normpath(whole))
    return short if short.resolve() == whole.resolve() else whole


LEXICON: Final = "product_names"
MAX_ORIGIN_CHARS: Final = 300
Part: TypeAlias = Literal["allowed", "denied"]


@dataclass(frozen=True)
class ProductName:
    """A name in a list; ``origin``, how often and where it was found, goes into ``[about]``."""

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


def denied_names(folder: Path, language: str) -> set[str]:
    """Return the denied names of one language in lower case."""
    return {one.name.casefold() for one in read_names(folder, language) if one.part == "denied"}


def add_names(folder: Path, language: str, names: Iterable[ProductName]) -> None:
    """Add names in alphabetical order; comments and known names stay; or raise LexiconError."""
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
    if (text := tomlkit.dumps(document)) != before:
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
