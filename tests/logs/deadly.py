"""Work that may kill its worker; a small module, because many workers import it."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path


def start(path: str = "") -> None:
    if path == "never":
        os._exit(1)


def work(items: list[str]) -> Sequence[str]:
    """Kill the worker at an item "deadly" or the name of a file, which is removed first."""
    for item in items:
        if item == "wrong":
            raise ValueError(item)
        is_file = Path(item).is_file()
        Path(item).unlink(missing_ok=True)
        if is_file or item == "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
    return [item.upper() for item in items]
