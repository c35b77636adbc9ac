"""Answers that score differently than in the accepted run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from klopt.errors import InputError, RecordError
from klopt.logs.json_rows import read_lines
from klopt.report.scored import ScoredRow


class ScoreChange(NamedTuple):
    """An answer with another score, verdict or message type than before."""

    id: str
    before: ScoredRow
    now: ScoredRow


def read_run(path: Path) -> dict[str, ScoredRow]:
    """Read a run that `klopt score -o` or `klopt company check --accept` wrote, by row id."""
    run = {}
    try:
        with path.open("rb") as file:
            for number, row, _ in read_lines(file, str(path)):
                try:
                    scored = ScoredRow.from_mapping(row if isinstance(row, dict) else {})
                except RecordError as error:
                    raise InputError(f"{path}, line {number}: {error}") from None
                run[scored.id] = scored
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return run


def score_changes(
    before: Mapping[str, ScoredRow], now: Mapping[str, ScoredRow]
) -> list[ScoreChange]:
    """Return the answers of both runs that differ: changed verdicts first, then by difference."""

    def size(change: ScoreChange) -> tuple[bool, float]:
        was, now = change.before.score, change.now.score
        step = 5.0 if was is None or now is None else abs(was - now)
        return change.before.verdict != change.now.verdict, step

    both = (ScoreChange(name, before[name], row) for name, row in now.items() if name in before)
    changed = (one for one in both if _outcome(one.before) != _outcome(one.now))
    return sorted(changed, key=size, reverse=True)


def _outcome(row: ScoredRow) -> tuple[float | None, str, str | None]:
    return row.score, row.verdict, row.message_type
