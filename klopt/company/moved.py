"""Which answers are scored otherwise than in the last accepted run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from klopt.batch.rows import read_lines
from klopt.errors import InputError, RecordError
from klopt.report.scored import read_columns
from klopt.scoring.profile import Verdict


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What a run said of an answer, some of `COLUMNS`."""

    id: str
    verdict: Verdict
    score: float | None = None
    message_type: str | None = None
    explanation: str = ""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> KeptAnswer:
        """That of a row as `klopt score -o` writes it.

        Raises:
            RecordError: It is none.
        """
        return cls(**read_columns(cls, row))

    @property
    def outcome(self) -> tuple[float | None, str, str | None]:
        """All but the explanation."""
        return self.score, self.verdict, self.message_type


def read_run(path: Path) -> dict[str, KeptAnswer]:
    """A run that `klopt score -o` wrote, or that was accepted, by the ids of its rows.

    Raises:
        InputError: It cannot be read, or is no such run.
    """
    found = {}
    try:
        with path.open("rb") as file:
            for number, row, _ in read_lines(file, str(path)):
                try:
                    one = KeptAnswer.of(row if isinstance(row, dict) else {})
                except RecordError as error:
                    raise InputError(f"{path}, line {number}: {error}") from None
                found[one.id] = one
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return found


@dataclass(frozen=True, slots=True)
class Moved:
    """An answer that is scored otherwise."""

    id: str
    before: KeptAnswer
    now: KeptAnswer

    @property
    def step(self) -> float:
        """How far it moved, for the order: another verdict counts more than any score."""
        was, now = self.before, self.now
        moved = 5.0 if was.score is None or now.score is None else abs(was.score - now.score)
        return moved + 10.0 * (was.verdict != now.verdict)


def moved(before: Mapping[str, KeptAnswer], now: Mapping[str, KeptAnswer]) -> list[Moved]:
    """The answers of both runs that differ, those that moved most first."""
    found = (
        Moved(name, before[name], answer)
        for name, answer in now.items()
        if name in before and before[name].outcome != answer.outcome
    )
    return sorted(found, key=lambda answer: -answer.step)
