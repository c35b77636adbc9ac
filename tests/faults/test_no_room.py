"""A limit of size, a small disk and a full device: one line, and what was there stays."""

import random

import pytest

from tests.faults.conftest import GROWING, OLD, TASKS, assert_told, tasks
from tests.faults.running import Fault


@pytest.mark.parametrize("task", tasks())
def test_a_file_that_may_not_grow(task, place, whole):
    undisturbed, _ = whole(task)
    own = place(task)
    added = own.added()
    size = max((undisturbed.folder / name).stat().st_size for name in own.own)
    for limit in (0, random.Random(13).randrange(1, size)):
        ended = own.run(Fault(most_bytes=limit))
        if ended.code == 0:  # a cache that has room inside
            break
        assert_told(ended)
        hidden = own.names - own.own
        assert not hidden or (own.is_kept and all(map(GROWING.fullmatch, hidden)))
        assert {*own.written().values()} <= {OLD}
        assert added <= own.added()
    own.done()
    own.assert_done_as(undisturbed)


def test_what_was_kept_stays_when_the_disk_is_full(place, whole):
    undisturbed, _ = whole(TASKS["long"])
    own = place(TASKS["long"])
    size = len(undisturbed.written()["out.jsonl"].encode())
    ended = own.run(Fault(most_bytes=size * 2 // 3))
    assert ended.code == 3
    assert "out.jsonl: cannot be written" in ended.err
    assert own.is_kept
    assert "Resuming a stopped run after row 100." in own.done().err
    own.assert_done_as(undisturbed)
