"""The translation memory: what was translated once is not asked again."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from threading import RLock
from typing import Final, Self

from klopt.translation.memory_file import IN_MEMORY, connect, connect_to_nothing, told

TRUSTED: Final = "trusted"
"""The provider of what people wrote."""

_BATCH_TEXTS: Final = 512
_FETCHED_ROWS: Final = 500

_KIND: Final = "source_language = ? AND target_language = ? AND provider = ?"
_DIGEST_BITS: Final = 256


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One translation, with what may not be translated as marks (⟦1⟧, ⟦2⟧ ...).

    Attributes:
        source_language: Such as ``nl``.
        target_language: Such as ``en``.
        provider: ``trusted`` for what people wrote, else the name of a translator.
        source: The text.
        target: Its translation.
        origin: The file that it came from; empty for a translator's.
    """

    source_language: str
    target_language: str
    provider: str
    source: str
    target: str
    origin: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Count:
    """How many entries there are of one provider for one pair of languages."""

    source_language: str
    target_language: str
    provider: str
    entries: int


class Memory:
    """A file of translations (SQLite), open until `close` or the end of ``with``.

    One memory may be used by several threads, and its file by several processes; a process that
    was forked opens the file anew. A run that is broken off leaves nothing half written. On a
    network drive this holds as far as the drive knows locks.

    Texts are compared character by character. A text with a lone surrogate, which no file of
    UTF-8 can hold, is never found, and an entry with one is not kept; in an origin it becomes "?".

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
        self._sums: dict[tuple[str, str, str], int] = {}
        self._version: int | None = None

    @classmethod
    def open(cls, path: Path, *, create: bool, read_only: bool = False) -> Self:
        """Opens a memory.

        Args:
            path: The file.
            create: Makes it when it is not there.
            read_only: Never writes, so that the right to read the file is enough.

        Raises:
            InputError: There is no such file, it is no memory, it is damaged, it may not be
                written to, or it was made by a newer klopt.
        """
        return cls(path, connect(path, create=create, read_only=read_only), read_only=read_only)

    @classmethod
    def empty(cls) -> Self:
        """A memory of nothing, without a file; `entries` cannot list it.

        >>> with Memory.empty() as memory:
        ...     memory.find(["Klik hier."], "nl", "en", ["trusted"])
        [None]
        """
        return cls(Path(IN_MEMORY), connect_to_nothing(), read_only=True)

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
        """What the memory has for each of the texts, in their order.

        Args:
            texts: The texts, with marks; the same one may come twice.
            source_language: Their language.
            target_language: The language to come.
            providers: Whose translations are wanted; the first that has one gives it.

        Returns:
            As many as there are texts; None where the memory has none.

        Raises:
            InputError: The file cannot be read any more.
        """
        if not texts or not providers:
            return [None] * len(texts)
        known = list(dict.fromkeys(filter(_is_storable, texts)))
        wanted = [name for name in dict.fromkeys(providers) if _is_storable(name)]
        found: dict[str, Entry] = {}
        for start in range(0, len(known), _BATCH_TEXTS):
            batch = known[start : start + _BATCH_TEXTS]
            # A few lengths only, so that the statement is prepared once; the last is repeated.
            padded = batch + batch[-1:] * ((1 << (len(batch) - 1).bit_length()) - len(batch))
            query = (
                "SELECT * FROM entry WHERE source_language = ? AND target_language = ? "
                f"AND provider IN ({_marks(wanted)}) AND source IN ({_marks(padded)})"
            )
            values = (source_language, target_language, *wanted, *padded)
            with self._using() as connection:
                rows = connection.execute(query, values).fetchall()
            for entry in sorted(
                (Entry(*row) for row in rows), key=lambda one: -wanted.index(one.provider)
            ):
                found[entry.source] = entry
        return [found.get(text) for text in texts]

    def add(self, entries: Iterable[Entry]) -> int:
        """Keeps entries, all or, when anything goes wrong, none.

        A trusted entry takes the place of an older trusted one that says something else; of a
        translator the first entry for a text stays. So a run gives the same each time until
        people say otherwise.

        Returns:
            How many are new or changed.

        Raises:
            InputError: The memory cannot be written to, or another process is writing all the
                time.
        """
        rows = [
            (*row[:-1], row[-1].encode(errors="replace").decode())
            for row in map(astuple, entries)
            if all(map(_is_storable, row[:-1]))
        ]
        if not rows:
            return 0
        with self._using() as connection:
            try:
                with connection:
                    connection.execute("BEGIN IMMEDIATE")
                    self._forget_if_changed(connection)
                    return sum(self._put(connection, row) for row in rows)
            except BaseException:
                self._sums.clear()
                raise

    def _put(self, connection: sqlite3.Connection, row: tuple[str, ...]) -> bool:
        """Keeps one entry and keeps the sum of its kind up; whether it is new or changed."""
        source_language, target_language, provider, source, target, _ = row
        old = connection.execute(
            f"SELECT target FROM entry WHERE {_KIND} AND source = ?", row[:4]
        ).fetchone()
        if old is not None and (provider != TRUSTED or old[0] == target):
            return False
        connection.execute("INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?)", row)
        kind = (source_language, target_language, provider)
        if kind in self._sums:
            self._sums[kind] += _digest((source, target, provider))
            self._sums[kind] -= 0 if old is None else _digest((source, old[0], provider))
        return True

    def _forget_if_changed(self, connection: sqlite3.Connection) -> None:
        """Forgets sums when another process has written; within a transaction."""
        # A first read, since the version is told only of what a transaction sees.
        connection.execute("SELECT 1 FROM entry LIMIT 1").fetchone()
        version: int = connection.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version:
            self._sums.clear()
            self._version = version

    def digest(self, source_language: str, target_language: str, providers: Sequence[str]) -> str:
        """What the memory says, as one number: equal digests, equal answers of `find`.

        The sum of SHA-256 over (source, target, provider) of each entry, modulo 2^256; neither
        the order in which they came nor the file nor the origin counts. Asked again it costs
        next to nothing, also after entries were added here; what another process adds is read anew.

        Returns:
            64 hexadecimal digits; zeros where there is no entry.

        Raises:
            InputError: The file cannot be read any more.
        """
        total = 0
        with self._using() as connection, connection:
            connection.execute("BEGIN")
            self._forget_if_changed(connection)
            for provider in set(filter(_is_storable, providers)):
                kind = (source_language, target_language, provider)
                if kind not in self._sums:
                    rows = connection.execute(
                        f"SELECT source, target, provider FROM entry WHERE {_KIND}", kind
                    )
                    self._sums[kind] = sum(map(_digest, rows))
                total += self._sums[kind]
        return f"{total % 2**_DIGEST_BITS:0{_DIGEST_BITS // 4}x}"

    def entries(
        self, source_language: str | None = None, target_language: str | None = None
    ) -> Iterator[Entry]:
        """The entries, sorted, as they are when the first is asked for.

        Args:
            source_language: Only those from this language.
            target_language: Only those into this language.

        Raises:
            InputError: The file cannot be read any more.
        """
        query = (
            "SELECT * FROM entry WHERE (?1 IS NULL OR source_language = ?1) "
            "AND (?2 IS NULL OR target_language = ?2) "
            "ORDER BY source_language, target_language, provider, source"
        )
        connection = connect(self.path, create=False, read_only=True)
        try:
            with told(self.path):
                cursor = connection.execute(query, (source_language, target_language))
                while rows := cursor.fetchmany(_FETCHED_ROWS):
                    yield from (Entry(*row) for row in rows)
        finally:
            connection.close()

    def counts(self) -> tuple[Count, ...]:
        """How many entries there are, by languages and provider, sorted.

        Raises:
            InputError: The file cannot be read any more.
        """
        query = (
            "SELECT source_language, target_language, provider, count(*) FROM entry "
            "GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
        )
        with self._using() as connection:
            return tuple(Count(*row) for row in connection.execute(query))

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """The connection of this process, for one thread at a time."""
        with self._lock, told(self.path):
            if self._process != os.getpid():
                # SQLite forbids to use, and even to close, what was opened before a fork.
                self._left.append(self._opened)
                self._opened = connect(self.path, create=False, read_only=self._read_only)
                self._process = os.getpid()
                self._sums.clear()
            yield self._opened


def _digest(row: tuple[str, str, str]) -> int:
    return int.from_bytes(hashlib.sha256(json.dumps(row).encode("ascii")).digest())


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


def _is_storable(text: str) -> bool:
    """Whether the text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
