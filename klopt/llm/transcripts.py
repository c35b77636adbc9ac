"""Recorded replies: files of JSON lines, a model that replays them, and one that records them."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from pydantic import AfterValidator, ConfigDict, Field, ValidationError

from klopt._internal.files import Journal
from klopt._internal.toml_schema import MustBe, Table
from klopt.errors import InputError, LlmError
from klopt.llm.calls import Call, Key, Model, Reply, Usage

K = TypeVar("K")
V = TypeVar("V")

MAX_AMOUNT: Final = 10**12  # Largest recorded cost, count or number of seconds
MAX_PROBLEMS: Final = 20  # Invalid lines in one message

_DIGEST_CHARS: Final = 12
_USAGE: Final = ("cost_usd", "seconds", "retries", "prompt_tokens", "completion_tokens")
_LINE_START: Final = b'{"id": "'
_LOG: Final = logging.getLogger("klopt")


class _Line(Table):
    """A line; the extra fields of other tools are ignored."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


def _text(value: object) -> object:
    """Accept any string; pydantic's own check refuses lone surrogates."""
    if not isinstance(value, str):
        raise ValueError(value)
    return value


_Text = Annotated[Any, AfterValidator(_text), MustBe("a text")]
_Count = Annotated[
    int, Field(ge=0, le=MAX_AMOUNT), MustBe(f"a whole number from 0 to {MAX_AMOUNT}")
]
_Amount = Annotated[float, Field(ge=0, le=MAX_AMOUNT), MustBe(f"a number from 0 to {MAX_AMOUNT}")]
_LINE: Final = _Line.of(
    **dict.fromkeys(("id", "model", "technique", "task", "response"), _Text),
    **dict.fromkeys(("cost_usd", "seconds"), (_Amount | None, None)),
    **dict.fromkeys(("retries", "prompt_tokens", "completion_tokens"), (_Count, 0)),
    call=(_Text | None, None),
    **{"try": (Annotated[int, Field(ge=1), MustBe("a whole number from 1")], 1)},
)


@dataclass(frozen=True, slots=True)
class Line:
    """A recorded reply, its `Call.key`, and the call's digest where it was recorded."""

    key: Key
    digest: str | None
    reply: Reply


def to_line(call: Call, reply: Reply) -> str:
    """Return the line that records a reply, without the line break.

    >>> call = Call("7", "cloze_fact", "Open <BLANK 1>.", "Fill in.", "Open <BLANK 1>.")
    >>> line = to_line(call, Reply("{}", call.task, "m", Usage(calls=1)))
    >>> read_line(line).key
    ('7', 'cloze_fact', 1)
    """
    fields: dict[str, Any] = {"id": call.id, "model": reply.model, "technique": call.technique}
    fields |= {"task": reply.task, "response": reply.text}
    fields |= {name: getattr(reply.usage, name) for name in _USAGE}
    fields |= {"call": call.digest, "try": call.attempt}
    line = json.dumps(fields, ensure_ascii=False, allow_nan=False)
    return line.encode("utf-8", "backslashreplace").decode()  # JSON writes surrogates as \ud800 too


def read_line(text: str) -> Line:
    """Read a line of `to_line`, of which five fields are required; ValueError if it is invalid."""
    fields = read_fields(text, _LINE)
    fields["seconds"] = fields["seconds"] or 0.0
    usage = Usage(**{name: fields[name] for name in _USAGE}, calls=1)
    reply = Reply(fields["response"], fields["task"], fields["model"], usage)
    return Line((fields["id"], fields["technique"], fields["try"]), fields["call"], reply)


def read_fields(text: str, table: type[Table]) -> dict[str, Any]:
    """Return the fields of a line, with the defaults of the table, or raise `ValueError`."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    if not isinstance(fields, dict):
        raise ValueError("not a JSON object")
    try:
        return table.model_validate(fields).model_dump()
    except ValidationError as error:
        problems = []
        for problem in error.errors():
            where = (at if isinstance(at, str) else f"entry {at + 1}" for at in problem["loc"])
            problems.append(f"{' '.join(where)}: {problem['msg']}")
        raise ValueError("\n".join(problems)) from None


def read_file(path: Path, read: Callable[[bytes], Mapping[K, V]]) -> tuple[str, Mapping[K, V]]:
    """Return the name of a file's content in fingerprints, and what ``read`` makes of it."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return f"recorded:{hashlib.sha256(content).hexdigest()[:_DIGEST_CHARS]}", read(content)


