"""The digest of what a memory says, kept up while entries are added to it."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Final, TypeAlias

Kind: TypeAlias = tuple[str, str, str]
"""Source language, target language, provider."""

_MODULUS: Final = 1 << 256
_BATCH_TEXTS: Final = 500
_ALL: Final = (
    "SELECT source, target, provider FROM entry "
    "WHERE source_language = ? AND target_language = ? AND provider = ?"
)


class Digests:
    """Sums of the SHA-256 of entries, modulo 2^256, by kind.

    A sum does not tell in which order entries came, and follows an entry that is added without
    reading the others again. What another process changes is noticed by SQLite's version of the
    data, and then everything is read anew.
    """

    def __init__(self) -> None:
        self._sums: dict[Kind, int] = {}
        self._version: int | None = None

    def forget(self) -> None:
        """Reads everything anew the next time."""
        self._sums.clear()

    def digest(self, connection: sqlite3.Connection, kinds: Iterable[Kind]) -> str:
        """The digest of entries of these kinds together; within a transaction.

        Returns:
            64 hexadecimal digits; zeros where there is no entry.
        """
        self._refresh(connection)
        total = 0
        for kind in set(kinds):
            if kind not in self._sums:
                self._sums[kind] = sum(map(_digest, connection.execute(_ALL, kind))) % _MODULUS
            total += self._sums[kind]
        return f"{total % _MODULUS:064x}"

    @contextmanager
    def following(
        self, connection: sqlite3.Connection, rows: Sequence[Sequence[str]]
    ) -> Iterator[None]:
        """Keeps the sums up with what is added meanwhile; within a transaction.

        Args:
            connection: Of the memory.
            rows: The entries that are added; their first four columns are the kind and source.
        """
        self._refresh(connection)
        known = [
            (kind, sorted({row[3] for row in own}))
            for kind, own in groupby(sorted(rows, key=_kind), key=_kind)
            if kind in self._sums
        ]
        before = [_sum(connection, kind, sources) for kind, sources in known]
        yield
        for (kind, sources), earlier in zip(known, before, strict=True):
            change = _sum(connection, kind, sources) - earlier
            self._sums[kind] = (self._sums[kind] + change) % _MODULUS

    def _refresh(self, connection: sqlite3.Connection) -> None:
        # A first read, since the version is told only of what a transaction sees.
        connection.execute("SELECT 1 FROM entry LIMIT 1").fetchone()
        version: int = connection.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version:
            self._sums.clear()
            self._version = version


def _kind(row: Sequence[str]) -> Kind:
    return row[0], row[1], row[2]


def _sum(connection: sqlite3.Connection, kind: Kind, sources: Sequence[str]) -> int:
    """The sum over the entries of one kind for these sources."""
    total = 0
    for start in range(0, len(sources), _BATCH_TEXTS):
        batch = sources[start : start + _BATCH_TEXTS]
        query = f"{_ALL} AND source IN ({', '.join('?' * len(batch))})"
        total += sum(map(_digest, connection.execute(query, (*kind, *batch))))
    return total


def _digest(row: Sequence[str]) -> int:
    return int.from_bytes(hashlib.sha256(json.dumps(row).encode("ascii")).digest(), "big")
