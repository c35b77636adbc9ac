"""Spark and Ray, real ones on this machine: every row as in one process, whatever happens.

They are large (``pip install -e '.[engines]'``, Spark needs Java too) and are skipped without.
"""

from __future__ import annotations

import logging
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any

import pyarrow as pa
import pytest

from klopt import score_frame
from klopt.batch.arrow import SCHEMA, to_rows
from klopt.batch.pages import read_pages
from klopt.indexing.index_file import Index
from klopt.scoring.scorer import Scorer
from tests.batch.killing import KILLED, kill_busy
from tests.batch.many_turns import many, plainly
from tests.conftest import DEMO
from tests.indexing.conftest import built

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # theirs
    pytest.mark.skipif(sys.platform != "linux", reason="finds the workers under /proc"),
]

COUNT = 5_000

Score = Callable[..., pa.Table]


@pytest.fixture(scope="module")
def index(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("index") / "help.klopt"
    path.write_bytes(built(read_pages(DEMO / "pages")))
    return path


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return many(COUNT, by_name=True)


@pytest.fixture(scope="module")
def scorer(index) -> Scorer:
    return Scorer.load(index=Index.open(index))


@pytest.fixture(scope="module")
def plain(table, scorer) -> dict[str, dict[str, Any]]:
    return plainly(table, scorer, scorer.setup.index)


@pytest.fixture(scope="module", params=["spark", "ray"])
def score(request) -> Iterator[Score]:
    """Scores a table on a cluster; takes what `klopt.score_frame` takes."""
    with pytest.MonkeyPatch.context() as patch:
        yield from {"spark": _spark, "ray": _ray}[request.param](patch)


def _spark(patch: pytest.MonkeyPatch) -> Iterator[Score]:
    sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed: '.[engines]' has it")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, which is not installed")
    patch.setenv("PYSPARK_PYTHON", sys.executable)
    patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    session = (
        sql.SparkSession.builder.master("local[2, 4]")  # a task is tried four times
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")

    def score(table: pa.Table, scorer: Scorer, **options: Any) -> pa.Table:
        given = session.createDataFrame(table).repartition(4)
        return score_frame(given, scorer, **options).toArrow()

    yield score
    session.stop()


def _ray(patch: pytest.MonkeyPatch) -> Iterator[Score]:
    data = pytest.importorskip("ray.data", reason="Ray is not installed: '.[engines]' has it")
    import ray

    patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    patch.setenv("RAY_AUTH_TOKEN", token_hex())
    with tempfile.TemporaryDirectory(prefix="ray-") as folder:
        ray.init(
            "local",
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.CRITICAL,
            _temp_dir=folder,
        )
        data.DataContext.get_current().enable_progress_bars = False

        def score(table: pa.Table, scorer: Scorer, **options: Any) -> pa.Table:
            quarter = max(1, -(-table.num_rows // 4))
            blocks = [table.slice(at, quarter) for at in range(0, table.num_rows, quarter)]
            found = score_frame(data.from_arrow(blocks), scorer, **options)
            return pa.concat_tables(ray.get(found.to_arrow_refs()))

        yield score
        ray.shutdown()


def by_id(found: pa.Table) -> dict[str, dict[str, Any]]:
    rows = [row for batch in found.to_batches() for row in to_rows(batch)]
    assert len(rows) == len({row["id"] for row in rows})
    return {row["id"]: row for row in rows}


def test_every_row_is_that_of_one_process(score, table, plain, scorer):
    found = score(table, scorer, keep=["channel"])
    assert found.schema.names == [*SCHEMA.names, "channel"]
    assert by_id(found) == plain
    kept = dict(zip(*(found[name].to_pylist() for name in ("id", "channel")), strict=True))
    given = dict(zip(*(table[name].to_pylist() for name in ("id", "channel")), strict=True))
    assert kept == given


def test_workers_that_are_killed_lose_nothing(score, table, plain, scorer):
    most = table.slice(0, COUNT * 3 // 5)
    with ThreadPoolExecutor(1) as pool:
        done = threading.Event()
        job = pool.submit(score, most, scorer)
        job.add_done_callback(lambda _: done.set())
        killed = kill_busy(done)
        found = by_id(job.result(600))
    assert found == {name: plain[name] for name in most["id"].to_pylist()}
    assert killed == KILLED


def test_dictionaries_times_and_other_names(score, scorer):
    row = {
        "nr": "7",
        "vraag": "Hoe sla ik het op?",
        "answer": "Klik op **Bewaren**.",
        "contexts": [[("id", "opslaan.md"), ("text", "Klik op **Opslaan**.")]],
        "moment": datetime(2026, 3, 1, 12, 30, tzinfo=UTC),
    }
    schema = pa.schema(
        {
            **dict.fromkeys(("nr", "vraag", "answer"), pa.string()),
            "contexts": pa.list_(pa.map_(pa.string(), pa.string())),
            "moment": pa.timestamp("us", "UTC"),
        }
    )
    given = pa.Table.from_pylist([row], schema)
    found = score(given, scorer, names={"id": "nr", "question": "vraag"}, keep=["moment"])
    assert found["moment"].to_pylist() == [row["moment"]]
    assert found["id"].to_pylist() == ["7"]
    assert found["status"].to_pylist() == ["scored"]


def test_an_index_that_is_not_there_fails_the_job_and_says_so(score, table, index, tmp_path):
    moved = shutil.copy(index, tmp_path / "weg.klopt")
    scorer = Scorer.load(index=Index.open(moved))
    moved.unlink()
    with pytest.raises(Exception, match=r"weg\.klopt: there is no such file"):
        score(table.slice(0, 5), scorer)
