"""Runs at the same time with one output or one cache: all succeed, and no entry is lost."""

import threading

import pytest

from tests.cli.judging_server import reply
from tests.faults.conftest import TASKS, assert_reported, tasks
from tests.llm.server import Server, replies

AT_ONCE = 3
ROUNDS = 2


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
