from __future__ import annotations

import json
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.errors import LlmError, ReplyError
from klopt.models.calls import Answer, Call, CallError, Meter, Reply, Usage, ask, parse_json
from klopt.models.chat_completions import ChatCompletions
from klopt.models.in_order import in_order
from tests.models.server import KEY, FakeClock, Server, replies, says, status

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


def test_no_reply_could_be_used():
    with pytest.raises(CallError) as caught:
        ask(Scripted("A.", "B.", '{"answer": []}'), CALL, letters)
    assert str(caught.value) == (
        "row 'w1', step_restore: none of 3 replies could be used; the last: no letters under answer"
    )
    assert caught.value.reason_code == "bad_shape"
    assert caught.value.usage == Usage(30, 6, 1.5, 3.0, 0, 3)
    assert len(caught.value.problems) == 3


def test_one_try_only():
    with pytest.raises(CallError) as caught:
        ask(Scripted("A."), CALL, letters, tries=1)
    assert str(caught.value) == (
        "row 'w1', step_restore: the reply could not be used: "
        "the reply is not JSON: Expecting value at character 0"
    )
    assert caught.value.reason_code == "bad_json"


def test_a_failure_of_the_model_ends_it_and_what_was_spent_is_told():
    failed = CallError("timeout", "too slow", Usage(seconds=9.0, retries=4))
    with pytest.raises(CallError) as caught:
        ask(Scripted("A.", failed, '{"answer": ["A"]}'), CALL, letters)
    assert str(caught.value) == "row 'w1', step_restore: too slow"
    assert caught.value.reason_code == "timeout"
    assert caught.value.usage == Usage(10, 2, 0.5, 10.0, 4, 1)
    assert caught.value.problems == ("the reply is not JSON: Expecting value at character 0",)


def test_a_replay_ends_where_the_recorded_run_ended():
    ended = LlmError("no_transcript", "no reply for try 2")
    with pytest.raises(CallError) as caught:
        ask(Scripted("A.", ended), CALL, letters)
    assert caught.value.reason_code == "bad_json"
    assert caught.value.usage == ONE


def test_a_miss_is_a_miss():
    with pytest.raises(CallError) as caught:
        ask(Scripted(LlmError("no_transcript", "t.jsonl holds no reply")), CALL, letters)
    assert caught.value.reason_code == "no_transcript"
    assert str(caught.value) == "row 'w1', step_restore: t.jsonl holds no reply"


def test_other_errors_are_not_hidden():
    def broken(reply):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ask(Scripted("A."), CALL, broken)


def test_tries_are_at_least_one():
    with pytest.raises(ValueError, match=r"^tries is at least 1, not 0$"):
        ask(Scripted(), CALL, letters, tries=0)


def test_many_over_http_with_failures_in_between():
    calls = [Call(f"w{n}", "step_restore", "", "", f"{n}") for n in range(40)]

    def behave(exchange):
        number = int(exchange.received.user)
        asked = sum(other.user == str(number) for other in server.received)
        if number % 5 == 0 and asked == 1:
            return status(503)(exchange)
        if number % 7 == 0 and asked < 3:
            return says("Prose.")(exchange)
        if number % 11 == 10:
            return says("{}")(exchange)
        return replies(lambda received: f'{{"answer": ["{received.user}"]}}')(exchange)

    counted = []
    with Server(then=behave) as server:
        client = ChatCompletions("tiny", server.base_url, KEY, clock=FakeClock().clock)
        model = Meter(client)

        def one(call):
            try:
                return ask(model, call, letters)
            except CallError as error:
                return error

        answers = list(in_order(one, calls, at_once=4, progress=counted.append))
        client.close()
    failed = [n for n, answer in enumerate(answers) if isinstance(answer, CallError)]
    assert failed == [10, 21, 32]
    assert {answers[n].reason_code for n in failed} == {"bad_shape"}
    given = [answer.value for answer in answers if isinstance(answer, Answer)]
    assert given == [[str(n)] for n in range(40) if n not in failed]
    assert counted == list(range(1, 41))
    spent = sum((answer.usage for answer in answers), Usage())
    assert model.usage == spent
    assert spent.retries == len([n for n in range(40) if n % 5 == 0])
    assert len(server.received) == spent.calls + spent.retries


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


def test_a_fence_inside_a_text_stays():
    assert parse_json('{"a": "```json\\nx\\n```"}') == {"a": "```json\nx\n```"}


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
