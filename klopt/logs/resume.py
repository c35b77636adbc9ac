"""Write scored rows as they arrive and resume a stopped run."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final
from zlib import crc32

from klopt._internal.cached import Recent
from klopt._internal.files import (
    JOURNAL,
    Journal,
    hidden_files,
    open_hidden,
    prepare,
    remove,
    whole_binary,
)
from klopt.errors import InputError
from klopt.logs.formats import Warn, packing_of
from klopt.logs.rows import Row
from klopt.logs.scoring import RECENT_TURNS, Result, Tally, digest
from klopt.logs.writing import TABLES, write_as
from klopt.types import Pages
from klopt.version import VERSION

CHECKPOINT_ROWS: Final = 1_000
CHECKPOINT_S: Final = 10.0  # or after this many seconds, whichever comes first

_CHECKPOINT: Final = b'{"checkpoint": '  # begins a line with the state after the rows above it


def run_facts(inputs: Iterable[str], files: Iterable[Path], **others: object) -> dict[str, Any]:
    """Return what must be unchanged for another run to resume this one.

    Input files are compared by size and time of change, ``files`` by content; ``others`` are
    further settings, under the names that a message uses.
    """
    stats = [Path(source).stat() if Path(source).is_file() else None for source in inputs]
    return {
        "klopt": VERSION,
        "input": [None if stat is None else [stat.st_size, stat.st_mtime_ns] for stat in stats],
        "terms": [hashlib.sha256(path.read_bytes()).hexdigest() for path in files],
        **{name: fact if isinstance(fact, str) else repr(fact) for name, fact in others.items()},
    }


def pages_digest(pages: Pages | None) -> str:
    """Return a digest of all pages and their names."""
    total = hashlib.blake2b(digest_size=16)
    for name, page in (pages or {}).items():
        total.update(f"{name!r}: {page!r}\n".encode())
    return total.hexdigest()


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Settings of a run.

    ``output`` is None for standard output; ``restart`` does not resume; ``has_repeats``: a row that
    repeats an earlier one is not scored again.
    """

    output: Path | None
    kind: str
    facts: Mapping[str, Any]
    restart: bool = False
    has_repeats: bool = False


