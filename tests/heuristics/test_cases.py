"""The case tables: hits, near misses, and texts that a heuristic cannot measure."""

from pathlib import Path
from typing import Any

import pytest

from klopt.heuristics import Material
from klopt.lexicons import Lexicon
from klopt.verification import Language
from tests.heuristics.materials import material, measured, numbered
from tests.tables import flattened, tables

CASES = Path(__file__).parent / "cases"
OUTCOMES = {"hit", "near_miss", "not_measurable"}
KEYS = {
    *("outcome", "language", "why", "question", "answer", "pages", "options", "terms"),
    *("allowed", "denied"),
    *("value", "value_at_least", "value_at_most", "reason", "evidence"),
}
BOUNDS = ("value_at_least", "value_at_most")
"""Used instead of a value that depends on fitted weights."""
WITHOUT_EVIDENCE = {"solution_coverage"}


ROWS: list[tuple[str, int, dict[str, Any]]] = [
    (file.stem, number, case)
    for file in sorted(CASES.glob("*.toml"))
    for number, case in enumerate(
        flattened(tables("heuristics", file.stem), "language", "outcome"), 1
    )
]


def given(case: dict[str, Any], language: Language) -> Material:
    for name, keys in (("company_terms", ("terms",)), ("product_names", ("allowed", "denied"))):
        if any(key in case for key in keys):
            words = {key: tuple(sorted(case.get(key, ()))) for key in keys}
            lexicon = Lexicon(name, language.code, words, (), "none")
            language = Language(language.lexicons.extended(lexicon))
    pages = numbered(case.get("pages", ()))
    return material(language, case.get("question", ""), case["answer"], pages)


@pytest.mark.parametrize(
    ("name", "case"),
    [
        pytest.param(name, case, id=f"{name}-{number}-{case['outcome']}-{case['language']}")
        for name, number, case in ROWS
    ],
)
def test_value_reason_and_evidence(name, case, languages):
    found = measured(name, given(case, languages[case["language"]]), case.get("options"))
    assert found.reason == case.get("reason"), case["why"]
    if "value" in case:
        assert found.value == pytest.approx(case["value"], abs=1e-9), case["why"]
    if found.value is not None:
        assert case.get("value_at_least", 0) <= found.value, case["why"]
        assert found.value <= case.get("value_at_most", 1), case["why"]
    wanted = case.get("evidence", [])
    assert [one.text for one in found.evidence] == [one["text"] for one in wanted], case["why"]
    for one, row in zip(found.evidence, wanted, strict=True):
        assert {key: getattr(one, key) for key in row} == row, case["why"]
        assert one.page == row.get("page"), case["why"]


@pytest.mark.parametrize("name", sorted({name for name, _, _ in ROWS}))
def test_a_table_has_enough_valid_cases(name):
    cases = [case for row, _, case in ROWS if row == name]
    for case in cases:
        assert set(case) <= KEYS
        assert case["outcome"] in OUTCOMES
        assert case["why"].strip()
        bounds = {key: case[key] for key in BOUNDS if key in case}
        assert [bool(bounds), "value" in case, "reason" in case].count(True) == 1
        assert 0 <= bounds.get("value_at_least", 0) <= bounds.get("value_at_most", 1) <= 1
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
