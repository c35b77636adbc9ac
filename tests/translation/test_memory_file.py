"""Opening a memory: what is one, what is none, and what is said of it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
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


def problem(path, **named):
    with pytest.raises(InputError) as told:
        Memory.open(path, **{"create": False, **named}).close()
    return str(told.value)


def test_it_is_marked_as_ours(path):
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA application_id").fetchone() == (0x6B6C6F70,)
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    connection.close()


@pytest.mark.parametrize("name", ["a b", "50%?#", "één", "x;y"])
def test_a_path_may_have_any_character(tmp_path, name):
    path = tmp_path / name
    with Memory.open(path, create=True) as memory:
        memory.add([ENTRY])
    with Memory.open(path, create=False, read_only=True) as memory:
        assert list(memory.entries()) == [ENTRY]
    assert [one.name for one in tmp_path.iterdir()] == [name]


def test_there_is_none(tmp_path):
    path = tmp_path / "weg.tm"
    words = "there is no such memory; klopt memory import, pages or rows makes one"
    assert problem(path) == f"{path}: {words}"
    assert problem(path, read_only=True) == f"{path}: {words}"
    assert list(tmp_path.iterdir()) == []


def test_no_folder(tmp_path):
    path = tmp_path / "weg" / "a.tm"
    assert problem(path, create=True) == f"{path}: there is no folder {tmp_path / 'weg'}"


def test_a_folder(tmp_path):
    assert problem(tmp_path, create=True) == (
        f"{tmp_path}: is a folder; a memory is one file, such as {tmp_path}/nl-en.tm"
    )


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("content", [b"{}", b"SQLite format 3 ", b'msgid ""\nmsgstr ""\n' * 99])
def test_another_file(tmp_path, content, create):
    path = tmp_path / "a.po"
    path.write_bytes(content)
    assert problem(path, create=create) == (
        f"{path}: not a translation memory of klopt; klopt memory import NEW.tm {path} reads "
        "translation files into one"
    )
    assert path.read_bytes() == content


@pytest.mark.parametrize("create", [False, True])
def test_an_sqlite_file_of_another_program(tmp_path, create):
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE entry (a)")
    connection.close()
    before = path.read_bytes()
    assert problem(path, create=create) == (
        f"{path}: an SQLite file of another program, not a memory of klopt"
    )
    assert path.read_bytes() == before


def test_an_empty_file_becomes_a_memory_only_where_one_may_be_made(tmp_path):
    path = tmp_path / "a.tm"
    path.touch()
    assert problem(path) == (
        f"{path}: is empty; klopt memory import, pages or rows makes a memory of it"
    )
    with Memory.open(path, create=True) as memory:
        assert memory.add([ENTRY]) == 1


def test_a_newer_version(path):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 7")
    connection.close()
    assert problem(path, create=True) == (
        f"{path}: a memory of version 7, and this klopt reads version 1; use the newer klopt that "
        "made it, or its klopt memory export and import the file here"
    )


def test_a_file_that_was_cut_off(path):
    with Memory.open(path, create=True) as memory:
        memory.add(Entry("nl", "en", "trusted", f"Veld {n}", "x" * 200) for n in range(200))
    path.write_bytes(path.read_bytes()[:3000])
    message = problem(path)
    assert message.startswith(f"{path}: this memory is damaged (")
    assert message.endswith("take a copy that is whole, or make it again with klopt memory import")


def test_damage_that_is_met_later(path):
    with Memory.open(path, create=True) as memory:
        memory.add(Entry("nl", "en", "trusted", f"Veld {n:03}", "x" * 200) for n in range(200))
    data = bytearray(path.read_bytes())
    data[8192:] = b"\xff" * (len(data) - 8192)
    path.write_bytes(data)
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
        assert [one.name for one in path.parent.iterdir()] == [path.name]
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
