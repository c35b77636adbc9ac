"""Calls to models: cost, retries, JSON in replies, and calls in parallel threads."""

import json
import os
import subprocess
import sys
import threading
import weakref
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.errors import LlmError, ReplyError
from klopt.llm.calls import (
    MAX_REPLY_CHARS,
    QUEUED_PER_THREAD,
    Call,
    CallError,
    Meter,
    Usage,
    ask,
    ordered_map,
    parse_json,
)
from tests.llm.scripted import ONE, Scripted
from tests.llm.server import SECONDS
from tests.tables import tables

CASES = tables("llm", "texts")
CALL = Call("w1", "step_restore", "A. Open it.", "Fill in.", "Fill in: Open it.")

few, figures = st.integers(0, 9), st.integers(0, 9).map(float)
usages = st.builds(Usage, few, few, st.none() | figures, figures, few, few)


@given(usages, usages, usages)
def test_usages_add_up_in_any_order(first, second, third):
    assert first + second == second + first
    assert (first + second) + third == first + (second + third)
    assert first + Usage() == first


def test_the_digest_depends_on_the_prompt_alone():
    same = replace(CALL, id="w2", technique="cloze_fact", task="x", attempt=2)
    assert same.digest == CALL.digest
    moved = replace(CALL, system="Fill in.F", user="ill in: Open it.")
    others = [replace(CALL, system=""), replace(CALL, user="\ud800"), moved]
    assert len({call.digest for call in (CALL, *others)}) == 4


def test_the_cost_of_failures_counts_too():
    errors = CallError("cut", "half", Usage(9, 9, 9.0, 9.0, 9, 1)), LlmError("no_transcript", "no")
    meter = Meter(Scripted(*["{}"] * 400, *errors))
    assert (meter.name, meter.usage) == ("scripted", Usage())
    assert len(list(ordered_map(meter.complete, [CALL] * 400, threads=8))) == 400
    for _ in errors:
        with pytest.raises(LlmError):
            meter.complete(CALL)
    assert meter.usage == Usage(4009, 809, 209.0, 409.0, 9, 401)


# Retries after invalid replies


def letters(reply):
    value = parse_json(reply.text)
    if not isinstance(value, dict) or not value.get("answer"):
        raise ReplyError("bad_shape", "no letters under answer")
    return value["answer"]


def test_an_invalid_reply_is_reported_and_requested_again():
    model = Scripted("A comes first.", '{"answer": []}', '{"answer": ["A"]}')
    answer = ask(model, CALL, letters)
    assert answer.value == ["A"]
    assert answer.usage == Usage(30, 6, 1.5, 3.0, 0, 3)
    assert answer.problems == (PROSE, "no letters under answer")
    assert [call.attempt for call in model.calls] == [1, 2, 3]
    assert {call.digest for call in model.calls} == {CALL.digest}


PROSE = "the reply is not JSON: Expecting value at character 0"
SLOW = CallError("timeout", "too slow", Usage(seconds=9.0, retries=4))
NOT_THERE = LlmError("no_transcript", "t.jsonl holds no reply")


@pytest.mark.parametrize(
    ("script", "reason_code", "message", "usage"),
    [
        (
            ("A.", "B.", '{"answer": []}'),
            "bad_shape",
            "3 invalid replies; the last: no letters under answer",
            Usage(30, 6, 1.5, 3.0, 0, 3),
        ),
        (("A.", SLOW, "{}"), "timeout", "too slow", Usage(10, 2, 0.5, 10.0, 4, 1)),
        # A replay ends where the recorded run ended.
        (("A.", NOT_THERE), "bad_json", f"1 invalid reply; the last: {PROSE}", ONE),
        ((NOT_THERE,), "no_transcript", "t.jsonl holds no reply", Usage()),
    ],
)
def test_no_valid_reply(script, reason_code, message, usage):
    with pytest.raises(CallError) as caught:
        ask(Scripted(*script), CALL, letters)
    error = caught.value
    assert (error.reason_code, str(error)) == (reason_code, f"row 'w1', step_restore: {message}")
    assert error.usage == usage
    problems = {"A.": PROSE, "B.": PROSE, '{"answer": []}': "no letters under answer"}
    assert error.problems == tuple(problems[text] for text in script if text in problems)


# The JSON in a reply

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=20), inner),
    max_leaves=10,
)


@given(values)
def test_json_is_read_with_or_without_a_fence(value):
    text = json.dumps(value)
    assert parse_json(text) == value
    assert parse_json(f"```json\n{text}\n```") == value


@pytest.mark.parametrize("text", CASES["json"])
def test_one_json_value_in_at_most_one_fence(text):
    assert parse_json(text) == {"a": ["B"]}


@pytest.mark.parametrize(
    "text", [*CASES["no_json"], "[" * 100_000, "9" * 5_000], ids=lambda text: text[:40]
)
def test_other_replies_are_not_json(text):
    with pytest.raises(ReplyError) as caught:
        parse_json(text)
    assert caught.value.reason_code == "bad_json"


def test_a_reply_that_is_too_long_is_invalid_and_not_parsed():
    long = json.dumps({"answer": ["A" * MAX_REPLY_CHARS]})
    answer = ask(Scripted(long, '{"answer": ["B"]}'), CALL, letters)
    assert (answer.value, len(answer.problems)) == (["B"], 1)


# Parallel calls


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
