"""Replies on file: a model that replays them, one that writes them down, and their lines."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from klopt.appended_file import AppendedFile
from klopt.errors import InputError, LlmError
from klopt.models.calls import Call, Key, Model, Reply, Usage

MOST_PROBLEMS: Final = 20
"""Bad lines that one message tells of."""

MOST: Final = 10**12
"""No cost, count or number of seconds is larger."""

_BEGINNING: Final = b'{"id": "'
_LOG: Final = logging.getLogger("klopt")


@dataclass(frozen=True, slots=True)
class Line:
    """A recorded reply.

    Attributes:
        key: `Call.key` of what was asked.
        digest: `Call.digest` of it; None when that was not recorded.
        reply: The reply; its usage is that of the time it was recorded.
    """

    key: Key
    digest: str | None
    reply: Reply

    @property
    def said(self) -> tuple[str | None, str, str]:
        """What two lines of one key must agree on."""
        return self.digest, self.reply.text, self.reply.task


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
        _count(fields, "prompt_tokens"),
        _count(fields, "completion_tokens"),
        _figure(fields, "cost_usd"),
        _figure(fields, "seconds") or 0.0,
        _count(fields, "retries"),
        1,
    )
    digest = None if fields.get("call") is None else _text(fields, "call")
    reply = Reply(texts["response"], texts["task"], texts["model"], usage)
    return Line((texts["id"], texts["technique"], attempt), digest, reply)


class Transcripts:
    """A model that replays the replies of a file; nothing is asked of anyone.

    The usage of a replayed reply is the recorded one: what it cost then, not now. A failed call
    (a time-out) is not in a file, so its replay is a miss.

    Attributes:
        name: ``recorded:`` and the beginning of the file's SHA-256.
        models: The models that gave the replies, sorted.
    """

    def __init__(self, path: Path, name: str, lines: Mapping[Key, Line]) -> None:
        self.name = name
        self.models = tuple(sorted({line.reply.model for line in lines.values()}))
        self._path, self._lines = path, lines

    def __repr__(self) -> str:
        return f"Transcripts({str(self._path)!r}, {self.name!r}, {len(self)} replies)"

    def __len__(self) -> int:
        return len(self._lines)

    @classmethod
    def read(cls, path: Path) -> Transcripts:
        """Reads a file of one JSON object a line; see `read_line`.

        Raises:
            InputError: The file cannot be read, a line is wrong, or two lines tell different
                replies to the same try of the same call.
        """
        try:
            content = path.read_bytes()
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        name = f"recorded:{hashlib.sha256(content).hexdigest()[:12]}"
        return cls(path, name, _read_lines(path, content))

    def holds(self, call: Call) -> bool:
        """Whether there is a line for this try of this call, of the same words or not."""
        return call.key in self._lines

    def complete(self, call: Call) -> Reply:
        """The recorded reply to this try of the call.

        Where the line holds the digest of what was asked, it must be that of the call. Lines of
        other tools hold none; whoever reads their replies sees to it that the task fits.

        Raises:
            LlmError: No reply was recorded, or it was one to other words (``no_transcript``).
        """
        line = self._lines.get(call.key)
        told = call.place + (f", try {call.attempt}" if call.attempt > 1 else "")
        if line is None:
            raise LlmError("no_transcript", f"{self._path} holds no reply for {told}")
        if line.digest is not None and line.digest != call.digest:
            raise LlmError(
                "no_transcript",
                f"{self._path} holds a reply for {told}, but to another question: the answer or "
                "the prompt has changed since; record again to another file",
            )
        return line.reply


class Recorder:
    """A model that passes calls on to another and writes each reply to a file, at once.

    Every reply is one line, written when it comes in: a run that is broken off loses none that
    was paid for. Replies of several tries are several lines. The lines stand in the order in
    which the replies came; a replay does not mind.

    Attributes:
        name: The name of the model that is asked.

    Args:
        model: Who is asked. It stays the caller's to close.
        path: The file; it must not hold anything yet.
        go_on: Takes up a file that a broken-off run left: what it holds is replayed, the rest is
            asked and added. A last line that was broken off is cut away.

    Raises:
        InputError: The file holds something already, another run is recording to it, it cannot be
            written, or cannot be gone on with.
    """

    def __init__(self, model: Model, path: Path, *, go_on: bool = False) -> None:
        self.name, self._model, self._path = model.name, model, path
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: is no file that can be read again; record to another")
        if path.exists() and path.stat().st_size and not go_on:
            raise InputError(
                f"{path} holds something already and is not written over; replay it, go on with "
                "it, or record to another file"
            )
        try:
            self._file = AppendedFile(path)
        except BlockingIOError:
            raise InputError(
                f"{path}: another run is recording to it; wait for its end, or record to another "
                "file"
            ) from None
        try:
            self._known = self._held()
        except BaseException:
            self.close()
            raise

    def _held(self) -> Transcripts:
        """What the file has, which no other run adds to from here on; it ends with a whole line."""
        content = self._file.read()
        last = content[content.rfind(b"\n") + 1 :]
        is_half = _is_half(last)
        if is_half:
            content = content[: -len(last)]
        known = Transcripts(self._path, "", _read_lines(self._path, content))
        if is_half:
            _LOG.warning("%s: the last line was broken off and is left out", self._path)
            self._file.cut(len(content))
        elif last:
            self._file.add(b"\n")
        return known

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Writes no more; a second time does nothing."""
        self._file.close()

    def complete(self, call: Call) -> Reply:
        """Asks the model, and records the reply before it is given on.

        Raises:
            LlmError: The model gave no reply; or the file gone on with holds one to other words.
            InputError: The reply cannot be written; the run had better end than go on paying.
        """
        if self._known.holds(call):
            return self._known.complete(call)
        reply = self._model.complete(call)
        self._file.add(to_line(call, reply).encode("utf-8") + b"\n")
        return reply


