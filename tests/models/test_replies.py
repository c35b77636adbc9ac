from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.errors import ReplyError
from klopt.models.replies import parse_json

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
