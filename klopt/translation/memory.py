"""The translation memory: what was translated once is not asked again."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from threading import RLock
from typing import Final, Self, TypeAlias

from klopt.errors import InputError

TRUSTED: Final = "trusted"
"""The provider of what people wrote."""

Kind: TypeAlias = tuple[str, str, str]
"""The language of the sources, that of the targets, and whose translations they are."""

APPLICATION_ID: Final = 0x6B6C6F70
"""``klop`` in ASCII, by which a memory is told from another SQLite file."""

SCHEMA_VERSION: Final = 1

COMPUTED: Final = "SELECT 1 FROM sqlite_master WHERE type IN ('view', 'trigger')"
"""Finds what no file of ours has."""

BUSY_SECONDS: Final = 30.0
"""How long is waited for another process that writes."""

_IN_MEMORY: Final = ":memory:"
"""SQLite's name for what has no file."""

_PUT: Final = """
INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (source_language, target_language, provider, source)
DO UPDATE SET target = excluded.target, origin = excluded.origin
WHERE provider = 'trusted' AND target <> excluded.target
"""
_KIND: Final = "source_language = ? AND target_language = ? AND provider = ?"
_DIGEST_BITS: Final = 256
_HALVES: Final = re.compile(r"[\ud800-\udfff]")
_SCHEMA: Final = """
CREATE TABLE entry (
  source_language TEXT NOT NULL,
  target_language TEXT NOT NULL,
  provider TEXT NOT NULL,
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  origin TEXT NOT NULL,
  PRIMARY KEY (source_language, target_language, provider, source)
) WITHOUT ROWID
"""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One translation, with what may not be translated as marks (⟦1⟧, ⟦2⟧ ...).

    Its provider is ``trusted`` for what people wrote, else the name of a translator; its origin is
    the file that it came from, and empty for a translator's.
    """

    source_language: str
    target_language: str
    provider: str
    source: str
    target: str
    origin: str = ""


class Memory:
    """A file of translations (SQLite), open until `close` or the end of ``with``.

    One memory may be used by several threads, and its file by several processes; a process that
    was forked opens the file anew. A run that is broken off leaves nothing half written. On a
    network drive this holds as far as the drive knows locks.

    Texts are compared character by character. A text with a lone surrogate, which no file of
    UTF-8 can hold, is never found, and an entry with one is not kept; in an origin it becomes "?".
    Every method raises `InputError` where the file cannot be read, or written to, any more.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Memory.open(Path(folder, "nl-en.tm"), create=True) as memory:
    ...         print(memory.add([Entry("nl", "en", "trusted", "Klik op ⟦1⟧.", "Click ⟦1⟧.")]))
    ...         found = memory.find(["Klik op ⟦1⟧.", "Klik."], "nl", "en", ["trusted"])
    ...         print([entry and entry.target for entry in found])
    1
    ['Click ⟦1⟧.', None]
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, *, read_only: bool) -> None:
        self.path = path
        self._read_only = read_only
        self._lock = RLock()
        self._opened: sqlite3.Connection = connection
        self._process = os.getpid()
        self._left: list[sqlite3.Connection] = []
        self._sums: dict[Kind, int] = {}
        self._version: int | None = None

    @classmethod
    def open(cls, path: Path, *, create: bool, read_only: bool = False) -> Self:
        """Opens a memory; with ``create`` one that is not there is made.

        With ``read_only`` nothing is ever written: the right to read the file is enough.

        Raises:
            InputError: There is no such file, it is no memory, it is damaged, it may not be
                written to, or it was made by a newer klopt.
        """
        return cls(path, _connect(path, create=create, read_only=read_only), read_only=read_only)

    @classmethod
    def empty(cls) -> Self:
        """A memory of nothing, without a file."""
        connection = sqlite3.connect(_IN_MEMORY, isolation_level=None, check_same_thread=False)
        _make(connection)
        return cls(Path(_IN_MEMORY), connection, read_only=True)

    def close(self) -> None:
        """Closes the file; a second time, nothing happens."""
        with self._lock:
            self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def find(
        self,
        texts: Sequence[str],
        source_language: str,
        target_language: str,
        providers: Sequence[str],
    ) -> list[Entry | None]:
        """What the memory has for each text with marks, in their order; None where it has none.

        Of the providers whose translations are wanted the first that has one gives it.
        """
        found: dict[str, Entry] = {}
        query = f"SELECT * FROM entry WHERE {_KIND} AND source = ?"
        with self._using() as connection, connection:
            connection.execute("BEGIN")
            for text in filter(_is_storable, dict.fromkeys(texts)):
                for provider in filter(_is_storable, providers):
                    values = (source_language, target_language, provider, text)
                    row = connection.execute(query, values).fetchone()
                    if row is not None:
                        found[text] = Entry(*row)
                        break
        return [found.get(text) for text in texts]

    def add(self, entries: Iterable[Entry]) -> int:
        """Keeps entries, all or, when anything goes wrong, none.

        A trusted entry takes the place of an older trusted one that says something else; of a
        translator the first entry for a text stays. So a run gives the same each time until
        people say otherwise. Returns how many are new or changed.
        """
        rows = [
            (*row[:-1], row[-1].encode(errors="replace").decode())
            for row in map(astuple, entries)
            if all(map(_is_storable, row[:-1]))
        ]
        with self._using() as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            before = connection.total_changes
            connection.executemany(_PUT, rows)
            for source_language, target_language, provider, *_ in rows:
                self._sums.pop((source_language, target_language, provider), None)
            return connection.total_changes - before

    def digest(self, source_language: str, target_language: str, providers: Sequence[str]) -> str:
        """What the memory says, as one number: equal digests, equal answers of `find`.

        The sum of SHA-256 over (source, target, provider) of each entry, modulo 2^256; neither
        the order in which they came nor the file nor the origin counts. Asked again it costs
        next to nothing; a provider to whose entries any were added is read anew.
        It has 64 hexadecimal digits, zeros where there is no entry.
        """
        total = 0
        with self._using() as connection, connection:
            connection.execute("BEGIN")
            # A first read, since the version is told only of what a transaction sees.
            connection.execute("SELECT 1 FROM entry LIMIT 1").fetchone()
            if self._version != (version := _pragma(connection, "data_version")):
                self._sums.clear()
                self._version = version
            for provider in set(filter(_is_storable, providers)):
                kind = (source_language, target_language, provider)
                if kind not in self._sums:
                    rows = connection.execute(
                        f"SELECT source, target, provider FROM entry WHERE {_KIND}", kind
                    )
                    self._sums[kind] = sum(map(_digest, rows))
                total += self._sums[kind]
        return f"{total % 2**_DIGEST_BITS:0{_DIGEST_BITS // 4}x}"

    def entries(self) -> list[Entry]:
        """The entries, sorted."""
        query = "SELECT * FROM entry ORDER BY source_language, target_language, provider, source"
        with self._using() as connection:
            return [Entry(*row) for row in connection.execute(query)]

    def counts(self) -> dict[Kind, int]:
        """How many entries there are, by languages and provider, sorted."""
        query = (
            "SELECT source_language, target_language, provider, count(*) FROM entry "
            "GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
        )
        with self._using() as connection:
            return {tuple(kind): count for *kind, count in connection.execute(query)}

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """The connection of this process, for one thread at a time."""
        with self._lock, _told(self.path):
            if self._process != os.getpid():
                # SQLite forbids to use, and even to close, what was opened before a fork.
                self._left.append(self._opened)
                self._opened = _connect(self.path, create=False, read_only=self._read_only)
                self._process = os.getpid()
                self._sums.clear()
            yield self._opened


