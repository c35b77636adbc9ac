"""What the service costs over scoring in the same process, and what it does when too much comes.

``python -m benchmarks.service`` starts one on loopback over the demo company's pages and asks it
about the demo turns, each a new one. The load generator runs on the same cores, so that what it
takes is missing from the figures; they count for the machine that they are measured on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

import numpy as np

from klopt import Scorer, Turn
from klopt.batch.output import to_json
from klopt.indexing.index_file import Index

Figures = dict[str, float]

DEMO: Final = Path(__file__).parent.parent / "data" / "demo"
WORKERS: Final = 2
REQUESTS: Final = 4_000
"""So many for memory; the issue's 100,000 by ``--requests``."""
SECONDS: Final = 8.0
_NUMBERS: Final = count()


def rows() -> list[dict[str, Any]]:
    """The demo turns, with their pages by the names that an index of both languages has."""
    text = (DEMO / "turns.jsonl").read_text("utf-8")
    found = [json.loads(line) for line in text.splitlines() if line.strip()]
    for row in found:
        row["contexts"] = [f"{row['language']}/{name}" for name in row["contexts"]]
    return found


def fresh(row: dict[str, Any]) -> dict[str, Any]:
    """A row that was not seen before."""
    number = next(_NUMBERS)
    new = {"question": f"{row['question']} {number}", "answer": f"{row['answer']} {number}"}
    return {"id": row["id"], "contexts": row["contexts"], **new}


