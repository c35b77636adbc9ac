"""``python -m tests.fuzz``: runs inputs of a seed on from where the last run ended."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from tests.fuzz.running import FOUND, Tally, run

CHUNK = 100
"""So many inputs are run between two looks at the clock, and lost when a run is broken off."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs until the bounds; 1 when something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument(
        "--from", type=int, dest="start", help="number of the first input; the kept place stays"
    )
    parser.add_argument("--count", type=int, help="at most so many inputs")
    parser.add_argument("--seconds", type=float, help="at most so long")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--state", type=Path, help="default .fuzz/SEED.json")
    parser.add_argument("--found", type=Path, default=FOUND, help="folder for what is found")
    parser.add_argument("--record", type=Path, help="also writes the figures of the seed here")
    given = parser.parse_args(arguments)
    if given.count is None and given.seconds is None:
        parser.error("give --count or --seconds: an endless run is not meant")
    state = given.state or Path(".fuzz", f"{given.seed}.json")
    is_replay = given.start is not None
    tally = Tally(given.seed, given.start) if is_replay else Tally.load(state, given.seed)
    last = tally.next + given.count if given.count is not None else sys.maxsize
    until = time.monotonic() + (given.seconds or sys.maxsize)
    pool = ProcessPoolExecutor(given.processes, get_context("spawn"))
    with pool if given.processes > 1 else nullcontext():
        each = pool.map if given.processes > 1 else map
        while tally.next < last and time.monotonic() < until:
            stop = min(last, tally.next + CHUNK * given.processes)
            starts = range(tally.next, stop, CHUNK)
            counts = [min(CHUNK, stop - start) for start in starts]
            for one in each(partial(run, given.seed, found=given.found), starts, counts):
                tally.add(one)
                if not is_replay:
                    tally.save(state)
                for number in one.findings:
                    print(f"seed {given.seed}, number {number}: see {given.found}", flush=True)
    print(tally)
    if given.record is not None:
        tally.save(given.record)
    return 1 if tally.findings else 0


if __name__ == "__main__":
    sys.exit(main())
