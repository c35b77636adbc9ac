import os
import subprocess
import sys
import threading
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.llm.calls import QUEUED_PER_THREAD, ordered_map
from tests.llm.server import SECONDS


@given(st.lists(st.integers()), st.integers(1, 5))
@settings(max_examples=30)
def test_results_keep_the_order_of_the_items(items, threads):
    progress = []
    found = ordered_map(lambda item: item + 1, items, threads, progress.append)
    assert list(found) == [item + 1 for item in items]
    assert progress == list(range(1, len(items) + 1))


def test_all_threads_work_at_the_same_time():
    barrier, running, counts = threading.Barrier(3, timeout=SECONDS), set(), []

    def work(item):
        running.add(item)
        counts.append(len(running))
        barrier.wait()
        running.remove(item)

    list(ordered_map(work, range(30), threads=3))
    assert max(counts) == 3


def test_items_and_results_do_not_accumulate():
    class Item:
        def __init__(self, _):
            alive.add(self)

    alive = weakref.WeakSet()
    most = max(len(alive) for _ in ordered_map(Item, map(Item, range(2_000)), threads=2))
    assert 0 < most <= 2 * QUEUED_PER_THREAD * 2 + 8


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_is_raised_in_its_place_and_ends_the_work(threads):
    started = []

    def work(item):
        started.append(item)
        if item == 3:
            raise KeyError(item)
        return item

    results = ordered_map(work, range(1_000), threads)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(KeyError, match="3"):
        next(results)
    assert max(started) <= 3 + QUEUED_PER_THREAD * threads


def test_closing_the_results_does_not_wait_for_running_calls():
    running, proceed = threading.Event(), threading.Event()
    finished = []

    def work(item):
        if item:
            running.set()
            proceed.wait(SECONDS)
            finished.append(item)
        return item

    results = ordered_map(work, range(1_000), threads=2)
    assert next(results) == 0
    assert running.wait(SECONDS)
    results.close()
    assert finished == []
    proceed.set()


@pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX")
@pytest.mark.parametrize(
    "interrupt",
    ["os.kill(os.getpid(), signal.SIGINT)", "signal.pthread_kill(own(), signal.SIGINT)"],
    ids=["main thread", "worker thread"],
)
def test_ctrl_c_ends_a_program_with_running_calls(interrupt):
    program = f"""
import os, signal, threading
from threading import get_ident as own
from klopt.llm.calls import ordered_map

# A program that a shell starts in the background ignores Ctrl-C.
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


def test_threads_must_be_at_least_one():
    with pytest.raises(ValueError, match=r"^threads must be at least 1, not 0$"):
        ordered_map(abs, [1], threads=0)
