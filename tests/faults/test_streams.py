"""Closed streams, a reader who has gone and a full device, for every command that prints."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.conftest import DRAWS, LITTLE, assert_told, named
from tests.faults.running import Fault

CLOSED = os.strerror(9)
FULL = os.strerror(28)
PROFILE = "out.toml"
"""What fit has written, whole, before it prints."""

PRINT = {
    "nothing": (),
    "help": ("--help",),
    "help of one": ("score", "--help"),
    "version": ("--version",),
    "score": ("score", "{read}/few.jsonl"),
    "classify": ("classify", "{read}/few.jsonl"),
    "claims": ("claims", "{read}/claims.jsonl"),
    "judge": ("judge", "{read}/judged.jsonl"),
    "evaluate": ("evaluate", "{read}/few.jsonl", *DRAWS),
    "explain": ("explain", "--demo", "--id", "demo-027"),
    "demo": ("demo",),
    "doctor": ("doctor",),
    "terms": ("company", "terms", "--pages", "{read}/nl"),
    "show": ("memory", "show", "{read}/full.tm"),
    "show rows": ("memory", "show", "{read}/full.tm", "--json"),
    "missing": ("memory", "missing", "none.tm", "{read}/few.jsonl"),
    "fit": ("fit", "{read}/log.jsonl", *LITTLE, "-o", PROFILE),
}
READ = {
    "score": ("score", "-"),
    "classify": ("classify", "-"),
    "claims": ("claims", "-"),
    "judge": ("judge", "-"),
    "evaluate": ("evaluate", "-"),
    "explain": ("explain", "-", "--id", "1"),
    "fit": ("fit", "-", "-o", PROFILE),
    "missing": ("memory", "missing", "none.tm", "-"),
}
QUICK = ("help", "score", "show", "claims")


@pytest.mark.parametrize(("output", "problem"), {"closed": CLOSED, "/dev/full": FULL}.items())
@pytest.mark.parametrize("arguments", named(PRINT, *QUICK))
def test_an_output_that_takes_nothing(arguments, output, problem, begin, tmp_path):
    if output != "closed" and not Path(output).exists():
        pytest.skip(f"there is no {output}")
    ended = begin(tmp_path, *arguments, fault=Fault(output=output)).end()
    assert_told(ended, f"standard output: {problem}")
    assert {one.name for one in tmp_path.iterdir()} <= {PROFILE}


@pytest.mark.parametrize("arguments", named(PRINT, *QUICK))
def test_a_reader_who_has_seen_enough(arguments, begin, tmp_path):
    ended = begin(tmp_path, *arguments, fault=Fault(output="unread")).end()
    assert ended.code == 0, ended.err
    assert "Error" not in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(("command", "code"), [("score", 3), ("scor", 2)])
def test_a_process_that_begins_with_all_closed_gives_an_exit_code(read, command, code):
    line = ("sh", "-c", '"$@" <&- >&- 2>&-', "sh", sys.executable, "-m", "klopt", command)
    run = subprocess.run((*line, read / "few.jsonl"), capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (code, b"")


@pytest.mark.parametrize("arguments", named(READ, *QUICK))
def test_a_closed_input(arguments, begin, tmp_path):
    ended = begin(tmp_path, *arguments, fault=Fault(input="closed")).end()
    assert_told(ended, f"standard input: cannot be read: {CLOSED}")
    assert list(tmp_path.iterdir()) == []
