"""A limit of size, a small disk and a full device: one line, and what was there stays."""

from __future__ import annotations

import random

import pytest

from tests.faults.conftest import GROWING, OLD, Place, assert_told, tasks
from tests.faults.running import Fault

LIMITS = 2


def size(place: Place) -> int:
    return max((place.folder / name).stat().st_size for name in place.own)


def assert_as_before(own: Place, added: set[object]) -> None:
    hidden = own.names - own.own
    assert not hidden or (own.is_kept and all(map(GROWING.fullmatch, hidden)))
    assert {*own.written().values()} <= {OLD}
    assert added <= own.added()


@pytest.mark.parametrize("task", tasks())
def test_a_file_that_may_not_grow(task, place, whole):
    undisturbed, _ = whole(task)
    own = place(task)
    added = own.added()
    draw = random.Random(13)
    for limit in (0, *(draw.randrange(1, size(undisturbed)) for _ in range(LIMITS - 1))):
        ended = own.run(Fault(most_bytes=limit))
        if ended.code == 0:  # a memory that has room inside
            break
        assert_told(ended)
        assert_as_before(own, added)
    own.done()
    own.assert_done_as(undisturbed)
