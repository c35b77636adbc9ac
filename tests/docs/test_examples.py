"""The examples of the pages on large logs and on the index."""

import re
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from klopt.logs.pages import read_pages
from klopt.types import MESSAGE_TYPES, field_of
from tests.conftest import DEMO, ROOT
from tests.logs.many_turns import many
from tests.retrieval.conftest import built


def run_examples(page: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    text = (ROOT / "docs" / page).read_text("utf-8")
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(code, names)
    return names


def test_the_examples_of_large_logs(tmp_path, monkeypatch):
    pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "help.klopt").write_bytes(built(read_pages(DEMO / "pages")))
    log = many(70, by_name=True)
    names_of_klopt = [field_of(name) or "day" for name in log.schema.names]
    parquet.write_table(log.rename_columns(names_of_klopt), "log.parquet")
    names = run_examples("how-to/laptop-to-cluster.md")
    scores = names["scores"].to_arrow_table().to_pylist()
    assert [row["id"] for row in scores] == log["id"].to_pylist()
    by_day = names["by_day"].fetchall()
    assert {row[:2] for row in by_day} >= {("app", "block"), ("web", "send"), ("web", "unscored")}
    assert sum(row[2] for row in by_day) == 70
    faults = [one for row in scores for one in row["statements"] if one["fault"]]
    assert sum(row[1] for row in names["pages"].fetchall()) == len(faults) > 0
    assert len(names["names"].fetchall()) > 0
    written = parquet.read_table("out.parquet")
    assert written.equals(pa.Table.from_pylist(scores, written.schema))
    assert len((tmp_path / "scores.jsonl").read_text("utf-8").splitlines()) == 70


def test_the_examples_of_an_index(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "help.klopt").write_bytes(built(read_pages(DEMO / "pages" / "nl")))
    names = run_examples("how-to/index-file.md")
    assert names["assessment"].status == names["found"].status == "scored"
    assert names["assessment"].message_type in MESSAGE_TYPES
    assert names["found"].retrieved[0].id == names["names"][0] == "loonrun-starten.md"
