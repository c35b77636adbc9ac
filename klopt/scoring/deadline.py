"""A budget of time for one turn, and what was left out for it: docs/decisions/0023-budget.md."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeGuard

from klopt.errors import ConfigurationError
from klopt.measurement import Measurement
from klopt.scoring.explanation import TELLING, Refusal, capitalised, explain_cut_off, headline
from klopt.scoring.profile import Profile, Verdict
from klopt.scoring.statements import CheckedStatement, with_unknown_names
from klopt.scoring.tree import stars

if TYPE_CHECKING:
    from klopt.scoring.assessment import Assessment

__all__ = [
    "CutOff",
    "Deadline",
    "OutOfTimeError",
    "held_back",
    "is_budget",
    "out_of_time",
    "unfinished",
]

CHARS_A_S: Final = 200_000
"""So many characters are taken to be read in a second, or fewer where the turn has gone slower."""
OTHER_CHARS: Final = 1_000
"""What else a turn needs takes as long as so many, and says nothing of how fast a machine reads."""
COMPARING_CHARS: Final = 600
"""To hold an answer against its pages is taken to need as long as to read so many and its own."""


@dataclass(frozen=True, slots=True)
class CutOff:
    """What an assessment does not rest on, since its time was up.

    Attributes:
        budget_ms: The time that it had.
        unread: The ids of pages that were not read; where there are any, nothing was measured.
        unmeasured: The heuristics that were to be measured and were not.
    """

    budget_ms: float
    unread: tuple[str, ...]
    unmeasured: tuple[str, ...]


def is_budget(found: object) -> TypeGuard[float]:
    """Whether it is a time in milliseconds; a whole number may be no larger than others can be.

    >>> is_budget(25), is_budget(-1), is_budget(True), is_budget(10**400)
    (True, False, False, False)
    """
    if not isinstance(found, int | float) or isinstance(found, bool):
        return False
    return 0 <= found <= sys.float_info.max or found == float("inf")


class Deadline:
    """When a turn's time is up; without a budget it never is.

    Args:
        budget_ms: The time that there is from now on, in milliseconds; None for as long as it
            takes.
        clock: Gives seconds, and never goes back.

    Raises:
        ConfigurationError: The budget is no number from 0.

    >>> seconds = iter([10.0, 10.01, 10.02, 10.026])
    >>> deadline = Deadline(25, lambda: next(seconds))
    >>> deadline.allows(400), deadline.allows(4_000), deadline.allows(0)
    (True, False, False)
    """

    def __init__(
        self, budget_ms: float | None = None, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        if budget_ms is not None and not is_budget(budget_ms):
            is_huge = isinstance(budget_ms, int) and abs(budget_ms) > sys.float_info.max
            found = "a number that is too large" if is_huge else repr(budget_ms)
            raise ConfigurationError(
                f"budget_ms is {found}; give milliseconds, 0 or more, or None for no budget"
            )
        # Not -0.0, which would be told as "-0".
        self.budget_ms = float("inf") if budget_ms is None else float(budget_ms) + 0.0
        self._clock = clock
        self._until = None if budget_ms is None else clock() + self.budget_ms / 1000
        self._begun: float | None = None
        self._chars = 0

    def allows(self, chars: int) -> bool:
        """Whether there is time to read a text of so many characters; of none, any time.

        What it allows is done when it is asked again: that shows how fast this machine is now.
        """
        if self._until is None:
            return True
        now = self._clock()
        self._begun = now if self._begun is None else self._begun
        seconds_a_char = max(1 / CHARS_A_S, (now - self._begun) / (self._chars + OTHER_CHARS))
        is_allowed = now + chars * seconds_a_char < self._until
        self._chars += chars if is_allowed else 0
        return is_allowed


class OutOfTimeError(Exception):
    """Inside `klopt.scoring` only: the time was up before anything could be measured.

    Attributes:
        unread: The ids of the pages that were not read.
    """

    def __init__(self, unread: Sequence[str] = ()) -> None:
        super().__init__(*unread)
        self.unread = tuple(unread)


def out_of_time(budget_ms: float) -> Refusal:
    """The reason of an assessment that was cut off."""
    return Refusal("out_of_time", found=f"{budget_ms:g}")


def held_back(found: Assessment, cut_off: CutOff, lowest: float) -> Assessment:
    """An assessment that has its score, but whose faults were not all looked for.

    It is never sent, and scores no higher than the whole would.

    Args:
        found: The assessment.
        cut_off: What was left out.
        lowest: The score of the whole, whatever faults are found.
    """
    score = min(lowest, found.score or lowest)
    found = replace(found, score=score, stars=stars(score))
    reason = out_of_time(cut_off.budget_ms)
    sentences = found.sentences[1:]
    if found.verdict == "send":
        found = replace(found, verdict="review")
        sentences = ()
    return replace(
        found,
        status="cut_off",
        reason_code=reason.code,
        reason=reason.words(None),
        sentences=(
            headline(found.verdict, score, found.language),
            *sentences,
            f"{capitalised(reason.words(found.language))}.",
        ),
        cut_off=cut_off,
    )


def unfinished(
    refused: Assessment,
    profile: Profile,
    measured: Mapping[str, Measurement],
    statements: tuple[CheckedStatement, ...],
    highest: float,
    cut_off: CutOff,
) -> Assessment:
    """An assessment without a score, since not all that it rests on was measured.

    It is blocked where the whole would be: by a fault that was found already and the highest
    score that it can still come to. Else a person looks at it.

    Args:
        refused: What is known of the turn, and the reason.
        profile: Says what is blocked.
        measured: Heuristic → measurement, in time.
        statements: The answer's statements, where they were checked.
        highest: The highest score that the whole can come to.
        cut_off: What was left out.
    """
    is_faulty = bool(profile.faulty(measured)) or not (profile.evidence and profile.review_on)
    is_blocked = profile.verdict(highest) == "block" and is_faulty
    verdict: Verdict = "block" if is_blocked else "review"
    said = explain_cut_off(measured, verdict, refused.language, statements)
    reason = capitalised(out_of_time(cut_off.budget_ms).words(refused.language))
    return replace(
        refused,
        verdict=verdict,
        status="cut_off",
        measurements=measured,
        statements=with_unknown_names(statements, measured.get(TELLING)),
        sentences=(*said, f"{reason}."),
        cut_off=cut_off,
    )
