"""Which answers are scored otherwise than in the last accepted run, and by which entry."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from klopt.batch.rows import read_lines
from klopt.company.state import Change, State
from klopt.errors import InputError, LexiconError, ProfileError
from klopt.records import Turn
from klopt.scoring.scorer import Scorer

MOST_TRACED: Final = 40
"""Of so many answers is found out by which entry they moved, those that moved most first."""
MOST_TRIALS: Final = 60
"""The folder is tried so often at most without some of its changes."""
_DECIMALS: Final = 6

Outcome = tuple[float | None, str, str | None]
"""Score, verdict and message type."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a run said of an answer.

    Attributes:
        outcome: Score, verdict and message type.
        why: The explanation behind its first sentence, which tells the score.
        version: The version of klopt.
    """

    outcome: Outcome
    why: str
    version: str

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Answer:
        """That of a row as `klopt score -o` writes it.

        Raises:
            KeyError: It is not such a row.
        """
        first, _, rest = str(row.get("explanation") or "").partition(". ")
        outcome = row["score"], row["verdict"], row.get("message_type")
        return cls(outcome, rest or first, str(row.get("fingerprint", "")).partition("|")[0])


def read_run(path: Path) -> dict[str, Answer]:
    """A run that `klopt score -o` wrote, or that was accepted, by the ids of its rows.

    Raises:
        InputError: It cannot be read, or is no such run.
    """
    try:
        with path.open("rb") as file:
            found = {}
            for number, row, _ in read_lines(file, str(path)):
                try:
                    found[str(row["id"])] = Answer.of(row)  # type: ignore[index, arg-type]
                except (KeyError, TypeError):
                    raise InputError(
                        f"{path}, line {number}: is no row that `klopt score -o OUT.jsonl` writes"
                    ) from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return found


@dataclass(frozen=True, slots=True)
class Moved:
    """An answer that is scored otherwise.

    Attributes:
        id: Its row.
        before: What the accepted run said.
        now: What the folder says as it is.
        by: The changes that did it: each set of which one would not have done, or done it alone;
            empty where it was none of the folder, or where that is not known.
        is_traced: Whether it was looked for by which.
    """

    id: str
    before: Answer
    now: Answer
    by: tuple[tuple[Change, ...], ...] = ()
    is_traced: bool = False

    @property
    def step(self) -> float:
        """How far it moved, for the order: another verdict counts more than any score."""
        was, now = self.before.outcome, self.now.outcome
        moved = 5.0 if was[0] is None or now[0] is None else abs(was[0] - now[0])
        return moved + 10.0 * (was[1] != now[1])


def moved(before: Mapping[str, Answer], now: Mapping[str, Answer]) -> list[Moved]:
    """The answers of both runs that differ, those that moved most first."""
    found = (
        Moved(name, before[name], one)
        for name, one in now.items()
        if name in before and before[name].outcome != one.outcome
    )
    return sorted(found, key=lambda one: -one.step)


@dataclass
class Tracing:
    """Finds by which changes answers moved, by undoing some of them.

    Args:
        now: The folder as it is.
        before: The folder as it was accepted.
        turns: Those that moved, by id.
        advance: Is called after each try.
    """

    now: State
    before: State
    turns: Mapping[str, Turn]
    advance: Callable[[], object] = lambda: None
    trials: int = 0
    _now: dict[str, Outcome] = field(default_factory=dict)
    _by: dict[str, list[tuple[Change, ...]]] = field(default_factory=dict)

    def trace(self) -> dict[str, tuple[tuple[Change, ...], ...]]:
        """Id → the changes that each answer moved by; none where it moved by none of them."""
        changes = self.now.changes(self.before)
        self._by = {name: [] for name in self.turns}
        self._now = self._outcomes((), self.turns)
        if changes:
            self._halve(changes, self._differing(changes, self.turns))
        return {name: tuple(found) for name, found in self._by.items()}

    def _halve(self, changes: Sequence[Change], names: Sequence[str]) -> None:
        """Of answers that are otherwise without all of the changes: by which of them."""
        if not names:
            return
        if len(changes) == 1 or self.trials >= MOST_TRIALS:
            for name in names:
                self._by[name].append(tuple(changes))
            return
        middle = len(changes) // 2
        halves = [
            (half, self._differing(half, names)) for half in (changes[:middle], changes[middle:])
        ]
        for name in names:
            if not any(name in found for _, found in halves):
                self._by[name].append(tuple(changes))
        for half, found in halves:
            self._halve(half, found)

    def _differing(self, changes: Sequence[Change], names: Iterable[str]) -> list[str]:
        """The answers that are scored otherwise without some changes.

        None where the files would break their schema without just these.
        """
        names = list(names)
        with suppress(LexiconError, ProfileError):
            outcomes = self._outcomes(changes, names)
            return [name for name in names if outcomes[name] != self._now[name]]
        return []

    def _outcomes(self, changes: Sequence[Change], names: Iterable[str]) -> dict[str, Outcome]:
        self.trials += 1
        with self.now.profile(without=changes, before=self.before) as profile:
            scorer = Scorer(profile)
            found = {name: outcome(scorer, self.turns[name]) for name in names}
        self.advance()
        return found


def outcome(scorer: Scorer, turn: Turn) -> Outcome:
    """What comes of a turn, rounded as it is written."""
    (one,) = scorer.score_many([turn])
    score = None if one.score is None else round(one.score, _DECIMALS)
    return score, one.verdict, one.message_type


def said(by: Iterable[tuple[Change, ...]], most: int = 4) -> Iterator[str]:
    """The changes in words, one line a set."""
    for changes in by:
        first = "; ".join(one.said for one in changes[:most])
        if len(changes) == 1:
            yield first
        else:
            more = f" and {len(changes) - most} more" if len(changes) > most else ""
            yield f"one or several of: {first}{more}"


def as_row(line: bytes) -> dict[str, Any]:
    """A line of a run as `read_run` reads it."""
    found: dict[str, Any] = json.loads(line)
    return found
