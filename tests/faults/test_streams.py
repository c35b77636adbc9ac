"""Closed streams, a pipe without a reader and a full device, for every command that prints."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.conftest import LITTLE, assert_reported, named
from tests.faults.running import Fault

CLOSED = os.strerror(9)
FULL = os.strerror(28)
PROFILE = "out.toml"
"""The file that fit writes before it prints."""

PRINT = {
    "nothing": (),
    "help": ("--help",),
    "help of one": ("score", "--help"),
    "version": ("--version",),
    "score": ("score", "{read}/few.jsonl"),
    "classify": ("classify", "{read}/few.jsonl"),
    "claims": ("claims", "{read}/claims.jsonl"),
    "judge": ("judge", "{read}/judged.jsonl"),
    "evaluate": ("evaluate", "{read}/few.jsonl"),
    "explain": ("explain", "--demo", "--id", "demo-027"),
    "demo": ("demo",),
    "doctor": ("doctor",),
    "terms": ("company", "terms", "--pages", "{read}/nl"),
    "missing": ("translations", "missing", "{read}/full.tm", "{read}/few.jsonl"),
    "fit": ("fit", "{read}/log.jsonl", *LITTLE, "-o", PROFILE),
}
QUICK = ("help", "score", "claims")


@pytest.mark.parametrize(("output", "problem"), {"closed": CLOSED, "/dev/full": FULL}.items())
@pytest.mark.parametrize("arguments", named(PRINT, *QUICK))
def test_an_output_that_cannot_be_written(arguments, output, problem, begin, tmp_path):
    if output != "closed" and not Path(output).exists():
        pytest.skip(f"there is no {output}")
    ended = begin(tmp_path, *arguments, fault=Fault(output=output)).end()
    assert_reported(ended, f"standard output: {problem}")
    assert {one.name for one in tmp_path.iterdir()} <= {PROFILE}


@pytest.mark.parametrize("arguments", named(PRINT, *QUICK))
def test_a_pipe_without_a_reader(arguments, begin, tmp_path):
    ended = begin(tmp_path, *arguments, fault=Fault(output="unread")).end()
    assert ended.code == 0, ended.err
    assert "Error" not in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(("command", "code"), [("score", 3), ("scor", 2)])
def test_a_process_with_all_streams_closed_has_an_exit_code(read, command, code):
    line = ("sh", "-c", '"$@" <&- >&- 2>&-', "sh", sys.executable, "-m", "klopt", command)
    run = subprocess.run((*line, read / "few.jsonl"), capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (code, b"")
