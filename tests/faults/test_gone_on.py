"""A long log stopped again and again: no row is lost, none stands twice."""

from __future__ import annotations

import json
import random

from tests.faults.conftest import LONG, TASKS
from tests.faults.running import Fault

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
