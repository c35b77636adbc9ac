"""Asks until a reply can be used; and reads the JSON in one, strictly."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Generic, NoReturn, TypeVar

from klopt.errors import LlmError, LlmReason, ReplyError
from klopt.models.calls import Call, CallError, Model, Reply, Usage

T = TypeVar("T")

_FENCE: Final = re.compile(r"\A\s*```(?:json|JSON)?[ \t]*\r?\n(.*?)\s*```\s*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What was read from a reply.

    Attributes:
        value: What ``read`` made of the reply that could be used.
        usage: What all tries cost together.
        problems: What was wrong with each reply before it, in order; empty when the first would do.
    """

    value: T
    usage: Usage
    problems: tuple[str, ...] = ()


def ask(model: Model, call: Call, read: Callable[[Reply], T], tries: int = 3) -> Answer[T]:
    """Asks a model, and asks again while its replies cannot be used.

    Args:
        model: Who is asked.
        call: What; the same words every time.
        read: Makes something of a reply, or raises `ReplyError` when it cannot.
        tries: How often at most, from 1.

    Returns:
        What was read, with what it cost and what went wrong before.

    Raises:
        CallError: No reply could be used, or the model gave none; it holds what was spent and
            every problem. Its reason is that of the last try.
        ValueError: ``tries`` is below 1.
    """
    if tries < 1:
        raise ValueError(f"tries is at least 1, not {tries}")
    usage, problems = Usage(), list[str]()
    reason: LlmReason = "bad_shape"
    for attempt in range(1, tries + 1):
        try:
            reply = model.complete(replace(call, attempt=attempt))
        except LlmError as error:
            if isinstance(error, CallError):
                usage += error.usage
            if error.reason_code == "no_transcript" and problems:
                break  # the recorded run ended here too
            raise _failed(call, error.reason_code, error.message, usage, problems) from None
        usage += reply.usage
        try:
            return Answer(read(reply), usage, tuple(problems))
        except ReplyError as error:
            problems.append(error.message)
            reason = error.reason_code
    message = f"the reply could not be used: {problems[0]}"
    if len(problems) > 1:
        message = f"none of {len(problems)} replies could be used; the last: {problems[-1]}"
    raise _failed(call, reason, message, usage, problems)


def parse_json(text: str) -> object:
    r"""The value that a reply holds as JSON.

    One Markdown fence around the whole is taken off; models put it there whatever they are told.
    Nothing else is tolerated: prose before or after, a second value, NaN, a key that stands twice
    in one object, or nesting too deep to read.

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


def _failed(
    call: Call, reason: LlmReason, message: str, usage: Usage, problems: list[str]
) -> CallError:
    return CallError(reason, f"{call.place}: {message}", usage, tuple(problems))


def _keys_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ReplyError("bad_json", f"the reply has {twice!r} twice in one JSON object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ReplyError("bad_json", f"the reply is not JSON: {name} is no JSON number")
