"""What Spark and Ray add to a row, and what logs of any size take by each profile.

``python -m benchmarks.clusters`` scores turns made of the demo company's in this process, by each
built-in profile, and by `default` as record batches and on a Spark and a Ray of one worker here,
after each has started. Those that are not installed (``make engines``) are left out. It ends with
the tables of docs/laptop-to-cluster.md.

``--killed 200000`` scores so many rows from Parquet to Parquet on two workers of each instead,
kills two of them on the way, compares what comes out with that of the other engine and, of each
hundredth row, of this process, and stores the figures in benchmarks/results.json.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache, partial
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex
from typing import Final, NamedTuple

import pyarrow as pa
from pyarrow import parquet

from benchmarks.timing import DEMO, Figures, show, store_long, timed
from klopt import Scorer, score_frame
from klopt.batch.arrow import score_batches, to_rows
from klopt.batch.cores import score_rows
from klopt.batch.output import to_json, whole_binary
from klopt.batch.pages import read_pages
from klopt.batch.rows import rows_of
from klopt.indexing.building import build
from klopt.indexing.index_file import Index
from klopt.scoring.profile import BUILT_IN, Profile
from klopt.scoring.setup import Setup
from tests.batch.killing import kill_busy
from tests.batch.many_turns import many, plainly

COUNT: Final = 3_000
DEMO_TURNS: Final = 70
ROUNDS: Final = 3
WARM: Final = 200
SIZES: Final = (10**6, 10**9)
USD_CORE_HOUR: Final = 0.05
"""About what a core of a rented machine costs in an hour; ``--usd-core-hour`` says another."""

WORKERS: Final = 2
PART: Final = 5_000
"""Rows of a file, where workers are killed; each when it has computed so long:"""
BUSY_S: Final = 30.0
SAMPLED: Final = 100

Run = Callable[[pa.Table], object]


class Engine(NamedTuple):
    """A running one: it scores a table, and a folder of Parquet into another one."""

    run: Run
    over_files: Callable[[Path, Path, Scorer], object]


def measure() -> Figures:
    """Milliseconds a turn, the best of some rounds, and how many times those of one process."""
    table = many(COUNT)
    figures: Figures = {}
    with ExitStack() as stack:
        others = {name: partial(_plain, profile=name) for name in BUILT_IN if name != "default"}
        runs: dict[str, Run] = {"plain": _plain, "arrow": _arrow, **others}
        for run in runs.values():
            run(table.slice(0, WARM))
        is_there = {"spark": find_spec("pyspark") and shutil.which("java"), "ray": find_spec("ray")}
        for name, start in ENGINES.items():
            if is_there[name]:
                seconds, runs[name] = timed(partial(_started, stack, start(1), table))
                figures[f"{name}_start_s"] = round(seconds, 1)
        best = {name: float("inf") for name in runs}
        for _ in range(ROUNDS):
            for name, run in runs.items():
                best[name] = min(best[name], timed(partial(run, table))[0] * 1000 / COUNT)
    for name, ms in best.items():
        figures[f"{name}_ms"] = round(ms, 3)
        if name != "plain":
            figures[f"{name}_times"] = round(ms / best["plain"], 3)
    return figures | _sizes()


def _started(stack: ExitStack, engine: AbstractContextManager[Engine], table: pa.Table) -> Run:
    """What scores a table, on an engine that has scored a few turns."""
    run = stack.enter_context(engine).run
    run(table.slice(0, WARM))
    return run


def _sizes() -> Figures:
    """Kilobytes of a row of results, as JSON lines and as Parquet, of turns that differ."""
    few = many(DEMO_TURNS)
    sink = pa.BufferOutputStream()
    parquet.write_table(_arrow(few), sink, compression="zstd")
    json_bytes = sum(len(line) + 1 for line in _plain(few))
    return {
        "json_kb": round(json_bytes / few.num_rows / 1000, 2),
        "parquet_kb": round(sink.getvalue().size / few.num_rows / 1000, 2),
    }


@cache
def _scorer(profile: str = "default") -> Scorer:
    return Scorer.load(profile)


def _plain(table: pa.Table, profile: str = "default") -> list[bytes]:
    """As ``klopt score`` in one process, JSON lines included."""
    rows = rows_of((number, row, None) for number, row in enumerate(table.to_pylist(), 1))
    return [to_json(one.to_dict()).encode() for _, one in score_rows(rows, _scorer(profile))]


def _arrow(table: pa.Table) -> pa.Table:
    return pa.Table.from_batches(score_batches(table.to_batches(), _scorer()))


@contextmanager
def _spark(workers: int) -> Iterator[Engine]:
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    four_tries = SparkSession.builder.master(f"local[{workers}, 4]")
    session = four_tries.config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("OFF")

    def run(table: pa.Table) -> object:
        scores = score_frame(session.createDataFrame(table))
        return scores.write.format("noop").mode("overwrite").save()

    def over_files(given: Path, made: Path, scorer: Scorer) -> object:
        rows = session.read.parquet(str(given)).repartition(len([*given.iterdir()]))
        return score_frame(rows, scorer).write.parquet(str(made))

    yield Engine(run, over_files)
    session.stop()


@contextmanager
def _ray(workers: int) -> Iterator[Engine]:
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_TOKEN": token_hex()}
    import ray.data

    quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": logging.CRITICAL}
    with tempfile.TemporaryDirectory(prefix="ray-") as folder:
        ray.init("local", num_cpus=workers, _temp_dir=folder, **quiet)
        logging.getLogger("ray.data").setLevel(logging.CRITICAL)
        ray.data.DataContext.get_current().enable_progress_bars = False
        yield Engine(
            lambda table: score_frame(ray.data.from_arrow(table)).materialize(),
            lambda given, made, scorer: score_frame(
                ray.data.read_parquet(str(given)), scorer
            ).write_parquet(str(made)),
        )
        ray.shutdown()


ENGINES: Final = {"spark": _spark, "ray": _ray}


def killed(count: int) -> Figures:
    """What a long log takes on each engine while two of its workers are killed.

    Raises:
        SystemExit: Rows are lost, come twice, or are others than in one process.
    """
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with whole_binary(index := folder / "help.klopt") as file:
            build(file, read_pages(DEMO / "pages"), Setup(Profile.load()))
        scorer = Scorer.load(index=Index.open(index))
        rows = many(count, by_name=True)
        plain = plainly(rows.take([*range(0, count, SAMPLED)]), scorer, scorer.setup.index)
        (given := folder / "given").mkdir()
        for part, at in enumerate(range(0, count, PART)):
            parquet.write_table(rows.slice(at, PART), given / f"{part:05}.parquet")
        same = {name: _digest(row) for name, row in plain.items()}
        for engine, start in ENGINES.items():
            made = folder / engine
            with start(WORKERS) as running, ThreadPoolExecutor(1) as pool:
                done = threading.Event()
                job = pool.submit(timed, partial(running.over_files, given, made, scorer))
                job.add_done_callback(lambda _, done=done: done.set())
                figures[f"{engine}_workers_killed"] = kill_busy(done, BUSY_S)
                seconds, _ = job.result()
            figures |= {f"{engine}_s": round(seconds, 1)}
            figures |= {f"{engine}_rows_per_s": round(count / seconds, 1)}
            digests = dict(found := list(_digests(made)))
            if not len(found) == len(digests) == count or digests | same != digests:
                raise SystemExit(f"{engine} has other rows than one process, or others before it")
            same = digests
    return figures


def _digests(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The id of each row of results, and what tells whether another is the same."""
    for file in folder.glob("*.parquet"):
        for batch in parquet.ParquetFile(file).iter_batches(1_000):
            for row in to_rows(batch):
                yield row["id"], _digest(row)


