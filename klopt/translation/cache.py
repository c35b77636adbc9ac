"""The translation cache: one SQLite file, so that no sentence is translated twice."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Final, NamedTuple, Self

from klopt.errors import InputError

BUSY_TIMEOUT_S: Final = 30.0  # How long to wait for another process that writes to the file

_KEYS_PER_QUERY: Final = 500
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS translations (
  source_language TEXT NOT NULL,
  target_language TEXT NOT NULL,
  text TEXT NOT NULL,
  translation TEXT NOT NULL,
  PRIMARY KEY (source_language, target_language, text)
) WITHOUT ROWID
"""
_SELECT: Final = (
    "SELECT text, translation FROM translations WHERE source_language = ? AND target_language = ?"
)
_INSERT: Final = "INSERT INTO translations VALUES (?, ?, ?, ?) ON CONFLICT DO "
_UPDATE: Final = (
    "UPDATE SET translation = excluded.translation WHERE translation <> excluded.translation"
)


class CacheEntry(NamedTuple):
    """A sentence and its translation; placeholders (⟦1⟧, ⟦2⟧ …) stand for names and numbers."""

    source_language: str
    target_language: str
    text: str
    translation: str


class TranslationCache:
    """A file of translations (SQLite), open until `close` or the end of ``with``.

    Safe to use from several threads; several processes may share the file. Texts are compared
    character by character; a text that UTF-8 cannot encode is never stored or found. InputError if
    the file is missing, damaged, or belongs to another program, also later.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with TranslationCache(Path(folder, "nl-en.sqlite"), create=True) as cache:
    ...         print(cache.add([CacheEntry("nl", "en", "Klik op ⟦1⟧.", "Click ⟦1⟧.")]))
    ...         print(cache.find(["Klik op ⟦1⟧.", "Klik."], "nl", "en"))
    1
    {'Klik op ⟦1⟧.': 'Click ⟦1⟧.'}
    """

    def __init__(self, path: str | Path, *, create: bool = False) -> None:
        self.path = Path(path)
        self._lock = RLock()
        self._digests: dict[tuple[str, str], str] = {}
        self._version: tuple[int, int] | None = None
        if not create and not self.path.is_file():
            raise InputError(
                f"{path}: there is no such translation cache; create one with "
                "`klopt translations import CACHE FILE`"
            )
        # A killed process leaves a journal, which takes the right to write to roll back.
        mode = "rwc" if create else "rw" if Path(f"{path}-journal").exists() else "ro"
        with self._errors():
            self._connection = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode={mode}",
                uri=True,
                timeout=BUSY_TIMEOUT_S,
                isolation_level=None,
                check_same_thread=False,
            )
            try:
                self._check(create)
            except BaseException:
                self._connection.close()
                raise

    def close(self) -> None:
        """Close the file; closing it again does nothing."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def find(self, texts: Iterable[str], source: str, target: str) -> dict[str, str]:
        """Return the translations of the texts that the cache has, from one state of the file."""
        keys = [text for text in dict.fromkeys(texts) if _is_storable(text)]
        found: dict[str, str] = {}
        with self._transaction("BEGIN"):
            for start in range(0, len(keys), _KEYS_PER_QUERY):
                some = keys[start : start + _KEYS_PER_QUERY]
                query = f"{_SELECT} AND text IN ({', '.join('?' * len(some))})"
                found.update(self._connection.execute(query, (source, target, *some)))
        return found

    def add(self, entries: Iterable[CacheEntry], *, replace: bool = False) -> int:
        """Store entries, all or none; return how many are new or changed.

        Without ``replace`` known translations stay, so that repeated runs give the same scores.
        """
        rows = [entry for entry in entries if all(map(_is_storable, entry))]
        with self._transaction("BEGIN IMMEDIATE"):
            before = self._connection.total_changes
            self._connection.executemany(_INSERT + (_UPDATE if replace else "NOTHING"), rows)
            return self._connection.total_changes - before

    def entries(self) -> list[CacheEntry]:
        """Return all entries, sorted by languages and text."""
        query = "SELECT * FROM translations ORDER BY source_language, target_language, text"
        with self._transaction("BEGIN"):
            return [CacheEntry(*row) for row in self._connection.execute(query)]

    def digest(self, source: str, target: str) -> str:
        """Return a digest of the translations between two languages, 64 hexadecimal digits.

        It is the sum of SHA-256 over the entries modulo 2^256, whatever their order.
        """
        with self._transaction("BEGIN"):
            self._connection.execute("SELECT 1 FROM translations LIMIT 1").fetchone()
            (others,) = self._connection.execute("PRAGMA data_version").fetchone()
            version = others, self._connection.total_changes
            if version != self._version:
                self._digests, self._version = {}, version
            if (source, target) not in self._digests:
                rows = self._connection.execute(_SELECT, (source, target))
                hashes = (hashlib.sha256(json.dumps(row).encode("ascii")) for row in rows)
                total = sum(int.from_bytes(own.digest()) for own in hashes)
                self._digests[source, target] = f"{total % 2**256:064x}"
            return self._digests[source, target]

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        with self._lock, self._errors(), self._connection:
            self._connection.execute(begin)
            yield

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Report what SQLite cannot do as an `InputError` that names the file."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise InputError(f"{self.path}: the translation cache is unusable: {error}") from error

    def _check(self, create: bool) -> None:
        """Create the table in a new file; refuse the files of other programs."""
        objects = dict(self._connection.execute("SELECT name, type FROM sqlite_master"))
        if create and not objects:
            self._connection.execute(_SCHEMA)
        elif objects.get("entry") == "table":
            raise InputError(
                f"{self.path}: a translation memory of an older klopt; export it with that "
                "version (klopt memory export) and import the file with `klopt translations import`"
            )
        # A view or trigger would compute, for as long as it likes, whenever the file is read.
        elif "translations" not in objects or {*objects.values()} - {"table", "index"}:
            raise InputError(f"{self.path}: not a translation cache of klopt")
        self._connection.execute("SELECT * FROM translations LIMIT 1").fetchone()


def _is_storable(text: str) -> bool:
    """Return whether the text can be encoded as UTF-8 (no lone surrogates)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
