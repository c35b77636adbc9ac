"""Opening a memory: what is one, what is none, and what is said of it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from klopt.errors import InputError
from klopt.translation.memory import Entry, Memory

ENTRY = Entry("nl", "en", "trusted", "Bewaar.", "Save.")


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "nl-en.tm"
    with Memory.open(path, create=True) as memory:
        memory.add([ENTRY])
    return path


def sqlite(path, *statements):
    with closing(sqlite3.connect(path)) as connection:
        return [connection.execute(statement).fetchall() for statement in statements]


def many(path):
    """A memory of many pages."""
    with Memory.open(path, create=True) as memory:
        memory.add(Entry("nl", "en", "trusted", f"Veld {n:03}", "x" * 200) for n in range(200))
    return path.read_bytes()


@pytest.mark.parametrize("name", ["a b", "50%?#", "één", "x;y"])
def test_a_path_may_have_any_character(tmp_path, name):
    path = tmp_path / name
    with Memory.open(path, create=True) as memory:
        memory.add([ENTRY])
    with Memory.open(path, create=False, read_only=True) as memory:
        assert list(memory.entries()) == [ENTRY]
    assert [file.name for file in tmp_path.iterdir()] == [name]


OTHER = (
    "not a translation memory of klopt; klopt memory import NEW.tm FILE reads translation files "
)
PROBLEMS = {
    "there is no such memory; klopt memory import or pages makes one": (False, None),
    "is a folder; a memory is one file, such as {0}/nl-en.tm": (True, lambda path: path.mkdir()),
    "is empty; klopt memory import or pages makes a memory of it":
        (False, lambda path: path.touch()),
    "an SQLite file of another program, not a memory of klopt":
        (True, lambda path: sqlite(path, "CREATE TABLE entry (a)")),
    "a memory of version 7, and this klopt reads version 1; use the newer klopt that made it, or "
    "its klopt memory export and import the file here":
        (True, lambda path: sqlite(path, "PRAGMA application_id = 1802268528",
                                   "PRAGMA user_version = 7")),
    OTHER + "into one": (True, lambda path: path.write_bytes(b"SQLite format 3 ")),
}  # fmt: skip


def test_what_computes_for_ever_is_no_memory(tmp_path):
    path = tmp_path / "a.tm"
    for_ever = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    columns = "i a, i b, i c, i d, i e, i f"
    sqlite(
        path,
        f"CREATE VIEW entry AS SELECT {columns} FROM ({for_ever}) WHERE i < 0",
        "PRAGMA application_id = 1802268528",
        "PRAGMA user_version = 1",
    )
    with pytest.raises(InputError, match="an SQLite file of another program"):
        Memory.open(path, create=False)


@pytest.mark.parametrize("message", PROBLEMS)
def test_what_is_no_memory_is_left_as_it_is(tmp_path, message):
    path = tmp_path / "a.tm"
    create, make = PROBLEMS[message]
    if make is not None:
        make(path)
    before = path.read_bytes() if path.is_file() else None
    for read_only in (False, True):
        with pytest.raises(InputError) as told:
            Memory.open(path, create=create, read_only=read_only).close()
        assert str(told.value) == f"{path}: {message.format(path)}"
    assert (path.read_bytes() if path.is_file() else None) == before


def test_no_folder(tmp_path):
    with pytest.raises(InputError, match=r"there is no folder .*weg$"):
        Memory.open(tmp_path / "weg" / "a.tm", create=True)


def test_an_empty_file_becomes_a_memory_where_one_may_be_made(tmp_path):
    (tmp_path / "a.tm").touch()
    with Memory.open(tmp_path / "a.tm", create=True) as memory:
        assert memory.add([ENTRY]) == 1


def test_a_file_that_was_cut_off(path):
    path.write_bytes(many(path)[:3000])
    with pytest.raises(InputError, match=r"damaged .*klopt memory import$"):
        Memory.open(path, create=False)


def test_damage_that_is_met_later(path):
    data = many(path)
    path.write_bytes(data[:8192] + b"\xff" * (len(data) - 8192))
    with (
        pytest.raises(InputError, match="this memory is damaged"),
        Memory.open(path, create=False) as memory,
    ):
        list(memory.entries())


def test_reading_only_leaves_nothing_behind_and_writes_nothing(path):
    before = path.read_bytes()
    with Memory.open(path, create=False, read_only=True) as memory:
        assert memory.find(["Bewaar."], "nl", "en", ["trusted"]) == [ENTRY]
        memory.digest("nl", "en", ["trusted"])
        with pytest.raises(InputError) as told:
            memory.add([Entry("nl", "en", "trusted", "Nieuw.", "New.")])
        assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert str(told.value) == (
        f"{path}: this memory cannot be written to; copy it to a folder where you may write"
    )
    assert path.read_bytes() == before


AS_NOBODY = """
import os, sys
from pathlib import Path
from klopt.errors import InputError
from klopt.translation.memory import Entry, Memory
folder = os.open(sys.argv[1], os.O_RDONLY)
os.fchdir(folder)
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
path = Path("nl-en.tm")
with Memory.open(path, create=False, read_only=True) as memory:
    print(len(list(memory.entries())), memory.find(["Bewaar."], "nl", "en", ["trusted"])[0].target)
for create in (False, True):
    try:
        with Memory.open(path, create=create) as memory:
            memory.add([Entry("nl", "en", "trusted", "Nieuw.", "New.")])
    except InputError as error:
        print(error)
"""


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="the system has no users")
def test_a_folder_that_may_not_be_written_to():
    # pytest's own folder cannot be entered by another user.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Memory.open(folder / "nl-en.tm", create=True) as memory:
            memory.add([ENTRY])
        (folder / "nl-en.tm").chmod(0o444)
        folder.chmod(0o555)
        try:
            run = subprocess.run(
                [sys.executable, "-c", AS_NOBODY, name], capture_output=True, text=True, check=False
            )
        finally:
            folder.chmod(0o755)
    assert run.stderr == ""
    words = "nl-en.tm: this memory cannot be written to; copy it to a folder where you may write\n"
    assert run.stdout == f"1 Save.\n{words}{words}"
