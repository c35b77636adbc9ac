"""Work that may end its process; a module that a process reads fast, of which many are started."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path


def start(path: str = "") -> None:
    if path == "never":
        os._exit(1)


def work(items: list[str]) -> Sequence[str]:
    """Its process ends with an item that is deadly, or the name of a file, which is gone then."""
    for item in items:
        if item == "wrong":
            raise ValueError(item)
        is_there = Path(item).is_file()
        Path(item).unlink(missing_ok=True)
        if is_there or item == "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
    return [item.upper() for item in items]
