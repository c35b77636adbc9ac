"""Tries again when a server or the network fails, and waits in between."""

from __future__ import annotations

import hashlib
import logging
import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from tenacity import RetryCallState

R = TypeVar("R")
E = TypeVar("E", bound=Exception)

_LOG: Final = logging.getLogger("klopt")
MOST_DOUBLINGS: Final = 30
"""Waits double no oftener; the longest wait is far below."""

_SECONDS: Final = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Clock:
    """Where time comes from, and what waiting is; tests give their own.

    Attributes:
        seconds: A clock that only goes forward, for how long a thing took.
        now: Seconds since 1970, for ``Retry-After`` as a date.
        sleep: Waits a number of seconds.
    """

    seconds: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a request is sent, and how long is waited in between.

    Attributes:
        tries: Requests for one call at most, from 1.
        first_wait_seconds: The wait after the first; it doubles with each further one.
        longest_wait_seconds: No wait is longer, whatever the server asks for.

    Raises:
        ValueError: A figure is out of its range.
    """

    tries: int = 5
    first_wait_seconds: float = 1.0
    longest_wait_seconds: float = 60.0

    def __post_init__(self) -> None:
        if self.tries < 1:
            raise ValueError(f"tries is at least 1, not {self.tries}")
        if min(self.first_wait_seconds, self.longest_wait_seconds) < 0:
            raise ValueError("a wait is 0 seconds or longer")

    def wait_seconds(self, seed: str, failed: int, asked_seconds: float | None) -> float:
        """How long to wait before the next request.

        Without a word from the server the waits double, and each lies between 75% and 125% of
        that: calls that failed together do not come back together. The share is read from the
        seed, so that a run waits the same every time.

        Args:
            seed: What tells this call from others.
            failed: Requests that failed so far, from 1.
            asked_seconds: What the server asks for, if anything.

        >>> [round(Patience().wait_seconds("7", failed, None), 2) for failed in (1, 2, 9)]
        [1.12, 2.26, 60.0]
        >>> Patience().wait_seconds("7", 1, 3600.0)
        60.0
        """
        wait = asked_seconds
        if wait is None:
            seeded = f"{seed}\0{failed}".encode("utf-8", "surrogatepass")
            spread = hashlib.sha256(seeded).digest()[0]
            wait = (
                self.first_wait_seconds
                * 2.0 ** min(failed - 1, MOST_DOUBLINGS)
                * (0.75 + spread / 510)
            )
        return min(wait, self.longest_wait_seconds)


@dataclass(frozen=True, slots=True)
class Passing:
    """A failure that may be over the next time.

    Attributes:
        reason: One word for the log.
        wait_seconds: How long the server asks to wait; None when it does not say.
    """

    reason: str
    wait_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Tries(Generic[R, E]):
    """What came of it.

    Attributes:
        outcome: What the last attempt gave, or how it failed.
        seconds: How long it took, waiting included.
        retries: Attempts beyond the first.
    """

    outcome: R | E
    seconds: float
    retries: int

    @property
    def told(self) -> str:
        """For the end of a message: how often it was tried, where that was more than once."""
        return f" ({self.retries + 1} tries)" if self.retries else ""


def try_again(
    attempt: Callable[[], R],
    failures: type[E],
    passing: Callable[[E], Passing | None],
    patience: Patience,
    clock: Clock,
    *,
    seed: str,
    about: str,
) -> Tries[R, E]:
    """Makes an attempt, and again while it fails in a way that passes.

    Args:
        attempt: Sends one request.
        failures: What it raises; any other error comes through.
        passing: What passes of a failure; None for one that will not.
        patience: How often, and with which waits.
        clock: Measures and waits.
        seed: What tells this call from others, for the spread of the waits.
        about: What is asked, for the log: never the text itself.

    Returns:
        What came of it; a failure is returned, so that whoever raises it can add to it.
    """
    import tenacity

    retries, begin = 0, clock.seconds()

    def failure(state: RetryCallState) -> Passing | None:
        error = state.outcome.exception() if state.outcome else None
        return passing(error) if isinstance(error, failures) else None

    def wait(state: RetryCallState) -> float:
        met = failure(state)
        return patience.wait_seconds(seed, state.attempt_number, met.wait_seconds if met else None)

    def count(state: RetryCallState) -> None:
        nonlocal retries
        retries += 1
        met, seconds = failure(state), state.next_action.sleep if state.next_action else 0.0
        reason = met.reason if met else ""
        _LOG.info("%s: %s; try %d follows in %.1f s", about, reason, retries + 1, seconds)

    retrying = tenacity.Retrying(
        sleep=clock.sleep,
        stop=tenacity.stop_after_attempt(patience.tries),
        wait=wait,
        retry=lambda state: failure(state) is not None,
        before_sleep=count,
        reraise=True,
    )
    outcome: R | E
    try:
        outcome = retrying(attempt)
    except failures as error:
        outcome = error
    return Tries(outcome, clock.seconds() - begin, retries)


def retry_after_seconds(header: str | None, now: float) -> float | None:
    """What a ``Retry-After`` header asks for: seconds, or the time to a date; RFC 9110, 10.2.3.

    Args:
        header: The header's value; None when there is none.
        now: Seconds since 1970.

    Returns:
        Seconds from 0; None when the header is not there or says neither.

    >>> retry_after_seconds("Thu, 01 Jan 1970 00:01:30 GMT", now=60.0)
    30.0
    """
    header = (header or "").strip()
    if _SECONDS.fullmatch(header):
        seconds = float(header)
        return seconds if math.isfinite(seconds) else None
    try:
        date = parsedate_to_datetime(header)
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, date.replace(tzinfo=date.tzinfo or UTC).timestamp() - now)