def read_lines(
    path: Path,
    content: bytes,
    read: Callable[[str], tuple[K, V]],
    what: Callable[[K], str],
    same: Callable[[V], object] = lambda value: value,
) -> dict[K, V]:
    """Return the values of a file by key; empty lines and repeated lines are skipped.

    Two values of one key must have an equal ``same(value)``; ``what`` names a key in messages. An
    `InputError` lists invalid lines and contradictions.
    """
    problems, lines = list[str](), dict[K, tuple[int, V]]()
    for number, raw in enumerate(content.split(b"\n"), 1):
        if not raw.strip():
            continue
        where = f"{path}, line {number}"
        try:
            key, value = read(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
        except UnicodeDecodeError:
            problems.append(f"{where}: not UTF-8")
        except ValueError as error:
            problems += [f"{where}: {problem}" for problem in str(error).split("\n")]
        else:
            before, first = lines.setdefault(key, (number, value))
            if same(first) != same(value):
                problems.append(f"{where}: another {what(key)} than in line {before}; keep one")
    if problems:
        if (more := len(problems) - MAX_PROBLEMS) > 0:
            problems[MAX_PROBLEMS:] = [f"… and {more} more"]
        raise InputError("\n".join(problems))
    return {key: value for key, (_, value) in lines.items()}


class Transcripts:
    """A model that replays the replies of a file, with the recorded usage; it calls no server."""

    def __init__(self, path: Path, name: str, lines: Mapping[Key, Line]) -> None:
        self.name = name
        self.models = tuple(sorted({line.reply.model for line in lines.values()}))
        self._path, self._lines = path, lines

    def __len__(self) -> int:
        return len(self._lines)

    @classmethod
    def read(cls, path: Path) -> Transcripts:
        """Read a file; an `InputError` lists invalid lines and contradicting replies."""
        return cls(path, *read_file(path, lambda content: _lines_of(path, content)))

    def holds(self, call: Call) -> bool:
        """Whether there is a line for this attempt of the call, whatever its messages."""
        return call.key in self._lines

    def complete(self, call: Call) -> Reply:
        """Return the recorded reply to this attempt of the call, or raise `LlmError`."""
        line = self._lines.get(call.key)
        place = call.place + (f", try {call.attempt}" if call.attempt > 1 else "")
        if line is None:
            raise LlmError("no_transcript", f"{self._path} holds no reply for {place}")
        if line.digest is not None and line.digest != call.digest:
            raise LlmError(
                "no_transcript",
                f"{self._path} holds a reply for {place}, but to another request: the answer or "
                "the prompt has changed since; record to another file",
            )
        return line.reply


class Recorder:
    """A model that forwards calls to another and appends each reply to a file at once.

    Replies that the file holds are replayed, so that a stopped run resumes; an incomplete last line
    is removed. Raises InputError if the file holds something else, another run records to it, or it
    cannot be written.
    """

    def __init__(self, model: Model, path: Path) -> None:
        self.name, self._model, self._path = model.name, model, path
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: not a regular file; record to another")
        try:
            self._file = Journal(path)
        except BlockingIOError:
            raise InputError(
                f"{path}: another run is recording to it; wait until it ends, or record to another "
                "file"
            ) from None
        try:
            self._known = self._recorded()
        except BaseException:
            self._file.close()
            raise

    def _recorded(self) -> Transcripts:
        """Read the file, and make it end with a complete line."""
        content = self._file.read()
        last = content[content.rfind(b"\n") + 1 :]
        is_incomplete = _is_incomplete(last)
        content = content.removesuffix(last) if is_incomplete else content
        known = Transcripts(self._path, "", _lines_of(self._path, content))
        if is_incomplete:
            _LOG.warning("%s: klopt removed an incomplete last line", self._path)
            self._file.truncate(len(content))
        elif last:
            self._file.append(b"\n")
        return known

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def complete(self, call: Call) -> Reply:
        """Return the recorded reply, or call the model and record its reply."""
        if self._known.holds(call):
            return self._known.complete(call)
        reply = self._model.complete(call)
        self._file.append(to_line(call, reply).encode("utf-8") + b"\n")
        return reply


def _is_incomplete(last: bytes) -> bool:
    """Whether a stopped run left this start of a line."""
    try:
        read_line(last.decode("utf-8"))
    except ValueError:
        return bool(last) and last.startswith(_LINE_START[: len(last)])
    return False


def _lines_of(path: Path, content: bytes) -> dict[Key, Line]:
    return read_lines(
        path,
        content,
        lambda text: ((line := read_line(text)).key, line),
        lambda key: f"reply to {key[1]} of row {key[0]!r}, try {key[2]},",
        lambda line: (line.digest, line.reply.text, line.reply.task),
    )