def _is_half(last: bytes) -> bool:
    """Whether it is the beginning of a line that records a reply, without its end."""
    try:
        read_line(last.decode("utf-8"))
    except ValueError:
        return bool(last) and last.startswith(_BEGINNING[: len(last)])
    return False


def _read_lines(path: Path, content: bytes) -> dict[Key, Line]:
    """The lines of a file; empty ones do not count, and one may stand there twice."""
    problems, lines = list[str](), dict[Key, tuple[int, Line]]()
    for number, raw in enumerate(content.split(b"\n"), start=1):
        if not raw.strip():
            continue
        try:
            line = read_line(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
        except UnicodeDecodeError:
            problems.append(f"{path}, line {number}: not UTF-8")
        except ValueError as error:
            problems.append(f"{path}, line {number}: {error}")
        else:
            before, first = lines.setdefault(line.key, (number, line))
            if first.said != line.said:
                id, technique, attempt = line.key
                problems.append(
                    f"{path}, line {number}: another reply to {technique} of row {id!r}, "
                    f"try {attempt}, than in line {before}"
                )
    if problems:
        more = len(problems) - MOST_PROBLEMS
        told = [*problems[:MOST_PROBLEMS], *([f"… and {more} more"] if more > 0 else [])]
        raise InputError("\n".join(told))
    return {key: line for key, (_, line) in lines.items()}


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise _wrong(fields, name, "a text")
    return value


def _count(fields: Mapping[str, Any], name: str, default: int = 0) -> int:
    value = fields.get(name, default)
    if type(value) is not int or not 0 <= value <= MOST:
        raise _wrong(fields, name, f"a whole number from 0 to {MOST}")
    return value


def _figure(fields: Mapping[str, Any], name: str) -> float | None:
    value = fields.get(name)
    if value is None:
        return None
    if type(value) not in (int, float) or not 0 <= value <= MOST:
        raise _wrong(fields, name, f"a number from 0 to {MOST}")
    return float(value)


def _wrong(fields: Mapping[str, Any], name: str, wanted: str) -> ValueError:
    met = f"not {json.dumps(fields[name])[:40]}" if name in fields else "and is missing"
    return ValueError(f"{name} must be {wanted}, {met}")
