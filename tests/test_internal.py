"""Text files, journals and cached properties of ``klopt._internal``."""

import os
import signal
import threading
from pathlib import Path

import pytest

from klopt._internal import files
from klopt._internal.cached import cached_property
from klopt._internal.files import LARGEST_BYTES, Journal, read_text_file
from klopt.company.folder import FILE, Company
from klopt.errors import KloptError
from klopt.lexicons import read_lexicon
from klopt.scoring.profile import Profile

NO_FILE = "a pipe or a device, not a file"


def create(kind: str, path: Path) -> None:
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "large":
            path.touch()
            os.truncate(path, LARGEST_BYTES + 1)
        case "bytes":
            path.write_bytes(b"\xff")
        case _:
            path.symlink_to(kind)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc of Linux")
@pytest.mark.parametrize(
    ("kind", "problem"),
    {
        "pipe": NO_FILE,
        "/dev/zero": NO_FILE,
        "large": f"{LARGEST_BYTES + 1:,} bytes is too large; the limit is {LARGEST_BYTES:,}",
        "bytes": "cannot be read as text",
        "/proc/self/status": "changed while klopt read it; try again",
    }.items(),
)
@pytest.mark.parametrize(
    "read", [read_lexicon, Profile.load, lambda path: Company.open(path.parent)]
)
def test_a_path_that_is_no_complete_file_is_refused(read, kind, problem, tmp_path):
    path = tmp_path / FILE
    create(kind, path)
    with pytest.raises(KloptError, match=problem) as caught:
        read(path)
    assert str(path) in str(caught.value)


def test_a_text_file_with_any_line_ends(tmp_path):
    path = tmp_path / "lines.toml"
    path.write_bytes("één\r\ntwee\rdrie\n".encode())
    assert read_text_file(path) == path.read_text("utf-8") == "één\ntwee\ndrie\n"


def test_a_journal_is_locked_by_one_process(tmp_path):
    with Journal(tmp_path / "a") as first:
        first.append(b"x\n")
        with pytest.raises(BlockingIOError):
            Journal(tmp_path / "a")
    with Journal(tmp_path / "a") as second:
        assert second.read() == b"x\n"


def test_a_journal_removed_between_opening_and_locking_is_refused(tmp_path, monkeypatch):
    own = files.lock

    def lock(path):
        path.unlink()
        return own(path)

    monkeypatch.setattr(files, "lock", lock)
    with pytest.raises(BlockingIOError):
        Journal(tmp_path / "a")


class Reading:
    def __init__(self) -> None:
        self.started, self.proceed = threading.Event(), threading.Event()

    @cached_property
    def words(self) -> list[str]:
        self.started.set()
        assert self.proceed.wait(60)
        return ["klopt"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_fork_during_a_cached_property_does_not_block():
    ours, theirs = Reading(), Reading()
    theirs.proceed.set()
    thread = threading.Thread(target=lambda: ours.words)
    thread.start()
    assert ours.started.wait(60)
    child = os.fork()
    if not child:
        signal.alarm(60)
        os._exit(0 if theirs.words == ["klopt"] else 1)
    ours.proceed.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
    assert ours.words is ours.words == ["klopt"]
