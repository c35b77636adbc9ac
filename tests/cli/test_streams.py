"""Closed streams, a full disk and killed runs, each by a process that is started anew.

Every command meets every fault in tests/faults, where processes are forked.
"""

from __future__ import annotations

import os
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
