"""The time that the service adds to scoring, its throughput, and its behaviour under overload.

``python -m benchmarks.service`` starts it on loopback with the demo company's pages and sends the
demo turns, each a new one: with one worker, with two, at half of their capacity, at four times
their capacity, and during ten reloads (SIGHUP). The load generator runs on the same cores.
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

from benchmarks.timing import DEMO, Figures, memory_mb, rows, store_long, timed
from klopt import Scorer, Turn
from klopt._internal.files import to_json
from klopt.retrieval.index_file import Index
from tests.server.conftest import Service, put, running

WORKERS: Final = 2
REQUESTS: Final = 4_000
"""So many at half and at four times what it can do; the issue's 100,000 by ``--requests``."""
LOOKS: Final = 10
RELOADS: Final = 10
SECONDS: Final = 8.0
TURNS: Final = 70
"""So many the demo company has."""


async def post(to: Service, body: bytes) -> int:
    """Send a row over a connection of its own, as the service closes each; the status."""
    address = urlsplit(to.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    head = b"POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    writer.write(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    answer = await reader.read()
    writer.close()
    return int(answer[9:12] or 0)


@dataclass
class Load:
    """What came of some load: seconds of each answer, refusals (503), and what got neither.

    Memory is looked at ten times on the way, of a load of so many ``requests``.
    """

    to: Service
    requests: int = 0
    accepted_s: list[float] = field(default_factory=list)
    refused: int = 0
    lost: int = 0
    memory_mb: list[float] = field(default_factory=list)

    def add(self, status: int, seconds: float) -> None:
        """Counts one request."""
        if status == 200:
            self.accepted_s.append(seconds)
        elif status == 503:
            self.refused += 1
        else:
            self.lost += 1
        if self.requests and self.count % max(1, self.requests // LOOKS) == 0:
            self.memory_mb.append(memory_mb(self.to.process.pid))

    @property
    def count(self) -> int:
        """Of all."""
        return len(self.accepted_s) + self.refused + self.lost

    def percentile_ms(self, share: float) -> float:
        """Of what was accepted."""
        return round(float(np.percentile(self.accepted_s, share)) * 1000, 2)

    def figures(self, name: str) -> Figures:
        """How long answers took, how many were refused, and what the service held meanwhile."""
        looks = range(len(self.memory_mb))
        growth_mb = np.polyfit(looks, self.memory_mb, 1)[0] * LOOKS / self.count * 10_000
        at_looks = ", ".join(f"{mb:.1f}" for mb in self.memory_mb)
        print(f"{name}: MB at each {self.requests // LOOKS} requests: {at_looks}")
        return {
            f"{name}_p50_ms": self.percentile_ms(50),
            f"{name}_p99_ms": self.percentile_ms(99),
            f"{name}_shed_share": round(self.refused / self.count, 4),
            f"{name}_most_mb": round(max(self.memory_mb), 1),
            f"{name}_growth_mb_per_10000": round(growth_mb, 2),
        }


async def one_after_the_other(
    to: Service, bodies: Iterator[bytes], at_once: int, is_over: Callable[[int], bool]
) -> Load:
    """Requests one after the other from some clients at once, until ``is_over``."""
    load, sent = Load(to), itertools.count()

    async def ask() -> None:
        while not is_over(next(sent)):
            body, began = next(bodies), time.perf_counter()
            load.add(await post(to, body), time.perf_counter() - began)

    await asyncio.gather(*(ask() for _ in range(at_once)))
    return load


async def at_rate(to: Service, bodies: Iterator[bytes], per_s: float, requests: int) -> Load:
    """So many a second, at times drawn evenly, whether or not those before were answered."""
    load = Load(to, requests)
    gaps = np.random.default_rng(14).exponential(1 / per_s, requests)

    async def ask(body: bytes, due: float) -> None:
        try:
            status = await post(to, body)
        except OSError:
            status = 0
        load.add(status, time.perf_counter() - due)

    async with asyncio.TaskGroup() as asking:
        for due in time.perf_counter() + np.cumsum(gaps):
            body = next(bodies)
            if (early := due - time.perf_counter()) > 0:
                await asyncio.sleep(early)
            asking.create_task(ask(body, float(due)))
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


async def _throughput(to: Service, bodies: Iterator[bytes]) -> tuple[float, Load]:
    """The median time of a request alone in ms, and the responses per second under full load."""
    await one_after_the_other(to, bodies, WORKERS, lambda sent: sent >= 4 * TURNS)
    alone = await one_after_the_other(to, bodies, 1, lambda sent: sent >= 3 * TURNS)
    end = time.perf_counter() + SECONDS
    full = await one_after_the_other(to, bodies, 2 * WORKERS, lambda _: time.perf_counter() > end)
    return len(full.accepted_s) / (time.perf_counter() - end + SECONDS), alone


async def _measure(to: Service, index: Path, requests: int) -> Figures:
    bodies = (json.dumps(row).encode() for row in rows())
    capacity, alone = await _throughput(to, bodies)
    half = await at_rate(to, bodies, capacity / 2, requests)
    over = await at_rate(to, bodies, 4 * capacity, requests)
    changing = asyncio.create_task(_change(to, index))
    reloading = await one_after_the_other(to, bodies, WORKERS, lambda _: changing.done())
    own_ms = in_process_ms(index)
    return {
        "in_process_p50_ms": own_ms,
        "alone_p50_ms": alone.percentile_ms(50),
        "added_p50_ms": round(alone.percentile_ms(50) - own_ms, 2),
        "turns_per_s": round(capacity, 1),
        "requests": requests,
        **half.figures("half"),
        **over.figures("four"),
        "p99_times": round(over.percentile_ms(99) / half.percentile_ms(99), 2),
        "lost": half.lost + over.lost + reloading.lost + reloading.refused,
        "reloads": await changing,
        "reloads_answered": len(reloading.accepted_s),
        "reloads_p99_ms": reloading.percentile_ms(99),
        "last_mb": round(memory_mb(to.process.pid), 1),
    }


async def _change(to: Service, index: Path) -> int:
    """Replace the index by a copy and reload, again and again; the number of reloads."""
    sizes_mb: list[float] = []
    while len(sizes_mb) < RELOADS:
        before = to.workers()
        put(index, index.read_bytes())
        to.process.send_signal(signal.SIGHUP)
        while len(now := to.workers()) != WORKERS or now & before:
            await asyncio.sleep(0.2)
        sizes_mb.append(memory_mb(to.process.pid))
    print(f"reloads: MB after each: {', '.join(f'{mb:.1f}' for mb in sizes_mb)}")
    return len(sizes_mb)


def measure(requests: int = REQUESTS) -> Figures:
    """All figures of the service."""
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
    parser.add_argument("--requests", type=int, default=REQUESTS, help="at half and at four times")
    requests = parser.parse_args().requests
    store_long(f"service, {requests} requests", measure(requests))
