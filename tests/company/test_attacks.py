"""What people, machines and other commands may do to a company's folder while it is changed."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path

import pytest

from klopt.company.entries import LexiconEntry, read
from klopt.company.folder import Company, held
from klopt.company.suggestions import Suggestion, Suggestions, reason
from klopt.errors import CompanyError
from klopt.file_lock import flock

NAMES = Suggestion("nl", "why", LexiconEntry("product_names", "allowed", ("Urenbriefje",)))
WORDS = Suggestion("nl", "why", LexiconEntry("synonyms", "nouns", ("medewerker", "werknemer")))
CHANGES = {
    "allow": ("allow", "{acme}", "Saldotegel"),
    "apply": ("suggest", "{acme}", "--apply", NAMES.id),
    "check": ("check", "{acme}", "--accept"),
    "init": ("init", "--update", "--pages", "{pages}", "-o", "{acme}"),
    "lines": ("lines", "{acme}", "--send-from", "4.5", "--write"),
    "suggest": ("suggest", "{acme}"),
}


def of(acme: Company, name: str) -> list[str]:
    filled = [one.format(acme=acme.path, pages=acme.page_folders[0]) for one in CHANGES[name]]
    return ["company", *filled]


def everything(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


@pytest.mark.skipif(flock is None, reason="nothing is held on Windows")
@pytest.mark.parametrize("name", CHANGES)
def test_a_command_waits_for_another_and_keeps_what_that_decided(name, acme, klopt, monkeypatch):
    Suggestions(acme.path).joined([NAMES, WORDS]).write()
    before = everything(acme.path)
    run = threading.Thread(target=klopt, args=of(acme, name))
    asks = threading.Event()

    def asking(*arguments) -> None:
        asks.set()
        flock(*arguments)

    with held(acme.path):
        monkeypatch.setattr("klopt.file_lock.flock", asking)
        run.start()
        assert asks.wait(60)
        run.join(0.1)
        assert run.is_alive()
        assert everything(acme.path) == before
        Suggestions.read(acme.path).decided([WORDS.id], "accepted").write()
    run.join(60)
    assert Suggestions.read(acme.path)[WORDS.id].status == "accepted"
    assert WORDS.entry is not None
    assert WORDS.entry.name in {one.name for one in read(acme.path, "nl")}


@pytest.mark.parametrize(
    ("language", "lexicon", "part", "problem"),
    [
        ("../../nl", "company_terms", "terms", "is not one of en, nl"),
        ("nl", "../../evil", "terms", "is not one of abbreviations, antonyms"),
        ("nl", "company_terms", "x", '"x" is not one of terms'),
        ("nl", "product_names", "denied", "is not one text"),
        ("nl", "messages", "error", "messages has patterns, which nothing"),
    ],
)
def test_a_suggestion_that_fits_no_lexicon(language, lexicon, part, problem, acme, klopt):
    named = f'language = "{language}"\nlexicon = "{lexicon}"\npart = "{part}"\nwords = []\n'
    text = f'[[suggestion]]\nid = "x"\nstatus = "open"\nwhy = ""\n{named}'
    (acme.path / "suggestions.toml").write_text(text, "utf-8")
    with pytest.raises(CompanyError, match=problem):
        Suggestions.read(acme.path)
    assert problem in klopt("company", "check", acme.path).out


@pytest.mark.parametrize("strange", ['reason = "answers"', f"count = 0x{'f' * 5_000}"])
def test_a_strange_reason_or_count_is_not_told(acme, strange):
    text = '[[suggestion]]\nid = "x"\nstatus = "open"\nwhy = ""\nlanguage = "nl"\npage = "a"\n'
    (acme.path / "suggestions.toml").write_text(text + strange + "\n", "utf-8")
    with contextlib.suppress(CompanyError):
        (found,) = Suggestions.read(acme.path).all
        assert reason(found, "nl") == ""


def test_half_characters_and_controls_are_written_and_read_again(acme):
    odd = Suggestion("nl", "\ud800\x9b\u202e", page="a\ud800", examples=("\udfff",))
    Suggestions(acme.path).joined([odd]).write()
    (found,) = Suggestions.read(acme.path).all
    assert (found.why, found.id) == ("\ufffd\x9b\u202e", odd.id)
    assert "\u202e" not in (acme.path / "suggestions.toml").read_text("utf-8")


def test_what_show_prints_as_toml_moves_no_terminal(acme, klopt):
    text = acme.profile.read_text("utf-8").replace('"acme"', '"a\x9b2J\u202e"')
    acme.profile.write_text(text, "utf-8")
    said = klopt("company", "show", acme.path, "--flat").out
    assert r"a\u009b2J\u202e" in said


@pytest.mark.parametrize("key", ["pages", "log"])
def test_a_name_with_a_nul_is_no_file(key, acme, klopt):
    own = {"pages": '["../help"]', "log": '"x"'} | {
        key: r'["\u0000"]' if key == "pages" else r'"\u0000"'
    }
    text = "[company]\nname = 'a'\n" + "".join(f"{k} = {v}\n" for k, v in own.items())
    (acme.path / "company.toml").write_text(text, "utf-8")
    assert "is not a file or a folder" in klopt("company", "check", acme.path).out


def test_paths_are_told_without_detours_unless_a_link_is_on_the_way(acme, home, tmp_path):
    assert Company.open(acme.path).page_folders == (home / "help",)
    (tmp_path / "far").mkdir()
    link = tmp_path / "far" / "acme"
    link.symlink_to(acme.path)
    (folder,) = Company.open(link).page_folders
    assert folder.samefile(home / "help")
