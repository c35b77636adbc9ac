"""The notebook runs and shows klopt's results."""

import json
import re
import runpy
from types import SimpleNamespace

import pytest

from tests.conftest import ROOT

notebook = SimpleNamespace(**runpy.run_path(str(ROOT / "docs" / "notebook.py")))


@pytest.fixture(scope="module")
def page():
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir("/")  # the notebook needs no checkout
        yield "\n".join(notebook.notebook())


def test_every_cell_shows_something(page):
    parts = re.split(r"^```python\n.*?^```\n", page, flags=re.M | re.S)[1:]
    cells = json.loads(notebook.NOTEBOOK.read_text("utf-8"))["cells"]
    assert len(parts) == sum(cell["cell_type"] == "code" for cell in cells)
    assert [part for part in parts if not re.match(r"\s*(```text\n.|<div>.)", part)] == []


def test_the_notebook_shows_the_results_of_klopt(page):
    assert "the page says “50 euros”" in page
    assert re.search(r"0\.\d\d  contradicted  .*150 euros", page)
    assert re.search(r"'id': 'demo-048', 'score': 4\.\d+, 'verdict': 'send'", page)
    sent = [int(count) for count in re.findall(r"from \d\.\d: +(\d+) sent", page)]
    assert len(sent) == 4
    assert sent == sorted(sent)
