"""One line of a transcript file: a call, the reply to it and what it cost, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from klopt.errors import InputError
from klopt.models.calls import Call, Reply, Usage

MOST_PROBLEMS: Final = 20
"""Bad lines that one message tells of."""

MOST: Final = 10**12
"""No cost, count or number of seconds is larger."""


@dataclass(frozen=True, slots=True)
class Line:
    """A recorded reply.

    Attributes:
        id: The row's id.
        technique: What was asked of the row.
        attempt: The how-manieth time it was asked, from 1; ``try`` in the file.
        digest: `Call.digest` of what was asked; None when it was not recorded; ``call`` in the
            file.
        reply: The reply; its usage is that of the time it was recorded.
    """

    id: str
    technique: str
    attempt: int
    digest: str | None
    reply: Reply

    @property
    def key(self) -> tuple[str, str, int]:
        """What there is one line of."""
        return self.id, self.technique, self.attempt


def to_line(call: Call, reply: Reply) -> str:
    """The line that records a reply, without the line break at its end.

    >>> call = Call("7", "cloze_fact", "Open <BLANK 1>.", "Fill in.", "Open <BLANK 1>.")
    >>> line = to_line(call, Reply("{}", call.task, "m", Usage(calls=1)))
    >>> read_line(line).key
    ('7', 'cloze_fact', 1)
    """
    usage = reply.usage
    fields = {
        "id": call.id,
        "model": reply.model,
        "technique": call.technique,
        "task": reply.task,
        "response": reply.text,
        "cost_usd": usage.cost_usd,
        "seconds": usage.seconds,
        "retries": usage.retries,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "call": call.digest,
        "try": call.attempt,
    }
    line = json.dumps(fields, ensure_ascii=False, allow_nan=False)
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(fields, allow_nan=False)
    return line


def read_line(text: str) -> Line:
    """Reads a line; fields that it does not know are ignored.

    Args:
        text: JSON with ``id``, ``model``, ``technique``, ``task`` and ``response``; and, where
            they were recorded, ``cost_usd``, ``seconds``, ``retries``, ``prompt_tokens``,
            ``completion_tokens``, ``call`` and ``try``.

    Raises:
        ValueError: The line is no JSON object, lacks a field or has one of another type.
    """
    try:
        fields = json.loads(text)
    except RecursionError:
        raise ValueError("JSON nested too deep to read") from None
    except ValueError:
        raise ValueError("not JSON") from None
    if not isinstance(fields, dict):
        raise ValueError("not a JSON object")
    names = ("id", "model", "technique", "task", "response")
    texts = {name: _text(fields, name) for name in names}
    attempt = _count(fields, "try", 1)
    if attempt < 1:
        raise ValueError("try is 1 or more")
    usage = Usage(
        _count(fields, "prompt_tokens", 0),
        _count(fields, "completion_tokens", 0),
        _figure(fields, "cost_usd"),
        _figure(fields, "seconds") or 0.0,
        _count(fields, "retries", 0),
        1,
    )
    digest = None if fields.get("call") is None else _text(fields, "call")
    reply = Reply(texts["response"], texts["task"], texts["model"], usage)
    return Line(texts["id"], texts["technique"], attempt, digest, reply)


def read_lines(path: Path, content: bytes) -> Iterator[Line]:
    """Reads the lines of a file, empty ones left out; a line that stands twice is given once.

    Args:
        path: The file, for messages.
        content: What is in it, as UTF-8.

    Raises:
        InputError: Lines cannot be read, or tell different replies to the same try of the same
            call; the message names them all, or the first `MOST_PROBLEMS`.
    """
    problems = list[str]()
    first: dict[tuple[str, str, int], tuple[int, Line]] = {}
    for number, raw in enumerate(content.split(b"\n"), start=1):
        if not raw.strip():
            continue
        try:
            line = read_line(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
        except UnicodeDecodeError:
            problems.append(f"{path}, line {number}: not UTF-8")
            continue
        except ValueError as error:
            problems.append(f"{path}, line {number}: {error}")
            continue
        seen, known = first.setdefault(line.key, (number, line))
        if seen == number:
            yield line
        elif (known.digest, known.reply.text, known.reply.task) != (
            line.digest,
            line.reply.text,
            line.reply.task,
        ):
            problems.append(
                f"{path}, line {number}: another reply to {line.technique} of row {line.id!r}, "
                f"try {line.attempt}, than in line {seen}"
            )
    if problems:
        more = len(problems) - MOST_PROBLEMS
        told = [*problems[:MOST_PROBLEMS], *([f"… and {more} more"] if more > 0 else [])]
        raise InputError("\n".join(told))


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a text, {_met(fields, name)}")
    return value


def _count(fields: Mapping[str, Any], name: str, default: int) -> int:
    value = fields.get(name, default)
    if type(value) is not int or not 0 <= value <= MOST:
        raise ValueError(f"{name} must be a whole number from 0 to {MOST}, {_met(fields, name)}")
    return value


def _figure(fields: Mapping[str, Any], name: str) -> float | None:
    value = fields.get(name)
    if value is None:
        return None
    if type(value) not in (int, float) or not 0 <= value <= MOST:
        raise ValueError(f"{name} must be a number from 0 to {MOST}, {_met(fields, name)}")
    return float(value)


def _met(fields: Mapping[str, Any], name: str) -> str:
    return f"not {json.dumps(fields[name])[:40]}" if name in fields else "and is missing"
