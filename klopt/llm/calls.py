"""Requests to an LLM, replies and usage; the `Model` protocol, and calls on several threads."""

from __future__ import annotations

import hashlib
import itertools
import json
import queue
import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from typing import Final, Generic, NoReturn, Protocol, TypeAlias, TypeVar

from klopt.errors import LlmError, LlmReason, ReplyError

T = TypeVar("T")

TRIES: Final = 3  # Replies requested for one call until one is valid
MAX_REPLY_CHARS: Final = 100_000  # Characters of a reply; a longer one is invalid and is not parsed

_FENCE: Final = re.compile(r"\A\s*```(?:json|JSON)?[ \t]*\r?\n(.*?)\s*```\s*\Z", re.DOTALL)

Key: TypeAlias = tuple[str, str, int]  # Row id, technique and attempt: there is one reply per key


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a model for row ``id``; ``task`` is the part that varies and is recorded."""

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

    ``cost_usd`` is None when no call has a known price, and a sum skips unknown prices; ``seconds``
    include retries; ``calls`` counts replies, invalid ones included.

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
    """A model's reply, the task as the model saw it, and the model's name by the server."""

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

    ReplyError (``bad_json``) for other text around it, a second value, NaN, a duplicate key, or
    nesting too deep to read.

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


R = TypeVar("R")

QUEUED_PER_THREAD: Final = 8  # Items and results held at a time, for each thread

_WAIT_S: Final = 0.2  # longest uninterrupted wait, in seconds; then Ctrl-C takes effect


def ordered_map(
    work: Callable[[T], R],
    items: Iterable[T],
    threads: int = 8,
    progress: Callable[[int], object] | None = None,
) -> Iterator[R]:
    """Yield ``work(item)`` for each item in order, with at most ``threads`` calls at a time.

    Unlike ``ThreadPoolExecutor.map``, it reads a long input lazily, and its threads are daemons:
    Ctrl-C, an exception of ``work`` or closing the iterator starts no further call and waits for
    none. ``items`` are read and ``progress`` is called (with the number of finished items) in the
    iterating thread.

    >>> list(ordered_map(abs, [-2, 1, -3], threads=2))
    [2, 1, 3]
    """
    if threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    return _results(work, items, threads, progress or (lambda _: None))


def _results(
    work: Callable[[T], R], items: Iterable[T], threads: int, report: Callable[[int], object]
) -> Iterator[R]:
    if threads == 1:
        for done, result in enumerate(map(work, items), 1):
            report(done)
            yield result
        return
    todo: queue.SimpleQueue[tuple[T, Future[R]] | None] = queue.SimpleQueue()
    stopped = threading.Event()

    def run() -> None:
        while not stopped.is_set() and (entry := todo.get()) is not None:
            item, future = entry
            try:
                future.set_result(work(item))
            except BaseException as error:
                stopped.set()
                future.set_exception(error)
            del entry, item, future

    source, ordered, started = iter(items), deque[Future[R]](), 0
    running, count = set[Future[R]](), itertools.count(1)
    try:
        while True:
            for item in itertools.islice(source, QUEUED_PER_THREAD * threads - len(ordered)):
                ordered.append(Future())
                running.add(ordered[-1])
                todo.put((item, ordered[-1]))
                if started < threads:
                    threading.Thread(target=run, name="klopt-llm", daemon=True).start()
                    started += 1
            if not ordered:
                return
            finished, running = wait(running, _WAIT_S, FIRST_COMPLETED)
            for _ in finished:
                report(next(count))
            while ordered and ordered[0] not in running:
                yield ordered.popleft().result()
    finally:
        stopped.set()
        for _ in range(started):
            todo.put(None)
