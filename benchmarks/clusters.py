"""Overhead of Spark and Ray per row, and estimated cost of large logs for each profile.

``python -m benchmarks.clusters`` scores variants of the demo company's turns in this process with
each built-in profile, and with `default` also as record batches and on a local Spark and Ray of one
worker, if installed (``make engines``). It prints the tables of docs/how-to/laptop-to-cluster.md.
"""

import argparse
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from importlib.util import find_spec
from secrets import token_hex
from typing import Final

import pyarrow as pa
from pyarrow import parquet

from benchmarks.timing import DEMO_TURNS, Figures, show, timed
from klopt import Scorer, score_frame
from klopt._internal.files import to_json
from klopt.logs.arrow import score_batches
from klopt.logs.rows import rows_of
from klopt.logs.scoring import score_rows
from klopt.scoring.profile import BUILT_IN
from tests.logs.many_turns import many

COUNT: Final = 3_000
ROUNDS: Final = 3
WARM: Final = 200
SIZES: Final = (10**6, 10**9)
USD_CORE_HOUR: Final = 0.05
"""Approximate price of a rented core per hour."""

Run = Callable[[pa.Table], object]


def measure() -> Figures:
    """Return milliseconds per turn in the best of `ROUNDS` rounds, and the ratio to one process."""
    table = many(COUNT)
    figures: Figures = {}
    with ExitStack() as stack:
        others = {name: partial(_plain, profile=name) for name in BUILT_IN if name != "default"}
        runs: dict[str, Run] = {"plain": _plain, "arrow": _arrow, **others}
        for run in runs.values():
            run(table.slice(0, WARM))
        installed = {
            "spark": find_spec("pyspark") and shutil.which("java"),
            "ray": find_spec("ray"),
        }
        for name, start in ENGINES.items():
            if installed[name]:
                began = time.perf_counter()
                runs[name] = stack.enter_context(start())
                runs[name](table.slice(0, WARM))
                figures[f"{name}_start_s"] = round(time.perf_counter() - began, 1)
        best = {name: float("inf") for name in runs}
        for _ in range(ROUNDS):
            for name, run in runs.items():
                best[name] = min(best[name], timed(partial(run, table))[0] * 1000 / COUNT)
    for name, ms in best.items():
        figures[f"{name}_ms"] = round(ms, 3)
        if name != "plain":
            figures[f"{name}_times"] = round(ms / best["plain"], 3)
    return figures | {"parquet_kb": _parquet_kb()}


def _parquet_kb() -> float:
    """Return the kilobytes of a row of results in Parquet."""
    few = many(DEMO_TURNS)
    sink = pa.BufferOutputStream()
    parquet.write_table(_arrow(few), sink, compression="zstd")
    return round(sink.getvalue().size / few.num_rows / 1000, 2)


@cache
def _scorer(profile: str = "default") -> Scorer:
    return Scorer.load(profile)


def _plain(table: pa.Table, profile: str = "default") -> list[bytes]:
    """Score as ``klopt score`` in one process, including the JSON lines."""
    rows = rows_of((number, row, None) for number, row in enumerate(table.to_pylist(), 1))
    return [to_json(one.to_dict()).encode() for _, one in score_rows(rows, _scorer(profile))]


def _arrow(table: pa.Table) -> pa.Table:
    return pa.Table.from_batches(score_batches(table.to_batches(), _scorer()))


@contextmanager
def _spark() -> Iterator[Run]:
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    four_tries = SparkSession.builder.master("local[1, 4]")
    session = four_tries.config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("OFF")

    def run(table: pa.Table) -> object:
        scores = score_frame(session.createDataFrame(table))
        return scores.write.format("noop").mode("overwrite").save()

    yield run
    session.stop()


@contextmanager
def _ray() -> Iterator[Run]:
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_TOKEN": token_hex()}
    import ray.data

    quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": logging.CRITICAL}
    with tempfile.TemporaryDirectory(prefix="ray-") as folder:
        ray.init("local", num_cpus=1, _temp_dir=folder, **quiet)
        logging.getLogger("ray.data").setLevel(logging.CRITICAL)
        ray.data.DataContext.get_current().enable_progress_bars = False
        yield lambda table: score_frame(ray.data.from_arrow(table)).materialize()
        ray.shutdown()


ENGINES: Final = {"spark": _spark, "ray": _ray}


def table(figures: Figures, usd: float) -> Iterator[str]:
    """Yield the estimated cost of large logs, as Markdown, at the slowest rate of `default`.

    The rates of other profiles, measured in one process only, are scaled by the same factor.
    """
    slowest = max(figures.get(f"{name}_ms", 0) for name in ("plain", "arrow", "spark", "ray"))
    rates = {name: figures[f"{name}_ms"] for name in BUILT_IN if name != "default"}
    rates = {"default": slowest} | {
        name: ms * slowest / figures["plain_ms"] for name, ms in rates.items()
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
    usd = parser.parse_args().usd_core_hour
    show({"clusters": (measured := measure())})
    print("", *table(measured, usd), sep="\n")
