"""A log whose rows are written as they are scored; a run that was stopped is gone on with."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final
from zlib import crc32

from klopt.appended_file import AppendedFile
from klopt.batch.cores import Result, digest
from klopt.batch.formats import packing_of, write_as
from klopt.batch.output import ROWS, begin_hidden, hidden_files, make_room, remove, whole_binary
from klopt.batch.rows import Row
from klopt.batch.tally import Tally
from klopt.errors import InputError
from klopt.records import Pages
from klopt.version import VERSION

KEEP_ROWS: Final = 1_000
KEEP_S: Final = 10.0
"""What was scored is kept after so many rows, or seconds."""

_NOTE: Final = b'{"kept": '
"""Begins a line that says what the rows before it stand for."""


def made_with(inputs: Iterable[str], files: Iterable[Path], **others: object) -> dict[str, Any]:
    """What a run is made with, to tell whether another can go on with it."""
    stats = [Path(source).stat() if Path(source).is_file() else None for source in inputs]
    return {
        "klopt": VERSION,
        "input": [None if stat is None else [stat.st_size, stat.st_mtime_ns] for stat in stats],
        "terms": [hashlib.sha256(path.read_bytes()).hexdigest() for path in files],
        **{
            name: value if isinstance(value, str) else repr(value) for name, value in others.items()
        },
    }


def pages_digest(pages: Pages | None) -> str:
    """What changes with any page or name."""
    total = hashlib.blake2b(digest_size=16)
    for name, page in (pages or {}).items():
        total.update(f"{name!r}: {page!r}\n".encode())
    return total.hexdigest()


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What a run over a log is made with.

    Attributes:
        output: Its file; None for standard output.
        kind: The form of that, as `klopt.batch.formats.KINDS`.
        facts: As `made_with` has them.
        restart: Whether it begins anew where another was stopped.
        most_errors: With more rows than this that cannot be read it stops; None for any.
    """

    output: Path | None
    kind: str
    facts: Mapping[str, Any]
    restart: bool = False
    most_errors: int | None = None


