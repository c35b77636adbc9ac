"""Scores of a table are a table of the same library."""

import subprocess
import sys

import pyarrow as pa
import pytest

import klopt
from klopt.errors import InputError
from klopt.logs.arrow import score_batches
from klopt.scoring.scorer import Scorer
from tests.logs.many_turns import many

duckdb = pytest.importorskip("duckdb")
LIBRARY = "{} is not installed: '.[engines]' has it"


@pytest.fixture(scope="module")
def scorer():
    return Scorer.load()


@pytest.fixture(scope="module")
def table():
    return many(60)


@pytest.fixture(scope="module")
def expected(table, scorer):
    return pa.Table.from_batches(score_batches(table.to_batches(), scorer, keep=["channel"]))


def test_pyarrow_and_duckdb(table, expected, scorer):
    found = klopt.score_frame(table, scorer, keep=["channel"])
    assert isinstance(found, pa.Table)
    assert found.equals(expected)
    found = klopt.score_frame(duckdb.from_arrow(table), scorer, keep=["channel"])
    assert isinstance(found, duckdb.DuckDBPyRelation)
    assert found.to_arrow_table().to_pylist() == expected.to_pylist()


@pytest.mark.parametrize("is_lazy", [False, True])
def test_polars(table, expected, scorer, is_lazy):
    polars = pytest.importorskip("polars", reason=LIBRARY.format("polars"))
    frame = polars.from_arrow(table)
    found = klopt.score_frame(frame.lazy() if is_lazy else frame, scorer, keep=["channel"])
    assert isinstance(found, polars.LazyFrame if is_lazy else polars.DataFrame)
    assert (found.collect() if is_lazy else found).to_dicts() == expected.to_pylist()


def test_pandas(table, expected, scorer):
    pandas = pytest.importorskip("pandas", reason=LIBRARY.format("pandas"))
    frame = pandas.DataFrame(table.to_pylist())
    found = klopt.score_frame(frame, scorer, keep=["channel"])
    assert isinstance(found, pandas.DataFrame)
    flat = ["id", "verdict", "status", "explanation", "channel"]
    assert found[flat].to_dict("list") == expected.select(flat).to_pydict()
    assert list(found["score"].dropna()) == [
        one for one in expected["score"].to_pylist() if one is not None
    ]


def test_other_types_are_refused():
    with pytest.raises(InputError, match=r"^builtins\.list is not a supported table; give one of"):
        klopt.score_frame([{"question": "Kan dat?"}])


def test_a_missing_column_is_reported_before_the_table_is_read():
    with pytest.raises(InputError, match="no column is read as answer; the columns are question"):
        klopt.score_frame(duckdb.sql("SELECT error('not read') AS question"))


@pytest.mark.parametrize("missing", ["narwhals", "pyarrow"])
def test_without_a_library_the_error_names_the_extra(missing):
    code = f"import sys; sys.modules[{missing!r}] = None; import klopt; klopt.score_frame(0)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (
        "tables need narwhals and pyarrow; install with: pip install 'klopt[frames]'" in run.stderr
    )
