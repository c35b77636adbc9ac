"""kill -9 at ten moments of the writing: nothing is lost, nothing left behind."""

from __future__ import annotations

import random

import pytest

from tests.faults.conftest import GROWING, OLD, TASKS, tasks
from tests.faults.running import Fault

KILLS = 10


@pytest.mark.parametrize("task", tasks())
def test_a_killed_run(task, place, whole):
    undisturbed, moments = whole(task)
    own, result = place(task), undisturbed.written()
    before, after = own.added(), undisturbed.added()
    seen = before
    chosen = random.Random(13).sample(range(1, moments + 1), min(KILLS, moments))
    for moment in chosen:
        ended = own.run(Fault(moment=moment))
        assert ended.code in (-9, 0), ended.err
        for name in own.names - own.own:
            assert GROWING.fullmatch(name)
        for name, text in own.written().items():
            assert text in (OLD, result[name])
        assert seen <= own.added() <= after
        seen = own.added()
    own.done()
    own.assert_done_as(undisturbed)


@pytest.mark.parametrize("task", tasks())
def test_a_run_after_the_clock_was_set_back(task, place, whole):
    undisturbed, _ = whole(task)
    own = place(task)
    own.done(Fault(is_set_back=True))
    own.assert_done_as(undisturbed)


def test_what_is_like_a_half_file_and_somebodys_own_stays(place):
    own = place(TASKS["export"])
    beside = own.folder / ".out.jsonl.notes.part"
    beside.write_text("somebody's own")
    own.done()
    assert beside.read_text() == "somebody's own"
