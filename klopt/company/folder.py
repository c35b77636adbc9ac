"""A company's folder, opened: where its pages and its log are, its profile and its lexicons."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import tomlkit

from klopt.batch.output import whole_file
from klopt.batch.pages import read_pages
from klopt.errors import CompanyError, InputError
from klopt.file_lock import hold
from klopt.records import Page
from klopt.scoring.profile import PROFILE_FILE, Profile
from klopt.text_file import read_text_file
from klopt.toml_schema import Table, Text, check, list_of, place

FILE: Final = "company.toml"
_SCHEMA: Final = Table.of(
    company=Table.of(
        name=Text,
        pages=list_of(place(), "a list of folders", least=1),
        log=(place(), None),
    )
)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keeps the other commands from changing a company's folder until the block ends.

    Who changes a file reads it again inside, since others may have changed it. It is the folder
    that is held: its files are replaced when they are written.
    """
    with ExitStack() as stack:
        with suppress(OSError):  # a file system without locks, or Windows, which opens no folder
            number = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, number)
            hold(number, waits=True)
        yield


@dataclass(frozen=True)
class Company:
    """A company's folder.

    Attributes:
        path: The folder.
        name: The company's.
        page_folders: Where its help pages are.
        log: Its chat log, or None.
    """

    path: Path
    name: str
    page_folders: tuple[Path, ...]
    log: Path | None = None

    @classmethod
    def open(cls, path: Path) -> Company:
        """The company of a folder.

        Raises:
            InputError: There is no such folder, or it is not that of a company.
            CompanyError: Its ``company.toml`` breaks the schema: all problems at once.
        """
        file = path / FILE
        try:
            text = read_text_file(file)
        except (FileNotFoundError, NotADirectoryError):
            raise InputError(
                f"{path}: is not the folder of a company, which has a {FILE}; make one with "
                f"`klopt company init --pages DIR -o {path}`"
            ) from None
        except OSError as error:
            raise InputError(f"{file}: cannot be read as text: {error}") from None
        table = check(text, where=str(file), schema=lambda _: _SCHEMA, error=CompanyError)
        own = table["company"]
        log = own.get("log")
        folders = tuple(_beside(path, pages) for pages in own["pages"])
        return cls(path, own["name"], folders, None if log is None else _beside(path, log))

    @property
    def profile(self) -> Path:
        """The file of its profile."""
        return self.path / PROFILE_FILE

    @property
    def rated(self) -> Path:
        """Answers that people rated, as JSON lines; it may not be there."""
        return self.path / "rated.jsonl"

    @property
    def accepted(self) -> Path:
        """The last run that was found good, as `klopt score -o` writes it; it may not be there."""
        return self.path / "accepted.jsonl"

    def load(self) -> Profile:
        """Its profile.

        Raises:
            ProfileError: The profile breaks the schema.
        """
        return Profile.load(self.profile)

    def pages(self) -> dict[str, Page]:
        """Its help pages by name, as `read_pages`; of two of one name that of the first folder.

        Raises:
            InputError: A folder is not there, or holds no page.
        """
        found: dict[str, Page] = {}
        for folder in reversed(self.page_folders):
            found |= read_pages(folder)
        return found

    def write(self) -> None:
        """Writes ``company.toml``, with paths seen from the folder where that can be."""
        own: dict[str, Any] = {"name": self.name, "pages": [*map(self._seen, self.page_folders)]}
        if self.log is not None:
            own["log"] = self._seen(self.log)
        text = tomlkit.dumps({"company": own})
        try:
            text.encode()
        except UnicodeEncodeError:
            raise InputError(
                f"{self.path / FILE}: cannot name {text!a}, which is no Unicode text; give the "
                "company, its pages and its log other names"
            ) from None
        with whole_file(self.path / FILE) as file:
            file.write(text)

    def _seen(self, path: Path) -> str:
        return Path(os.path.relpath(path, self.path)).as_posix()


def asking_nobody(profile: Profile) -> Profile:
    """The profile, which neither translates nor asks for second opinions."""
    return replace(profile, opinion=None, translate=None)


def _beside(folder: Path, path: str) -> Path:
    """A path as the folder has it, without ``..`` where that leads to the same, past any links."""
    whole = folder / path
    short = Path(os.path.normpath(whole))
    return short if short.resolve() == whole.resolve() else whole
