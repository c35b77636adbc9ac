"""Gives klopt one input after the other, and keeps what breaks."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Any, Final
from unittest.mock import patch

from tests.fuzz.checks import BrokenError, outcome
from tests.fuzz.inputs import ROOM, Input, made

FOUND: Final = ROOM / "found"
ROOT: Final = ROOM.parents[1]
OTHER_EVERY: Final = 10
"""Of so many inputs one is also given to another process, with another hash seed."""

MOST_S: Final = 2.0
MOST_MS_PER_CHAR: Final = 0.2
"""The processor's time for an input is under the sum of both; a turn takes about 0.003 a char.
A company's own pattern may take 1.5 s by itself, before klopt calls it too slow."""

LEXICON_S: Final = 3.0
STUCK_S: Final = 120
"""On the clock; after that an input is given up."""

MOST_MB: Final = 1_000
"""Memory of the process at its highest; klopt with every table loaded takes about 300,
and what it remembers of pages comes on top, up to its bound."""

MOST_SHRINKS: Final = 400


class TooSlowError(Exception):
    """An input took longer than its length allows."""


class TooLargeError(Exception):
    """The process took more memory than it may."""


@dataclass
class Tally:
    """What was run so far: inputs by kind, `compared` in two processes, and the number of each
    input that broke something.
    """

    seed: int
    next: int = 0
    inputs: Counter[str] = field(default_factory=Counter)
    compared: int = 0
    chars: int = 0
    seconds: float = 0.0
    peak_mb: int = 0
    findings: list[int] = field(default_factory=list)

    @classmethod
    def load(cls, path: Path, seed: int) -> Tally:
        """What a run left behind, or a fresh start."""
        if not path.is_file():
            return cls(seed)
        found = json.loads(path.read_text(encoding="utf-8"))
        return cls(**{**found, "inputs": Counter(found["inputs"])})

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(json.dumps(vars(self), indent=1) + "\n", encoding="utf-8")
        part.replace(path)

    def add(self, other: Tally) -> None:
        self.next = max(self.next, other.next)
        self.inputs += other.inputs
        self.compared += other.compared
        self.chars += other.chars
        self.seconds = round(self.seconds + other.seconds, 1)
        self.peak_mb = max(self.peak_mb, other.peak_mb)
        self.findings += other.findings

    def __str__(self) -> str:
        return (
            f"seed {self.seed}: {self.inputs.total():,} inputs of {self.chars:,} characters in "
            f"{self.seconds:,.0f} s, {self.compared:,} of them in two processes, at most "
            f"{self.peak_mb} MB; {len(self.findings)} findings"
        )


def run(seed: int, start: int, count: int, found: Path = FOUND) -> Tally:
    """Runs ``count`` inputs from number ``start``; those that break something become files."""
    tally = Tally(seed, start + count)
    began = time.monotonic()
    for number in range(start, start + count):
        one = made(seed, number)
        tally.inputs[one.kind] += 1
        tally.chars += _chars(one.fields)
        is_compared = number % OTHER_EVERY == 0
        tally.compared += is_compared
        problem = problem_of(one, (seed, number) if is_compared else None)
        if problem is not None:
            tally.findings.append(number)
            keep(shrunk(one, problem), found, problem=problem, seed=seed, number=number)
    tally.seconds = time.monotonic() - began
    tally.peak_mb = _peak_mb()
    return tally


def problem_of(one: Input, again: tuple[int, int] | None = None) -> str | None:
    """What an input breaks: the kind of fault, a colon, and more about it; None if nothing.

    With its seed and number another process makes it and runs it too.
    """
    start = time.process_time()
    memory_before = _peak_mb()
    try:
        with _at_most(STUCK_S):
            line = outcome(one)
        seconds = time.process_time() - start
        most = MOST_S + _chars(one.fields) * MOST_MS_PER_CHAR / 1e3
        most += LEXICON_S if one.kind == "lexicon" else 0.0
        if seconds > most:
            raise TooSlowError(f"{seconds:.1f} s where {most:.1f} are allowed")
        if _peak_mb() > MOST_MB > memory_before:
            raise TooLargeError(f"{_peak_mb()} MB where {MOST_MB} are allowed")
        if again is not None and _other().submit(digest_made, *again).result() != digest(line):
            raise BrokenError("another process comes to another result")
    except BrokenError as broken:
        return str(broken)
    except Exception as error:
        return f"{type(error).__name__}{_place(error)}: {ascii(error)[:300]}"
    return None


def digest(line: str) -> str:
    return hashlib.sha256(line.encode("utf-8")).hexdigest()


def shrunk(one: Input, problem: str) -> Input:
    """The same with as little text as breaks the same thing.

    Of each text halves, quarters ... are left out as long as that goes. By hand rather than by
    hypothesis: an input is made of seed and number alone, which costs 0.1 ms, not of a strategy.
    """
    sort = problem.partition(":")[0]
    tries = MOST_SHRINKS if "another process" not in sort and "TooLargeError" not in sort else 0
    for path, text in list(_texts(one.fields)):
        size = len(text)
        while size > 1 and tries > 0:
            size = (size + 1) // 2
            at = 0
            while at < len(text) and tries > 0:
                tries -= 1
                shorter = text[:at] + text[at + size :]
                other = Input(one.kind, _with(one.fields, path, shorter))
                if (problem_of(other) or "").partition(":")[0] == sort:
                    one, text = other, shorter
                else:
                    at += size
    return one


def keep(one: Input, folder: Path, **about: Any) -> Path:
    """Writes an input with what it breaks to a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{one.kind}-{digest(one.to_json())[:10]}.json"
    path.write_text(json.dumps({**asdict(one), **about}, indent=1) + "\n", encoding="utf-8")
    return path


def _texts(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Each text in nested objects and lists, with the way to it."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping | list):
        for key, one in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from _texts(one, (*path, key))


def _with(fields: Any, path: tuple[Any, ...], text: str) -> Any:
    """The same with another text in one place."""
    if not path:
        return text
    copied = dict(fields) if isinstance(fields, Mapping) else list(fields)
    copied[path[0]] = _with(copied[path[0]], path[1:], text)
    return copied


def _chars(fields: Any) -> int:
    return sum(len(text) for _, text in _texts(fields))


def _place(error: BaseException) -> str:
    """The function of klopt in which an error arose."""
    place, trace = "", error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if f"{os.sep}klopt{os.sep}" in code.co_filename and "tests" not in code.co_filename:
            place = f" in {Path(code.co_filename).stem}.{code.co_name}"
        trace = trace.tb_next
    return place


def _peak_mb() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // (1 << 20 if sys.platform == "darwin" else 1 << 10)


@contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    def stop(_: int, __: FrameType | None) -> None:
        raise TooSlowError(f"given up after {seconds} s")

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


def digest_made(seed: int, number: int) -> str:
    """The digest of what an input comes to that is made anew; what was raised where it broke."""
    try:
        return digest(outcome(made(seed, number)))
    except Exception as error:
        return ascii(error)
