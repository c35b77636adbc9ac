"""``klopt company check``: problems of a folder, and the scores that it changes."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from klopt.cli.company.check import read_run
from klopt.company import lints
from klopt.company.folder import Company, ProductName, add_names
from klopt.company.lints import Lint
from klopt.errors import InputError
from klopt.scoring.profile import Profile
from tests.cli.conftest import write_log
from tests.company.conftest import TURNS

HEAD = """[lexicon]
id = "{id}"
language = "{language}"
source = "us"
licence = "ours"
retrieved = 2026-11-23
changes = "none"
"""


def write(company: Company, name: str, body: str, *, language: str = "nl") -> Path:
    path = company.path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(HEAD.format(id=path.stem, language=language) + body, "utf-8")
    return path


def texts_of(findings: list[Lint], company: Company) -> list[str]:
    return [one.text.replace(f"{company.path}/", "") for one in findings]


def test_a_valid_folder_has_no_problems(acme):
    assert not lints.broken(acme.path)
    assert not lints.lints(acme, acme.load())


def test_all_invalid_files_are_reported_with_their_lines(acme):
    write(acme, "nl/abbreviations.toml", '[lists]\nabbreviations = ["zgn.", "art.", "zgn."]\n')
    write(acme, "nl/doubts.toml", "[list]\n")
    write(acme, "nl/fillers.toml", "[lists]\nclosings=[]\nfillers=[]\ngreetings=[]", language="en")
    acme.profile.write_text(acme.profile.read_text("utf-8") + "weight = 2\n", "utf-8")
    (acme.path / "customers.toml").write_text('[profile]\nextends = "default"\n', "utf-8")
    (acme.path / "suggestions.toml").write_text("[[suggestion]]\nid = 3\n", "utf-8")
    found = texts_of(lints.broken(acme.path), acme)
    assert found[:2] == [
        'profile.toml:11: [languages.nl] lexicons entry 1: "nl/fillers.toml" is for language '
        '"en", not "nl"',
        "profile.toml:12: [languages.nl] weight: unknown key; allowed are lexicons, pipeline",
    ]
    assert 'nl/abbreviations.toml:9: [lists] abbreviations entry 3: "zgn." occurs twice' in found
    for start in ("customers.toml:1: [profile] name", "suggestions.toml:2: ", "nl/doubts.toml:8: "):
        assert any(line.startswith(start) for line in found), start


def test_unused_files_and_names_in_both_lists_are_reported(acme, snapshot):
    (acme.path / "nl" / "company_terms.toml").rename(acme.path / "nl" / "terms.toml")
    lists = '[lists]\nallowed = ["Urenbriefje", "Afwezig"]\ndenied = ["urenbriefje"]\n'
    write(acme, "nl/product_names.toml", lists)
    write(acme, "nl/fillers.toml", "[lists]\nclosings=[]\nfillers=[]\ngreetings=[]")
    write(acme, "en/company_terms.toml", '[lists]\nterms = ["leave"]\n', language="en")
    write(acme, "de/company_terms.toml", '[lists]\nterms = ["Urlaub"]\n', language="de")
    (acme.path / "nl" / "oud.yaml").write_text("terms: []", "utf-8")
    assert texts_of(lints.lints(acme, acme.load()), acme) == snapshot


def test_a_profile_that_sends_denied_names_is_reported(acme):
    add_names(acme.path, "nl", [ProductName("Urenbriefje", "denied")])
    text = '[profile]\nname = "c"\nextends = "profile.toml"\n'
    (acme.path / "customers.toml").write_text(text, "utf-8")
    assert not lints.lints(acme, acme.load())
    text += '[verdict]\nreview_on = ["components_defined"]\n'
    (acme.path / "customers.toml").write_text(text, "utf-8")
    (found,) = lints.lints(acme, acme.load())
    assert "customers.toml sends answers with a denied name" in found.text


def test_check_against_a_scored_file_and_without_a_log(klopt, acme, tmp_path):
    out = tmp_path / "out.jsonl"
    help_folder = acme.page_folders[0]
    assert klopt("score", acme.rated, "--pages", help_folder, "-o", out).code == 0
    out.write_text(out.read_text("utf-8").replace('"id": "knop"', '"id": "weg"'), "utf-8")
    add_names(acme.path, "nl", [ProductName("Nieuw verlof", "denied")])
    run = klopt("company", "check", acme.path, "--against", out)
    assert "of 3 answers scores differently; 1 new; 1 gone." in run.out
    acme.rated.unlink()
    assert klopt("company", "check", acme.path, "--accept").code == 3
    run = klopt("company", "check", acme.path)
    assert (run.code, run.out) == (0, "0 problems, 0 remarks.\n")
    assert run.err.endswith("/acme' --log LOG   see which scores change\n")
    out.write_text('{"id": 1}\n', "utf-8")
    run = klopt("company", "check", acme.path, "--log", out, "--against", out)
    assert run.code == 3
    assert run.err.startswith(f"Error: {out}, line 1: this is not a row of `klopt score`: ")
    with pytest.raises(InputError, match="cannot be read"):
        read_run(tmp_path / "none.jsonl")


def test_an_answer_rated_by_two_people_is_one_answer(klopt, acme):
    other = {**TURNS[2], "rating": 3, "rater": "b"}
    doubled = {**TURNS[0], "answer": "Iets anders."}
    more = "".join(json.dumps(row) + "\n" for row in (other, doubled)) + "{\n"
    acme.rated.write_text(acme.rated.read_text("utf-8") + more, "utf-8")
    run = klopt("company", "check", acme.path, "--accept")
    assert run.out.splitlines()[-1].startswith("Accepted: 4 answers")
    lines = run.err.splitlines()
    assert lines[1] == f"Warning: {acme.rated}: left out 1 row with the id of an earlier row"
    assert lines[2:4] == ["5 of 50 ratings.", "Next:"]
    assert "line 7: not JSON" in run.err
    assert run.code == klopt("company", "suggest", acme.path).code == 3


def test_answers_that_change_alike_are_shown_once(klopt, acme):
    row = TURNS[0] | {"answer": "Klik op **Oud scherm**."}
    log = write_log(acme.path / "log.jsonl", *(row | {"id": f"same-{n}"} for n in range(3)))
    klopt("company", "check", acme.path, "--log", log, "--accept")
    klopt("company", "allow", acme.path, "Oud scherm")
    run = klopt("company", "check", acme.path, "--log", log)
    assert "3 of 3 answers score differently." in run.out
    assert "before: " in run.out
    assert "same-0 and 2 other answers: " in run.out
    assert "same-1" not in run.out


def test_a_log_of_company_toml_that_does_not_exist_is_a_problem(klopt, acme):
    file = acme.path / "company.toml"
    file.write_text(file.read_text("utf-8") + 'log = "../lgo.jsonl"\n', "utf-8")
    (found,) = lints.broken(acme.path, reads_log=True)
    assert found.text.startswith(f"{file}:4: [company] log: ")
    run = klopt("company", "check", acme.path, "--accept")
    assert (run.code, acme.accepted.exists()) == (1, False)
    assert klopt("company", "check", acme.path, "--log", acme.rated).code == 0


def test_a_folder_of_pages_that_does_not_exist_is_named_with_its_line(acme):
    file = acme.path / "company.toml"
    file.write_text(file.read_text("utf-8").replace("help", "hulp"), "utf-8")
    with pytest.raises(InputError) as error:
        Company.open(acme.path).pages()
    assert str(error.value).startswith(f"{file}:3: [company] pages: ")


@pytest.mark.parametrize(
    ("changed", "compared"),
    [
        ({}, "0 of 3 answers score differently."),
        ({"answer": "Iets anders."}, "0 of 2 answers score differently; 1 id has another "),
        ({"question": "Iets anders?"}, "0 of 2 answers score differently; 1 id has another "),
        ({"id": "nieuw"}, "0 of 2 answers score differently; 1 new; 1 gone."),
    ],
)
def test_only_the_same_question_and_answer_are_compared(klopt, acme, changed, compared):
    log = write_log(acme.path / "log.jsonl", *TURNS[:3])
    klopt("company", "check", acme.path, "--log", log, "--accept")
    log = write_log(acme.path / "log.jsonl", *TURNS[:2], TURNS[2] | changed)
    assert compared in klopt("company", "check", acme.path, "--log", log).out


def test_only_the_answers_with_another_verdict_are_shown(klopt, acme):
    def line(name: str, score: float, verdict: str) -> str:
        return json.dumps({"id": name, "score": score, "verdict": verdict, "status": "scored"})

    same, other = (
        f"{line('aanvraag', 1.5, 'review')}\n",
        f"{line('saldo', 5, 'send')}\n{line('bericht', 5, 'send')}\n",
    )
    (acme.path / "before.jsonl").write_text(same + other, "utf-8")
    against = ("company", "check", acme.path, "--against", acme.path / "before.jsonl")
    run = klopt(*against)
    assert "3 of 3 answers score differently; 1 new." in run.out
    assert "\naanvraag: " in run.out
    assert "\nsaldo: " not in run.out
    assert "… and 2 smaller changes" in run.out
    assert "\nsaldo: " in klopt(*against, "--all").out
    (acme.path / "before.jsonl").write_text(other, "utf-8")
    assert "\nsaldo: " in klopt(*against).out


def test_check_names_the_answers_with_a_denied_name(klopt, acme):
    assert "Denied: " not in klopt("company", "check", acme.path).out
    add_names(acme.path, "nl", [ProductName("urenbriefje", "denied")])
    run = klopt("company", "check", acme.path)
    assert "Denied: “Urenbriefje” is in 1 answer: knop.\n" in run.out


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ([3.5] * 19, {}),
        ([3.5] * 19 + [None], {}),
        ([3.5] * 20, {"a.toml": False, "c.toml": True}),
        ([3.5] * 19 + [3.9], {"c.toml": True}),
        ([3.5] * 19 + [5.0], {}),
    ],
)
def test_a_threshold_above_all_of_enough_scores(scores, found):
    default = Profile.load("default")
    profiles = {
        Path("a.toml"): default,
        Path("b.toml"): default,
        Path("c.toml"): replace(default, send_from=4.5),
    }
    lines = lints.unreachable_thresholds(profiles, scores)
    assert {line.text.partition(":")[0]: line.is_problem for line in lines} == found
