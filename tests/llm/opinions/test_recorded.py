"""Recorded opinions: valid and invalid lines, and the documentation of the format."""

import json
import re
from dataclasses import replace

import pytest

from klopt import Turn
from klopt._internal import shipped
from klopt.llm.calls import Usage
from klopt.llm.opinions import OpinionRequest, OpinionResult
from klopt.llm.opinions.llm import Recorded, read_line
from tests.conftest import ROOT
from tests.llm.opinions.fakes import claim_opinions
from tests.tables import tables

ONE_CALL = Usage(calls=1)
NOT_STATED = {"relation": "not_stated", "probability": 1}
COST = {"cost_usd": 0.002, "seconds": 1}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"truth": 0.7}, OpinionResult(truth=0.7, usage=ONE_CALL)),
        ({"rating": 1}, OpinionResult(truth=0.0, usage=ONE_CALL)),
        ({"rating": 4.5, "who": "Anna"}, OpinionResult(truth=0.875, who="Anna", usage=ONE_CALL)),
        (
            {"statements": [NOT_STATED, None], "truth": None, **COST},
            replace(claim_opinions(("not_stated", 1.0), None), usage=Usage(calls=1, **COST)),
        ),
    ],
)
def test_valid_lines(fields, expected):
    assert read_line(json.dumps({"id": 7, **fields})) == ("7", expected)


@pytest.mark.parametrize(
    ("line", "message"),
    [*tables("llm/opinions", "recorded")["invalid"], ("[" * 100_000, "not JSON")],
    ids=lambda text: text[:50],
)
def test_invalid_lines(line, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        read_line(line)


def test_recorded_opinions_are_found_by_id(tmp_path):
    file = tmp_path / "opinions.jsonl"
    file.write_text('\ufeff{"id": "a", "truth": 1}\n\n{"id": "b", "rating": 3}', "utf-8")
    found = Recorded.read(file)
    assert (len(found), found.name) == (2, "opinions.jsonl")
    assert found.signature == Recorded.read(file).signature
    assert found.signature.startswith("recorded:")
    results = [found.ask(OpinionRequest(Turn("", "", id=id))) for id in ("a", "b", "c")]
    assert [(result.truth, result.reason_code) for result in results] == [
        (1.0, None),
        (0.5, None),
        (None, "nothing_recorded"),
    ]


PAGE = (ROOT / "docs" / "how-to" / "second-opinions.md").read_text("utf-8")


def test_the_documented_lines_are_valid():
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    found = dict(map(read_line, block.splitlines()))
    assert [result.truth for result in found.values()] == [0.25, 0.9, None]


def test_every_reason_code_is_documented():
    reasons = shipped.table("klopt.llm.opinions", "texts.toml")
    assert set(reasons["nl"]["reasons"]) == set(reasons["en"]["reasons"])
    assert [code for code in reasons["nl"]["reasons"] if f"`{code}`" not in PAGE] == []
