"""A limit of size, a small disk and a full device: one line, and what was there stays."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.faults.conftest import GROWING, OLD, TASKS, Place, assert_told, tasks
from tests.faults.running import Fault

LIMITS = 2
FULL = os.strerror(28)
DISK = "size=2m"
TO_DEVICES = [
    pytest.param(name, output, id=f"{name} {output}", marks=pytest.mark.slow)
    for name, one in TASKS.items()
    for output in one.writes
    if not name.startswith("export")  # which goes by the end of the name
]


def size(place: Place) -> int:
    return max((place.folder / name).stat().st_size for name in place.own)


def assert_as_before(own: Place, added: set[object]) -> None:
    hidden = own.names - own.own
    assert not hidden or (own.is_kept and all(map(GROWING.fullmatch, hidden)))
    assert {*own.written().values()} <= {OLD}
    assert added <= own.added()


@pytest.mark.parametrize("task", tasks())
def test_a_file_that_may_not_grow(task, place, whole):
    undisturbed, _ = whole(task)
    own = place(task)
    added = own.added()
    draw = random.Random(13)
    for limit in (0, *(draw.randrange(1, size(undisturbed)) for _ in range(LIMITS - 1))):
        ended = own.run(Fault(most_bytes=limit))
        if ended.code == 0:  # a memory that has room inside
            break
        assert_told(ended)
        assert_as_before(own, added)
    own.done()
    own.assert_done_as(undisturbed)


@pytest.fixture
def disk(tmp_path):
    """A folder on a disk of its own, small enough to fill."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    if mount is None or os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    line = (mount, "-t", "tmpfs", "-o", DISK, "none", folder)
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(("umount", folder), check=True)


@pytest.mark.parametrize("task", tasks())
def test_a_full_disk(task, disk, begin, whole):
    undisturbed, _ = whole(task)
    own = Place(disk / "own", task, begin)
    added = own.added()
    filler = disk / "filler"
    filler.write_bytes(b" " * shutil.disk_usage(disk).free)
    ended = own.run()
    assert_told(ended)
    assert_as_before(own, added)
    filler.unlink()
    own.done()
    own.assert_done_as(undisturbed)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(("name", "output"), TO_DEVICES)
def test_a_full_device(name, output, place, begin):
    own = place(TASKS[name])
    arguments = ["/dev/full" if one == output else one for one in own.task.arguments]
    assert_told(begin(own.folder, *arguments).end(), f"/dev/full: cannot be written: {FULL}")
    assert not [one for one in own.names if one.startswith(".")]
