"""``klopt company check``: problems of a folder, and the scores that it changes."""

import json
from pathlib import Path

import pytest

from klopt.cli.company.check import read_run
from klopt.company import lints
from klopt.company.folder import Company, ProductName, add_names
from klopt.company.lints import Lint
from klopt.errors import InputError
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
    run = klopt("company", "check", acme.path)
    assert (run.code, run.out) == (0, "0 problems, 0 remarks.\n")
    assert run.err.endswith("/acme' --log LOG   see which scores change\n")
    out.write_text('{"id": 1}\n', "utf-8")
    run = klopt("company", "check", acme.path, "--against", out)
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
    assert "same-0 and 2 other answers: " in run.out
    assert "same-1" not in run.out