@dataclass
class Running:
    """A service that runs.

    Attributes:
        process: The one that speaks HTTP.
        host: Where it listens.
        port: At which port.
    """

    process: subprocess.Popen[bytes]
    host: str
    port: int

    def processes(self) -> tuple[int, ...]:
        """The one that speaks HTTP, and those that it started."""
        pid = self.process.pid
        return pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())

    def cpu_s(self) -> tuple[float, float]:
        """What the one that speaks HTTP computed so far, and what the others did."""
        taken = []
        for pid in self.processes():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            taken.append((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
        return taken[0], sum(taken[1:])

    def resident_mb(self) -> float:
        """What all its processes hold, memory that they share counted once."""
        total = 0
        for pid in self.processes():
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            total += next(int(one.split()[1]) for one in lines if one.startswith("Pss:"))
        return round(total / 1024, 1)


@contextmanager
def running(index: Path, log: Path) -> Iterator[Running]:
    """A service over an index, until the block ends."""
    command = [sys.executable, "-m", "klopt", "serve", "--index", str(index), "--port", "0"]
    with (
        log.open("wb") as err,
        subprocess.Popen(
            [*command, "--all-types", "--workers", str(WORKERS)], stdout=subprocess.PIPE, stderr=err
        ) as process,
    ):
        try:
            if process.stdout is None:
                raise RuntimeError("the service has no output")
            host, _, port = process.stdout.readline().decode().rpartition("//")[2].rpartition(":")
            yield Running(process, host, int(port))
        finally:
            process.send_signal(signal.SIGTERM)


class Line:
    """One connection that is kept."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, to: Running) -> Line:
        """Connects."""
        return cls(*await asyncio.open_connection(to.host, to.port))

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
    """What came of some load.

    Attributes:
        seconds: How long it lasted.
        accepted_s: How long each answered request took.
        refused: How many were sent away, by 503.
        lost: How many got neither.
    """

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
        return round(float(np.percentile(np.array(self.accepted_s) * 1000, share)), 2)


def bodies(found: list[dict[str, Any]]) -> Iterator[bytes]:
    """New rows for ever."""
    while True:
        for row in found:
            yield json.dumps(fresh(row)).encode()


async def one_after_the_other(
    to: Running, asked: Iterator[bytes], at_once: int, **until: float
) -> Load:
    """As many as are answered, on some connections, for some ``seconds`` or ``requests``."""
    load, start, left = Load(), time.perf_counter(), [until.get("requests", float("inf"))]
    end = start + until.get("seconds", float("inf"))

    async def ask() -> None:
        line = await Line.open(to)
        while time.perf_counter() < end and left[0] > 0:
            left[0] -= 1
            body, began = next(asked), time.perf_counter()
            load.add(await line.post(body), time.perf_counter() - began)
        line.close()

    await asyncio.gather(*(ask() for _ in range(at_once)))
    load.seconds = time.perf_counter() - start
    return load


async def at_rate(to: Running, asked: Iterator[bytes], per_s: float, seconds: float) -> Load:
    """So many a second, at times drawn evenly, whether or not those before were answered."""
    load, idle = Load(), asyncio.LifoQueue[Line]()
    gaps = np.random.default_rng(14).exponential(1 / per_s, int(per_s * seconds))
    prepared = [next(asked) for _ in gaps]

    async def ask(body: bytes, due: float) -> None:
        line = None
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


def in_process(index: Path, found: list[dict[str, Any]], rounds: int = 3) -> list[float]:
    """Seconds to read, score and write each row without a service."""
    pages = Index.open(index)
    scorer = Scorer.load(all_types=True, index=pages)
    taken = []
    for number in range(rounds + 1):
        for row in found:
            body, began = json.dumps(fresh(row)), time.perf_counter()
            to_json(scorer.score(Turn.from_mapping(json.loads(body), pages=pages)).to_dict())
            if number:
                taken.append(time.perf_counter() - began)
    return taken


async def _measure(to: Running, index: Path, requests: int, seconds: float) -> Figures:
    found = rows()
    asked = bodies(found)
    await one_after_the_other(to, asked, WORKERS, requests=4 * len(found))
    before = to.cpu_s()
    alone = await one_after_the_other(to, asked, 1, requests=3 * len(found))
    front, others = (
        1000 * (now - then) / len(alone.accepted_s)
        for now, then in zip(to.cpu_s(), before, strict=True)
    )
    full = await one_after_the_other(to, asked, 2 * WORKERS, seconds=seconds)
    capacity = len(full.accepted_s) / full.seconds
    half = await at_rate(to, asked, capacity / 2, seconds)
    before = to.cpu_s()
    over = await at_rate(to, asked, 4 * capacity, seconds)
    refusing = 1000 * (to.cpu_s()[0] - before[0]) - front * len(over.accepted_s)
    changing = asyncio.create_task(_change(index))
    reloading = await one_after_the_other(to, asked, WORKERS, seconds=seconds)
    await changing
    figures: Figures = {}
    for name in ("first", "all"):
        part = requests // 5 if name == "first" else requests - requests // 5
        await one_after_the_other(to, asked, WORKERS, requests=part)
        figures["fifth_mb" if name == "first" else "all_mb"] = to.resident_mb()
    base = np.percentile(np.array(in_process(index, found)) * 1000, 50)
    return {
        "in_process_p50_ms": round(float(base), 2),
        "alone_p50_ms": alone.percentile_ms(50),
        "added_p50_ms": round(alone.percentile_ms(50) - float(base), 2),
        "front_cpu_ms": round(front, 2),
        "workers_cpu_ms": round(others, 2),
        "refusal_cpu_ms": round(max(0.0, refusing) / max(1, over.refused), 2),
        "turns_per_s": round(capacity, 1),
        "half_p50_ms": half.percentile_ms(50),
        "half_p99_ms": half.percentile_ms(99),
        "four_p50_ms": over.percentile_ms(50),
        "four_p99_ms": over.percentile_ms(99),
        "p99_times": round(over.percentile_ms(99) / half.percentile_ms(99), 2),
        "half_shed_share": round(half.refused / (half.refused + len(half.accepted_s)), 4),
        "four_shed_share": round(over.refused / (over.refused + len(over.accepted_s)), 4),
        "lost": half.lost + over.lost + reloading.lost + reloading.refused,
        "reloads_answered": len(reloading.accepted_s),
        "requests": requests,
        **figures,
    }


async def _change(index: Path, times: int = 3) -> None:
    """Puts a copy in the place of the index, a few times."""
    for _ in range(times):
        await asyncio.sleep(SECONDS / (times + 1))
        new = index.with_suffix(".new")
        shutil.copyfile(index, new)
        new.replace(index)


def measure(requests: int = REQUESTS, seconds: float = SECONDS) -> Figures:
    """All figures of the service."""
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "help.klopt"
        build = [sys.executable, "-m", "klopt", "index", "build", "--pages", str(DEMO / "pages")]
        subprocess.run([*build, "-o", str(index)], check=True, capture_output=True)
        with running(index, Path(folder) / "log") as to:
            return asyncio.run(_measure(to, index, requests, seconds))


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.service", description=__doc__)
    parser.add_argument("--requests", type=int, default=REQUESTS, help="for memory")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each load")
    arguments = parser.parse_args()
    for name, value in measure(arguments.requests, arguments.seconds).items():
        print(f"{name:<20} {value:g}")


if __name__ == "__main__":
    main()
