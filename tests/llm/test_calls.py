import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.errors import LlmError, ReplyError
from klopt.llm.calls import (
    MAX_REPLY_CHARS,
    Call,
    CallError,
    Meter,
    Usage,
    ask,
    ordered_map,
    parse_json,
)
from tests.llm.scripted import ONE, Scripted
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
