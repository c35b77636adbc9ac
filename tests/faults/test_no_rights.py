"""Files and folders that may not be written to, also as root: one line, and nothing is touched."""

from __future__ import annotations

import os

import pytest

from tests.faults.conftest import MEMORY, TASKS, assert_told, tasks
from tests.faults.running import Fault

BOUND = Fault(is_bound=True)
DENIED = os.strerror(13)


@pytest.fixture(autouse=True, scope="module")
def bindable(tmp_path_factory, begin):
    """A process that may do only what modes allow."""
    folder = tmp_path_factory.mktemp("bindable")
    ended = begin(folder, "--version", fault=BOUND).end()
    if ended.code != 0:
        pytest.skip(f"root cannot give up its power over files here: {ended.err}")


@pytest.fixture
def own(task, place):
    made = place(task)
    yield made
    made.folder.chmod(0o755)


@pytest.mark.parametrize("task", tasks())
def test_a_folder_that_may_not_be_written_to(task, own):
    for name in own.task.writes:
        (own.folder / name).unlink()
    own.folder.chmod(0o555)
    names, added = own.names, own.added()
    assert_told(own.run(BOUND))
    assert own.names == names
    assert own.added() == added


@pytest.mark.parametrize("task", tasks())
def test_a_file_that_may_not_be_written_to(task, own):
    for path in own.folder.iterdir():
        path.chmod(0o444)
    if not own.names:
        (own.folder / own.task.adds_to[0]).touch(0o444)
    written, added = own.written(), own.added()
    assert_told(own.run(BOUND))
    assert own.names == own.own
    assert (own.written(), own.added()) == (written, added)


def test_a_memory_in_such_a_folder_is_read(place):
    own = place(TASKS["import"])
    assert own.run().code == 0
    own.folder.chmod(0o555)
    (own.folder / MEMORY).chmod(0o444)
    ended = own.begin(own.folder, "memory", "show", MEMORY, fault=BOUND).end()
    own.folder.chmod(0o755)
    assert (ended.code, ended.err) == (0, "")
    assert "151" in ended.out
