"""Runs that are killed, that have no room on the disk, or that run at the same time, lose no file.

Each leaves the old file or the complete new one, and no temporary files.
"""

import random
import threading

import pytest

from tests.cli.judged_log import reply
from tests.faults.conftest import GROWING, OLD, TASKS, assert_reported, tasks
from tests.faults.running import Fault
from tests.llm.server import Server, replies

KILLS = 10
AT_ONCE = 3
ROUNDS = 2


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


@pytest.mark.parametrize("task", [one for one in tasks() if one.id != "record"])
def test_runs_at_the_same_time(task, place, whole):
    undisturbed, _ = whole(task)
    own = place(task)
    for _ in range(ROUNDS if task.arguments[0] == "translations" else 1):
        for run in [own.start() for _ in range(AT_ONCE)]:
            ended = run.end()
            assert ended.code == 0, ended.err
        own.assert_done_as(undisturbed)


def test_only_one_run_records_at_a_time(place, begin, whole):
    requested, released = threading.Event(), threading.Event()

    def slow(exchange):
        requested.set()
        released.wait(120)
        replies(reply)(exchange)

    own = place(TASKS["record"])
    with Server(then=slow) as server:
        own_server = [one if one != "{models}" else server.base_url for one in own.task.arguments]
        first = begin(own.folder, *own_server)
        assert requested.wait(120)
        assert_reported(begin(own.folder, *own_server).end(), "another run is recording to it")
        released.set()
        ended = first.end()
    assert ended.code == 0, ended.err
    assert len(server.received) == len(own.added())
    own.assert_done_as(whole(own.task)[0])
    own.done()