def _digest(row: tuple[str, str, str]) -> int:
    return int.from_bytes(hashlib.sha256(json.dumps(row).encode("ascii")).digest())


def _is_storable(text: str) -> bool:
    """Whether the text can be written as UTF-8."""
    return not _HALVES.search(text)


def _connect(path: Path, *, create: bool, read_only: bool) -> sqlite3.Connection:
    """An open memory, made first when it is not there and ``create`` says so.

    The journal is SQLite's rollback journal and not its write-ahead log, which needs memory
    shared between processes: a network drive does not have it, and a folder that may not be
    written to cannot hold it.
    """
    _check_place(path, create=create)
    if read_only and Path(f"{path}-journal").exists():
        # Of a run that was killed; undoing what it left takes the right to write, once.
        _connect(path, create=False, read_only=False).close()
    mode = "ro" if read_only else "rwc" if create else "rw"
    with _told(path):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            if create and not read_only:
                _make(connection)
            _check(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _check_place(path: Path, *, create: bool) -> None:
    try:
        is_folder, is_there = path.is_dir(), path.exists()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if is_folder:
        raise InputError(f"{path}: is a folder; a memory is one file, such as {path}/nl-en.tm")
    if not (create or is_there):
        raise InputError(f"{path}: there is no such memory; klopt memory import or pages makes one")
    if not (is_there or path.absolute().parent.is_dir()):
        raise InputError(f"{path}: there is no folder {path.absolute().parent}")


def _make(connection: sqlite3.Connection) -> None:
    """Gives an empty file its table; of two processes at once the second finds it there."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if empty and _pragma(connection, "application_id") == 0:
            connection.execute(_SCHEMA)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _check(connection: sqlite3.Connection, path: Path) -> None:
    application_id = _pragma(connection, "application_id")
    version = _pragma(connection, "user_version")
    if application_id == 0 and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise InputError(f"{path}: is empty; klopt memory import or pages makes a memory of it")
    # What a view or trigger says would be computed at every look, for as long as it likes.
    if application_id != APPLICATION_ID or connection.execute(COMPUTED).fetchone():
        raise InputError(f"{path}: an SQLite file of another program, not a memory of klopt")
    if version != SCHEMA_VERSION:
        raise InputError(
            f"{path}: a memory of version {version}, and this klopt reads version "
            f"{SCHEMA_VERSION}; use the newer klopt that made it, or its klopt memory export and "
            "import the file here"
        )
    connection.execute("SELECT * FROM entry LIMIT 1").fetchone()


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """What SQLite cannot do is said with the file and with what to do, as an `InputError`."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.ProgrammingError | sqlite3.IntegrityError):
            raise
        name = getattr(error, "sqlite_errorname", "")
        name = "SQLITE_CORRUPT" if "no such" in str(error) else name
        words = next(words for start, words in _WORDS.items() if name.startswith(start))
        raise InputError(f"{path}: {words.format(error, BUSY_SECONDS)}") from error


_BUSY: Final = (
    "another process has been writing to this memory for {1:g} seconds; try again when it is done"
)
_WORDS: Final = {
    "SQLITE_BUSY": _BUSY,
    "SQLITE_LOCKED": _BUSY,
    "SQLITE_READONLY": "this memory cannot be written to; copy it to a folder where you may write",
    "SQLITE_CANTOPEN": "this memory cannot be opened; klopt needs the right to read the file, and "
    "to write in its folder unless it only reads",
    "SQLITE_FULL": "there is no room left on the disk; nothing of this was kept",
    "SQLITE_CORRUPT": "this memory is damaged ({0}); take a copy that is whole, or make it again "
    "with klopt memory import",
    "SQLITE_NOTADB": "not a translation memory of klopt; klopt memory import NEW.tm FILE reads "
    "translation files into one",
    "": "this memory cannot be used: {0}",
}
"""The beginning of SQLite's name of an error → what to say of it; the first that fits."""
