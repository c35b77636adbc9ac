"""Opinions on file: which lines are right, what is said of those that are not, and the page."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from klopt import Turn
from klopt._internal import shipped
from klopt.llm.calls import Usage
from klopt.llm.opinions import OpinionRequest, OpinionResult
from klopt.llm.opinions.llm import Recorded, read_line
from tests.conftest import ROOT
from tests.llm.opinions.asking import on_claims
from tests.tables import tables

ONE_CALL = Usage(calls=1)
NOT_STATED = {"relation": "not_stated", "probability": 1}
COST = {"cost_usd": 0.002, "seconds": 1}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"truth": 0.7}, OpinionResult(truth=0.7, usage=ONE_CALL)),
        ({"rating": 1}, OpinionResult(truth=0.0, usage=ONE_CALL)),
        ({"rating": 4.5, "who": "Anna"}, OpinionResult(truth=0.875, who="Anna", usage=ONE_CALL)),
        (
            {"statements": [NOT_STATED, None], "truth": None, **COST},
            replace(on_claims(("not_stated", 1.0), None), usage=Usage(calls=1, **COST)),
        ),
    ],
)
def test_lines(fields, said):
    assert read_line(json.dumps({"id": 7, **fields})) == ("7", said)


@pytest.mark.parametrize(
    "line",
    [*tables("llm/opinions", "recorded")["wrong"], "[" * 100_000],
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
    said = [found.ask(OpinionRequest(Turn("", "", id=id))) for id in ("a", "b", "c")]
    assert [(each.truth, each.reason_code) for each in said] == [
        (1.0, None),
        (0.5, None),
        (None, "nothing_recorded"),
    ]


PAGE = (ROOT / "docs" / "second-opinions.md").read_text("utf-8")


def test_the_lines_of_a_file():
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    found = dict(map(read_line, block.splitlines()))
    assert [said.truth for said in found.values()] == [0.25, 0.9, None]


def test_every_reason_is_on_it():
    reasons = shipped.table("klopt.llm.opinions", "texts.toml")
    assert set(reasons["nl"]["reasons"]) == set(reasons["en"]["reasons"])
    assert [code for code in reasons["nl"]["reasons"] if f"`{code}`" not in PAGE] == []
