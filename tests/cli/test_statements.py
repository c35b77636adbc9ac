"""``explain`` and ``score`` of a profile that compares statements."""

from __future__ import annotations

import json
import re

import pytest

from klopt.scoring.profile import profile_text

EVERY_FAULT = "[heuristics.weakest_statement]\nfault_below = 0.99\n\n[heuristics.abstention]"


def write_profile(path, **verdict):
    """The default profile, with every statement at fault."""
    text = re.sub(r"\[heuristics\.weakest_statement\]\n[^\[]*", "", profile_text("default"))
    text = text.replace("[heuristics.abstention]", EVERY_FAULT)
    for name, value in verdict.items():
        text = re.sub(rf"(?m)^{name} = .*$", f"{name} = {json.dumps(value)}", text)
    path.write_text(text, "utf-8")
    return path


@pytest.fixture
def profile(tmp_path):
    """What is at fault is held back."""
    return write_profile(tmp_path / "ours.toml", review_on=["weakest_statement"])


TURN = {
    "nl": {
        "id": "a",
        "question": "Hoe sluit ik alle vensters op het scherm?",
        "answer": "U sluit alle vensters met [bold]Alt+F8[/] op het toetsenbord.",
        "contexts": [
            {"id": "v.md", "text": "U sluit alle vensters met **Alt+F7** op het toetsenbord."}
        ],
    },
    "en": {
        "id": "a",
        "question": "How do I close all the windows on the screen?",
        "answer": "You close all the windows with [bold]Alt+F8[/] on the keyboard.",
        "contexts": [
            {"id": "v.md", "text": "You close all the windows with **Alt+F7** on the keyboard."}
        ],
    },
}


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        (
            "nl",
            "    geen pagina noemt “Alt+F8”; de pagina zegt het anders (v.md, regel 1)\n"
            "    “U sluit alle vensters met [+Alt+F7+] op het toetsenbord.”\n",
        ),
        (
            "en",
            "    no page names “Alt+F8”; the page says otherwise (v.md, line 1)\n"
            "    “You close all the windows with [+Alt+F7+] on the keyboard.”\n",
        ),
    ],
)
def test_explain_shows_what_the_page_says_below_a_fault(
    klopt, tmp_path, write, profile, language, shown
):
    log = write(tmp_path / "log.jsonl", TURN[language])
    run = klopt("explain", log, "--id", "a", "--profile", profile)
    assert (run.code, run.err) == (0, "")
    assert shown in re.sub(r" +$", "", run.out, flags=re.MULTILINE)
    (sentence,) = [line for line in run.out.splitlines() if line.startswith("✗")]
    assert "[-Alt+F8-]" in sentence
    assert "[/]" in sentence


def test_explain_shows_a_turn_of_which_the_language_cannot_be_told(klopt, tmp_path, write):
    log = write(tmp_path / "log.jsonl", {**TURN["nl"], "question": "12?", "answer": "3 + 4 = 7!"})
    run = klopt("explain", log, "--id", "a")
    assert (run.code, run.err) == (0, "")
    assert "Type      not known\n" in run.out
    assert "Not scored: the language cannot be told (" in run.out


@pytest.mark.parametrize(
    ("others", "where"),
    [
        ([], "(v.md, regel 1)"),
        ([{"id": "w.md", "text": "De fiets is rood."}], "(v.md, regel 1)"),
        ([{"id": "v.md", "text": "Kop\n\nDe fiets is rood."}], "(v.md, regel 1)"),
    ],
)
def test_explain_names_the_line_of_the_right_context(
    klopt, tmp_path, write, profile, others, where
):
    turn = {**TURN["nl"], "contexts": [*others, *TURN["nl"]["contexts"]]}
    log = write(tmp_path / "log.jsonl", turn)
    for more in ([], ["--all"]):
        run = klopt("explain", log, "--id", "a", "--profile", profile, *more)
        assert f"de pagina zegt het anders {where}\n" in re.sub(" +\n", "\n", run.out)
        assert ", line " not in run.out
        assert "(v.md, regel 3)" not in run.out


@pytest.mark.parametrize(
    ("language", "said", "not_said"),
    [
        (
            "nl",
            ("Weg door de boom", "→ ga verder", "kenmerk", "bewijs", "Niet gemeten"),
            ("Path", "go on", "feature", "Not measured", " more"),
        ),
        (
            "en",
            ("Path through the tree", "→ go on", "feature", "evidence", "Not measured"),
            ("Weg door", "ga verder", "kenmerk", "Niet gemeten", " nog "),
        ),
    ],
)
def test_explain_all_speaks_the_language_of_the_question(
    klopt, tmp_path, write, language, said, not_said
):
    run = klopt("explain", write(tmp_path / "log.jsonl", TURN[language]), "--id", "a", "--all")
    assert all(words in run.out for words in said)
    assert not any(words in run.out for words in not_said)


def test_explain_shows_all_of_a_long_word_and_no_blanks_before_a_line(klopt, tmp_path, write):
    word = "x" * 400
    answer = f"Ja hoor. U sluit alle vensters met {word}.\n Prima, succes!"
    run = klopt("explain", write(tmp_path / "log.jsonl", {**TURN["nl"], "answer": answer}),
                "--id", "a")  # fmt: skip
    assert word in re.sub(r"\s", "", run.out)
    assert "· Prima, succes!\n" in run.out
    assert not re.search("^[·✓✗]  ", run.out, re.MULTILINE)


def test_explain_shows_no_faults_where_nothing_is_compared(klopt, tmp_path, write):
    log = write(tmp_path / "log.jsonl", TURN["nl"])
    run = klopt("explain", log, "--id", "a", "--profile", "afas")
    assert "✓" not in run.out
    assert "[-Alt+F8-]" in run.out


def test_explain_calls_nothing_a_fault_that_it_sends(klopt, tmp_path, write):
    sent = {"block_below": 1.0, "send_from": 1.0, "review_on": ["components_defined"]}
    profile = write_profile(tmp_path / "lenient.toml", **sent)
    turn = {**TURN["nl"], "answer": "U sluit alle vensters met het toetsenbord."}
    run = klopt("explain", write(tmp_path / "log.jsonl", turn), "--id", "a", "--profile", profile)
    assert run.code == 0, run.err
    assert "versturen." in run.out
    assert "✗" not in run.out
    assert "✓" not in run.out


def test_score_writes_statements(klopt, tmp_path, write, profile):
    log = write(tmp_path / "log.jsonl", TURN["nl"])
    [row] = klopt("score", log, "--profile", profile).rows
    [statement] = row["statements"]
    assert statement["fault"] is True
    assert statement["passage"]["page"] == "v.md"
