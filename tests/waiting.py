"""Wait for another process or thread."""

import time
from collections.abc import Callable


def wait_for(condition: Callable[[], object], seconds: float = 180) -> None:
    """Wait until a condition is true; fail after a number of seconds."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, f"not within {seconds:g} s"
        time.sleep(0.02)
