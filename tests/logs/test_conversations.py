"""Turns from conversations, traces and messages of products."""

import tomllib
from pathlib import Path

import pytest

from klopt.logs.rows import read_rows
from klopt.types import Page

CASES = tomllib.loads(Path(__file__).with_name("products.toml").read_text("utf-8"))


def shown(row) -> str:
    turn = row.turn
    contexts = "; ".join(page.text for page in turn.pages)
    return " | ".join((row.id, turn.question, turn.answer, contexts))


@pytest.mark.parametrize("name", CASES)
def test_turns_of_a_product(tmp_path, name):
    case = CASES[name]
    path = tmp_path / f"log{case.get('ending', '.jsonl')}"
    path.write_text(case["data"].lstrip("\n"), "utf-8")
    warnings: list[str] = []
    known = {"wifi.md": Page("Dat kan.", "wifi.md", url="https://help.example/wifi")}
    rows = list(read_rows(str(path), pages=known, names=case.get("names"), warn=warnings.append))
    assert [row.problem for row in rows if row.problem] == []
    assert [shown(row) for row in rows] == case["turns"]
    if "warning" in case:
        assert warnings == [f"{path}: {case['warning']}"]
