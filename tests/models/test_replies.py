from __future__ import annotations

import json
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.errors import LlmError, ReplyError
from klopt.models.calls import Answer, Call, CallError, Reply, Usage, ask, parse_json

CALL = Call("w1", "step_restore", "A. Open it.", "Put in order.", "A. Open it.")
ONE = Usage(10, 2, 0.5, 1.0, 0, 1)


class Scripted:
    """Gives one text after the other; an error is raised."""

    name = "scripted"

    def __init__(self, *script):
        self.script, self.calls = script, []
        self.lock = threading.Lock()

    def complete(self, call):
        with self.lock:
            self.calls.append(call)
            said = self.script[len(self.calls) - 1]
        if isinstance(said, LlmError):
            raise said
        return Reply(said, call.task, self.name, ONE)


def letters(reply):
    value = parse_json(reply.text)
    if not isinstance(value, dict) or not value.get("answer"):
        raise ReplyError("bad_shape", "no letters under answer")
    return value["answer"]


def test_the_first_reply_will_do():
    assert ask(Scripted('{"answer": ["A"]}'), CALL, letters) == Answer(["A"], ONE, ())


def test_bad_replies_are_recorded_and_asked_again():
    model = Scripted("A comes first.", '{"answer": []}', '{"answer": ["A"]}')
    answer = ask(model, CALL, letters)
    assert answer.value == ["A"]
    assert answer.usage == Usage(30, 6, 1.5, 3.0, 0, 3)
    assert answer.problems == (
        "the reply is not JSON: Expecting value at character 0",
        "no letters under answer",
    )
    assert [call.attempt for call in model.calls] == [1, 2, 3]
    assert {call.digest for call in model.calls} == {CALL.digest}


PROSE = "the reply is not JSON: Expecting value at character 0"


@pytest.mark.parametrize(
    ("script", "tries", "reason", "told", "usage", "problems"),
    [
        (
            ("A.", "B.", '{"answer": []}'),
            3,
            "bad_shape",
            "none of 3 replies could be used; the last: no letters under answer",
            Usage(30, 6, 1.5, 3.0, 0, 3),
            (PROSE, PROSE, "no letters under answer"),
        ),
        (("A.",), 1, "bad_json", f"the reply could not be used: {PROSE}", ONE, (PROSE,)),
        (
            ("A.", CallError("timeout", "too slow", Usage(seconds=9.0, retries=4)), "{}"),
            3,
            "timeout",
            "too slow",
            Usage(10, 2, 0.5, 10.0, 4, 1),
            (PROSE,),
        ),
        # A replay ends where the recorded run ended.
        (
            ("A.", LlmError("no_transcript", "no reply for try 2")),
            3,
            "bad_json",
            f"the reply could not be used: {PROSE}",
            ONE,
            (PROSE,),
        ),
        (
            (LlmError("no_transcript", "t.jsonl holds no reply"),),
            3,
            "no_transcript",
            "t.jsonl holds no reply",
            Usage(),
            (),
        ),
    ],
)
def test_no_reply_could_be_used(script, tries, reason, told, usage, problems):
    with pytest.raises(CallError) as caught:
        ask(Scripted(*script), CALL, letters, tries=tries)
    failed = caught.value
    assert (failed.reason_code, str(failed)) == (reason, f"row 'w1', step_restore: {told}")
    assert (failed.usage, failed.problems) == (usage, problems)


def test_other_errors_are_not_hidden():
    def broken(reply):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ask(Scripted("A."), CALL, broken)


def test_tries_are_at_least_one():
    with pytest.raises(ValueError, match=r"^tries is at least 1, not 0$"):
        ask(Scripted(), CALL, letters, tries=0)


# The JSON in a reply

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(values)
def test_whatever_is_json_is_read_with_a_fence_or_without(value):
    text = json.dumps(value)
    assert parse_json(text) == value
    assert parse_json(f"```json\n{text}\n```") == value


@pytest.mark.parametrize(
    "text",
    [
        '{"a": ["B"]}',
        ' \n{"a": ["B"]}\n',
        '```json\n{"a": ["B"]}\n```',
        '```\n{"a": ["B"]}\n```\n',
        '  ```JSON \n{"a":\n\n["B"]}  ```',
        '```json\r\n{"a": ["B"]}\r\n```',
    ],
)
def test_one_value_and_at_most_one_fence(text):
    assert parse_json(text) == {"a": ["B"]}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the reply is empty; it must be JSON"),
        ("```json\n\n```", "the reply is empty; it must be JSON"),
        ("Sure! Click Save.", "the reply is not JSON: Expecting value at character 0"),
        ('Sure! {"a": 1}', "the reply is not JSON: Expecting value at character 0"),
        ('{"a": 1} I hope this helps', "the reply is not JSON: Extra data at character 9"),
        ('{"a": 1}\n{"a": 2}', "the reply is not JSON: Extra data at character 9"),
        ('```json\n{"a": 1}\n```\nDone.', "the reply is not JSON: Expecting value at character 0"),
        ('```json\n{"a": 1}', "the reply is not JSON: Expecting value at character 0"),
        (
            "{'a': 1}",
            "the reply is not JSON: Expecting property name enclosed in double quotes "
            "at character 1",
        ),
        ('{"a": NaN}', "the reply is not JSON: NaN is no JSON number"),
        ('{"a": -Infinity}', "the reply is not JSON: -Infinity is no JSON number"),
        ('{"a": 1, "b": 2, "a": 3}', "the reply has 'a' twice in one JSON object"),
        ('[{"b": {"x": 1, "x": 1}}]', "the reply has 'x' twice in one JSON object"),
        ("[" * 100_000, "the reply is JSON nested too deep to read"),
    ],
)
def test_what_is_not_json(text, problem):
    with pytest.raises(ReplyError) as caught:
        parse_json(text)
    assert (caught.value.reason_code, str(caught.value)) == ("bad_json", problem)


def test_a_number_with_too_many_digits():
    with pytest.raises(ReplyError, match=r"^the reply is not JSON that can be read: "):
        parse_json("9" * 5_000)
