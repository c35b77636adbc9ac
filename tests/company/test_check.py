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
from klopt.company import firing, lints, slow
from klopt.company.entries import Entry, put, read
from klopt.company.folder import Company
from klopt.company.lints import Finding, folded
from klopt.company.mending import mend
from klopt.company.moved import Answer, Moved, Tracing, read_run
from klopt.company.state import Change, State
from klopt.errors import InputError
from klopt.lexicons import Pattern, read_lexicon
from klopt.records import Turn
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


def pattern(name: str, source: str, hit: str, group: str = "named_control") -> Entry:
    own = {"id": name, "pattern": source, "hit": hit, "miss": "niets van dat al", "case": "exact"}
    return Entry("components", group, pattern=own)


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


def test_entries_that_are_never_met_and_met_everywhere(acme: Company):
    put(
        acme.path,
        "nl",
        [
            Entry("company_terms", "terms", ("urenstaat",)),
            Entry("synonyms", "nouns", ("leidinggevende", "teamleider")),
            Entry("product_names", "denied", ("Oud scherm",)),
            pattern("tile", r"\btegel[ ](?<label>\p{Lu}\w+)", "Open de tegel Verlof."),
            pattern("panel", r"\bpaneel[ ](?<label>\p{Lu}\w+)", "Open het paneel Verlof."),
        ],
    )
    turns = [Turn("Kan dat?", "Dat staat in het verlofscherm.") for _ in range(20)]
    texts = firing.Texts.of(acme.pages().values(), turns)
    found = [one for file in lints.files(acme) for one in firing.lints(file, texts)]
    names = [one.split(": ")[1:3] for one in said(found, acme)]
    assert names == [
        ['"urenstaat"', "never met in 2 pages and 20 answers"],
        ['"verlofscherm"', "met nearly everywhere (20 of 20 answers), so it tells nothing apart"],
        ['pattern "panel"', "never met in 2 pages and 20 answers"],
        ['"leidinggevende, teamleider"', "no two of its words are met in 2 pages and 20 answers"],
    ]
    assert not any(one.is_problem for one in found)
    assert len(list(folded(found, 1))) == len(found)
    lines = list(folded([found[0]] * 3, 1))
    assert lines[0].endswith("never met in 2 pages and 20 answers (remark)")
    assert lines[1:] == [f"{found[0].kind}: 2 more; --all shows them"]


def test_english_entries_are_met_in_any_form(acme: Company):
    put(acme.path, "en", [Entry("synonyms", "verbs", ("shut down", "turn off"))])
    put(acme.path, "en", [Entry("company_terms", "terms", (one,)) for one in ("feed", "tray")])
    turns = [Turn("May I?", "Turning off both feeds helps."), Turn("May I?", "It shuts down.")]
    texts = firing.Texts.of([], turns)
    found = [one for file in lints.files(acme)[:2] for one in firing.lints(file, texts)]
    assert [one.split(": ", 1)[1] for one in said(found, acme)] == [
        '"tray": never met in 2 answers'
    ]


def test_a_pattern_that_an_earlier_one_hides(acme: Company):
    wide = pattern("tile", r"\btegel[ ](?<label>\p{Lu}\w+)", "Open de tegel Verlof.")
    narrow = pattern("saldo", r"\btegel[ ](?<label>Saldo)", "Open de tegel Saldo.")
    for order, hidden in (([wide, narrow], ["saldo"]), ([narrow, wide], [])):
        (acme.path / "nl" / "components.toml").unlink(missing_ok=True)
        put(acme.path, "nl", order)
        texts = firing.Texts.of(acme.pages().values(), [])
        found = [one.said for file in lints.files(acme) for one in firing.shadowed(file, texts)]
        assert [one.split('"')[1] for one in found] == hidden
    assert not hidden


@pytest.mark.parametrize(
    ("source", "hit", "is_slow"),
    [
        (r"(\w+[ ]?)+!$", "Sla dit op!", True),
        (r"^(a|aa)+b$", "aaab", True),
        (r"\bsla[ ]\w{1,20}[ ]op\b", "Sla dit op!", False),
        (r"[^!]{1,80}!", "Sla dit op!", False),
    ],
)
def test_a_pattern_that_some_text_stops(source: str, hit: str, is_slow: bool):
    found = slow.worst(Pattern("p", "action", source, True, 1.0, (hit,), ("x",)))
    assert (found is not None) is is_slow


def test_a_line_above_every_score(acme: Company):
    profile = acme.load()
    assert not list(lints.unsent(acme.profile, profile, [None]))
    assert not list(lints.unsent(acme.profile, profile, [2.0, 4.5]))
    (found,) = lints.unsent(acme.profile, profile, [2.0, None, 4.0])
    assert "above the score of each of 2 answers (the highest is 4.00), so that none is sent" in (
        found.said
    )


