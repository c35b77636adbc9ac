"""The notebook runs, and says what klopt does."""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from tests.conftest import ROOT

notebook = SimpleNamespace(**runpy.run_path(str(ROOT / "docs" / "notebook.py")))


@pytest.fixture(scope="module")
def page() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir("/")  # it needs no checkout
        yield "\n".join(notebook.notebook())


def test_every_cell_shows_something(page):
    parts = re.split(r"^```python\n.*?^```\n", page, flags=re.M | re.S)[1:]
    cells = json.loads(notebook.NOTEBOOK.read_text("utf-8"))["cells"]
    assert len(parts) == sum(cell["cell_type"] == "code" for cell in cells)
    assert [part for part in parts if not re.match(r"\s*(```text\n.|<div>.)", part)] == []


def test_what_it_shows_is_what_klopt_finds(page):
    assert "the page says “including 50 euros”" in page
    assert re.search(r"0\.\d\d  contradicted  .*150 euros", page)
    assert re.search(r"'id': 'demo-045', 'score': 5\.0, 'verdict': 'send'", page)
    sent = [int(count) for count in re.findall(r"from \d\.\d: +(\d+) sent", page)]
    assert len(sent) == 4
    assert sent == sorted(sent)


def test_it_is_a_notebook_without_anything_that_was_run():
    found = json.loads(notebook.NOTEBOOK.read_text("utf-8"))
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in found["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in found["cells"]:
        is_code = cell["cell_type"] == "code"
        assert set(cell) == {"cell_type", "id", "metadata", "source"} | (
            {"execution_count", "outputs"} if is_code else set()
        )
        assert not is_code or (cell["execution_count"], cell["outputs"]) == (None, [])


def test_a_cell_shows_what_it_prints_and_its_last_value():
    names: dict[str, object] = {}
    assert notebook.run("one = 1\nprint(one)\none + 1", names) == ("1\n", 2)
    assert notebook.run("two = one + 1", names) == ("", None)
    assert names["two"] == 2
    with pytest.raises(ZeroDivisionError):
        notebook.run("1 / 0", names)
