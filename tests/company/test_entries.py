"""Entries of a company's lexicons, and suggestions, put in and taken out of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from klopt.company.entries import LexiconEntry, put, read, take_out
from klopt.company.suggestions import Suggestion, Suggestions
from klopt.errors import CompanyError, LexiconError
from klopt.lexicons import read_lexicon

TERM = LexiconEntry(
    "company_terms", "terms", ("verlofsaldo",), about="31 times: “Uw verlofsaldo ...”"
)
GROUP = LexiconEntry("synonyms", "nouns", ("werknemer", "medewerker"), about="in 12 guides")
MORE = LexiconEntry("company_terms", "terms", ("zorgverlof",))
BAD = LexiconEntry("synonyms", "nouns", ("Hoofdletter", "woord"))


def test_put_makes_files_that_read_and_hold_where_each_came_from(tmp_path: Path):
    files = put(tmp_path, "nl", [TERM, GROUP])
    assert [file.name for file in files] == ["company_terms.toml", "synonyms.toml"]
    assert all(read_lexicon(file).language == "nl" for file in files)
    assert [one.name for one in read(tmp_path, "nl")] == ["verlofsaldo", "medewerker, werknemer"]
    assert 'verlofsaldo = "31 times: “Uw verlofsaldo ...”"' in files[0].read_text("utf-8")
    assert '"medewerker, werknemer" = "in 12 guides"' in files[1].read_text("utf-8")


def test_put_keeps_order_comments_and_what_is_there(tmp_path: Path):
    (file,) = put(tmp_path, "nl", [TERM])
    text = file.read_text("utf-8").replace("[lists]", "# ours\n[lists]")
    file.write_text(text, "utf-8")
    for word in ("aanvraag", "zorgverlof", "verlofsaldo"):
        put(tmp_path, "nl", [LexiconEntry("company_terms", "terms", (word,))])
    assert read_lexicon(file).lists["terms"] == ("aanvraag", "verlofsaldo", "zorgverlof")
    assert "# ours" in file.read_text("utf-8")
    assert not put(tmp_path, "nl", [TERM])


def test_take_out_undoes_put(tmp_path: Path):
    more = LexiconEntry("company_terms", "terms", ("aanvraag",))
    put(tmp_path, "nl", [TERM, more, GROUP])
    take_out(tmp_path, "nl", [TERM, GROUP])
    assert read(tmp_path, "nl") == [more]
    assert "31 times" not in (tmp_path / "nl" / "company_terms.toml").read_text("utf-8")


def test_what_does_not_fit_changes_nothing(tmp_path: Path):
    put(tmp_path, "nl", [GROUP])
    before = (tmp_path / "nl" / "synonyms.toml").read_bytes()
    with pytest.raises(LexiconError, match=r"synonyms\.toml"):
        put(tmp_path, "nl", [BAD])
    assert (tmp_path / "nl" / "synonyms.toml").read_bytes() == before


def test_suggestions_are_read_as_written_and_stay_decided(tmp_path: Path):
    own = Suggestions(tmp_path).joined(
        [
            Suggestion("nl", "names without a page", TERM, count=31, examples=("Een zin.",)),
            Suggestion("nl", "they stand alike", GROUP, answers=("row-1",)),
            Suggestion("nl", "in guides", MORE),
            Suggestion("nl", "5 untrue answers rest on it", page="verlof.md"),
        ]
    )
    own.write()
    again = Suggestions.read(tmp_path)
    assert [one.id for one in again.all] == [one.id for one in own.all]
    decided = again.decided([again.all[0].id, again.all[2].id], "accepted")
    decided.write()
    assert [one.name for one in read(tmp_path, "nl")] == ["verlofsaldo", "zorgverlof"]
    found = Suggestions.read(tmp_path).joined([Suggestion("nl", "again", TERM, count=40)])
    assert [one.status for one in found.all] == ["accepted", "open", "accepted", "open"]
    assert found.all[0].count == 40
    back = found.decided([found.all[0].id], "open")
    assert [one.name for one in read(tmp_path, "nl")] == ["zorgverlof"]
    assert back.all[0].status == "open"


def test_what_0_9_wrote_is_read_without_effects_and_patterns(tmp_path: Path):
    Suggestions(tmp_path).joined([Suggestion("nl", "they stand alike", GROUP)]).write()
    path = tmp_path / "suggestions.toml"
    before = path.read_text("utf-8")
    old = before.replace("words = ", 'effect = "It changes no verdict."\nwords = ')
    pattern = old.replace("synonyms", "messages").replace("nouns", "error")
    pattern += '[suggestion.pattern]\nid = "x"\npattern = "ja"\nhit = ["ja"]\nmiss = ["nee"]\n'
    path.write_text(old + pattern, "utf-8")
    Suggestions.read(tmp_path).write()
    assert path.read_text("utf-8") == before


def test_there_is_no_such_suggestion(tmp_path: Path):
    with pytest.raises(CompanyError, match="open are: none"):
        Suggestions.read(tmp_path)["term-1"]
    (tmp_path / "suggestions.toml").write_text("[[suggestion]]\nid = 3\n", "utf-8")
    with pytest.raises(CompanyError, match=r"suggestions\.toml:2: .* id: 3 is not"):
        Suggestions.read(tmp_path)
