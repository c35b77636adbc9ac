"""Which answers are scored otherwise than in the last accepted run, and by which entry."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
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
Changes = tuple[Change, ...]
Names = Sequence[str]


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
        """That of a row as `klopt score -o` writes it."""
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
                if isinstance(row, str) or not _is_scored(row):
                    raise InputError(
                        f"{path}, line {number}: is no row that `klopt score -o OUT.jsonl` writes"
                    )
                found[str(row["id"])] = Answer.of(row)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return found


def _is_scored(row: Mapping[str, Any]) -> bool:
    score, known = row.get("score", ""), row.keys() >= {"id", "verdict"}
    return known and (score is None or isinstance(score, int | float))


@dataclass(frozen=True, slots=True)
class Moved:
    """An answer that is scored otherwise.

    Attributes:
        id: Its row.
        before: What the accepted run said.
        now: What the folder says as it is.
        by: The changes that did it: sets of one, each of which did it by itself or had a part in
            it, or of more where they only do it together; empty where it was nothing of the folder.
        is_traced: Whether it was looked for by which.
        is_elsewhere: Whether the folder as it was accepted scores it otherwise now, too.
    """

    id: str
    before: Answer
    now: Answer
    by: tuple[Changes, ...] = ()
    is_traced: bool = False
    is_elsewhere: bool = False

    @property
    def causes(self) -> list[str]:
        """What did it, in words."""
        found = [*dict.fromkeys(map(said, self.by))]
        if self.is_elsewhere:
            is_other = self.before.version != self.now.version
            found.append(
                "another version of klopt"
                if is_other
                else "a page or a row of the log that changed"
            )
        return found

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
        moved: The answers.
        turns: Those of them, by id.
        advance: Is called after each try.
    """

    now: State
    before: State
    moved: Sequence[Moved]
    turns: Mapping[str, Turn]
    advance: Callable[[], object] = lambda: None
    trials: int = 0
    _by: dict[str, list[Changes]] = field(default_factory=dict)

    def trace(self) -> list[Moved]:
        """The answers, each with the changes that it moved by."""
        self._by = {one.id: [] for one in self.moved}
        every = tuple(self.now.changes(self.before))
        now = before = {one.id: one.now.outcome for one in self.moved}
        if every:
            before = self._outcomes(every, now)

            def without(some: Changes, names: Names) -> Names:
                return self._other(names, some, than=now)

            def alone(some: Changes, names: Names) -> Names:
                own = set(map(id, some))
                others = tuple(one for one in every if id(one) not in own)
                return self._other(names, others, than=before)

            def look_alone(changes: Changes, names: Names) -> None:
                self._halve(changes, names, alone, self._note)

            # What each of two changes does alone is there without either of them.
            names = [name for name in now if now[name] != before[name]]
            self._halve(every, names, without, look_alone)
        return [
            replace(
                one,
                by=tuple(self._by[one.id]),
                is_traced=True,
                is_elsewhere=before[one.id] != one.before.outcome,
            )
            for one in self.moved
        ]

    def _halve(
        self,
        changes: Changes,
        names: Names,
        moves: Callable[[Changes, Names], Names],
        otherwise: Callable[[Changes, Names], None],
    ) -> None:
        """Notes by which of some changes answers moved; some may do it by neither half."""
        if len(changes) == 1 or self.trials >= MOST_TRIALS or not names:
            self._note(changes, names)
            return
        middle = len(changes) // 2
        halves = changes[:middle], changes[middle:]
        found = [moves(half, names) for half in halves]
        otherwise(changes, [name for name in names if not any(name in some for some in found)])
        for half, some in zip(halves, found, strict=True):
            self._halve(half, some, moves, otherwise)

    def _note(self, changes: Changes, names: Names) -> None:
        for name in names:
            self._by[name].append(changes)

    def _other(self, names: Names, without: Changes, than: Mapping[str, Outcome]) -> Names:
        """The answers that are scored otherwise without some changes than they were.

        None where the files would break their schema without just these.
        """
        with suppress(LexiconError, ProfileError):
            found = self._outcomes(without, names)
            return [name for name in names if found[name] != than[name]]
        return []

    def _outcomes(self, without: Changes, names: Iterable[str]) -> dict[str, Outcome]:
        self.trials += 1
        with self.now.profile(without=without, before=self.before) as profile:
            scorer = Scorer(profile)
            found = {name: outcome(scorer, self.turns[name]) for name in names}
        self.advance()
        return found


def outcome(scorer: Scorer, turn: Turn) -> Outcome:
    """What comes of a turn, rounded as it is written."""
    (one,) = scorer.score_many([turn])
    score = None if one.score is None else round(one.score, _DECIMALS)
    return score, one.verdict, one.message_type


def said(changes: Changes, most: int = 4) -> str:
    """Changes in words."""
    first = "; ".join(one.said for one in changes[:most])
    if len(changes) == 1:
        return first
    more = f" and {len(changes) - most} more" if len(changes) > most else ""
    return f"several together, of: {first}{more}"


def causes(every: Iterable[Moved]) -> list[tuple[str, int]]:
    """What did it, and how many answers it moved: the most first."""
    counts = Counter(cause for one in every if one.is_traced for cause in one.causes)
    return counts.most_common()


def as_row(line: bytes) -> dict[str, Any]:
    """A line of a run as `read_run` reads it."""
    found: dict[str, Any] = json.loads(line)
    return found
