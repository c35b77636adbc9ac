from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.models.in_order import AHEAD, in_order
from tests.models.server import Meeting


@given(st.lists(st.integers()), st.integers(1, 5))
@settings(max_examples=30, deadline=None)
def test_results_stand_in_the_order_of_the_items(items, at_once):
    counted = []
    found = in_order(lambda item: item + 1, items, at_once, counted.append)
    assert list(found) == [item + 1 for item in items]
    assert counted == list(range(1, len(items) + 1))


def test_an_item_that_is_slow_is_waited_for():
    second_done = threading.Event()

    def work(item):
        if item == 0:
            assert second_done.wait(5)
        else:
            second_done.set()
        return item

    assert list(in_order(work, [0, 1], at_once=2)) == [0, 1]


def test_several_are_under_way_at_once_and_no_more():
    meeting = Meeting(3)
    list(in_order(lambda _: meeting.attend(), range(30), at_once=3))
    assert meeting.most == 3


def test_items_and_results_are_not_piled_up():
    class Thing:
        pass

    alive = weakref.WeakSet()

    def made(_):
        thing = Thing()
        alive.add(thing)
        return thing

    most = max(len(alive) for _ in in_order(made, map(made, range(2_000)), at_once=2))
    assert 0 < most <= 2 * AHEAD * 2 + 8


@pytest.mark.parametrize("at_once", [1, 3])
def test_an_error_comes_in_its_place_and_nothing_is_begun_after_it(at_once):
    begun = []

    def work(item):
        begun.append(item)
        if item == 3:
            raise KeyError(item)
        return item

    results = in_order(work, range(1_000), at_once)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(KeyError, match="3"):
        next(results)
    assert max(begun) <= 3 + AHEAD * at_once


def test_whoever_stops_listening_waits_for_nothing():
    under_way, go_on = threading.Event(), threading.Event()
    finished = []

    def work(item):
        if item:
            under_way.set()
            go_on.wait(5)
            finished.append(item)
        return item

    results = in_order(work, range(1_000), at_once=2)
    assert next(results) == 0
    assert under_way.wait(5)
    results.close()
    assert finished == []
    go_on.set()


def test_threads_end_with_the_work():
    list(in_order(abs, range(100), at_once=4))
    for thread in threading.enumerate():
        if thread.name == "klopt-llm":
            thread.join(5)
    assert "klopt-llm" not in [thread.name for thread in threading.enumerate()]
    gc.collect()


@pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX")
@pytest.mark.parametrize(
    "interrupt",
    ["os.kill(os.getpid(), signal.SIGINT)", "signal.pthread_kill(own(), signal.SIGINT)"],
    ids=["to the main thread", "to a thread that works, so that no wait is ended by it"],
)
def test_ctrl_c_ends_a_program_whose_calls_are_under_way(interrupt):
    program = f"""
import os, signal, threading
from threading import get_ident as own
from klopt.models.in_order import in_order

# A shell that starts a program in the background has it ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

def work(item):
    if item == 0:
        threading.Event().wait(0.2)
        {interrupt}
    threading.Event().wait(60)

try:
    list(in_order(work, range(100), at_once=4))
except KeyboardInterrupt:
    print("interrupted")
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "interrupted\n", "")


def test_at_once_is_at_least_one():
    with pytest.raises(ValueError, match=r"^at_once is at least 1, not 0$"):
        in_order(abs, [1], at_once=0)
