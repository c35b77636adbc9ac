"""A question to a model, its reply, what they cost; the protocol of models, and asking them."""

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
"""So often a model is asked until its reply can be used."""

_FENCE: Final = re.compile(r"\A\s*```(?:json|JSON)?[ \t]*\r?\n(.*?)\s*```\s*\Z", re.DOTALL)

Key: TypeAlias = tuple[str, str, int]
"""What there is one reply to: a row's id, a technique, and the how-manieth try it is."""


@dataclass(frozen=True, slots=True)
class Call:
    """One question to a model.

    Attributes:
        id: The row's id.
        technique: What is asked of the row: ``cloze_fact``, ``g_eval.readability``.
        task: The part that varies as the model sees it (a text with blanks, options); what a
            transcript stores.
        system: The instructions.
        user: The whole message, the task included.
        json: Whether the reply is to be one JSON object: a client that can ask its server for
            that does.
        attempt: The how-manieth time this is asked, from 1, as `klopt.models.calls.ask` counts.

    >>> Call("7", "cloze_fact", "Open <BLANK 1>.", "Fill in.", "Open <BLANK 1>.").digest[:12]
    '245991029ba3'
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
        """Id, technique and attempt."""
        return self.id, self.technique, self.attempt

    @property
    def place(self) -> str:
        """For messages: ``row '7', cloze_fact``."""
        return f"row {self.id!r}, {self.technique}"

    @property
    def digest(self) -> str:
        """SHA-256 of the two messages, in hexadecimal; the same for every attempt."""
        return hashlib.sha256(json.dumps([self.system, self.user]).encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls cost; usages add up with ``+``.

    Attributes:
        prompt_tokens: Tokens of the questions; a server that does not tell counts as 0.
        completion_tokens: Tokens of the replies.
        cost_usd: US dollars; None when no call has a known price. In a sum, calls without a known
            price count nothing.
        seconds: How long the replies took, waiting between tries included.
        retries: Requests that were sent again because the server or the network failed.
        calls: Replies that came in, those that could not be used included.

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
        costs = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            sum(costs) if costs else None,
            self.seconds + other.seconds,
            self.retries + other.retries,
            self.calls + other.calls,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said.

    Attributes:
        text: The reply, as it came.
        task: The task as the model saw it: the call's, or the recorded one in a replay.
        model: The model as the server names it, or the one that was asked for.
        usage: What it cost.
    """

    text: str
    task: str
    model: str
    usage: Usage


class Model(Protocol):
    """Whatever answers a call; safe to use from several threads at once."""

    @property
    def name(self) -> str:
        """For fingerprints: ``gpt-4o-mini-2024-07-18``, ``recorded:0f3c9a51d2e4``."""

    def complete(self, call: Call) -> Reply:
        """Asks the model.

        Raises:
            LlmError: There is no reply, after all tries that the model allows itself.
        """


class CallError(LlmError):
    """A call failed, after what `usage` tells was spent and the replies in `problems`, in order."""

    def __init__(
        self, reason_code: LlmReason, message: str, usage: Usage, problems: tuple[str, ...] = ()
    ) -> None:
        super().__init__(reason_code, message)
        self.args = (reason_code, message, usage, problems)
        self.usage, self.problems = usage, problems


class Meter:
    """A model that passes calls on and adds up in `usage` what they cost, failed ones included."""

    def __init__(self, model: Model) -> None:
        self.name, self.usage = model.name, Usage()
        self._model, self._lock = model, threading.Lock()

    def complete(self, call: Call) -> Reply:
        """Asks the model, and raises what it raises."""
        try:
            reply = self._model.complete(call)
        except CallError as error:
            self._add(error.usage)
            raise
        self._add(reply.usage)
        return reply

    def _add(self, usage: Usage) -> None:
        with self._lock:
            self.usage += usage


@dataclass(frozen=True, slots=True)
class ParsedReply(Generic[T]):
    """What was read from a reply; `problems` are those of the replies before it, in order."""

    value: T
    usage: Usage
    problems: tuple[str, ...] = ()


def ask(model: Model, call: Call, read: Callable[[Reply], T]) -> ParsedReply[T]:
    """Asks a model, in the same words, until ``read`` raises no `ReplyError`; `TRIES` times.

    Raises:
        CallError: No reply could be used, or the model gave none; its reason is the last try's.
    """
    usage, problems = Usage(), list[str]()
    reason: LlmReason = "bad_shape"
    for attempt in range(1, TRIES + 1):
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
            return ParsedReply(read(reply), usage, tuple(problems))
        except ReplyError as error:
            problems.append(error.message)
            reason = error.reason_code
    message = f"the reply could not be used: {problems[0]}"
    if len(problems) > 1:
        message = f"none of {len(problems)} replies could be used; the last: {problems[-1]}"
    raise _failed(call, reason, message, usage, problems)


def parse_json(text: str) -> object:
    r"""The value that a reply holds as JSON, less one Markdown fence around the whole.

    Prose before or after, a second value, NaN, a key that stands twice in one object and nesting
    too deep to read are not tolerated.

    Raises:
        ReplyError: The text is no JSON (``bad_json``).

    >>> parse_json('```json\n{"answer": ["B", "A"]}\n```')
    {'answer': ['B', 'A']}
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
    fields: dict[str, object] = {}
    for key, value in pairs:
        if key in fields:
            raise ReplyError("bad_json", f"the reply has {key!r} twice in one JSON object")
        fields[key] = value
    return fields


def _no_constant(name: str) -> NoReturn:
    raise ReplyError("bad_json", f"the reply is not JSON: {name} is no JSON number")
