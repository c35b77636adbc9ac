"""When a translator may be asked: not too often, and not while it does not answer."""

from __future__ import annotations

import logging
import threading
from typing import Final

from klopt.errors import TranslationError, TranslationReason
from klopt.models.retrying import Clock

_LOG: Final = logging.getLogger("klopt")
FIRST_REST_SECONDS: Final = 60.0
LONGEST_REST_SECONDS: Final = 900.0
BAD_REPLIES: Final = 3
"""One text may have an odd reply; so many in a row are a wrong server."""


class Pace:
    """Keeps requests a while apart, over all threads.

    Args:
        interval_seconds: From the beginning of a request to that of the next, at least.
        clock: Measures and waits.

    Raises:
        ValueError: ``interval_seconds`` is below 0.
    """

    def __init__(self, interval_seconds: float, clock: Clock) -> None:
        if not interval_seconds >= 0:
            raise ValueError(f"interval_seconds is 0 or more, not {interval_seconds}")
        self._interval, self._clock = interval_seconds, clock
        self._next = float("-inf")
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Returns when it is this thread's turn."""
        with self._lock:
            now = self._clock.seconds()
            turn = max(now, self._next)
            self._next = turn + self._interval
        if turn > now:
            self._clock.sleep(turn - now)


class Breaker:
    """Remembers that a translator failed, so that not every row waits for it again.

    A spent quota and a refused key hold until the process ends. No network, a time-out, too many
    requests, a failing server and several bad replies in a row hold for a minute; then one call
    may try, and each time that it fails the rest doubles, up to a quarter of an hour.

    Args:
        name: The translator's, for the log.
        clock: Measures the rests.
    """

    def __init__(self, name: str, clock: Clock) -> None:
        self._name, self._clock = name, clock
        self._lock = threading.Lock()
        self._why: TranslationError | None = None
        self._until = 0.0
        self._rest = 0.0
        self._bad_replies = 0
        self._trial = False

    def admit(self) -> bool:
        """Lets a call through.

        Returns:
            Whether it is the one call that tries after a rest; it must `release` in the end.

        Raises:
            TranslationError: The translator is not asked now, for the reason that it failed.
        """
        with self._lock:
            if self._why is None:
                return False
            if self._trial or self._clock.seconds() < self._until:
                raise TranslationError(
                    self._why.reason_code, f"{self._why.message}; not asked again for now"
                )
            self._trial = True
            return True

    def release(self) -> None:
        """The one call that tried has ended, one way or another."""
        with self._lock:
            self._trial = False

    def answered(self) -> None:
        """The translator answered."""
        with self._lock:
            self._why, self._rest, self._bad_replies = None, 0.0, 0

    def failed(self, error: TranslationError) -> None:
        """A call failed after all its tries, and not because of its text."""
        with self._lock:
            reason: TranslationReason = error.reason_code
            if reason == "bad_reply" and not self._trial:
                self._bad_replies += 1
                if self._bad_replies < BAD_REPLIES:
                    return
            if self._why is not None and not self._trial:
                return  # another thread told of it already
            lasting = reason in ("quota", "refused")
            rest = min(max(self._rest * 2, FIRST_REST_SECONDS), LONGEST_REST_SECONDS)
            self._why, self._rest = error, rest
            self._until = float("inf") if lasting else self._clock.seconds() + rest
        told = "any more" if lasting else f"for {rest:g} s"
        _LOG.warning("translator %s: %s; it is not asked %s", self._name, reason, told)
