"""Closed streams, a full disk and killed runs, each by a process that is started anew.

Every command meets every fault in tests/faults, where processes are forked.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits and signals are of POSIX")

KLOPT = (sys.executable, "-m", "klopt")
ROWS = 40


@pytest.fixture(scope="module")
def log(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("streams") / "log.jsonl"
    path.write_text('{"question": "Kan dat?", "answer": "Ja."}\n' * ROWS, "utf-8")
    return path


def shell(script: str, *arguments: object) -> tuple[int, list[str]]:
    """Exit code, and the lines on standard error; "$@" in the script is klopt with arguments."""
    line = ("sh", "-c", script, "sh", *KLOPT, *map(str, arguments))
    run = subprocess.run(line, capture_output=True, check=False, timeout=120)
    return run.returncode, run.stderr.decode().splitlines()


CLOSED = os.strerror(9)
FULL = os.strerror(28)


def test_a_closed_output_that_is_not_written_to_hinders_nothing(log, tmp_path):
    path = tmp_path / "scores.jsonl"
    code, told = shell('"$@" <&- >&-', "score", log, "-o", path)
    assert (code, len(told)) == (0, 1)
    assert len(path.read_bytes().splitlines()) == ROWS


def test_all_closed_gives_an_exit_code(log):
    assert shell('"$@" <&- >&- 2>&-', "score", log) == (3, [])
    assert shell('"$@" <&- >&- 2>&-', "scor", log) == (2, [])


GROWING = """
import sys, time
from pathlib import Path
from klopt.batch.output import whole_file
with whole_file(Path(sys.argv[1])) as file:
    file.write(sys.argv[2])
    file.flush()
    print("begun", flush=True)
    sys.stdin.readline()
"""


def begin(path: Path, text: str) -> subprocess.Popen[str]:
    """A run that has written half of its output, and ends at a line of input."""
    line = (sys.executable, "-c", GROWING, str(path), text)
    run = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    assert run.stdout.readline() == "begun\n"
    return run


def test_what_a_killed_run_left_is_removed_by_the_next_and_nothing_else(tmp_path):
    path = tmp_path / "scores[1].jsonl"
    beside = tmp_path / f".{path.name}.notes.part"
    beside.write_text("somebody's own")
    killed, alive = begin(path, "half"), begin(path, "whole")
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert len(list(tmp_path.iterdir())) == 3
    begin(path, "last").communicate("\n")
    assert path.read_text() == "last"
    assert len(list(tmp_path.iterdir())) == 3
    alive.communicate("\n")
    assert alive.returncode == 0
    assert path.read_text() == "whole"
    assert sorted(tmp_path.iterdir()) == sorted([beside, path])
