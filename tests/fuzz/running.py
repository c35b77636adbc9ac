"""Gives klopt an input within bounds of time and memory, and keeps what breaks."""

import hashlib
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Any, Final
from unittest.mock import patch

from tests.fuzz.checks import hold, outcome
from tests.fuzz.inputs import Input

KEPT: Final = Path(".fuzz")
OTHER_EVERY: Final = 10
"""Of about so many inputs one is also given to another process, with another hash seed."""

MAX_S: Final = 10.0
MAX_MS_PER_CHAR: Final = 0.5
"""The processor's time for an input is below their sum, which detects hangs: a turn takes about
0.003 ms per character, a company's own pattern at most 1.5 s."""

STUCK_S: Final = 120
"""On the clock; after that an input is given up."""

MOST_MB: Final = 1_000
"""Memory of the other process at its highest; klopt with every table loaded takes about 300,
and what it remembers of pages comes on top, up to its bound. This one has what Hypothesis keeps."""
MOST_MORE_MB: Final = 300
"""By so much one input may raise the highest of this process."""


def run(one: Input, folder: Path = KEPT) -> None:
    """Raises what an input breaks, after it was written to ``folder``, as ``KIND.json``.

    Of what Hypothesis finds the last one, that with the least text, stays there.
    """
    try:
        _run(one)
    except Exception as error:
        folder.mkdir(parents=True, exist_ok=True)
        text = one.to_json(problem=f"{type(error).__name__}: {ascii(str(error))[:300]}")
        (folder / f"{one.kind}.json").write_text(text, encoding="utf-8")
        raise


def _run(one: Input) -> None:
    start, memory_before = time.process_time(), _peak_mb()
    with _at_most(STUCK_S):
        line = outcome(one)
    seconds = time.process_time() - start
    most = MAX_S + _chars(one.fields) * MAX_MS_PER_CHAR / 1e3
    hold(seconds <= most, "too slow", seconds, most)
    more_mb = _peak_mb() - memory_before
    hold(more_mb <= MOST_MORE_MB, "too much memory", more_mb)
    digest = _digest(line)
    if int(digest, 16) % OTHER_EVERY == 0:
        other, peak_mb = _other().submit(digest_of, one).result()
        hold(other == digest, "another process comes to another result", other)
        hold(peak_mb <= MOST_MB, "the other process has too much memory", peak_mb)


def digest_of(one: Input) -> tuple[str, int]:
    """Of what an input comes to, or what was raised; and the most memory of this process so far."""
    try:
        return _digest(outcome(one)), _peak_mb()
    except Exception as error:
        return ascii(error), _peak_mb()


def _digest(line: str) -> str:
    return hashlib.sha256(line.encode("utf-8")).hexdigest()


def _chars(fields: Any) -> int:
    """How many stand in nested objects and lists."""
    if isinstance(fields, Mapping):
        return sum(map(_chars, fields.values()))
    if isinstance(fields, list):
        return sum(map(_chars, fields))
    return len(fields) if isinstance(fields, str) else 0


def _peak_mb() -> int:
    """The most memory of this program so far; that of the one which started it is not counted.

    Linux gives a process the ``ru_maxrss`` of its parent, also where it starts another program.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(one for one in status.read_text().splitlines() if one.startswith("VmHWM"))
        return int(line.split()[1]) >> 10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // (1 << 20 if sys.platform == "darwin" else 1 << 10)


@contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    def stop(_: int, __: FrameType | None) -> None:
        hold(seconds < 0, "given up", seconds)

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


@cache
def _other() -> ProcessPoolExecutor:
    """Another process with another hash seed."""
    pool = ProcessPoolExecutor(1, get_context("spawn"))
    with patch.dict("os.environ", PYTHONHASHSEED=str(os.getpid() % 4_000_000_000)):
        pool.submit(os.getpid).result()
    return pool
