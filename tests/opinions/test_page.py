"""What the page on second opinions shows is read as it says."""

from __future__ import annotations

import re

from klopt import Profile
from klopt.opinions.recorded import read_line
from klopt.scoring.profile import profile_text
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "second-opinions.md").read_text("utf-8")


def test_the_lines_of_a_file():
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    found = dict(map(read_line, block.splitlines()))
    assert [one.truth for one in found.values()] == [0.25, 0.9, None]


def test_the_tables_of_profiles():
    tables = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    llm, encoder = (
        Profile.read(f"{profile_text('default')}\n{table}", where="own.toml", folder=None).opinion
        for table in tables
    )
    assert llm is not None
    assert (llm.who, llm.budget.usd, llm.budget.ms) == ("llm:statements", 2.5, 8000)
    assert encoder is not None
    assert encoder.labels == {"LABEL_0": "supported", "LABEL_1": "not_stated"}


def test_every_reason_is_on_it():
    from klopt import shipped

    reasons = shipped.table("klopt.opinions", "texts.toml")
    assert set(reasons["nl"]["reasons"]) == set(reasons["en"]["reasons"])
    assert [code for code in reasons["nl"]["reasons"] if f"`{code}`" not in PAGE] == []
