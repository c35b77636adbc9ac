"""Entries of a company's lexicons, and suggestions, put in and taken out of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from klopt.company.entries import Entry, put, read, take_out
from klopt.company.folder import Company
from klopt.company.suggestions import Suggestion, Suggestions
from klopt.errors import CompanyError, InputError, LexiconError, ProfileError
from klopt.lexicons import read_lexicon
from klopt.scoring.profile import Profile

TERM = Entry("company_terms", "terms", ("verlofsaldo",), about="31 times: “Uw verlofsaldo ...”")
GROUP = Entry("synonyms", "nouns", ("werknemer", "medewerker"), about="in 12 guides")
TILE = Entry(
    "components",
    "named_control",
    pattern={
        "id": "tile",
        "case": "exact",
        "pattern": r"\btegel[ ](?<label>\p{Lu}\w+)",
        "hit": "Open de tegel Verlof.",
        "miss": ["Een tegel staat los."],
    },
    about="in 7 guides",
)
BAD = Entry("components", "quote", pattern={"id": "b", "pattern": "(", "hit": "a", "miss": "b"})


def test_put_makes_files_that_read_and_hold_where_each_came_from(tmp_path: Path):
    files = put(tmp_path, "nl", [TERM, GROUP, TILE])
    assert [file.name for file in files] == [
        "company_terms.toml",
        "components.toml",
        "synonyms.toml",
    ]
    assert all(read_lexicon(file).language == "nl" for file in files)
    found = {one.name: one for one in read(tmp_path, "nl")}
    assert found["verlofsaldo"] == TERM
    assert found["medewerker, werknemer"].about == "in 12 guides"
    assert (found["tile"].about, found["tile"].part) == ("in 7 guides", "named_control")


def test_put_keeps_order_comments_and_what_is_there(tmp_path: Path):
    (file,) = put(tmp_path, "nl", [TERM])
    text = file.read_text("utf-8").replace("[lists]", "# ours\n[lists]")
    file.write_text(text, "utf-8")
    for word in ("aanvraag", "zorgverlof", "verlofsaldo"):
        put(tmp_path, "nl", [Entry("company_terms", "terms", (word,))])
    assert read_lexicon(file).lists["terms"] == ("aanvraag", "verlofsaldo", "zorgverlof")
    assert "# ours" in file.read_text("utf-8")
    assert not put(tmp_path, "nl", [TERM])


def test_take_out_undoes_put(tmp_path: Path):
    more = Entry("company_terms", "terms", ("aanvraag",))
    put(tmp_path, "nl", [TERM, more, TILE])
    take_out(tmp_path, "nl", [TERM, TILE])
    assert read(tmp_path, "nl") == [more]
    assert not (tmp_path / "nl" / "components.toml").exists()


def test_what_does_not_fit_changes_nothing(tmp_path: Path):
    put(tmp_path, "nl", [TILE])
    before = (tmp_path / "nl" / "components.toml").read_bytes()
    with pytest.raises(LexiconError, match=r"components\.toml"):
        put(tmp_path, "nl", [BAD])
    assert (tmp_path / "nl" / "components.toml").read_bytes() == before


def test_suggestions_are_read_as_written_and_stay_decided(tmp_path: Path):
    own = Suggestions(tmp_path).joined(
        [
            Suggestion("nl", "names without a page", TERM, count=31, examples=("Een zin.",)),
            Suggestion("nl", "they stand alike", GROUP, answers=("row-1",)),
            Suggestion("nl", "in guides", TILE),
            Suggestion("nl", "5 untrue answers rest on it", page="verlof.md"),
        ]
    )
    own.write()
    again = Suggestions.read(tmp_path)
    assert [one.id for one in again.all] == [one.id for one in own.all]
    decided = again.decided([again.all[0].id, again.all[2].id], "accepted")
    decided.write()
    assert [one.name for one in read(tmp_path, "nl")] == ["verlofsaldo", "tile"]
    found = Suggestions.read(tmp_path).joined([Suggestion("nl", "again", TERM, count=40)])
    assert [one.status for one in found.all] == ["accepted", "open", "accepted", "open"]
    assert found.all[0].count == 40
    back = found.decided([found.all[0].id], "open")
    assert [one.name for one in read(tmp_path, "nl")] == ["tile"]
    assert back.all[0].status == "open"


def test_a_file_that_tells_an_effect_as_in_0_9_is_read(tmp_path: Path):
    Suggestions(tmp_path).joined([Suggestion("nl", "they stand alike", GROUP)]).write()
    path = tmp_path / "suggestions.toml"
    before = path.read_text("utf-8")
    path.write_text(
        before.replace("words = ", 'effect = "It changes no verdict."\nwords = '), "utf-8"
    )
    Suggestions.read(tmp_path).write()
    assert path.read_text("utf-8") == before


def test_there_is_no_such_suggestion(tmp_path: Path):
    with pytest.raises(CompanyError, match="open are: none"):
        Suggestions.read(tmp_path)["term-1"]
    (tmp_path / "suggestions.toml").write_text("[[suggestion]]\nid = 3\n", "utf-8")
    with pytest.raises(CompanyError, match=r"suggestions\.toml:2: .* id: 3 is not"):
        Suggestions.read(tmp_path)


def test_company(tmp_path: Path):
    (tmp_path / "help").mkdir()
    (tmp_path / "help" / "a.md").write_text("# A\n\nTekst.", "utf-8")
    folder = tmp_path / "acme"
    folder.mkdir()
    with pytest.raises(InputError, match="klopt company init"):
        Company.open(folder)
    Company(folder, "Acme", (tmp_path / "help",)).write()
    put(folder, "nl", [TERM, GROUP])
    text = '[profile]\nname = "acme"\nextends = "default"\n[languages.nl]\nlexicons = ["nl"]\n'
    (folder / "profile.toml").write_text(text, "utf-8")
    company = Company.open(folder)
    assert (company.name, set(company.pages()), company.log) == ("Acme", {"a.md", "a"}, None)
    names = [one.name for one in company.load().languages["nl"].lexicons]
    assert names == ["company_terms.toml", "synonyms.toml"]
    (folder / "profile.toml").write_text(text.replace(".nl]", ".en]"), "utf-8")
    with pytest.raises(ProfileError, match=r'"nl/company_terms\.toml" is for language "nl"'):
        Profile.load(folder)
