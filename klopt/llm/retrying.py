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
from typing import TYPE_CHECKING, Final, TypeVar

from klopt.errors import LlmError, LlmReason
from klopt.llm.calls import Call, CallError, Usage

if TYPE_CHECKING:
    from tenacity import RetryCallState

R = TypeVar("R")

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

    def wait_seconds(self, call: Call, failed: int, asked_seconds: float | None) -> float:
        """How long to wait before the next request.

        Without a word from the server the waits double, and each lies between 75% and 125% of
        that: calls that failed together do not come back together. The share is read from the
        call's id, so that a run waits the same every time.

        Args:
            call: What is asked.
            failed: Requests that failed so far, from 1.
            asked_seconds: What the server asks for, if anything.

        >>> call = Call("7", "cloze_fact", "", "", "")
        >>> [round(Patience().wait_seconds(call, failed, None), 2) for failed in (1, 2, 9)]
        [0.87, 1.81, 60.0]
        >>> Patience().wait_seconds(call, 1, 3600.0)
        60.0
        """
        wait = asked_seconds
        if wait is None:
            seed = f"{call.id}\0{call.technique}\0{failed}".encode("utf-8", "surrogatepass")
            spread = hashlib.sha256(seed).digest()[0]
            wait = (
                self.first_wait_seconds
                * 2.0 ** min(failed - 1, MOST_DOUBLINGS)
                * (0.75 + spread / 510)
            )
        return min(wait, self.longest_wait_seconds)


class PassingError(LlmError):
    """A failure that may be over the next time.

    Attributes:
        wait_seconds: How long the server asks to wait; None when it does not say.
    """

    def __init__(
        self, reason_code: LlmReason, message: str, wait_seconds: float | None = None
    ) -> None:
        super().__init__(reason_code, message)
        self.args = (reason_code, message, wait_seconds)
        self.wait_seconds = wait_seconds


def persist(
    call: Call, attempt: Callable[[], R], patience: Patience, clock: Clock
) -> tuple[R, Usage]:
    """Makes an attempt, and again while it fails with a `PassingError`.

    Args:
        call: What is asked.
        attempt: Sends one request.
        patience: How often, and with which waits.
        clock: Measures and waits.

    Returns:
        What the attempt gave; and the seconds and retries that it took.

    Raises:
        CallError: The last try failed, or one failed in a way that will not pass.
    """
    import tenacity

    retries, begin = 0, clock.seconds()

    def wait(state: RetryCallState) -> float:
        failure = state.outcome.exception() if state.outcome else None
        asked = failure.wait_seconds if isinstance(failure, PassingError) else None
        return patience.wait_seconds(call, state.attempt_number, asked)

    def count(state: RetryCallState) -> None:
        nonlocal retries
        retries += 1
        failure = state.outcome.exception() if state.outcome else None
        reason = failure.reason_code if isinstance(failure, LlmError) else "server"
        seconds = state.next_action.sleep if state.next_action else 0.0
        _LOG.info(
            "row %r, %s: %s; try %d follows in %.1f s",
            call.id,
            call.technique,
            reason,
            retries + 1,
            seconds,
        )

    retrying = tenacity.Retrying(
        sleep=clock.sleep,
        stop=tenacity.stop_after_attempt(patience.tries),
        wait=wait,
        retry=tenacity.retry_if_exception_type(PassingError),
        before_sleep=count,
        reraise=True,
    )
    try:
        value = retrying(attempt)
    except LlmError as error:
        spent = Usage(seconds=clock.seconds() - begin, retries=retries)
        tried = f" ({retries + 1} tries)" if retries else ""
        raise CallError(error.reason_code, error.message + tried, spent) from None
    return value, Usage(seconds=clock.seconds() - begin, retries=retries)


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
