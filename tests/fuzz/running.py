"""Run klopt on an input within limits of time and memory, and store inputs that fail."""

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

from tests.fuzz.checks import outcome, require
from tests.fuzz.inputs import Input

FAILED_FOLDER: Final = Path(".fuzz")
OTHER_EVERY: Final = 10
"""One in about so many inputs also runs in another process, with another hash seed."""

MAX_S: Final = 10.0
MAX_MS_PER_CHAR: Final = 0.5
"""The CPU time of an input is below the sum of both, which detects hangs: a turn takes about
0.003 ms per character, a company's own pattern at most 1.5 s."""

STUCK_S: Final = 120
"""Seconds on the clock after which an input fails."""

MAX_MB: Final = 1_000
"""Peak memory of the other process: klopt with all tables takes about 300 MB, its cache of pages
adds more, up to its limit. This process also has the memory of Hypothesis."""
MAX_MORE_MB: Final = 300
"""Limit for the increase of the peak memory of this process by one input."""


def run(one: Input, folder: Path = FAILED_FOLDER) -> None:
    """Run an input; write it to ``folder`` as ``KIND.json`` and raise if it fails.

    The last failure that Hypothesis finds, with the shortest text, stays there.
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
    require(seconds <= most, "too slow", seconds, most)
    more_mb = _peak_mb() - memory_before
    require(more_mb <= MAX_MORE_MB, "too much memory", more_mb)
    digest = _digest(line)
    if int(digest, 16) % OTHER_EVERY == 0:
        other, peak_mb = _other().submit(digest_of, one).result()
        require(other == digest, "another process has another result", other)
        require(peak_mb <= MAX_MB, "the other process has too much memory", peak_mb)


def digest_of(one: Input) -> tuple[str, int]:
    """Return the digest of the result, or the error, and the peak memory of this process."""
    try:
        return _digest(outcome(one)), _peak_mb()
    except Exception as error:
        return ascii(error), _peak_mb()


def _digest(line: str) -> str:
    return hashlib.sha256(line.encode("utf-8")).hexdigest()


def _chars(fields: Any) -> int:
    """Return the number of characters in nested objects and lists."""
    if isinstance(fields, Mapping):
        return sum(map(_chars, fields.values()))
    if isinstance(fields, list):
        return sum(map(_chars, fields))
    return len(fields) if isinstance(fields, str) else 0


def _peak_mb() -> int:
    """Return the peak memory of this program.

    On Linux ``ru_maxrss`` would include the parent process.
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
        require(seconds < 0, "timed out", seconds)

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
