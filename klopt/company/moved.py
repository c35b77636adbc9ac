"""Which answers are scored otherwise than in the last accepted run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from klopt.batch.rows import read_lines
from klopt.errors import InputError, RecordError
from klopt.report.scored import ScoredRow


def read_run(path: Path) -> dict[str, ScoredRow]:
    """A run that `klopt score -o` wrote, or that was accepted, by the ids of its rows.

    Raises:
        InputError: It cannot be read, or is no such run.
    """
    run = {}
    try:
        with path.open("rb") as file:
            for number, row, _ in read_lines(file, str(path)):
                try:
                    kept = ScoredRow.from_mapping(row if isinstance(row, dict) else {})
                except RecordError as error:
                    raise InputError(f"{path}, line {number}: {error}") from None
                run[kept.id] = kept
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return run


@dataclass(frozen=True, slots=True)
class Moved:
    """An answer that is scored otherwise."""

    id: str
    before: ScoredRow
    now: ScoredRow

    @property
    def step(self) -> float:
        """How far it moved, for the order: another verdict counts more than any score."""
        was, now = self.before, self.now
        moved = 5.0 if was.score is None or now.score is None else abs(was.score - now.score)
        return moved + 10.0 * (was.verdict != now.verdict)


def moved(before: Mapping[str, ScoredRow], now: Mapping[str, ScoredRow]) -> list[Moved]:
    """The answers of both runs that differ, those that moved most first."""
    differing = (
        Moved(name, before[name], answer)
        for name, answer in now.items()
        if name in before and _outcome(before[name]) != _outcome(answer)
    )
    return sorted(differing, key=lambda answer: -answer.step)


def _outcome(row: ScoredRow) -> tuple[float | None, str, str | None]:
    return row.score, row.verdict, row.message_type
