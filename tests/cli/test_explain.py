"""``klopt explain``: unusual rows; `test_lines` has the output for others."""

import re
from pathlib import Path

import pytest

from klopt import heuristics
from klopt.heuristics.declaration import NO_COMPARATOR, NO_CONTEXT
from klopt.scoring.explanation import texts
from klopt.types import MESSAGE_TYPES
from klopt.verification.findings import CERTAIN

TURN = {
    "id": "a",
    "question": "Hoe sluit ik alle vensters op het scherm?",
    "answer": "U sluit alle vensters met [bold]Alt+F8[/] op het toetsenbord.",
    "contexts": [
        {"id": "v.md", "text": "U sluit alle vensters met **Alt+F7** op het toetsenbord."}
    ],
}


@pytest.fixture
def explain(klopt, tmp_path, write):
    def run(*arguments, **changes):
        log = write(tmp_path / "log.jsonl", {**TURN, **changes})
        return klopt("explain", log, "--id", "a", "--format", "table", *arguments)

    return run


def test_the_line_number_is_that_of_the_words_that_differ(klopt):
    """The passage begins one line above: it has two steps, and the second one differs."""
    run = klopt("explain", "--demo", "--id", "demo-005", "--format", "table")
    assert "(looncorrectie-vorige-periode.md, regel 26)\n    “… Ga naar het tabblad [+" in run.out


def test_a_very_long_answer_is_truncated(explain):
    run = explain(answer="Klik hier.\n\n" * 3_000)
    assert run.code == 0
    assert len(run.out.splitlines()) < 250
    assert "… 2,800 more" in run.out


@pytest.mark.parametrize("language", ["nl", "de", "fr"])
def test_every_reason_without_a_value_is_translated(language):
    source = "".join(path.read_text("utf-8") for path in Path(heuristics.__path__[0]).glob("*.py"))
    reasons = {*re.findall(r'missing\(\s*"([^"]+)"', source), NO_COMPARATOR, NO_CONTEXT}
    assert reasons <= texts(language)["explain"]["reasons"].keys()
    assert len(reasons) > 15


@pytest.mark.parametrize("row", ["demo-005", "demo-061"])
def test_a_dutch_explanation_has_no_codes(klopt, row):
    out = klopt("explain", "--demo", "--id", row, "--all", "--format", "table").out
    codes = {*heuristics.BY_NAME, *MESSAGE_TYPES, *CERTAIN, "given", "negation", "profile:"}
    assert not codes & set(re.findall(r"[\w:]+", out))
    assert not re.search(r"[a-z]_[a-z]", out)


def test_a_row_without_an_id_is_found_by_its_number(klopt, tmp_path, write):
    log = write(tmp_path / "log.jsonl", {"question": "Kan dat?", "answer": "Ja."})
    run = klopt("explain", log, "--id", "GES-1")
    assert "are called row-1 to row-1; --map id=FIELD names a field with ids" in run.err


@pytest.mark.parametrize(
    ("row_id", "others", "is_first", "is_warned"),
    [("a", ["a"], True, True), ("a", ["b"], True, False), ("row-2", ["a"], False, False)],
)
def test_rows_with_the_same_id_are_told_apart(
    klopt, tmp_path, write, row_id, others, is_first, is_warned
):
    answers = [TURN, *({**TURN, "id": other, "answer": "Dat kan niet."} for other in others)]
    log = write(tmp_path / "log.jsonl", *answers)
    run = klopt("explain", log, "--id", row_id, "--format", "json")
    assert ("Alt+F8" in run.out, "--id row-2" in run.err) == (is_first, is_warned)


def test_sentences_that_were_not_verified_have_no_sign(explain):
    english = {"question": "How do I close all windows?", "answer": "Close them with Alt+F8. Bye!"}
    out = explain(language="en", **english).out
    assert "Not scored" in out
    assert "Close them with Alt+F8." in out
    assert not set("·✓✗") & set(out)
    assert "· " in explain(answer=f"Goede vraag! {TURN['answer']}").out
