"""What Spark and Ray add to a row, and what logs of any size take by each profile.

``python -m benchmarks.clusters`` scores turns made of the demo company's in this process, by each
built-in profile, and by `default` as record batches and on a Spark and a Ray of one worker here,
after each has started. Those that are not installed (``make engines``) are left out. It ends with
the tables of docs/laptop-to-cluster.md.
"""

import argparse
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache, partial
from importlib.util import find_spec
from secrets import token_hex
from typing import Final

import pyarrow as pa
from pyarrow import parquet

from benchmarks.timing import Figures, show, timed
from klopt import Scorer, score_frame
from klopt._internal.files import to_json
from klopt.logs.arrow import score_batches
from klopt.logs.rows import rows_of
from klopt.logs.scoring import score_rows
from klopt.scoring.profile import BUILT_IN
from tests.logs.many_turns import many

COUNT: Final = 3_000
DEMO_TURNS: Final = 70
ROUNDS: Final = 3
WARM: Final = 200
SIZES: Final = (10**6, 10**9)
USD_CORE_HOUR: Final = 0.05
"""About what a core of a rented machine costs in an hour; ``--usd-core-hour`` says another."""

Run = Callable[[pa.Table], object]


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
                seconds, runs[name] = timed(partial(_started, stack, start(), table))
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


def _started(stack: ExitStack, engine: AbstractContextManager[Run], table: pa.Table) -> Run:
    """What scores a table, on an engine that has scored a few turns."""
    run = stack.enter_context(engine)
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
    given = parser.parse_args()
    show({"clusters": (measured := measure())})
    print("", *table(measured, given.usd_core_hour), sep="\n")
