"""What the service costs over scoring in the same process, and what it does when too much comes.

``python -m benchmarks.service`` starts one on loopback over the demo company's pages and asks it
about the demo turns, each a new one. The load generator runs on the same cores, so that what it
takes is missing from the figures; they count for the machine that they are measured on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import numpy as np

from benchmarks.timing import DEMO, Figures, memory_mb, rows, show, timed
from klopt import Scorer, Turn
from klopt.batch.output import to_json
from klopt.indexing.index_file import Index
from tests.server.conftest import Service, running

WORKERS: Final = 2
REQUESTS: Final = 4_000
"""So many for memory; the issue's 100,000 by ``--requests``."""
SECONDS: Final = 8.0
TURNS: Final = 70
"""So many the demo company has."""


class Line:
    """One connection that is kept."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, to: Service) -> Line:
        """Connects."""
        address = urlsplit(to.url)
        return cls(*await asyncio.open_connection(address.hostname, address.port))

    async def post(self, body: bytes) -> int:
        """Sends a row; the status of the answer."""
        head = b"POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        self._writer.write(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        start = await self._reader.readuntil(b"\r\n\r\n")
        length = int(start.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        await self._reader.readexactly(length)
        return int(start[9:12])

    def close(self) -> None:
        """Hangs up."""
        self._writer.close()


@dataclass
class Load:
    """What came of some load: seconds of each answer, refusals (503), and what got neither."""

    seconds: float = 0.0
    accepted_s: list[float] = field(default_factory=list)
    refused: int = 0
    lost: int = 0

    def add(self, status: int, seconds: float) -> None:
        """Counts one request."""
        if status == 200:
            self.accepted_s.append(seconds)
        elif status == 503:
            self.refused += 1
        else:
            self.lost += 1

    def percentile_ms(self, share: float) -> float:
        """Of what was accepted."""
        return round(float(np.percentile(self.accepted_s, share)) * 1000, 2)

    @property
    def shed_share(self) -> float:
        """How many were refused."""
        return round(self.refused / (self.refused + len(self.accepted_s)), 4)


async def one_after_the_other(
    to: Service, bodies: Iterator[bytes], at_once: int, **until: float
) -> Load:
    """As many as are answered, on some connections, for some ``seconds`` or ``requests``."""
    load, start, left = Load(), time.perf_counter(), [until.get("requests", float("inf"))]
    end = start + until.get("seconds", float("inf"))

    async def ask() -> None:
        line = await Line.open(to)
        while time.perf_counter() < end and left[0] > 0:
            left[0] -= 1
            body, began = next(bodies), time.perf_counter()
            load.add(await line.post(body), time.perf_counter() - began)
        line.close()

    await asyncio.gather(*(ask() for _ in range(at_once)))
    load.seconds = time.perf_counter() - start
    return load


async def at_rate(to: Service, bodies: Iterator[bytes], per_s: float, seconds: float) -> Load:
    """So many a second, at times drawn evenly, whether or not those before were answered."""
    load, idle = Load(), asyncio.LifoQueue[Line]()
    gaps = np.random.default_rng(14).exponential(1 / per_s, int(per_s * seconds))
    prepared = list(islice(bodies, len(gaps)))

    async def ask(body: bytes, due: float) -> None:
        try:
            line = await Line.open(to) if idle.empty() else idle.get_nowait()
            try:
                status = await line.post(body)
            except asyncio.IncompleteReadError:  # the service hangs up on a line without work
                line = await Line.open(to)
                status = await line.post(body)
            idle.put_nowait(line)
        except OSError:
            status = 0
        load.add(status, time.perf_counter() - due)

    start = time.perf_counter()
    tasks = []
    for body, due in zip(prepared, start + np.cumsum(gaps), strict=True):
        if (early := due - time.perf_counter()) > 0:
            await asyncio.sleep(early)
        tasks.append(asyncio.create_task(ask(body, float(due))))
    await asyncio.gather(*tasks)
    load.seconds = time.perf_counter() - start
    while not idle.empty():
        idle.get_nowait().close()
    return load


def in_process_ms(index: Path) -> float:
    """The median time to read, score and write a row without a service."""
    pages = Index.open(index)
    scorer = Scorer.load(all_types=True, index=pages)

    def answer(body: str) -> None:
        to_json(scorer.score(Turn.from_mapping(json.loads(body), pages=pages)).to_dict())

    some = [json.dumps(row) for row in islice(rows(), 4 * TURNS)]
    taken = [timed(partial(answer, body))[0] for body in some]
    return round(float(np.median(taken[TURNS:])) * 1000, 2)


async def _measure(to: Service, index: Path, requests: int, seconds: float) -> Figures:
    bodies = (json.dumps(row).encode() for row in rows())
    await one_after_the_other(to, bodies, WORKERS, requests=4 * TURNS)
    alone = await one_after_the_other(to, bodies, 1, requests=3 * TURNS)
    full = await one_after_the_other(to, bodies, 2 * WORKERS, seconds=seconds)
    capacity = len(full.accepted_s) / full.seconds
    half = await at_rate(to, bodies, capacity / 2, seconds)
    over = await at_rate(to, bodies, 4 * capacity, seconds)
    changing = asyncio.create_task(_change(index, seconds))
    reloading = await one_after_the_other(to, bodies, WORKERS, seconds=seconds)
    await changing
    await one_after_the_other(to, bodies, WORKERS, requests=requests // 5)
    fifth_mb = memory_mb(to.process.pid)
    await one_after_the_other(to, bodies, WORKERS, requests=requests - requests // 5)
    own_ms = in_process_ms(index)
    return {
        "in_process_p50_ms": own_ms,
        "alone_p50_ms": alone.percentile_ms(50),
        "added_p50_ms": round(alone.percentile_ms(50) - own_ms, 2),
        "turns_per_s": round(capacity, 1),
        "half_p50_ms": half.percentile_ms(50),
        "half_p99_ms": half.percentile_ms(99),
        "four_p50_ms": over.percentile_ms(50),
        "four_p99_ms": over.percentile_ms(99),
        "p99_times": round(over.percentile_ms(99) / half.percentile_ms(99), 2),
        "half_shed_share": half.shed_share,
        "four_shed_share": over.shed_share,
        "lost": half.lost + over.lost + reloading.lost + reloading.refused,
        "reloads_answered": len(reloading.accepted_s),
        "requests": requests,
        "fifth_mb": round(fifth_mb, 1),
        "all_mb": round(memory_mb(to.process.pid), 1),
    }


async def _change(index: Path, seconds: float, times: int = 3) -> None:
    """Puts a copy in the place of the index, a few times."""
    for _ in range(times):
        await asyncio.sleep(seconds / (times + 1))
        new = index.with_suffix(".new")
        shutil.copyfile(index, new)
        new.replace(index)


def measure(requests: int = REQUESTS, seconds: float = SECONDS) -> Figures:
    """All figures of the service."""
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "help.klopt"
        build = [sys.executable, "-m", "klopt", "index", "build", "--pages", str(DEMO / "pages")]
        subprocess.run([*build, "-o", str(index)], check=True, capture_output=True)
        options = "--index", index, "--all-types", "--workers", WORKERS
        with running(Path(folder), *options) as to:
            return asyncio.run(_measure(to, index, requests, seconds))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.service", description=__doc__)
    parser.add_argument("--requests", type=int, default=REQUESTS, help="for memory")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each load")
    given = parser.parse_args()
    show({"service": measure(given.requests, given.seconds)})
