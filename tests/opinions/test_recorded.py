"""Opinions on file: which lines are right, what is said of those that are not, and the page."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from klopt import Profile, Turn, shipped
from klopt.errors import InputError
from klopt.models.calls import Usage
from klopt.opinions import Asked, Said
from klopt.opinions.recorded import Recorded, read_line
from klopt.scoring.profile import profile_text
from tests.conftest import ROOT
from tests.opinions.asking import statements
from tests.tables import tables

ONE_CALL = Usage(calls=1)
NOT_STATED = {"relation": "not_stated", "probability": 1}
COST = {"cost_usd": 0.002, "seconds": 1}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"truth": 0.7}, Said(truth=0.7, usage=ONE_CALL)),
        ({"rating": 1}, Said(truth=0.0, usage=ONE_CALL)),
        ({"rating": 4.5, "who": "Anna"}, Said(truth=0.875, who="Anna", usage=ONE_CALL)),
        (
            {"statements": [NOT_STATED, None], "truth": None, **COST},
            replace(statements(("not_stated", 1.0), None), usage=Usage(calls=1, **COST)),
        ),
    ],
)
def test_lines(fields, said):
    assert read_line(json.dumps({"id": 7, **fields})) == ("7", said)


@pytest.mark.parametrize(
    "line",
    [*tables("opinions", "recorded")["wrong"], "[" * 100_000],
    ids=lambda text: text[:50],
)
def test_wrong_lines(line, snapshot):
    with pytest.raises(ValueError, match=r".") as caught:
        read_line(line)
    assert str(caught.value) == snapshot


def write(folder: Path, *lines: str) -> Path:
    file = folder / "said.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def test_a_file_is_told_again(tmp_path):
    file = write(tmp_path, '\ufeff{"id": "a", "truth": 1}', "", '{"id": "b", "rating": 3}')
    found = Recorded.read(file)
    assert (len(found), found.name) == (2, "said.jsonl")
    assert found.signature == Recorded.read(file).signature
    assert found.signature.startswith("recorded:")
    said = [found.ask(Asked(Turn("", "", id=id))) for id in ("a", "b", "c")]
    assert [(each.truth, each.reason_code) for each in said] == [
        (1.0, None),
        (0.5, None),
        (None, "nothing_recorded"),
    ]


def test_every_problem_of_a_file_at_once(tmp_path):
    same = '{"id": "a", "truth": 1}'
    file = write(tmp_path, same, same, '{"id": "a", "truth": 0}', "no", *["{}"] * 30)
    with pytest.raises(InputError) as caught:
        Recorded.read(file)
    lines = str(caught.value).replace(str(file), "said").split("\n")
    assert lines[:3] == [
        "said, line 3: another opinion on row 'a' than in line 1; keep one",
        "said, line 4: not JSON",
        "said, line 5: id: missing; give a text",
    ]
    assert (len(lines), lines[-1]) == (21, "… and 12 more")


PAGE = (ROOT / "docs" / "second-opinions.md").read_text("utf-8")


def test_the_lines_of_a_file():
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    found = dict(map(read_line, block.splitlines()))
    assert [said.truth for said in found.values()] == [0.25, 0.9, None]


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
    reasons = shipped.table("klopt.opinions", "texts.toml")
    assert set(reasons["nl"]["reasons"]) == set(reasons["en"]["reasons"])
    assert [code for code in reasons["nl"]["reasons"] if f"`{code}`" not in PAGE] == []
