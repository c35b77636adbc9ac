"""The JSON in a reply, read strictly: a model that wraps it in prose did not follow the task."""

from __future__ import annotations

import json
import re
from typing import Final, NoReturn

from klopt.errors import ReplyError

_FENCE: Final = re.compile(r"\A\s*```(?:json|JSON)?[ \t]*\r?\n(.*?)\s*```\s*\Z", re.DOTALL)


def parse_json(text: str) -> object:
    r"""The value that a reply holds as JSON.

    One Markdown fence around the whole is taken off; models put it there whatever they are told.
    Nothing else is tolerated: prose before or after, a second value, NaN, a key that stands twice
    in one object, or nesting too deep to read.

    Args:
        text: A reply.

    Returns:
        Dicts, lists, strings, numbers, booleans and None.

    Raises:
        ReplyError: The text is no JSON (``bad_json``); the message says what is wrong and where.

    >>> parse_json('```json\n{"answer": ["B", "A"]}\n```')
    {'answer': ['B', 'A']}
    >>> parse_json("Here you are: {}")
    Traceback (most recent call last):
    klopt.errors.ReplyError: the reply is not JSON: Expecting value at character 0
    """
    fenced = _FENCE.match(text)
    body = fenced[1] if fenced else text
    if not body.strip():
        raise ReplyError("bad_json", "the reply is empty; it must be JSON")
    try:
        return json.loads(body, object_pairs_hook=_keys_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        problem = f"the reply is not JSON: {error.msg} at character {error.pos}"
        raise ReplyError("bad_json", problem) from None
    except RecursionError:
        raise ReplyError("bad_json", "the reply is JSON nested too deep to read") from None
    except ValueError as error:
        raise ReplyError("bad_json", f"the reply is not JSON that can be read: {error}") from None


def _keys_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ReplyError("bad_json", f"the reply has {twice!r} twice in one JSON object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ReplyError("bad_json", f"the reply is not JSON: {name} is no JSON number")
