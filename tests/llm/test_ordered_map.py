import os
import subprocess
import sys
import threading
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.llm.calls import QUEUED_PER_THREAD, ordered_map
from tests.llm.server import SECONDS, Meeting


@given(st.lists(st.integers()), st.integers(1, 5))
@settings(max_examples=30)
def test_results_stand_in_the_order_of_the_items(items, at_once):
    counted = []
    found = ordered_map(lambda item: item + 1, items, at_once, counted.append)
    assert list(found) == [item + 1 for item in items]
    assert counted == list(range(1, len(items) + 1))


def test_several_are_under_way_at_once_and_no_more():
    meeting = Meeting(3)
    list(ordered_map(lambda _: meeting.attend(), range(30), threads=3))
    assert meeting.most == 3


def test_items_and_results_are_not_piled_up():
    class Thing:
        pass

    alive = weakref.WeakSet()

    def made(_):
        thing = Thing()
        alive.add(thing)
        return thing

    most = max(len(alive) for _ in ordered_map(made, map(made, range(2_000)), threads=2))
    assert 0 < most <= 2 * QUEUED_PER_THREAD * 2 + 8


@pytest.mark.parametrize("at_once", [1, 3])
def test_an_error_comes_in_its_place_and_nothing_is_begun_after_it(at_once):
    begun = []

    def work(item):
        begun.append(item)
        if item == 3:
            raise KeyError(item)
        return item

    results = ordered_map(work, range(1_000), at_once)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(KeyError, match="3"):
        next(results)
    assert max(begun) <= 3 + QUEUED_PER_THREAD * at_once


def test_whoever_stops_listening_waits_for_nothing():
    under_way, go_on = threading.Event(), threading.Event()
    finished = []

    def work(item):
        if item:
            under_way.set()
            go_on.wait(SECONDS)
            finished.append(item)
        return item

    results = ordered_map(work, range(1_000), threads=2)
    assert next(results) == 0
    assert under_way.wait(SECONDS)
    results.close()
    assert finished == []
    go_on.set()


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
from klopt.llm.calls import ordered_map

# A shell that starts a program in the background has it ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

def work(item):
    if item == 0:
        threading.Event().wait(0.2)
        {interrupt}
    threading.Event().wait(600)

try:
    list(ordered_map(work, range(100), threads=4))
except KeyboardInterrupt:
    print("interrupted")
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "interrupted\n", "")


def test_threads_is_at_least_one():
    with pytest.raises(ValueError, match=r"^threads must be at least 1, not 0$"):
        ordered_map(abs, [1], threads=0)
