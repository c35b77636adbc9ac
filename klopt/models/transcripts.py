"""Replies on file: a model that replays them, and one that writes them down."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Mapping
from pathlib import Path

from klopt.errors import InputError, LlmError
from klopt.models.calls import Call, Model, Reply
from klopt.models.transcript_lines import Line, read_lines, to_line


class Transcripts:
    """A model that replays the replies of a file; nothing is asked of anyone.

    The usage of a replayed reply is the recorded one: what it cost then, not now. A failed call
    (a time-out) is not in a file, so its replay is a miss.

    Attributes:
        name: ``recorded:`` and the beginning of the file's SHA-256.
        models: The models that gave the replies, sorted.
    """

    def __init__(self, path: Path, name: str, lines: Mapping[tuple[str, str, int], Line]) -> None:
        self.name = name
        self.models = tuple(sorted({line.reply.model for line in lines.values()}))
        self._path, self._lines = path, lines

    def __repr__(self) -> str:
        return f"Transcripts({str(self._path)!r}, {self.name!r}, {len(self)} replies)"

    def __len__(self) -> int:
        return len(self._lines)

    @classmethod
    def read(cls, path: Path) -> Transcripts:
        """Reads a file of one JSON object a line; see `klopt.models.transcript_lines.read_line`.

        Raises:
            InputError: The file cannot be read, a line is wrong, or two lines tell different
                replies to the same try of the same call.
        """
        try:
            content = path.read_bytes()
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        lines = {line.key: line for line in read_lines(path, content)}
        return cls(path, f"recorded:{hashlib.sha256(content).hexdigest()[:12]}", lines)

    def holds(self, call: Call) -> bool:
        """Whether there is a line for this try of this call, of the same words or not."""
        return (call.id, call.technique, call.attempt) in self._lines

    def complete(self, call: Call) -> Reply:
        """The recorded reply to this try of the call.

        Where the line holds the digest of what was asked, it must be that of the call. Lines of
        other tools hold none; whoever reads their replies sees to it that the task fits.

        Raises:
            LlmError: No reply was recorded, or it was one to other words (``no_transcript``).
        """
        line = self._lines.get((call.id, call.technique, call.attempt))
        told = f"row {call.id!r}, {call.technique}"
        if call.attempt > 1:
            told += f", try {call.attempt}"
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

    Args:
        model: Who is asked. It stays the caller's to close.
        path: The file; it must not hold anything yet.
        go_on: Takes up a file that a broken-off run left: what it holds is replayed, the rest is
            asked and added.

    Raises:
        InputError: The file holds something already, cannot be written, or cannot be gone on with.
    """

    def __init__(self, model: Model, path: Path, *, go_on: bool = False) -> None:
        self._model, self._path = model, path
        self._lock = threading.Lock()
        self._known = Transcripts(path, "", {})
        exists = path.is_file() and path.stat().st_size > 0
        if exists and not go_on:
            raise InputError(
                f"{path} holds something already and is not written over; replay it, go on with "
                "it, or record to another file"
            )
        if exists:
            self._known = Transcripts.read(path)
        try:
            self._file: int | None = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
        if exists and not path.read_bytes().endswith(b"\n"):
            self._write(b"\n")

    @property
    def name(self) -> str:
        """The name of the model that is asked."""
        return self._model.name

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Writes no more; a second time does nothing."""
        with self._lock:
            if self._file is not None:
                os.close(self._file)
            self._file = None

    def complete(self, call: Call) -> Reply:
        """Asks the model, and records the reply before it is given on.

        Raises:
            LlmError: The model gave no reply; or the file gone on with holds one to other words.
            InputError: The reply cannot be written; the run had better end than go on paying.
        """
        if self._known.holds(call):
            return self._known.complete(call)
        reply = self._model.complete(call)
        self._write(to_line(call, reply).encode("utf-8") + b"\n")
        return reply

    def _write(self, line: bytes) -> None:
        with self._lock:
            if self._file is None:
                raise InputError(f"{self._path}: is closed and records no more")
            try:
                while line:
                    line = line[os.write(self._file, line) :]
            except OSError as error:
                raise InputError(f"{self._path}: cannot be written: {error.strerror}") from None
