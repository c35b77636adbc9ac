"""A company's folder: the paths of its pages, log, profile and ratings."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import tomlkit

from klopt._internal.files import read_text_file, whole_file
from klopt._internal.journal import lock
from klopt._internal.toml_schema import Table, Text, check, list_of, place
from klopt.errors import CompanyError, InputError
from klopt.logs.pages import read_pages
from klopt.scoring.profile import PROFILE_FILE, Profile
from klopt.types import Page

FILE: Final = "company.toml"
LOCK_FILE: Final = ".klopt.lock"
_SCHEMA: Final = Table.of(
    company=Table.of(
        name=Text, pages=list_of(place(), "a list of folders", least=1), log=(place(), None)
    )
)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Lock a company's folder against other commands.

    Read a file that you change after the lock is taken: another command may just have changed it.
    """
    with ExitStack() as stack:
        with suppress(OSError):  # a read-only folder, or a file system without locks
            stack.callback(lock(folder / LOCK_FILE, timeout_s=-1).release)
        yield


@dataclass(frozen=True)
class Company:
    """A company's folder, its name, the folders of its help pages, and its chat log."""

    path: Path
    name: str
    page_folders: tuple[Path, ...]
    log: Path | None = None

    @classmethod
    def open(cls, path: Path) -> Company:
        """Read ``company.toml`` of a folder.

        Raises:
            InputError: The folder is missing, or has no ``company.toml``.
            CompanyError: ``company.toml`` breaks its schema; the message lists all problems.
        """
        file = path / FILE
        try:
            text = read_text_file(file)
        except (FileNotFoundError, NotADirectoryError):
            raise InputError(
                f"{path}: no company folder, because it has no {FILE}; make one with "
                f"`klopt company init --pages DIR -o {path}`"
            ) from None
        except OSError as error:
            raise InputError(f"{file}: cannot be read as text: {error}") from None
        table = check(text, where=str(file), schema=lambda _: _SCHEMA, error=CompanyError)
        own = table["company"]
        log = own.get("log")
        folders = tuple(_resolved(path, pages) for pages in own["pages"])
        return cls(path, own["name"], folders, None if log is None else _resolved(path, log))

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
        for folder in reversed(self.page_folders):
            found |= read_pages(folder)
        return found

    def write(self) -> None:
        """Write ``company.toml``, with paths relative to the folder."""
        own: dict[str, Any] = {"name": self.name, "pages": [*map(self._seen, self.page_folders)]}
        if self.log is not None:
            own["log"] = self._seen(self.log)
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
