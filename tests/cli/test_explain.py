"""``klopt explain``: rows out of the ordinary; what it prints otherwise is in `test_lines`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from klopt import heuristics
from klopt.heuristics.declaration import NO_COMPARATOR, NO_CONTEXT
from klopt.scoring.explanation import texts
from klopt.scoring.profile import profile_text

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


@pytest.mark.parametrize("text", ["De fiets is rood.", "Kop\n\nDe fiets is rood."])
@pytest.mark.parametrize("name", ["v.md", "w.md"])
def test_the_line_of_the_right_context(explain, name, text):
    contexts = [{"id": name, "text": text}, *TURN["contexts"]]
    for more in ([], ["--all"]):
        run = explain(*more, contexts=contexts)
        assert "de pagina zegt het anders (v.md, regel 1)\n" in re.sub(" +\n", "\n", run.out)
        assert "(v.md, regel 3)" not in run.out


def test_the_line_is_that_of_the_words_that_differ(klopt):
    """The passage begins a line before: two steps, of which the second differs."""
    run = klopt("explain", "--demo", "--id", "demo-005", "--format", "table")
    assert "(looncorrectie-vorige-periode.md, regel 26)\n    “… Ga naar het tabblad [+" in run.out


def test_nothing_is_called_a_fault_that_is_sent(explain, tmp_path):
    text = re.sub(r"\[heuristics\.weakest_statement\]\n[^\[]*", "", profile_text("default"))
    every = "[heuristics.weakest_statement]\nfault_below = 0.99\n\n[heuristics.abstention]"
    text = text.replace("[heuristics.abstention]", every)
    for name, value in {"block_below": 1, "send_from": 1, "review_on": ["step_order"]}.items():
        text = re.sub(rf"(?m)^{name} = .*$", f"{name} = {json.dumps(value)}", text)
    (tmp_path / "lenient.toml").write_text(text, "utf-8")
    answer = "U sluit alle vensters met het toetsenbord."
    run = explain("--profile", tmp_path / "lenient.toml", answer=answer)
    assert run.code == 0, run.err
    assert "versturen." in run.out
    assert not {"✗", "✓"} & set(run.out)


def test_a_very_long_answer_is_shown_in_part(explain):
    run = explain(answer="Klik hier.\n\n" * 3_000)
    assert run.code == 0
    assert len(run.out.splitlines()) < 250
    assert "… 2,800 more" in run.out


@pytest.mark.parametrize("language", ["nl", "de", "fr"])
def test_all_that_may_not_be_measured_has_a_reason_in_other_languages(language: str):
    source = "".join(path.read_text("utf-8") for path in Path(heuristics.__path__[0]).glob("*.py"))
    reasons = {*re.findall(r'missing\(\s*"([^"]+)"', source), NO_COMPARATOR, NO_CONTEXT}
    assert reasons <= texts(language)["explain"]["reasons"].keys()
    assert len(reasons) > 15


def test_marks_with_and_without_colour(klopt, company):
    where = ("explain", company.log, "--pages", company.pages, "--id", "missing")
    coloured, plain = klopt(*where, terminal=True), klopt(*where, terminal=True, NO_COLOR="1")
    assert not {"[+", "[-"} & {coloured.out[at : at + 2] for at in range(len(coloured.out))}
    assert "\x1b[1;31mBewaren als\x1b[0m" in coloured.out
    assert "[-Bewaren als-]" in plain.out