def test_check_says_what_moved_and_by_which_entry(klopt, acme: Company):
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
    assert '1 answer by nl/product_names.toml: "Nieuw verlof" (denied) was added' in told
    assert "2 answers by verdict.block_below: 2.8 became 1.0" in told
    assert "1 answer by a page or a row of the log that changed" in told
    assert "aanvraag: 5.00 became 4.19, send became review" in told
    assert "knop: still 1.49, block became review" in told
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
    assert "--accept keeps the folder beside the run" in run.out
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


RULES = [
    ([{3}], [{3}]),
    ([{1}, {6}], [{1}, {6}]),
    ([{1, 6}], [{1}, {6}]),
    ([], []),
    ([{0, 1}, {2, 3}], [{0, 1}, {2, 3}]),
]


@pytest.mark.parametrize(("rules", "expected"), RULES)
def test_the_search_finds_each_change_that_had_a_part(rules, expected, monkeypatch):
    """An answer moves where all the changes of a rule are there."""
    every = [Change(str(number)) for number in range(8)]

    def outcomes(self, without, names):
        self.trials += 1
        done = {int(one.said) for one in every if one not in without}
        return {name: (float(any(rule <= done for rule in rules)), "send", None) for name in names}

    monkeypatch.setattr(State, "changes", lambda *_: every)
    monkeypatch.setattr(Tracing, "_outcomes", outcomes)
    was, now = (
        Answer((score, "send", None), "", "klopt:1") for score in (0.0, 1.0 if rules else 0.0)
    )
    state = State({}, {})
    search = Tracing(state, state, [Moved("a", was, now)], {})
    (one,) = search.trace()
    found = [{int(change.said) for change in changes} for changes in one.by]
    assert set().union(*found) == set().union(*expected)
    assert not one.is_elsewhere
    assert search.trials <= 20


def test_a_state_is_read_as_written_and_an_undone_change_is_gone(acme: Company, tmp_path: Path):
    put(acme.path, "nl", [Entry("synonyms", "nouns", ("chef", "leidinggevende"))])
    write(acme, "nl/antonyms.toml", '[[pair]]\none = ["heen"]\nother = ["terug"]\n')
    before = State.of(acme.profile)
    before.write(tmp_path / "kept")
    assert not State.of(tmp_path / "kept" / "profile.toml").changes(before)
    path = acme.path / "nl" / "synonyms.toml"
    path.write_text(path.read_text("utf-8").replace('"chef"', '"baas"'), "utf-8")
    put(acme.path, "nl", [pattern("tile", r"\btegel[ ](?<label>\w+)", "tegel Verlof")])
    write(acme, "nl/antonyms.toml", '[[pair]]\none = ["hoog"]\nother = ["laag"]\n')
    now = State.of(acme.profile)
    changes = now.changes(before)
    assert [one.said for one in changes] == [
        "nl/antonyms.toml changed",
        'nl/components.toml: "tile" (named_control) was added',
        'nl/synonyms.toml: "baas, leidinggevende", which was "chef, leidinggevende" (nouns) was '
        "changed",
    ]
    with now.profile(without=changes, before=before) as profile:
        folder = profile.languages["nl"].lexicons[0].parent.parent
        assert read(folder, "nl") == read(tmp_path / "kept", "nl")
        assert (folder / "nl" / "antonyms.toml").read_text("utf-8") == (
            before.files["nl", "antonyms.toml"]
        )


def test_an_undone_change_comes_back_where_a_language_has_nothing_left(acme: Company):
    before = State.of(acme.profile)
    (acme.path / "nl" / "company_terms.toml").unlink()
    now = State.of(acme.profile)
    changes = now.changes(before)
    assert [one.said.partition(" (")[0] for one in changes] == [
        'nl/company_terms.toml: "verlofsaldo"',
        'nl/company_terms.toml: "verlofscherm"',
    ]
    with now.profile(without=changes, before=before) as profile:
        (path,) = profile.languages["nl"].lexicons
        assert read_lexicon(path).lists["terms"] == ("verlofsaldo", "verlofscherm")
    with now.profile() as profile:
        assert not profile.languages["nl"].lexicons


def test_rows_of_a_run_are_json_of_klopt(tmp_path: Path):
    path = tmp_path / "run.jsonl"
    path.write_text(
        json.dumps({"id": 7, "score": 2.5, "verdict": "block", "explanation": "Eén. Twee. Drie."}),
        "utf-8",
    )
    assert read_run(path)["7"].why == "Twee. Drie."
