"""The demo company's turns: what SOURCE.toml counts, and what their references name."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from klopt.checking import read_reference

DEMO = Path(__file__).parent.parent / "data" / "demo"
ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in (DEMO / "turns.jsonl").read_text("utf-8").splitlines()
]
REFERENCED = [row for row in ROWS if "reference" in row]
COUNTS: dict[str, Any] = tomllib.loads((DEMO / "SOURCE.toml").read_text("utf-8"))["counts"]


def pages(language: str) -> list[str]:
    """The help pages in one language."""
    return [path.read_text("utf-8") for path in sorted((DEMO / "pages" / language).glob("*.md"))]


def ids(row: dict[str, Any]) -> str:
    """The row's own id names its test."""
    return str(row["id"])


def test_source_counts_what_is_there() -> None:
    languages = Counter(row["language"] for row in ROWS)
    assert {
        "pages_nl": len(pages("nl")),
        "pages_en": len(pages("en")),
        "turns": len(ROWS),
        "turns_nl": languages["nl"],
        "turns_en": languages["en"],
        "references": Counter(row["language"] for row in REFERENCED),
        "ratings": Counter(str(row["rating"]) for row in ROWS),
        "message_types": Counter(row["message_type"] for row in ROWS),
    } == COUNTS


def test_references_stand_beside_answers_of_every_rating() -> None:
    assert {row["rating"] for row in REFERENCED} == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("row", REFERENCED, ids=ids)
def test_the_key_terms_of_a_reference_stand_on_the_pages(row: dict[str, Any]) -> None:
    text = "\n".join(pages(row["language"])).replace("*", "")
    terms = read_reference(row["reference"], key_terms="bold").terms
    assert [term.text for term in terms if term.text not in text] == []


@pytest.mark.parametrize(
    "row",
    [row for row in REFERENCED if row["reference"].startswith("1. ")],
    ids=ids,
)
def test_each_number_of_a_reference_starts_a_step(row: dict[str, Any]) -> None:
    reference = read_reference(row["reference"])
    assert len(reference.steps) == len(row["reference"].splitlines())
    assert reference.terms
