"""Opinions on file: which lines are right, and what is said of those that are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from klopt import Turn
from klopt.errors import InputError
from klopt.models.calls import Usage
from klopt.opinions import Asked, Said, SaidOfStatement
from klopt.opinions.recorded import Recorded, read_line

GOOD = [
    ({"truth": 0.7}, Said(truth=0.7, usage=Usage(calls=1))),
    ({"rating": 1}, Said(truth=0.0, usage=Usage(calls=1))),
    ({"rating": 4.5, "who": "Anna"}, Said(truth=0.875, who="Anna", usage=Usage(calls=1))),
    (
        {
            "statements": [{"relation": "not_stated", "probability": 1}, None],
            "truth": None,
            "cost_usd": 0.002,
            "seconds": 1,
        },
        Said(
            statements=(SaidOfStatement("not_stated", 1.0), None),
            usage=Usage(cost_usd=0.002, seconds=1, calls=1),
        ),
    ),
]
BAD = {
    "{": "not JSON",
    "[" * 100_000: "not JSON",
    "[]": "not a JSON object",
    '{"truth": 1}': "id: missing; give a text",
    '{"id": "7"}': "give one of truth, rating, statements; met none",
    '{"id": "7", "truth": 1, "rating": 5}': "give one of truth, rating, statements; met truth and "
    "rating",
    '{"id": "7", "truth": 7}': "truth: 7 is not a number from 0 to 1",
    '{"id": "7", "truth": NaN}': "truth: NaN is not a number from 0 to 1",
    '{"id": "7", "truth": "1"}': 'truth: "1" is not a number from 0 to 1',
    '{"id": "7", "truth": true}': "truth: true is not a number from 0 to 1",
    '{"id": "7", "rating": 0}': "rating: 0 is not a number from 1 to 5",
    '{"id": "7", "statements": []}': "statements: [] is not a list of one or more statements",
    '{"id": "7", "statements": [{"relation": "true", "probability": 1}]}': "statements entry 1 "
    'relation: "true" is not one of supported, contradicted, not_stated',
    '{"id": "7", "statements": [null, {"relation": "supported"}]}': "statements entry 2 "
    "probability: missing; give a number from 0 to 1",
    '{"id": "7", "truth": 1, "cost_usd": -1}': "cost_usd: -1 is not a number of 0 or more",
    '{"id": "7", "thruth": 1}': "thruth: unknown key; allowed are cost_usd, id, rating, seconds, "
    "statements, truth, who",
}


@pytest.mark.parametrize(("fields", "said"), GOOD)
def test_lines(fields, said):
    assert read_line(json.dumps({"id": 7, **fields})) == ("7", said)


@pytest.mark.parametrize(("line", "problem"), BAD.items(), ids=lambda text: text[:50])
def test_wrong_lines(line, problem):
    with pytest.raises(ValueError, match=r".") as caught:
        read_line(line)
    assert str(caught.value) == problem


def write(folder: Path, *lines: str) -> Path:
    file = folder / "said.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def test_a_file_is_told_again(tmp_path):
    file = write(tmp_path, '\ufeff{"id": "a", "truth": 1}', "", '{"id": "b", "rating": 3}')
    found = Recorded.read(file)
    assert (len(found), found.name, found.signature) == (
        2,
        "said.jsonl",
        Recorded.read(file).signature,
    )
    assert found.signature.startswith("recorded:")
    said = [found.ask(Asked(Turn("", "", id=id))) for id in ("a", "b", "c")]
    assert [one.truth for one in said] == [1.0, 0.5, None]
    assert [one.reason_code for one in said] == [None, None, "nothing_recorded"]


def test_every_problem_of_a_file_at_once(tmp_path):
    same = '{"id": "a", "truth": 1}'
    file = write(tmp_path, same, same, '{"id": "a", "truth": 0}', "no", *["{}"] * 30)
    with pytest.raises(InputError) as caught:
        Recorded.read(file)
    lines = str(caught.value).replace(str(file), "said").split("\n")
    assert lines[:3] == [
        "said, line 3: another opinion on row 'a' than in line 1; keep one of them",
        "said, line 4: not JSON",
        "said, line 5: id: missing; give a text",
    ]
    assert (len(lines), lines[-1]) == (21, "… and 12 more")


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match=r": cannot be read: "):
        Recorded.read(tmp_path)
    (tmp_path / "bytes").write_bytes(b'{"id": "\xff", "truth": 1}')
    with pytest.raises(InputError, match=r"line 1: "):
        Recorded.read(tmp_path / "bytes")
