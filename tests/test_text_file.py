"""A company's files are files: no pipe or device is waited for, and none is read for ever."""

import os
from pathlib import Path

import pytest

from klopt._internal.files import LARGEST_BYTES, read_text_file
from klopt.company.folder import FILE, Company
from klopt.errors import KloptError
from klopt.lexicons import read_lexicon
from klopt.scoring.profile import Profile

NO_FILE = "a pipe or a device, not a file"


def made(kind: str, path: Path) -> None:
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


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="its size is 0 on Linux")
@pytest.mark.parametrize(
    ("kind", "problem"),
    {
        "pipe": NO_FILE,
        "/dev/zero": NO_FILE,
        "large": f"{LARGEST_BYTES + 1:,} bytes is too large; the limit is {LARGEST_BYTES:,}",
        "bytes": "cannot be read as text",
        "/proc/self/status": "changed while it was read; try again",
    }.items(),
)
@pytest.mark.parametrize(
    "read", [read_lexicon, Profile.load, lambda path: Company.open(path.parent)]
)
def test_what_is_no_whole_file_is_refused(read, kind, problem, tmp_path):
    path = tmp_path / FILE
    made(kind, path)
    with pytest.raises(KloptError, match=problem) as told:
        read(path)
    assert str(path) in str(told.value)


def test_a_file_of_any_line_ends_is_read(tmp_path):
    path = tmp_path / "lines.toml"
    path.write_bytes("één\r\ntwee\rdrie\n".encode())
    assert read_text_file(path) == path.read_text("utf-8") == "één\ntwee\ndrie\n"
