"""Real Spark and Ray on this machine give the same rows as one process, also if workers die.

The tests are skipped without them (``pip install -e '.[engines]'``, and Java for Spark).
"""

import logging
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from secrets import token_hex
from typing import Any

import pyarrow as pa
import pytest

from klopt import score_frame
from klopt.logs.arrow import SCHEMA, to_rows
from klopt.logs.pages import read_pages
from klopt.retrieval.index_file import Index
from klopt.scoring.scorer import Scorer
from tests.conftest import DEMO
from tests.logs.killing import KILLED, kill_busy
from tests.logs.many_turns import many, plainly
from tests.retrieval.conftest import built

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # theirs
    pytest.mark.skipif(sys.platform != "linux", reason="finds the workers under /proc"),
]

COUNT = 5_000

Score = Callable[..., pa.Table]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    path = tmp_path_factory.mktemp("index") / "help.klopt"
    path.write_bytes(built(read_pages(DEMO / "pages")))
    return path


@pytest.fixture(scope="module")
def table():
    return many(COUNT, by_name=True)


@pytest.fixture(scope="module")
def scorer(index):
    return Scorer.load(index=Index.open(index))


@pytest.fixture(scope="module")
def plain(table, scorer):
    return plainly(table, scorer, scorer.setup.index)


@pytest.fixture(scope="module", params=["spark", "ray"])
def score(request):
    """Scores a table on a cluster, with the options of `klopt.score_frame`."""
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


def differing(found: dict[str, Any], expected: dict[str, Any]) -> list[Any]:
    """Return at most three differing rows: pytest needs an hour for the diff of whole tables."""
    names = sorted(found.keys() | expected.keys())
    pairs = ((name, found.get(name), expected.get(name)) for name in names)
    return list(islice((pair for pair in pairs if pair[1] != pair[2]), 3))


def test_a_cluster_gives_the_rows_of_one_process(score, table, plain, scorer):
    found = score(table, scorer, keep=["channel"])
    assert found.schema.names == [*SCHEMA.names, "channel"]
    assert differing(by_id(found), plain) == []
    kept = dict(zip(*(found[name].to_pylist() for name in ("id", "channel")), strict=True))
    given = dict(zip(*(table[name].to_pylist() for name in ("id", "channel")), strict=True))
    assert kept == given


def test_killed_workers_lose_no_rows(score, table, plain, scorer):
    most = table.slice(0, COUNT * 3 // 5)
    with ThreadPoolExecutor(1) as pool:
        done = threading.Event()
        job = pool.submit(score, most, scorer)
        job.add_done_callback(lambda _: done.set())
        killed = kill_busy(done)
        found = by_id(job.result(600))
    expected = {name: plain[name] for name in most["id"].to_pylist()}
    assert differing(found, expected) == []
    assert killed == KILLED
