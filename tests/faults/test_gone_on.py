"""A long log stopped again and again: no row is lost, none stands twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.faults.conftest import LONG, TASKS, keeps
from tests.faults.running import Fault
from tests.waiting import wait_for

STOPS = 4


def test_a_log_that_is_stopped_wherever_it_is(place, whole):
    undisturbed, moments = whole(TASKS["long"])
    own = place(TASKS["long"])
    draw = random.Random(15)
    # The first stop is after a checkpoint, so that all the others go on.
    for moment in (moments * 3 // 5, *(draw.randrange(1, moments) for _ in range(STOPS))):
        ended = own.run(Fault(moment=moment))
        assert ended.code in (-9, 0), ended.err
        if ended.code == 0:
            break
    else:
        ended = own.done()
    assert "Going on after row " in ended.err
    own.assert_done_as(undisturbed)
    rows = map(json.loads, own.written()["out.jsonl"].splitlines())
    assert [row["id"] for row in rows] == [str(n) for n in range(LONG)]


def test_what_was_kept_stays_when_the_disk_is_full(place, whole):
    undisturbed, _ = whole(TASKS["long"])
    own = place(TASKS["long"])
    size = len(undisturbed.written()["out.jsonl"].encode())
    ended = own.run(Fault(most_bytes=size * 2 // 3))
    assert ended.code == 3
    assert "out.jsonl: cannot be written" in ended.err
    assert own.is_kept
    assert "Going on after row 1,000 of a run that was stopped." in own.done().err
    own.assert_done_as(undisturbed)


@pytest.mark.skipif(sys.platform != "linux", reason="finds the processes under /proc")
def test_a_scoring_process_that_is_killed_is_replaced(tmp_path, read, whole):
    undisturbed, _ = whole(TASKS["long"])
    out = tmp_path / "out.jsonl"
    command = (sys.executable, "-m", "klopt", "score", "-", "--processes", "2", "-o", str(out))
    lines = (read / "long.jsonl").read_bytes().splitlines(keepends=True)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdin is not None
        assert run.stderr is not None
        run.stdin.writelines(lines[:1_200])
        run.stdin.flush()
        wait_for(lambda: keeps(tmp_path))
        os.kill(scoring(run.pid)[0], signal.SIGKILL)
        with suppress(BrokenPipeError):
            run.stdin.writelines(lines[1_200:])
            run.stdin.close()
        told = run.stderr.read().decode()
    assert run.returncode == 0, told
    assert "Traceback" not in told
    assert out.read_text("utf-8") == undisturbed.written()["out.jsonl"]


def scoring(pid: int) -> list[int]:
    """The processes that score for one."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [
        int(one) for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()
    ]
