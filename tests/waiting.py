"""Waiting for what another process or thread does."""

import time
from collections.abc import Callable


def wait_for(holds: Callable[[], object], seconds: float = 180) -> None:
    """Until it holds.

    Raises:
        AssertionError: It did not, in so many seconds.
    """
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, f"not within {seconds:g} s"
        time.sleep(0.02)
