"""The examples of the page on the index."""

import re

from klopt.types import MESSAGE_TYPES
from tests.conftest import ROOT
from tests.retrieval.conftest import built

PAGE = ROOT / "docs" / "index-file.md"


def test_the_examples_run(demo_pages, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "help.klopt").write_bytes(built(demo_pages["nl"]))
    names = {}
    for code in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL):
        exec(code, names)
    assert names["assessment"].status == names["found"].status == "scored"
    assert names["assessment"].message_type in MESSAGE_TYPES
    assert names["found"].retrieved[0].id == names["names"][0] == "loonrun-starten.md"
