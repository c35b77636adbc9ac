"""kill -9 at ten moments of writing loses no file and leaves no temporary ones."""

import random

import pytest

from tests.faults.conftest import GROWING, OLD, tasks
from tests.faults.running import Fault

KILLS = 10


@pytest.mark.parametrize("task", tasks())
def test_a_killed_run(task, place, whole):
    undisturbed, moments = whole(task)
    own, result = place(task), undisturbed.written()
    before, after = own.added(), undisturbed.added()
    last = before
    chosen = random.Random(13).sample(range(1, moments + 1), min(KILLS, moments))
    for moment in chosen:
        ended = own.run(Fault(moment=moment))
        assert ended.code in (-9, 0), ended.err
        for name in own.names - own.own:
            assert GROWING.fullmatch(name)
        for name, text in own.written().items():
            assert text in (OLD, result[name])
        assert last <= own.added() <= after
        last = own.added()
    own.done()
    own.assert_done_as(undisturbed)
