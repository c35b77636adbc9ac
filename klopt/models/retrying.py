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
from typing import Any, Final, TypeVar

from klopt.errors import KloptError

R = TypeVar("R")

_LOG: Final = logging.getLogger("klopt")
MOST_DOUBLINGS: Final = 30
"""Waits double no oftener; the longest wait is far below."""

_SECONDS: Final = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds that only go forward, seconds since 1970, and waiting; tests give their own."""

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
        longest_seconds: For one call, all tries and waits together: it is given up at once where
            the next wait would go on beyond that.

    Raises:
        ValueError: A figure is out of its range.
    """

    tries: int = 5
    first_wait_seconds: float = 1.0
    longest_wait_seconds: float = 60.0
    longest_seconds: float = 600.0

    def __post_init__(self) -> None:
        if self.tries < 1:
            raise ValueError(f"tries is at least 1, not {self.tries}")
        waits = (self.first_wait_seconds, self.longest_wait_seconds, self.longest_seconds)
        if not all(seconds >= 0 for seconds in waits):
            raise ValueError("a wait is 0 seconds or longer")

    def wait_seconds(self, seed: str, failed: int, asked_seconds: float | None) -> float:
        """How long to wait after so many failed requests, from 1, and what the server asks for.

        Else the waits double, each between 75% and 125% of that by the seed: calls that failed
        together do not come back together, and a run waits the same every time.

        >>> [round(Patience().wait_seconds("7", failed, None), 2) for failed in (1, 2, 9)]
        [1.12, 2.26, 60.0]
        """
        wait = asked_seconds
        if wait is None:
            seeded = f"{seed}\0{failed}".encode("utf-8", "surrogatepass")
            share = 0.75 + hashlib.sha256(seeded).digest()[0] / 510
            wait = self.first_wait_seconds * 2.0 ** min(failed - 1, MOST_DOUBLINGS) * share
        return min(wait, self.longest_wait_seconds)


class RequestError(KloptError):
    """A request failed; mixed into the errors of the rooms that send requests.

    It may be over the next time (`passing`), after a wait that the server asks for.
    """

    reason_code: Any
    passing: bool = True
    wait_seconds: float | None = None


@dataclass(slots=True)
class Tries:
    """The requests for one call, with the seconds, waiting included, and the retries they took.

    `seed` tells this call from others, `about` what is asked, for the log: never the text itself.
    """

    patience: Patience
    clock: Clock
    seed: str
    about: str
    seconds: float = 0.0
    retries: int = 0

    @property
    def told(self) -> str:
        """For the end of a message: how often it was tried, where that was more than once."""
        return f" ({self.retries + 1} tries)" if self.retries else ""

    def run(self, attempt: Callable[[], R]) -> R:
        """What an attempt gives, which is made again while it fails in passing.

        Raises:
            RequestError: The last try failed, or one failed in a way that will not pass, or there
                is no time for another.
        """
        begin = self.clock.seconds()
        try:
            while True:
                try:
                    return attempt()
                except RequestError as error:
                    failed = self.retries + 1
                    if not error.passing or failed >= self.patience.tries:
                        raise
                    wait = self.patience.wait_seconds(self.seed, failed, error.wait_seconds)
                    if self.clock.seconds() - begin + wait > self.patience.longest_seconds:
                        raise
                    reason = error.reason_code
                self.retries = failed
                _LOG.info("%s: %s; try %d follows in %.1f s", self.about, reason, failed + 1, wait)
                self.clock.sleep(wait)
        finally:
            self.seconds = self.clock.seconds() - begin


def retry_after_seconds(header: str | None, now: float) -> float | None:
    """Seconds from 0 that ``Retry-After`` asks for, itself or by a date; None where it does not.

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