class LogRun:
    """One run over a log: rows on their way to a file, kept now and then to outlast any stop.

    Attributes:
        tally: What came of the rows, those of the run that is gone on with included.
        done: How many rows that run had done.
        kept_count: How many rows are safe, whatever happens.
        is_skipping: Whether the rows that come now are among them.
    """

    def __init__(
        self,
        settings: RunSettings,
        write: Callable[[bytes], object],
        file: AppendedFile | None = None,
        kept: Mapping[str, Any] | None = None,
    ) -> None:
        self._settings, self._write, self._file = settings, write, file
        self._rolled, self._expected = bytes(16), "" if kept is None else kept["rolled"]
        self._sum = 0 if kept is None else kept["sum"]
        self._kept_s = time.monotonic()
        self.is_skipping = False
        self.kept_count = self.count = self.done = 0 if kept is None else int(kept["rows"])
        self.tally = Tally() if kept is None else kept["tally"]
        facts = settings.facts
        if kept is not None and kept["facts"] != facts:
            other = [name for name in facts if kept["facts"].get(name) != facts[name]]
            raise self._refused(f"with another {' and another '.join(other or ['version'])}")

    def rest(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows that were not done before."""
        rows = iter(rows)
        self.is_skipping = True
        for _, row in zip(range(self.done), rows, strict=False):
            self._roll(row)
        if self.done and self._rolled.hex() != self._expected:
            raise self._refused("over other rows")
        self.is_skipping = False
        yield from rows

    def add(self, result: Result) -> None:
        """Writes what came of a row, and keeps it now and then."""
        row, scored, is_repeat = result
        line = scored.line(row.id)
        self._write(line)
        self._sum = crc32(line, self._sum)
        self.tally.add(scored.counted, is_repeat=is_repeat)
        self._roll(row)
        self.count += 1
        most = self._settings.most_errors
        if scored.counted.is_error and most is not None and self.tally.errors > most:
            self.keep()
            raise InputError(
                f"stopped at {row.place}: {self.tally.errors} rows could not be read, "
                f"and --max-errors is {most}; the last: {scored.counted.reason}"
            )
        if self.count % KEEP_ROWS == 0 or time.monotonic() - self._kept_s > KEEP_S:
            self.keep()

    def keep(self) -> None:
        """Keeps what was written so far, and what stands for it; both are on the disk then."""
        if self._file is None:
            return
        kept = {
            "facts": self._settings.facts,
            "rows": self.count,
            "rolled": self._rolled.hex(),
            "sum": self._sum,
            "tally": vars(self.tally),
        }
        self._file.sync()  # so that no note is there before its rows
        self._file.add(_NOTE + json.dumps(kept).encode() + b"}\n")
        self._file.sync()
        self.kept_count, self._kept_s = self.count, time.monotonic()

    def _roll(self, row: Row) -> None:
        own = repr(row.problem).encode() if row.turn is None else digest(row.turn)
        whole = b"\n".join((self._rolled, repr(row.id).encode(), own))
        self._rolled = hashlib.blake2b(whole, digest_size=16).digest()

    def _refused(self, what: str) -> InputError:
        return InputError(
            f"{self._settings.output}: a run that was stopped after {self.done:,} rows was made "
            f"{what}; give what it had, or --restart to begin anew"
        )


@contextmanager
def open_run(settings: RunSettings, warn: Callable[[str], object]) -> Iterator[LogRun]:
    """A run over a log whose output appears when it is whole; one that was stopped is gone on with.

    Standard output, a pipe or a device gets rows as they come, and nothing is kept.

    Raises:
        InputError: The output cannot be written, or a run that was stopped was made otherwise.
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

    def leave(hidden: Path) -> None:
        if run is None or not run.kept_count:
            remove(hidden)

    with ExitStack() as stack:
        left = None if settings.restart else _left_behind(path, stack, warn)
        make_room(path)
        file, kept = left or (begin_hidden(path, ROWS, stack, leave), None)
        run = LogRun(settings, file.add, file, kept)
        yield run
        if run.kept_count:  # so that making the file may be gone on with
            run.keep()
        with file.path.open("rb") as every, whole_binary(path) as sink:
            rows = (line for line in every if not line.startswith(_NOTE))
            write_as(kind, path, rows, sink)
        file.close()
        remove(file.path)


def _left_behind(
    path: Path, stack: ExitStack, warn: Callable[[str], object]
) -> tuple[AppendedFile, dict[str, Any]] | None:
    """The rows of a stopped run, held from now on and cut after its last note, and the note."""
    for hidden in hidden_files(path, ROWS):
        try:
            with ExitStack() as own:
                file = own.enter_context(AppendedFile(hidden, path))
                if not file.is_held:
                    raise ValueError("the file system knows no locks, so another run may have it")
                kept, end = _last_kept(hidden)
                if kept is not None:
                    file.cut(end)
                    stack.push(own.pop_all())
                    return file, kept
        except BlockingIOError:  # it is running
            continue
        except (InputError, OSError, ValueError) as error:
            warn(
                f"{path}: what a stopped run kept cannot be gone on with; this begins anew: {error}"
            )
    return None


def _last_kept(rows: Path) -> tuple[dict[str, Any] | None, int]:
    """What the last note says that is whole, and where it ends.

    Raises:
        ValueError: The rows before it are not those that it stands for.
    """
    note, end, at = b"", 0, 0
    own_sum = found_sum = 0
    with rows.open("rb") as file:
        for line in file:
            at += len(line)
            if not line.startswith(_NOTE):
                own_sum = crc32(line, own_sum)
            elif line.endswith(b"\n"):
                note, end, found_sum = line, at, own_sum
    if not note:
        return None, end
    try:
        kept = json.loads(note)["kept"]
        is_whole = kept["sum"] == found_sum and kept["rows"] >= 0 and len(kept["rolled"]) > 0
        kept = {**kept, "facts": dict(kept["facts"]), "tally": Tally.of(kept["tally"])}
    except (AttributeError, KeyError, RecursionError, TypeError) as error:
        raise ValueError(f"its last note cannot be read: {type(error).__name__}") from None
    if not is_whole:
        raise ValueError("its rows are not those that its last note stands for")
    return kept, end
