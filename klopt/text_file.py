"""A text file that people write, a lexicon or a profile: a file, whole, of bounded size."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from klopt.errors import InputError

LARGEST_BYTES: Final = 50_000_000
"""Of such a file; a lexicon of 100,000 phrases has 3 million."""


def read_text_file(path: Path) -> str:
    """What stands in a file of UTF-8, with line ends as Python has them.

    Raises:
        FileNotFoundError: It is not there; any other error of the system too.
        InputError: It is a pipe or a device, too large, not UTF-8, or it grows while it is read.

    >>> read_text_file(Path(os.devnull))
    Traceback (most recent call last):
    klopt.errors.InputError: /dev/null: is no file but a pipe or a device; copy it into a file
    """
    with open(path, "rb", opener=_at_once) as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise InputError(f"{path}: is no file but a pipe or a device; copy it into a file")
        if state.st_size > LARGEST_BYTES:
            raise InputError(
                f"{path}: has {state.st_size:,} bytes; {LARGEST_BYTES:,} are read at most"
            )
        data = file.read(state.st_size + 1)
    if len(data) != state.st_size:
        raise InputError(f"{path}: changed while it was read; try again once it is written")
    try:
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: cannot be read as text: {error}") from None


def _at_once(path: str, flags: int) -> int:
    """Opens a file, and a pipe without waiting for who writes to it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
