"""A limit of size, a small disk and a full device: one line, and what was there stays."""

from __future__ import annotations

import os
import random
import subprocess

import pytest

from tests.faults.conftest import MEMORY, OLD, RECORD, assert_told, tasks
from tests.faults.running import NONE, Fault

LIMITS = 3
FULL = os.strerror(28)


def size(place) -> int:
    return max((place.folder / name).stat().st_size for name in place.own)


@pytest.mark.parametrize("task", tasks())
def test_a_file_that_may_not_grow(task, place, whole):
    undisturbed, _ = whole(task)
    own = place(task)
    before = own.added()
    draw = random.Random(13)
    for limit in (0, *(draw.randrange(1, size(undisturbed)) for _ in range(LIMITS - 1))):
        ended = own.run(Fault(most_bytes=limit))
        if ended.code == 0:  # a memory that has room inside
            break
        assert_told(ended)
        assert own.names <= own.own
        assert {*own.written().values()} <= {OLD}
        assert before <= own.added()
    last = own.run()
    assert last.code == 0, last.err
    assert own.added() == undisturbed.added()
    assert own.written() == undisturbed.written()
