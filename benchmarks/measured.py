"""Scores every data set by both profiles, on all cores."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.rated_sets import BY_NAME, PROFILES, RatedSet
from klopt import Assessment, Scorer, Turn
from klopt.evaluation.rated import Rated, select

_ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_STARTED: Final = time.monotonic()


@dataclass(frozen=True)
class Scored:
    """One data set and what both profiles make of it.

    Attributes:
        data_set: Which.
        turns: All of it.
        judged: Profile → the turns that it scores and that a person judged, all types.
    """

    data_set: RatedSet
    turns: Sequence[Turn]
    judged: dict[str, tuple[Rated, ...]]


def say(text: str) -> None:
    """Progress, on stderr, with the seconds since the start."""
    print(f"[{time.monotonic() - _STARTED:4.0f} s] {text}", file=sys.stderr, flush=True)


@contextmanager
def workers(
    initializer: Callable[..., None] | None = None, arguments: tuple[Any, ...] = ()
) -> Iterator[ProcessPoolExecutor]:
    """A process for each core, each with one thread; all are gone at the end."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    try:
        with ProcessPoolExecutor(
            mp_context=multiprocessing.get_context("spawn"),
            initializer=initializer,
            initargs=arguments,
        ) as pool:
            yield pool
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def measure(data_sets: Sequence[RatedSet], data: Path | None) -> list[Scored]:
    """Every data set scored by both profiles, in order."""
    folder = data or Path()
    jobs: dict[Future[list[Assessment]], tuple[str, str]] = {}
    with workers() as pool:
        for one in data_sets:
            for profile in PROFILES:
                jobs[pool.submit(assessed, one.name, profile, folder)] = (one.name, profile)
        found = {}
        for number, done in enumerate(as_completed(jobs), 1):
            found[jobs[done]] = done.result()
            say(f"measured {' by '.join(jobs[done])} ({number} of {len(jobs)})")
    scored = []
    for one in data_sets:
        turns = one.load(folder)
        judged = {profile: select(turns, found[one.name, profile]) for profile in PROFILES}
        scored.append(Scored(one, turns, judged))
    return scored


def assessed(name: str, profile: str, data: Path) -> list[Assessment]:
    """A data set scored by a profile: all message types; every heuristic measured by default."""
    scorer = Scorer.load(profile, all_types=True)
    measure_all = profile == "default"
    return [scorer.score(turn, measure_all=measure_all) for turn in BY_NAME[name].load(data)]
