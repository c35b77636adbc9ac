"""The file of a translation memory: made, opened and checked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from klopt.errors import InputError

APPLICATION_ID: Final = 0x6B6C6F70
"""``klop`` in ASCII, by which a memory is told from another SQLite file."""

SCHEMA_VERSION: Final = 1

BUSY_SECONDS: Final = 30.0
"""How long is waited for another process that writes."""

IN_MEMORY: Final = ":memory:"
"""SQLite's name for what has no file."""

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
_MAGIC: Final = b"SQLite format 3\0"


def connect(path: Path, *, create: bool, read_only: bool) -> sqlite3.Connection:
    """An open memory, made first when it is not there and ``create`` says so.

    The journal is SQLite's rollback journal and not its write-ahead log, which needs memory
    shared between processes: a network drive does not have it, and a folder that may not be
    written to cannot hold it.

    Raises:
        InputError: There is no such file, it is no memory, it is damaged, or it was made by a
            newer klopt.
    """
    _check_place(path, create=create)
    if read_only and Path(f"{path}-journal").exists():
        # Of a run that was killed; undoing what it left takes the right to write, once.
        connect(path, create=False, read_only=False).close()
    mode = "ro" if read_only else "rwc" if create else "rw"
    with told(path):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
    try:
        with told(path):
            if create and not read_only:
                _make(connection)
            _check(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_nothing() -> sqlite3.Connection:
    """An open memory without a file and without an entry."""
    connection = sqlite3.connect(IN_MEMORY, isolation_level=None, check_same_thread=False)
    _make(connection)
    return connection


def _check_place(path: Path, *, create: bool) -> None:
    try:
        if path.is_dir():
            raise InputError(f"{path}: is a folder; a memory is one file, such as {path}/nl-en.tm")
        if not path.exists():
            if not create:
                raise InputError(
                    f"{path}: there is no such memory; klopt memory import, pages or rows makes one"
                )
            if not path.absolute().parent.is_dir():
                raise InputError(f"{path}: there is no folder {path.absolute().parent}")
            return
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if head not in (_MAGIC, b""):
        raise InputError(
            f"{path}: not a translation memory of klopt; klopt memory import NEW.tm {path} reads "
            "translation files into one"
        )


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
        raise InputError(
            f"{path}: is empty; klopt memory import, pages or rows makes a memory of it"
        )
    if application_id != APPLICATION_ID:
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
def told(path: Path) -> Iterator[None]:
    """What SQLite cannot do is said with the file and with what to do.

    Raises:
        InputError: The file is locked, damaged, may not be written to, or there is no room.
    """
    try:
        yield
    except (sqlite3.OperationalError, sqlite3.DatabaseError) as error:
        if isinstance(error, sqlite3.ProgrammingError | sqlite3.IntegrityError):
            raise
        raise InputError(f"{path}: {_words(error)}") from error


def _words(error: sqlite3.DatabaseError) -> str:
    name = str(getattr(error, "sqlite_errorname", ""))
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return (
            f"another process has been writing to this memory for {BUSY_SECONDS:g} seconds; try "
            "again when it is done"
        )
    if name == "SQLITE_READONLY_ROLLBACK":
        return (
            "a run that wrote to this memory was broken off; open it once where you may write, "
            "such as by klopt memory show, and it is whole again"
        )
    if name.startswith(("SQLITE_READONLY", "SQLITE_PERM")):
        return "this memory cannot be written to; copy it to a folder where you may write"
    if name.startswith("SQLITE_CANTOPEN"):
        return (
            "this memory cannot be opened; klopt needs the right to read the file, and to write "
            "in its folder unless it only reads"
        )
    if name.startswith("SQLITE_FULL"):
        return "there is no room left on the disk; nothing of this was kept"
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or "no such" in str(error):
        return (
            f"this memory is damaged ({error}); take a copy that is whole, or make it again with "
            "klopt memory import"
        )
    return f"this memory cannot be used: {error}"
