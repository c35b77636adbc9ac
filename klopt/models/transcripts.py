"""Replies on file: a model that replays them, one that writes them down, and their lines."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import AfterValidator, ConfigDict, Field

from klopt.appended_file import AppendedFile
from klopt.errors import InputError, LlmError
from klopt.models.calls import Call, Key, Model, Reply, Usage
from klopt.models.json_lines import content_of, read_fields, read_lines
from klopt.toml_schema import MustBe, Table

MOST: Final = 10**12
"""No cost, count or number of seconds is larger."""

_USED: Final = ("cost_usd", "seconds", "retries", "prompt_tokens", "completion_tokens")
_BEGINNING: Final = b'{"id": "'
_LOG: Final = logging.getLogger("klopt")


class _Known(Table):
    """Further fields, as other tools have them, are left aside."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


def _text(value: object) -> object:
    """A text; half a character is one too, which pydantic's own check refuses."""
    if not isinstance(value, str):
        raise ValueError(value)
    return value


_Text = Annotated[Any, AfterValidator(_text), MustBe("a text")]
_Count = Annotated[int, Field(ge=0, le=MOST), MustBe(f"a whole number from 0 to {MOST}")]
_Figure = Annotated[float, Field(ge=0, le=MOST), MustBe(f"a number from 0 to {MOST}")]
_LINE: Final = _Known.of(
    id=_Text,
    model=_Text,
    technique=_Text,
    task=_Text,
    response=_Text,
    cost_usd=(_Figure | None, None),
    seconds=(_Figure | None, None),
    retries=(_Count, 0),
    prompt_tokens=(_Count, 0),
    completion_tokens=(_Count, 0),
    call=(_Text | None, None),
    **{"try": (Annotated[int, Field(ge=1), MustBe("a whole number from 1")], 1)},
)


@dataclass(frozen=True, slots=True)
class Line:
    """A recorded reply, the `Call.key` of what was asked, and its digest where it was recorded."""

    key: Key
    digest: str | None
    reply: Reply


def to_line(call: Call, reply: Reply) -> str:
    """The line that records a reply, without the line break at its end.

    >>> call = Call("7", "cloze_fact", "Open <BLANK 1>.", "Fill in.", "Open <BLANK 1>.")
    >>> line = to_line(call, Reply("{}", call.task, "m", Usage(calls=1)))
    >>> read_line(line).key
    ('7', 'cloze_fact', 1)
    """
    fields = {
        "id": call.id,
        "model": reply.model,
        "technique": call.technique,
        "task": reply.task,
        "response": reply.text,
        **{name: getattr(reply.usage, name) for name in _USED},
        "call": call.digest,
        "try": call.attempt,
    }
    line = json.dumps(fields, ensure_ascii=False, allow_nan=False)
    return line.encode("utf-8", "backslashreplace").decode()  # \ud800 is JSON's own escape


def read_line(text: str) -> Line:
    """Reads a line as `to_line` writes it; lines of other tools have the first five texts only.

    Raises:
        ValueError: The line is no JSON object, lacks a field or has one of another type.
    """
    fields = read_fields(text, _LINE)
    fields["seconds"] = fields["seconds"] or 0.0
    usage = Usage(**{name: fields[name] for name in _USED}, calls=1)
    reply = Reply(fields["response"], fields["task"], fields["model"], usage)
    return Line((fields["id"], fields["technique"], fields["try"]), fields["call"], reply)


class Transcripts:
    """A model that replays the replies of a file, which `models` gave; nobody is asked.

    The usage of a replayed reply is the recorded one: what it cost then, not now. A failed call
    (a time-out) is not in a file, so its replay is a miss.
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
        content = content_of(path)
        name = f"recorded:{hashlib.sha256(content).hexdigest()[:12]}"
        return cls(path, name, _lines_of(path, content))

    def holds(self, call: Call) -> bool:
        """Whether there is a line for this try of this call, of the same words or not."""
        return call.key in self._lines

    def complete(self, call: Call) -> Reply:
        """The recorded reply to this try of the call.

        Where the line holds the digest of what was asked, it must be that of the call.

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
    was paid for. Replies of several tries are several lines.

    Args:
        model: Who is asked. It stays the caller's to close.
        path: The file. What it holds, of a run that was broken off, is replayed, and the rest is
            asked and added; a last line that was broken off is cut away.

    Raises:
        InputError: The file holds something else, another run is recording to it, or it cannot be
            written.
    """

    def __init__(self, model: Model, path: Path) -> None:
        self.name, self._model, self._path = model.name, model, path
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: is no file that can be read again; record to another")
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
        known = Transcripts(self._path, "", _lines_of(self._path, content))
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


def _lines_of(path: Path, content: bytes) -> dict[Key, Line]:
    return read_lines(
        path,
        content,
        lambda text: ((line := read_line(text)).key, line),
        lambda key: f"reply to {key[1]} of row {key[0]!r}, try {key[2]},",
        lambda line: (line.digest, line.reply.text, line.reply.task),
    )
