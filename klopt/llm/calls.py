"""A request to an LLM, its reply and its usage; the `Model` protocol, and how to call one."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Generic, NoReturn, Protocol, TypeAlias, TypeVar

from klopt.errors import LlmError, LlmReason, ReplyError

T = TypeVar("T")

TRIES: Final = 3
"""Replies requested for one call until one is valid."""
MAX_REPLY_CHARS: Final = 100_000
"""Characters of a reply; a longer one is invalid and is not parsed."""

_FENCE: Final = re.compile(r"\A\s*```(?:json|JSON)?[ \t]*\r?\n(.*?)\s*```\s*\Z", re.DOTALL)

Key: TypeAlias = tuple[str, str, int]
"""Row id, technique and attempt: there is one reply per key."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a model.

    Attributes:
        id: The row's id.
        technique: What the request is for: ``cloze_fact``, ``g_eval.readability``.
        task: The part of the message that varies, as the model sees it; transcripts store it.
        system: The instructions.
        user: The whole user message, including the task.
        json: Whether the reply must be one JSON object.
        attempt: Number of the attempt, from 1.
    """

    id: str
    technique: str
    task: str
    system: str
    user: str
    json: bool = True
    attempt: int = 1

    @property
    def key(self) -> Key:
        """Row id, technique and attempt."""
        return self.id, self.technique, self.attempt

    @property
    def place(self) -> str:
        """The call in messages: ``row '7', cloze_fact``."""
        return f"row {self.id!r}, {self.technique}"

    @property
    def digest(self) -> str:
        """SHA-256 of both messages, in hexadecimal; the same for every attempt."""
        return hashlib.sha256(json.dumps([self.system, self.user]).encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True)
class Usage:
    """The usage of one or more calls; usages add up with ``+``.

    Attributes:
        prompt_tokens, completion_tokens: 0 for a server that does not count them.
        cost_usd: US dollars; None when no call has a known price. A sum skips unknown prices.
        seconds: Time until the replies arrived, including retries.
        retries: Requests repeated because the server or the network failed.
        calls: Replies received, including invalid ones.

    >>> Usage(10, 2, 0.5, 1.0, 0, 1) + Usage(5, 1, None, 2.0, 3, 1)
    Usage(prompt_tokens=15, completion_tokens=3, cost_usd=0.5, seconds=3.0, retries=3, calls=2)
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0
    retries: int = 0
    calls: int = 0

    def __add__(self, other: Usage) -> Usage:
        sums = {
            name: (getattr(self, name) or 0) + (getattr(other, name) or 0)
            for name in self.__dataclass_fields__
        }
        if self.cost_usd is other.cost_usd is None:
            sums["cost_usd"] = None
        return Usage(**sums)


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply.

    ``task`` is the task as the model saw it: that of the call, or the recorded one in a replay;
    ``model`` is the model's name according to the server, else the requested name.
    """

    text: str
    task: str
    model: str
    usage: Usage


class Model(Protocol):
    """Anything that replies to a call; safe to use from several threads."""

    @property
    def name(self) -> str:
        """The name in fingerprints: ``gpt-4o-mini-2024-07-18``, ``recorded:0f3c9a51d2e4``."""

    def complete(self, call: Call) -> Reply:
        """Return the model's reply, or raise `LlmError`."""


class CallError(LlmError):
    """A failed call, with its `usage` and what was wrong with each reply (`problems`)."""

    def __init__(
        self, reason_code: LlmReason, message: str, usage: Usage, problems: tuple[str, ...] = ()
    ) -> None:
        super().__init__(reason_code, message)
        self.args = (reason_code, message, usage, problems)
        self.usage, self.problems = usage, problems


class Meter:
    """A model that forwards calls to another and sums their `usage`, failed calls included."""

    def __init__(self, model: Model) -> None:
        self.name, self.usage = model.name, Usage()
        self._model, self._lock = model, threading.Lock()

    def complete(self, call: Call) -> Reply:
        """Return the model's reply; raises what the model raises."""
        usage = Usage()
        try:
            reply = self._model.complete(call)
            usage = reply.usage
        except CallError as error:
            usage = error.usage
            raise
        finally:
            with self._lock:
                self.usage += usage
        return reply


@dataclass(frozen=True, slots=True)
class ParsedReply(Generic[T]):
    """The value of a valid reply, and the problems of the invalid replies before it."""

    value: T
    usage: Usage
    problems: tuple[str, ...] = ()


def ask(model: Model, call: Call, read: Callable[[Reply], T]) -> ParsedReply[T]:
    """Call a model up to `TRIES` times, until ``read`` accepts the reply, or raise `CallError`."""
    usage, problems = Usage(), list[str]()
    reason: LlmReason = "bad_shape"
    for attempt in range(1, TRIES + 1):
        try:
            reply = model.complete(replace(call, attempt=attempt))
        except LlmError as error:
            if isinstance(error, CallError):
                usage += error.usage
            if error.reason_code == "no_transcript" and problems:
                break  # the recorded run stopped here too
            message = f"{call.place}: {error.message}"
            raise CallError(error.reason_code, message, usage, tuple(problems)) from None
        usage += reply.usage
        try:
            if len(reply.text) > MAX_REPLY_CHARS:
                raise ReplyError("bad_shape", f"the reply exceeds {MAX_REPLY_CHARS:,} characters")
            return ParsedReply(read(reply), usage, tuple(problems))
        except ReplyError as error:
            problems.append(error.message)
            reason = error.reason_code
    count = len(problems)
    message = f"{count} invalid {'replies' if count > 1 else 'reply'}; the last: {problems[-1]}"
    raise CallError(reason, f"{call.place}: {message}", usage, tuple(problems))


def parse_json(text: str) -> object:
    r"""Return the JSON value of a reply, which may be wrapped in one Markdown fence.

    Raises:
        ReplyError: The text is not one JSON value (``bad_json``): other text around it, a second
            value, NaN, a duplicate key, or nesting too deep to read.

    >>> parse_json('```json\n{"answer": ["B", "A"]}\n```')
    {'answer': ['B', 'A']}
    """
    fenced = _FENCE.match(text)
    body = fenced[1] if fenced else text
    if not body.strip():
        raise ReplyError("bad_json", "the reply is empty; it must be JSON")
    try:
        return json.loads(body, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        problem = f"{error.msg} at character {error.pos}"
    except RecursionError:
        problem = "nested too deeply"
    except ValueError as error:
        problem = str(error)
    raise ReplyError("bad_json", f"the reply is not JSON: {problem}")


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a key occurs twice in an object")
    return fields


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
