"""``klopt company check``: what is wrong with a folder, and what it changed in the scores."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from klopt import lexicons
from klopt.company import lints
from klopt.company.entries import Entry, put
from klopt.company.folder import Company
from klopt.company.lints import Finding, folded
from klopt.company.mending import mend
from klopt.company.moved import read_run
from klopt.errors import InputError
from klopt.lexicons import read_lexicon
from klopt.scoring.profile import Profile
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


def said(found: list[Finding], company: Company) -> list[str]:
    return [one.said.replace(f"{company.path}/", "") for one in found]


def test_a_folder_that_is_well_has_nothing_to_tell(acme: Company):
    assert not lints.broken(acme.path)
    assert not lints.lints(acme, acme.load())


def test_all_that_breaks_a_schema_is_told_at_once_with_its_line(acme: Company):
    write(acme, "nl/abbreviations.toml", '[lists]\nabbreviations = ["zgn.", "art."]\n')
    write(acme, "nl/doubts.toml", "[list]\n")
    write(acme, "nl/fillers.toml", "[lists]\nclosings=[]\nfillers=[]\ngreetings=[]", language="en")
    acme.profile.write_text(acme.profile.read_text("utf-8") + "weight = 2\n", "utf-8")
    (acme.path / "customers.toml").write_text('[profile]\nextends = "default"\n', "utf-8")
    (acme.path / "suggestions.toml").write_text("[[suggestion]]\nid = 3\n", "utf-8")
    found = said(lints.broken(acme.path), acme)
    assert found[:2] == [
        'profile.toml:11: [languages.nl] lexicons entry 1: "nl/fillers.toml" is for language '
        '"en", not "nl"',
        "profile.toml:12: [languages.nl] weight: unknown key; allowed are lexicons, pipeline",
    ]
    assert (
        'nl/abbreviations.toml:9: [lists] abbreviations entry 2: "art." is not sorted, it comes '
        'before "zgn."; klopt company check --fix sorts a company\'s lists'
    ) in found
    for start in ("customers.toml:1: [profile] name", "suggestions.toml:2: ", "nl/doubts.toml:8: "):
        assert any(line.startswith(start) for line in found), start


def test_entries_that_are_there_already_and_files_that_nothing_reads(acme: Company):
    write(acme, "nl/abbreviations.toml", '[lists]\nabbreviations = ["bv."]\n')
    write(acme, "nl/terms.toml", "").write_text(
        (acme.path / "nl" / "company_terms.toml").read_text("utf-8"), "utf-8"
    )
    lists = '[lists]\nallowed = ["Urenbriefje"]\ndenied = ["urenbriefje"]\n'
    write(acme, "nl/product_names.toml", lists)
    put(acme.path, "nl", [Entry("synonyms", "verbs", ("uitschakelen", "uitzetten"))])
    known = lexicons.load("nl")["refusals"].patterns[0]
    own = {"id": "ours", "pattern": known.source, "hit": list(known.hit), "miss": list(known.miss)}
    put(acme.path, "nl", [Entry("refusals", known.group, pattern=own)])
    write(acme, "nl/antonyms.toml", '[[pair]]\none = ["aangevinkt"]\nother = ["uitgevinkt"]\n')
    write(acme, "nl/numbers.toml", "[values.cardinals]\ntwee = 2\npaar = 2.5\n")
    write(acme, "en/company_terms.toml", '[lists]\nterms = ["leave"]\n', language="en")
    write(acme, "de/company_terms.toml", '[lists]\nterms = ["Urlaub"]\n', language="de")
    (acme.path / "nl" / "oud.yaml").write_text("terms: []", "utf-8")
    found = said(lints.lints(acme, acme.load()), acme)
    for part in (
        "de: is read by nothing; there are tables for en, nl",
        "nl/oud.yaml: is read by nothing; a lexicon's file ends in .toml",
        "en/company_terms.toml:1: no profile reads it; give profile.toml [languages.en] "
        'lexicons = ["en"]',
        'nl/terms.toml:2: [lexicon] id: is "company_terms"; name the file company_terms.toml, '
        "where commands put further entries",
        'nl/abbreviations.toml:9: "bv.": klopt has this already; take it out',
        'nl/product_names.toml:9: "Urenbriefje" is allowed and denied; take it out of one of the '
        "two lists",
        '"uitschakelen, uitzetten": klopt has this already; take it out',
        'pattern "ours": klopt has this already; take it out',
        "nl/antonyms.toml:8: ",
        'nl/numbers.toml:9: "twee": klopt has this already; take it out',
        '"verlofsaldo" stands in ',
    ):
        assert any(part in line for line in found), part


def test_a_lexicon_that_is_not_there(acme: Company):
    text = acme.profile.read_text("utf-8").replace('"nl"]', '"nl", "../ours.toml"]')
    acme.profile.write_text(text, "utf-8")
    (found,) = lints.broken(acme.path)
    assert found.said == f"{acme.path}/../ours.toml: there is no such lexicon file"
    acme.profile.unlink()
    (found,) = lints.broken(acme.path)
    assert found.said.startswith(f'there is no profile "{acme.profile}"')


def test_denied_names_that_no_profile_looks_at(acme: Company):
    put(acme.path, "nl", [Entry("product_names", "denied", ("Urenbriefje",))])
    assert not lints.lints(acme, acme.load())
    text = acme.profile.read_text("utf-8").replace('"denied_names", ', "")
    acme.profile.write_text(text, "utf-8")
    (found,) = lints.lints(acme, acme.load())
    assert "answers with a denied name are sent all the same" in found.said


def test_denied_names_that_an_audience_does_not_look_at(acme: Company):
    put(acme.path, "nl", [Entry("product_names", "denied", ("Urenbriefje",))])
    text = '[profile]\nname = "c"\nextends = "profile.toml"\n'
    (acme.path / "customers.toml").write_text(text, "utf-8")
    assert not lints.lints(acme, acme.load())
    text += '[verdict]\nreview_on = ["components_defined"]\n'
    (acme.path / "customers.toml").write_text(text, "utf-8")
    (found,) = lints.lints(acme, acme.load())
    assert "customers.toml lacks" in found.said


def test_a_fault_is_told_once_beside_a_profile_that_extends(acme: Company, monkeypatch):
    write(acme, "nl/abbreviations.toml", '[lists]\nabbreviations = ["zgn.", "art."]\n')
    text = '[profile]\nname = "c"\nextends = "profile.toml"\n'
    (acme.path / "customers.toml").write_text(text, "utf-8")
    monkeypatch.chdir(acme.path.parent)
    assert len(lints.broken(Path(acme.path.name))) == 1


def test_fix_sorts_and_drops_and_keeps_comments(acme: Company):
    path = write(
        acme,
        "nl/synonyms.toml",
        "# of the guides\n[groups]\nadjectives = []\nadverbs = []\nverbs = []\nnouns = [\n"
        '  # of invoices\n  ["zaak", "boel"], # ours\n  ["factuur", "nota"], # page 3\n'
        '  ["boel", "zaak"], # again\n]\n[about]\n"boel, zaak" = "x"\n"weg" = "y"\n',
    )
    pairs = write(
        acme,
        "nl/antonyms.toml",
        '[[pair]] # two\none = ["op"]\nother = ["neer"]\n[[pair]]\none = ["heen", "eruit"]\n'
        'other = ["terug"]\n',
    )
    values = write(acme, "nl/numbers.toml", "[values.cardinals]\ndozijn = 12 # eggs\npaar = 2\n")
    assert mend(path) == [
        "nouns: sorted; stood twice: boel, zaak",
        "about: weg taken out, which no entry is named",
    ]
    text = path.read_text("utf-8")
    assert read_lexicon(path).word_groups["nouns"] == (("boel", "zaak"), ("factuur", "nota"))
    for comment in ("# of the guides", "# of invoices", "# ours", "# page 3", "# again"):
        assert comment in text
    assert text.index("# of invoices") < text.index("# ours") < text.index("# page 3")
    assert mend(pairs) == ["pairs: sorted"]
    assert read_lexicon(pairs).pairs[0].one == ("eruit", "heen")
    assert "# two" in pairs.read_text("utf-8")
    assert mend(values) == ["cardinals: sorted"]
    assert list(read_lexicon(values).values["cardinals"]) == ["paar", "dozijn"]
    table = '[[pattern]]\nid = "a"\ngroup = "gap"\npattern = "a"\nhit = "a"\nmiss = "b"\n'
    patterns = write(acme, "nl/doubts.toml", table + table.replace('"a"', '"c"') + table)
    assert mend(patterns) == ["pattern a: stood twice"]
    assert [one.id for one in read_lexicon(patterns).patterns] == ["a", "c"]
    quoted = write(acme, "nl/company_terms.toml", '[lists]\nterms = ["""c""", \'b\'] # all\n')
    assert mend(quoted) == ["terms: sorted"]
    assert quoted.read_text("utf-8").endswith("] # all\n")
    assert not any(map(mend, (path, pairs, values, patterns, quoted, acme.profile)))


WORD = st.text(string.ascii_lowercase + "#'[]", min_size=1, max_size=3).filter(str.strip)
LINES = st.lists(st.tuples(st.booleans(), WORD, st.booleans(), st.booleans()), max_size=6)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=LINES)
def test_fix_keeps_each_comment_and_is_done_at_once(acme: Company, lines):
    body = "[lists]\nterms = ["
    for number, (above, word, behind, is_last) in enumerate(lines):
        body += f"\n  # above {number}.\n" * above + f" {json.dumps(word)}, "
        body += f"# behind {number}." * behind + "\n" * (behind or is_last)
    path = write(acme, "nl/company_terms.toml", f"{body}\n]\n")
    comments = set(re.findall(r"(?:above|behind) \d+\.", path.read_text("utf-8")))
    mend(path)
    text = path.read_text("utf-8")
    assert list(read_lexicon(path).lists["terms"]) == sorted({word for _, word, *_ in lines})
    assert all(one in text for one in comments)
    assert not mend(path)


@pytest.mark.parametrize(
    "body",
    [
        '[lists]\nterms = ["b", 3]\n',
        "[lists\n",
        "[lists]\nterms = 3\n",
        '[lists]\nterms = ["a"]\n',
    ],
)
def test_fix_leaves_alone_what_it_does_not_understand(acme: Company, body: str):
    path = write(acme, "nl/company_terms.toml", body)
    before = path.read_bytes()
    assert not mend(path)
    assert path.read_bytes() == before


def test_of_many_findings_of_a_kind_in_a_file_the_first_are_told():
    found = [Finding(f"nl/x.toml:{line}: known", False, "nl/x.toml: known") for line in (9, 10, 11)]
    assert list(folded([*found, Finding("company.toml:1: wrong")], 1)) == [
        "company.toml:1: wrong",
        "nl/x.toml:9: known (remark)",
        "nl/x.toml: known: 2 more; --all shows them",
    ]


def test_a_line_above_every_score(acme: Company):
    profile = acme.load()
    assert not list(lints.unsent(acme.profile, profile, [None]))
    assert not list(lints.unsent(acme.profile, profile, [2.0, 4.5]))
    (found,) = lints.unsent(acme.profile, profile, [2.0, None, 4.0])
    assert "above the score of each of 2 answers (the highest is 4.00), so that none is sent" in (
        found.said
    )


def test_check_says_what_moved(klopt, acme: Company):
    run = klopt("company", "check", acme.path, "--accept")
    assert run.code == 0, run.out + run.err
    assert run.out.splitlines()[-1] == f"Accepted: 4 answers, in {acme.accepted}."
    assert set(read_run(acme.accepted)) == {turn["id"] for turn in TURNS}
    put(acme.path, "nl", [Entry("product_names", "denied", ("Nieuw verlof",))])
    text = acme.profile.read_text("utf-8").replace("[verdict]", "[verdict]\nblock_below = 1.0")
    acme.profile.write_text(text, "utf-8")
    page = acme.page_folders[0] / "saldo.md"
    page.write_text(page.read_text("utf-8").replace("Saldo", "Stand"), "utf-8")
    run = klopt("company", "check", acme.path)
    assert run.code == 0
    told = run.out.partition("Beside ")[2]
    assert "3 of 4 answers are scored otherwise." in told
    held = Profile.load().send_from - 0.01
    assert f"aanvraag: 5.00 became {held:.2f}, send became review" in told
    assert re.search(r"knop: still 1\.\d\d, block became review", told)
    assert "On 4 rated answers: the scores follow the ratings" in told
    assert "  now: 1 true and 0 untrue answers are sent" in told


def test_check_against_a_scored_file_and_without_a_log(klopt, acme: Company, tmp_path: Path):
    out = tmp_path / "out.jsonl"
    help_folder = acme.page_folders[0]
    assert klopt("score", acme.rated, "--pages", help_folder, "-o", out).code == 0
    out.write_text(out.read_text("utf-8").replace('"id": "knop"', '"id": "weg"'), "utf-8")
    put(acme.path, "nl", [Entry("product_names", "denied", ("Nieuw verlof",))])
    run = klopt("company", "check", acme.path, "--against", out)
    assert "of 3 answers is scored otherwise; 1 are new and 1 are gone." in run.out
    acme.rated.unlink()
    run = klopt("company", "check", acme.path)
    assert (run.code, run.out) == (0, "0 problems, 0 remarks.\n")
    assert run.err == "No log: --log chats.jsonl shows what the folder does to answers.\n"
    out.write_text('{"id": 1}\n', "utf-8")
    run = klopt("company", "check", acme.path, "--against", out)
    assert run.code == 3
    assert run.err == (f"Error: {out}, line 1: is no row that `klopt score -o OUT.jsonl` writes\n")
    with pytest.raises(InputError, match="cannot be read"):
        read_run(tmp_path / "none.jsonl")


def test_an_answer_that_two_people_rated_is_one_answer(klopt, acme: Company):
    other = {**TURNS[2], "rating": 3, "rater": "b"}
    doubled = {**TURNS[0], "answer": "Iets anders."}
    more = "".join(json.dumps(row) + "\n" for row in (other, doubled)) + "{\n"
    acme.rated.write_text(acme.rated.read_text("utf-8") + more, "utf-8")
    run = klopt("company", "check", acme.path, "--accept")
    assert run.out.splitlines()[-1].startswith("Accepted: 5 answers")
    assert run.err.splitlines()[1:] == [
        f"Warning: {acme.rated}: 1 row left out, whose id an earlier row has"
    ]
    assert "line 7: not JSON" in run.err


def test_check_ends_with_1_for_problems_and_mends_what_it_may(klopt, acme: Company):
    path = write(acme, "nl/company_terms.toml", '[lists]\nterms = ["verlofscherm", "verlof"]\n')
    run = klopt("company", "check", acme.path)
    assert run.code == 1
    assert "is not sorted" in run.out
    assert run.out.endswith("1 problem, 0 remarks.\n")
    acme.rated.unlink()
    run = klopt("company", "check", acme.path, "--fix")
    assert (run.code, run.out.splitlines()[0]) == (0, f"{path}: terms: sorted")
    assert klopt("company", "check", acme.path / "nl").code == 3
    (acme.path / "company.toml").write_text("[company]\nname = 3\n", "utf-8")
    (acme.path / "suggestions.toml").write_bytes(b"\xff")
    run = klopt("company", "check", acme.path)
    assert run.code == 1
    assert run.out.endswith("3 problems, 0 remarks.\n")


def test_rows_of_a_run_are_json_of_klopt(tmp_path: Path):
    path = tmp_path / "run.jsonl"
    path.write_text(
        json.dumps({"id": 7, "score": 2.5, "verdict": "block", "explanation": "Eén. Twee. Drie."}),
        "utf-8",
    )
    assert read_run(path)["7"].why == "Twee. Drie."
