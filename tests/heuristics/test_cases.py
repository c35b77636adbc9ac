"""The case tables: what each heuristic finds, what it just misses, what it cannot measure."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from klopt import heuristics
from klopt.heuristics import Context, Material
from klopt.lexicons import Lexicon
from klopt.reading.reader import Reader
from klopt.records import Page
from tests.heuristics.aligning import aligner

CASES = Path(__file__).parent / "cases"
HEURISTICS = {one.name: one for one in heuristics.ALL}
OUTCOMES = {"hit", "near_miss", "not_measurable"}
KEYS = {
    *("outcome", "language", "why", "question", "answer", "pages", "options", "terms"),
    *("value", "reason", "evidence"),
}
WITHOUT_EVIDENCE = {"phrase_overlap", "solution_coverage"}
PLACES = (("start", "end"), ("page_start", "page_end"))


def read_cases() -> list[tuple[str, int, dict[str, Any]]]:
    rows = []
    for file in sorted(CASES.glob("*.toml")):
        table = tomllib.loads(file.read_text("utf-8"))
        rows += [(file.stem, number, case) for number, case in enumerate(table["case"], 1)]
    return rows


ROWS = read_cases()


@pytest.fixture(scope="module")
def readers(dutch: Reader, english: Reader) -> dict[str, Reader]:
    return {"nl": dutch, "en": english}


def material(case: dict[str, Any], name: str, reader: Reader) -> Material:
    lexicons = reader.lexicons
    if "terms" in case:
        terms = {"terms": tuple(sorted(case["terms"]))}
        lexicons = lexicons.extended(Lexicon("company_terms", reader.language, terms, (), "none"))
    question, answer = reader.read(case.get("question", "")), reader.read(case["answer"])
    contexts = tuple(
        Context(f"page-{number}", reader.read_page(Page(text)))
        for number, text in enumerate(case.get("pages", ()), 1)
    )
    return Material(
        question=question,
        answer=answer,
        contexts=contexts,
        lexicons=lexicons,
        parser=lambda reading: reader.parse(reading)[0],
        aligner=aligner(reader, question, answer, contexts),
        options={**HEURISTICS[name].options, **case.get("options", {})},
    )


@pytest.mark.parametrize(
    ("name", "case"),
    [
        pytest.param(name, case, id=f"{name}-{number}-{case['outcome']}-{case['language']}")
        for name, number, case in ROWS
    ],
)
def test_case(name: str, case: dict[str, Any], readers: dict[str, Reader]):
    found = HEURISTICS[name].measure(material(case, name, readers[case["language"]]))
    assert found.reason == case.get("reason"), case["why"]
    if "value" in case:
        assert found.value == pytest.approx(case["value"], abs=1e-9), case["why"]
    wanted = case.get("evidence", [])
    assert [one.text for one in found.evidence] == [one["text"] for one in wanted], case["why"]
    for one, row in zip(found.evidence, wanted, strict=True):
        met = {key: getattr(one, key) for key in row}
        assert met == row, case["why"]
        assert one.page == row.get("page"), case["why"]


@pytest.mark.parametrize("name", sorted({name for name, _, _ in ROWS}))
def test_table_is_whole(name: str):
    cases = [case for row, _, case in ROWS if row == name]
    for case in cases:
        assert set(case) <= KEYS
        assert case["outcome"] in OUTCOMES
        assert case["why"].strip()
        assert ("value" in case) != ("reason" in case)
    for outcome in ("hit", "near_miss"):
        assert sum(case["outcome"] == outcome for case in cases) >= 3
        languages = {case["language"] for case in cases if case["outcome"] == outcome}
        assert languages == {"nl", "en"}
    placed = [case for case in cases if case["outcome"] == "hit" and case.get("evidence")]
    if name in WITHOUT_EVIDENCE:
        assert not any(case.get("evidence") for case in cases)
    else:
        assert len(placed) >= 3
    assert any(case["outcome"] == "not_measurable" for case in cases)


@pytest.mark.parametrize(
    ("name", "case"), [pytest.param(name, case, id=f"{name}-{n}") for name, n, case in ROWS]
)
def test_offsets_of_the_table_point_at_the_text(name: str, case: dict[str, Any]):
    """What stands at the offsets, without the markup, is the text (pages: case apart)."""
    for row in case.get("evidence", []):
        texts = (case["answer"], case["pages"][int(row["page"][5:]) - 1] if "page" in row else "")
        for (start, end), text in zip(PLACES, texts, strict=True):
            if start in row:
                assert 0 <= row[start] < row[end] <= len(text)
        plain = case["answer"][row["start"] : row["end"]]
        assert plain.replace("**", "").replace("&amp;", "&") == row["text"]
