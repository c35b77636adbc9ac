"""The demo company's turns: the counts in SOURCE.toml, and the key terms of references."""

import tomllib
from collections import Counter
from typing import Any

import pytest

from klopt.reference import read_reference
from tests.conftest import DEMO, demo_rows

ROWS = demo_rows()
REFERENCED = [row for row in ROWS if "reference" in row]
COUNTS: dict[str, Any] = tomllib.loads((DEMO / "SOURCE.toml").read_text("utf-8"))["counts"]


def pages(language: str) -> list[str]:
    return [path.read_text("utf-8") for path in sorted((DEMO / "pages" / language).glob("*.md"))]


def test_counts_of_the_source():
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


@pytest.mark.parametrize("row", REFERENCED, ids=lambda row: row["id"])
def test_the_pages_contain_the_key_terms_of_a_reference(row):
    text = "\n".join(pages(row["language"])).replace("*", "")
    terms = read_reference(row["reference"], key_terms="bold").terms
    assert [term.text for term in terms if term.text not in text] == []
