"""A limit of size, a small disk and a full device: one line, and what was there stays."""

from __future__ import annotations

import random

import pytest

from tests.faults.conftest import GROWING, OLD, assert_told, tasks
from tests.faults.running import Fault


@pytest.mark.parametrize("task", tasks())
def test_a_file_that_may_not_grow(task, place, whole):
    undisturbed, _ = whole(task)
    own = place(task)
    added = own.added()
    size = max((undisturbed.folder / name).stat().st_size for name in own.own)
    for limit in (0, random.Random(13).randrange(1, size)):
        ended = own.run(Fault(most_bytes=limit))
        if ended.code == 0:  # a memory that has room inside
            break
        assert_told(ended)
        hidden = own.names - own.own
        assert not hidden or (own.is_kept and all(map(GROWING.fullmatch, hidden)))
        assert {*own.written().values()} <= {OLD}
        assert added <= own.added()
    own.done()
    own.assert_done_as(undisturbed)