def _digest(row: Mapping[str, object]) -> bytes:
    return sha256(json.dumps(row, sort_keys=True).encode()).digest()


def table(figures: Figures, usd: float = USD_CORE_HOUR) -> Iterator[str]:
    """What logs of some sizes take, as Markdown: at the dearest rate that `default` was run at.

    Other profiles are run in one process alone, and reckoned to grow as dear as that.
    """
    dearest = max(figures.get(f"{name}_ms", 0) for name in ("plain", "arrow", "spark", "ray"))
    rates = {name: figures[f"{name}_ms"] for name in BUILT_IN if name != "default"}
    rates = {"default": dearest} | {
        name: ms * dearest / figures["plain_ms"] for name, ms in rates.items()
    }
    yield "| turns | profile | core-hours | on 2 cores | on 64 cores | US$ | results in Parquet |"
    yield "|---|---|---|---|---|---|---|"
    for size in SIZES:
        stored = _rounded(size * figures["parquet_kb"] / 1e6)
        for name, ms in rates.items():
            hours = size * ms / 3_600_000
            cores = " | ".join(_duration(hours / count) for count in (2, 64))
            took = f"`{name}`, {ms:.1f} ms | {_rounded(hours)} | {cores} | {_rounded(hours * usd)}"
            yield f"| {size:,} | {took} | {stored} GB |"


def _rounded(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1g}"


def _duration(hours: float) -> str:
    for unit, length in (("days", 24.0), ("hours", 1.0), ("minutes", 1 / 60)):
        if hours >= 2 * length:
            return f"{hours / length:,.0f} {unit}"
    return f"{hours * 3600:,.0f} s"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clusters", description=__doc__)
    parser.add_argument("--usd-core-hour", type=float, default=USD_CORE_HOUR)
    parser.add_argument("--killed", type=int, help="so many rows, and two workers killed")
    given = parser.parse_args()
    if given.killed:
        store_long(
            f"Spark and Ray with two workers killed, {given.killed} rows", killed(given.killed)
        )
    else:
        show({"clusters": (measured := measure())})
        print("", *table(measured, given.usd_core_hour), sep="\n")