class LogRun:
    """A run over a log, with checkpoints from which a later run can resume.

    ``tally`` counts all rows; ``done`` are those that the resumed run had finished, ``saved_count``
    those in the last checkpoint; ``is_skipping``: the rows read now were finished before.
    """

    def __init__(
        self,
        settings: RunSettings,
        write: Callable[[bytes], object],
        journal: Journal | None = None,
        checkpoint: Mapping[str, Any] | None = None,
    ) -> None:
        self._settings, self._write, self._journal = settings, write, journal
        self._row_chain, self._expected_chain = bytes(16), ""
        self._checksum = self.saved_count = self.count = self.done = 0
        self._saved_s = time.monotonic()
        self._finished: Recent[bytes, bool] = Recent(RECENT_TURNS)
        self.is_skipping, self.tally = False, Tally()
        if checkpoint is None:
            return
        self._expected_chain, self._checksum = checkpoint["row_chain"], checkpoint["checksum"]
        self.saved_count = self.count = self.done = int(checkpoint["rows"])
        self.tally = checkpoint["tally"]
        if checkpoint["facts"] != settings.facts:
            before = checkpoint["facts"]
            changed = [name for name, fact in settings.facts.items() if before.get(name) != fact]
            raise self._mismatch(f"another {' and another '.join(changed or ['version'])}")

    def remaining(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield the unfinished rows; raise InputError if the finished ones differ from before."""
        rows = iter(rows)
        self.is_skipping = True
        for _, row in zip(range(self.done), rows, strict=False):
            self._finished.put(self._chain(row), row.turn is not None)
        if self.done and self._row_chain.hex() != self._expected_chain:
            raise self._mismatch("other rows")
        self.is_skipping = False
        yield from rows

    def add(self, result: Result) -> None:
        """Write a scored row, and a checkpoint when one is due."""
        row, scored, is_repeat = result
        given = {"id": row.id}
        if self._settings.kind in TABLES and row.turn is not None:
            given |= {"question": row.turn.question, "answer": row.turn.answer}
        line = scored.line(given)
        self._write(line)
        self._checksum = crc32(line, self._checksum)
        own = self._chain(row)
        is_repeat = is_repeat or (self._settings.has_repeats and bool(self._finished.get(own)))
        self.tally.add(scored.counted, is_repeat=is_repeat)
        self.count += 1
        if self.count % CHECKPOINT_ROWS == 0 or time.monotonic() - self._saved_s > CHECKPOINT_S:
            self.checkpoint()

    def checkpoint(self) -> None:
        """Write the rows so far, and then the state after them, to the disk."""
        if self._journal is None:
            return
        state = {"facts": self._settings.facts, "rows": self.count, "tally": vars(self.tally)}
        state |= {"row_chain": self._row_chain.hex(), "checksum": self._checksum}
        self._journal.sync()  # no checkpoint may reach the disk before its rows
        self._journal.append(_CHECKPOINT + json.dumps(state).encode() + b"}\n")
        self._journal.sync()
        self.saved_count, self._saved_s = self.count, time.monotonic()

    def _chain(self, row: Row) -> bytes:
        own = repr(row.problem).encode() if row.turn is None else digest(row.turn)
        data = b"\n".join((self._row_chain, repr(row.id).encode(), own))
        self._row_chain = hashlib.blake2b(data, digest_size=16).digest()
        return own

    def _mismatch(self, what: str) -> InputError:
        return InputError(
            f"{self._settings.output}: cannot resume: the run that stopped after {self.done:,} "
            f"rows used {what}; use the same again, or start over with --restart"
        )


@contextmanager
def open_run(settings: RunSettings, warn: Warn) -> Iterator[LogRun]:
    """Start or resume a run whose output file appears when it is complete.

    Standard output, a pipe or a device receives rows as they are scored, without a journal. Raises
    InputError if it cannot be written, or a stopped run had other settings.
    """
    path, kind = settings.output, settings.kind
    if path is None or (path.exists() and not path.is_file()):
        with whole_binary(path) as sink, ExitStack() as stack:
            if kind == "jsonl" and (path is None or packing_of(path) is None):
                yield LogRun(settings, sink.write)
                return
            lines = stack.enter_context(TemporaryFile())
            yield LogRun(settings, lines.write)
            lines.seek(0)
            write_as(kind, path, lines, sink)
        return
    run: LogRun | None = None

    def discard(hidden: Path) -> None:
        if run is None or not run.saved_count:
            remove(hidden)

    with ExitStack() as stack:
        stopped = None if settings.restart else _find_stopped(path, stack, warn)
        prepare(path)
        journal, state = stopped or (open_hidden(path, JOURNAL, stack, discard), None)
        run = LogRun(settings, journal.append, journal, state)
        yield run
        if run.saved_count:  # a stop while the output is made can then be resumed too
            run.checkpoint()
        with journal.path.open("rb") as saved, whole_binary(path) as sink:
            write_as(kind, path, (line for line in saved if not line.startswith(_CHECKPOINT)), sink)
        if os.name == "nt":  # which removes no open files
            journal.close()
        remove(journal.path)  # while it is locked, so that no other run resumes it
        journal.close()


def _find_stopped(
    path: Path, stack: ExitStack, warn: Warn
) -> tuple[Journal, dict[str, Any]] | None:
    """Return the locked journal of a stopped run, cut off after its last checkpoint, and that."""
    for hidden in hidden_files(path, JOURNAL):
        try:
            with ExitStack() as own:
                journal = own.enter_context(Journal(hidden, path))
                if not journal.is_locked:
                    raise ValueError("the file system has no locks; another run may be writing it")
                checkpoint, end = _last_checkpoint(hidden)
                if checkpoint is not None:
                    journal.truncate(end)
                    stack.push(own.pop_all())
                    return journal, checkpoint
        except BlockingIOError:  # that run has not stopped
            continue
        except (InputError, OSError, ValueError) as error:
            warn(f"{path}: cannot resume a stopped run, so this one starts over: {error}")
    return None


def _last_checkpoint(journal: Path) -> tuple[dict[str, Any] | None, int]:
    """Return the last complete checkpoint of a journal and where it ends, or raise ValueError."""
    found = b""
    end = position = checksum = checksum_there = 0
    with journal.open("rb") as file:
        for line in file:
            position += len(line)
            if not line.startswith(_CHECKPOINT):
                checksum = crc32(line, checksum)
            elif line.endswith(b"\n"):
                found, end, checksum_there = line, position, checksum
    if not found:
        return None, end
    try:
        state = json.loads(found)["checkpoint"]
        is_valid = state["checksum"] == checksum_there and state["rows"] >= 0
        is_valid = is_valid and len(state["row_chain"]) > 0
        state = {**state, "facts": dict(state["facts"]), "tally": Tally.of(state["tally"])}
    except (AttributeError, KeyError, RecursionError, TypeError) as error:
        raise ValueError(f"its last checkpoint is damaged ({type(error).__name__})") from None
    if not is_valid:
        raise ValueError("its rows differ from its last checkpoint")
    return state, end
