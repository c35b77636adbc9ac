"""A log whose rows are written as they are scored; a run that was stopped is gone on with."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from klopt.batch.cores import Result, digest
from klopt.batch.output import Journal
from klopt.batch.rows import Row
from klopt.batch.tally import Tally
from klopt.errors import InputError
from klopt.records import Pages
from klopt.version import VERSION

KEEP_ROWS: Final = 1_000
KEEP_S: Final = 10.0
"""What was scored is kept after so many rows, or seconds."""

_CURE: Final = "; give what it had, or --restart to begin anew"


def made_with(inputs: Iterable[str], files: Iterable[Path], **others: object) -> dict[str, Any]:
    """What a run is made with, to tell whether another can go on with it."""
    stats = [Path(one).stat() if Path(one).is_file() else None for one in inputs]
    return {
        "klopt": VERSION,
        "input": [None if one is None else [one.st_size, one.st_mtime_ns] for one in stats],
        "terms": [_hex(path.read_bytes()) for path in files],
        **{name: one if isinstance(one, str) else repr(one) for name, one in others.items()},
    }


def pages_digest(pages: Pages | None) -> str:
    """What changes with any page or name."""
    found = hashlib.blake2b(digest_size=16)
    for name in pages or ():
        found.update(f"{name!r}: {pages[name]!r}\n".encode() if pages is not None else b"")
    return found.hexdigest()


class LogRun:
    """One run over a log.

    Attributes:
        tally: What came of the rows, those of the run that is gone on with included.
        done: How many rows that run had done.
        is_skipping: Whether the rows that come now are among them.
    """

    def __init__(
        self,
        journal: Journal,
        facts: Mapping[str, Any],
        where: object,
        *,
        most_errors: int | None = None,
    ) -> None:
        kept = journal.kept
        self._journal, self._facts, self._where = journal, facts, where
        self._most_errors = most_errors
        self._rolled = bytes(16)
        self._kept_s = time.monotonic()
        self.is_skipping = False
        self.count = self.done = 0 if kept is None else int(kept["rows"])
        self.tally = Tally() if kept is None else Tally.of(kept["tally"])
        if kept is not None and kept["facts"] != facts:
            other = [name for name in facts if kept["facts"].get(name) != facts[name]]
            raise self._refused(f"with another {' and another '.join(other or ['version'])}")

    @property
    def kept_count(self) -> int:
        """How many rows are safe, whatever happens."""
        kept = self._journal.kept
        return 0 if kept is None else int(kept["rows"])

    def rest(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows that were not done before."""
        kept = self._journal.kept
        rows = iter(rows)
        self.is_skipping = True
        for _, row in zip(range(self.done), rows, strict=False):
            self._roll(row)
        if kept is not None and self._rolled.hex() != kept["rolled"]:
            raise self._refused("over other rows")
        self.is_skipping = False
        yield from rows

    def add(self, result: Result) -> None:
        """Writes what came of a row, and keeps it now and then."""
        row, scored, is_repeat = result
        self._journal.write(scored.line(row.id))
        self.tally.add(scored.counted, is_repeat=is_repeat)
        self._roll(row)
        self.count += 1
        most = self._most_errors
        if scored.counted.is_error and most is not None and self.tally.errors > most:
            self.keep()
            raise InputError(
                f"stopped at {row.place}: {self.tally.errors} rows could not be read, "
                f"and --max-errors is {most}; the last: {scored.counted.reason}"
            )
        if self.count % KEEP_ROWS == 0 or time.monotonic() - self._kept_s > KEEP_S:
            self.keep()

    def end(self) -> None:
        """Keeps all of it where a part was kept, so that making the file may be gone on with."""
        if self._journal.kept is not None:
            self.keep()

    def keep(self) -> None:
        """Keeps what was written so far."""
        self._journal.keep(
            {
                "facts": self._facts,
                "rows": self.count,
                "rolled": self._rolled.hex(),
                "tally": vars(self.tally),
            }
        )
        self._kept_s = time.monotonic()

    def _roll(self, row: Row) -> None:
        own = repr(row.problem).encode() if row.turn is None else digest(row.turn)
        whole = b"\n".join((self._rolled, repr(row.id).encode(), own))
        self._rolled = hashlib.blake2b(whole, digest_size=16).digest()

    def _refused(self, what: str) -> InputError:
        return InputError(
            f"{self._where}: a run that was stopped after {self.done:,} rows was made {what}{_CURE}"
        )


def _hex(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
