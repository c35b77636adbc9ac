"""A limit of file size and a full disk: one error, and the old file stays."""

import random

import pytest

from tests.faults.conftest import GROWING, OLD, TASKS, assert_reported, tasks
from tests.faults.running import Fault


@pytest.mark.parametrize("task", tasks())
def test_a_limit_of_file_size(task, place, whole):
    undisturbed, _ = whole(task)
    own = place(task)
    added = own.added()
    size = max((undisturbed.folder / name).stat().st_size for name in own.own)
    for limit in (0, random.Random(13).randrange(1, size)):
        ended = own.run(Fault(most_bytes=limit))
        if ended.code == 0:  # a cache with free pages
            break
        assert_reported(ended)
        hidden = own.names - own.own
        assert not hidden or (own.has_checkpoint and all(map(GROWING.fullmatch, hidden)))
        assert {*own.written().values()} <= {OLD}
        assert added <= own.added()
    own.done()
    own.assert_done_as(undisturbed)


def test_a_run_resumes_after_a_full_disk(place, whole):
    undisturbed, _ = whole(TASKS["long"])
    own = place(TASKS["long"])
    size = len(undisturbed.written()["out.jsonl"].encode())
    ended = own.run(Fault(most_bytes=size * 2 // 3))
    assert ended.code == 3
    assert "out.jsonl: cannot be written" in ended.err
    assert own.has_checkpoint
    assert "Resuming a stopped run after row 100." in own.done().err
    own.assert_done_as(undisturbed)
