"""Time that the service adds to scoring, its throughput, and its behaviour under overload.

``python -m benchmarks.service`` starts the service on loopback with the demo company's pages and
sends the demo turns, each with new texts: to one worker, to two, at half of their capacity, at four
times their capacity, and during ten reloads (SIGHUP). The load generator runs on the same cores.
"""

import argparse
import asyncio
import itertools
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import numpy as np

from benchmarks.timing import DEMO, DEMO_TURNS, Figures, memory_mb, rows, store_long, timed
from klopt import Scorer, Turn
from klopt._internal.files import to_json
from klopt.retrieval.index_file import Index
from tests.server.conftest import Service, put, running

WORKERS: Final = 2
REQUESTS: Final = 4_000
RELOADS: Final = 10
SECONDS: Final = 8.0


async def post(to: Service, body: bytes) -> int:
    """Send a row over a new connection and return the status; the service closes each one."""
    address = urlsplit(to.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    head = b"POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    writer.write(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    answer = await reader.read()
    writer.close()
    return int(answer[9:12] or 0)


@dataclass
class Load:
    """Results of many requests: seconds of each score, refusals (503), and other failures."""

    accepted_s: list[float] = field(default_factory=list)
    refused: int = 0
    lost: int = 0

    def add(self, status: int, seconds: float) -> None:
        """Count one request."""
        if status == 200:
            self.accepted_s.append(seconds)
        elif status == 503:
            self.refused += 1
        else:
            self.lost += 1

    def percentile_ms(self, share: float) -> float:
        """Return a percentile of the accepted requests."""
        return round(float(np.percentile(self.accepted_s, share)) * 1000, 2)

    def figures(self, name: str, to: Service) -> Figures:
        """Return response times, the share of refusals, and the service's memory now."""
        count = len(self.accepted_s) + self.refused + self.lost
        return {
            f"{name}_p50_ms": self.percentile_ms(50),
            f"{name}_p99_ms": self.percentile_ms(99),
            f"{name}_shed_share": round(self.refused / count, 4),
            f"{name}_mb": round(memory_mb(to.process.pid), 1),
        }


async def closed_loop(
    to: Service, bodies: Iterator[bytes], clients: int, is_over: Callable[[int], bool]
) -> Load:
    """Send requests from some clients, each after the response to its last, until ``is_over``."""
    load, sent = Load(), itertools.count()

    async def client() -> None:
        while not is_over(next(sent)):
            body, start = next(bodies), time.perf_counter()
            load.add(await post(to, body), time.perf_counter() - start)

    await asyncio.gather(*(client() for _ in range(clients)))
    return load


async def at_rate(to: Service, bodies: Iterator[bytes], per_s: float, requests: int) -> Load:
    """Send requests at random times, without waiting for responses."""
    load = Load()
    gaps = np.random.default_rng(14).exponential(1 / per_s, requests)

    async def send(body: bytes, due: float) -> None:
        try:
            status = await post(to, body)
        except OSError:
            status = 0
        load.add(status, time.perf_counter() - due)

    async with asyncio.TaskGroup() as group:
        for due in time.perf_counter() + np.cumsum(gaps):
            body = next(bodies)
            if (early := due - time.perf_counter()) > 0:
                await asyncio.sleep(early)
            group.create_task(send(body, float(due)))
    return load


def in_process_ms(index: Path) -> float:
    """Return the median time to read, score and write a row without a service."""
    pages = Index.open(index)
    scorer = Scorer.load(all_types=True, index=pages)

    def answer(body: str) -> None:
        to_json(scorer.score(Turn.from_mapping(json.loads(body), pages=pages)).to_dict())

    bodies = [json.dumps(row) for row in islice(rows(), 4 * DEMO_TURNS)]
    times = [timed(partial(answer, body))[0] for body in bodies]
    return round(float(np.median(times[DEMO_TURNS:])) * 1000, 2)


async def _throughput(to: Service, bodies: Iterator[bytes]) -> tuple[float, Load]:
    """Return the responses per second under full load, and the results of one client alone."""
    await closed_loop(to, bodies, WORKERS, lambda sent: sent >= 4 * DEMO_TURNS)
    alone = await closed_loop(to, bodies, 1, lambda sent: sent >= 3 * DEMO_TURNS)
    end = time.perf_counter() + SECONDS
    full = await closed_loop(to, bodies, 2 * WORKERS, lambda _: time.perf_counter() > end)
    return len(full.accepted_s) / (time.perf_counter() - end + SECONDS), alone


async def _measure(to: Service, index: Path, requests: int) -> Figures:
    bodies = (json.dumps(row).encode() for row in rows())
    capacity, alone = await _throughput(to, bodies)
    half = await at_rate(to, bodies, capacity / 2, requests)
    figures = half.figures("half", to)
    four = await at_rate(to, bodies, 4 * capacity, requests)
    figures |= four.figures("four", to)
    reload = asyncio.create_task(_reload(to, index))
    reloading = await closed_loop(to, bodies, WORKERS, lambda _: reload.done())
    await reload
    own_ms = in_process_ms(index)
    return {
        "in_process_p50_ms": own_ms,
        "alone_p50_ms": alone.percentile_ms(50),
        "added_p50_ms": round(alone.percentile_ms(50) - own_ms, 2),
        "turns_per_s": round(capacity, 1),
        "requests": requests,
        **figures,
        "p99_times": round(four.percentile_ms(99) / half.percentile_ms(99), 2),
        "lost": half.lost + four.lost + reloading.lost + reloading.refused,
        "reloads": RELOADS,
        "reloads_answered": len(reloading.accepted_s),
        "reloads_p99_ms": reloading.percentile_ms(99),
        "last_mb": round(memory_mb(to.process.pid), 1),
    }


async def _reload(to: Service, index: Path) -> None:
    """Replace the index by a copy and reload the service, `RELOADS` times."""
    for _ in range(RELOADS):
        before = to.workers()
        put(index, index.read_bytes())
        to.process.send_signal(signal.SIGHUP)
        while len(now := to.workers()) != WORKERS or now & before:
            await asyncio.sleep(0.2)


def measure(requests: int = REQUESTS) -> Figures:
    """Return all figures of the service."""
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "help.klopt"
        build = [sys.executable, "-m", "klopt", "index", "build", "--pages", str(DEMO / "pages")]
        subprocess.run([*build, "-o", str(index)], check=True, capture_output=True)
        options = "--index", index, "--all-types"
        with running(Path(folder), *options, "--workers", 1) as to:
            bodies = (json.dumps(row).encode() for row in rows())
            one, _ = asyncio.run(_throughput(to, bodies))
        with running(Path(folder), *options, "--workers", WORKERS) as to:
            figures = asyncio.run(_measure(to, index, requests))
    return {**figures, "turns_per_s_of_one_worker": round(one, 1)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.service", description=__doc__)
    parser.add_argument("--requests", type=int, default=REQUESTS, help="per rate")
    requests = parser.parse_args().requests
    store_long(f"service, {requests} requests", measure(requests))
