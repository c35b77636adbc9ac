"""What `klopt company suggest` finds and puts into a folder."""

from __future__ import annotations

import dataclasses
from functools import partial
from itertools import chain
from pathlib import Path

import pytest

from klopt import Page, Turn
from klopt.company.entries import LexiconEntry, put, read, take_out
from klopt.company.suggesting import Answers, names, page_faults, thinned, word_pairs
from klopt.company.suggestions import Suggestion, Suggestions
from klopt.lexicons import read_lexicon
from klopt.scoring.profile import Profile
from tests.cli.conftest import write_log
from tests.company.reviewed import PROFILE, company_of

OWN = Profile.read(PROFILE.split("[languages")[0], where="acme", folder=None)
PAGES = {
    "verlof": "# Verlof aanvragen\n\n1. Klik op **Nieuw verlof**.\n2. Vul het veld **Begindatum** "
    "in.\n3. Klik op **Indienen**.\n\nDe beheerder migreert oude aanvragen naar het archief. De "
    "**Werkbank** vervalt.",
    "ziek": "# Ziek melden\n\n1. Open het overzicht **Verzuim**.\n2. Klik op **Ziek melden**.\n\n"
    "De beheerder migreert oude meldingen naar het archief. De **Werkbank** vervalt.",
    "loon": "# Loonstrook bekijken\n\nU vindt de loonstrook in het overzicht **Salaris**. Een "
    "voorschot is hoogstens 250 euro.",
}
Rows = tuple[tuple[str, str, str], ...]
ALLOWED = (
    ("verlof", "Hoe vraag ik verlof aan?", "Klik in **Mijn Acme** op **Nieuw verlof**."),
    ("ziek", "Hoe meld ik mij ziek?", "Open in **Mijn Acme** het overzicht **Verzuim**."),
)
SYNONYMS = (
    (
        *("verlof", "Wat gebeurt er met oud verlof?"),
        "De beheerder verplaatst oude aanvragen naar het archief. Dat duurt drie werkdagen.",
    ),
    (
        *("ziek", "Wat gebeurt er daarna?"),
        "De beheerder verplaatst oude meldingen naar het archief. Dat kost hem een uur.",
    ),
)
UNTRUE = (
    ("verlof", "Hoe trek ik verlof in?", "Klik in de **Werkbank** op **Nieuw verlof**."),
    ("ziek", "Hoe meld ik mij beter?", "Open in de **Werkbank** het overzicht **Verzuim**."),
    ("loon", "Hoe hoog is een voorschot?", "Een voorschot is hoogstens 400 euro."),
    ("loon", "Wat krijg ik als voorschot?", "Een voorschot is hoogstens 900 euro."),
)
TRUE = (
    ("loon", "Waar staat mijn loonstrook?", "In het overzicht **Salaris**."),
    ("verlof", "Wat vul ik bij verlof in?", "U vult het veld **Begindatum** in."),
)
JUDGED = {"name": (ALLOWED, 5), "word": (SYNONYMS, 5), "true": (TRUE, 5), "untrue": (UNTRUE, 1)}


def turns_of(rows: Rows, rating: float | None, start: str) -> list[Turn]:
    """Turns over the pages."""
    about = {"language": "nl", "message_type": "instruction", "rating": rating}
    return [
        Turn(question, answer, [Page(PAGES[page], id=page)], f"{start}-{number}", **about)
        for number, (page, question, answer) in enumerate(rows)
    ]


def answers_of(*more: Turn) -> Answers:
    every = (turns_of(*rows, start) for start, rows in JUDGED.items())
    return Answers(OWN, [*chain.from_iterable(every), *more])


@pytest.fixture(scope="module")
def known() -> Answers:
    return answers_of()


def test_names_are_allowed_for_true_answers_and_denied_for_untrue_ones(known: Answers):
    page = Page("# Mijn Acme", id="start")
    found = {one.entry: one for one in names(known, {"start.md": page})}
    assert list(found) == [
        LexiconEntry("product_names", "allowed", ("Mijn Acme",)),
        LexiconEntry("product_names", "denied", ("Werkbank",)),
    ]
    one, other = found.values()
    assert one.why == (
        "in 2 answers rated 4 or 5, and on none of the pages that the bot was given; "
        "start.md has it"
    )
    assert (one.count, one.answers) == (2, ("name-0", "name-1"))
    assert other.why == "in 2 answers rated 1 or 2, and in none with a higher rating"
    assert (other.count, other.answers) == (2, ("untrue-0", "untrue-1"))


def test_a_name_in_as_many_untrue_answers_is_not_allowed():
    untrue = turns_of(ALLOWED, 1, "wrong")
    assert {one.entry.name for one in names(answers_of(*untrue), {}) if one.entry} == {"Werkbank"}


def test_what_is_sent_needs_no_name_and_what_is_held_no_denial():
    """All is sent by one profile, and nothing by the other."""
    turns = turns_of(ALLOWED, 5, "a") + turns_of(UNTRUE, 1, "b")
    for line, part in ((1.0, "denied"), (5.0, "allowed")):
        profile = dataclasses.replace(OWN, block_below=1.0, send_from=line, review_on=frozenset())
        found = names(Answers(profile, turns), {})
        assert {one.entry.part for one in found if one.entry} == {part}


def test_words_in_the_same_place_on_two_pages_are_synonyms(known: Answers):
    (found,) = word_pairs(known)
    assert found.entry == LexiconEntry("synonyms", "verbs", ("migreren", "verplaatsen"))
    assert (found.count, found.answers) == (2, ("word-0", "word-1"))
    assert not list(word_pairs(Answers(OWN, turns_of(SYNONYMS[:1], 5, "word"))))


def test_names_of_a_log_are_suggested_when_many_answers_have_them():
    log = turns_of(ALLOWED, None, "log") + turns_of(ALLOWED, None, "more")
    profile = Profile.load("default")
    assert not list(names(Answers(profile, log[:2]), {}))
    (found,) = names(Answers(profile, log), {})
    assert found.why == (
        "in 4 answers of the log, and on no page: allow it if it exists, else the bot makes it up"
    )


def test_pages_beside_untrue_answers_are_to_mend(known: Answers):
    (found,) = page_faults(known)
    assert (found.page, found.count, found.answers) == ("loon", 2, ("untrue-2", "untrue-3"))


def test_a_log_is_thinned_evenly():
    turns = turns_of(TRUE * 10, None, "log")
    assert [one.id for one in thinned(iter(turns), 2)] == ["log-0", "log-8", "log-16"]


def test_groups_that_share_a_word_are_joined_and_taken_apart(tmp_path: Path):
    one = LexiconEntry("synonyms", "verbs", ("klikken", "kiezen"), about="one")
    other = LexiconEntry("synonyms", "nouns", ("klikken", "tikken"), about="other")
    put(tmp_path, "nl", [one])
    put(tmp_path, "nl", [other])
    (joined,) = read(tmp_path, "nl")
    assert joined.words == ("kiezen", "klikken", "tikken")
    take_out(tmp_path, "nl", [other])
    (left,) = read(tmp_path, "nl")
    assert left.words == ("kiezen", "klikken")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    company = company_of(tmp_path, "Acme", {f"{name}.md": text for name, text in PAGES.items()})
    about = {"message_type": "instruction", "language": "nl"}
    rated = [
        {"id": f"{start}-{at}", "question": asked, "answer": said, "contexts": [page], "rating": n}
        for start, (rows, n) in JUDGED.items()
        for at, (page, asked, said) in enumerate(rows)
        if start != "word"
    ]
    write_log(company.rated, *(row | about for row in rated))
    return company.path


def test_the_command_suggests_applies_and_remembers(klopt, folder: Path):
    run = klopt("company", "suggest", folder, "--json")
    rows = {row["does"]: row for row in run.rows}
    assert run.code == 0
    assert set(rows) == {"allow the name “Mijn Acme”", "deny the name “Werkbank”", "mend loon.md"}
    allow, deny = rows["allow the name “Mijn Acme”"], rows["deny the name “Werkbank”"]
    assert allow["answers"] == ["name-0", "name-1"]
    decided = "--apply", allow["id"], "--reject", deny["id"]
    run = klopt("company", "suggest", folder, *decided)
    output = f"{run.out}{run.err}"
    assert f"accepted: {allow['id']}, allow the name “Mijn Acme”" in output
    assert f"What it does to answers: klopt company check {folder}" in output
    assert read_lexicon(folder / "nl" / "product_names.toml").lists["allowed"] == ("Mijn Acme",)
    left = klopt("company", "suggest", folder, "--json").rows
    assert [row["does"] for row in left] == ["mend loon.md"]
    status = {one.id: one.status for one in Suggestions.read(folder).all}
    assert (status[allow["id"]], status[deny["id"]]) == ("accepted", "rejected")


def test_the_command_says_what_is_wrong(klopt, folder: Path):
    said = partial(klopt, "company", "suggest", folder)
    assert "there is no suggestion" in said("--apply", "terms-1").err
    assert not (folder / "suggestions.toml").exists()
    assert "either --apply or --reject" in said("--apply", "a-1", "--reject", "a-1").err
    (folder / "rated.jsonl").unlink()
    assert "give --rated FILE, --log FILE, or both" in said().err


def test_in_tables_texts_are_only_texts(klopt, folder: Path, monkeypatch: pytest.MonkeyPatch):
    hostile = LexiconEntry("product_names", "allowed", ("[red]\x1b[31mVerlof",))
    found = [
        Suggestion("nl", "in 2 answers", hostile, examples=("Een [b]zin[/b].",), answers=("1",)),
        Suggestion("nl", "2 answers go wrong beside this page", page="verlof"),
    ]
    monkeypatch.setattr("klopt.cli.company.suggest.suggest", lambda *_: found)
    monkeypatch.setattr("klopt.cli.company.suggest.Answers", lambda *_: None)
    run = klopt("company", "suggest", folder, "--format", "table")
    output = f"{run.out}{run.err}"
    assert run.code == 0
    assert "allow the name “[red]" in output
    assert "\x1b[31mVerlof" not in output
    assert "In 2 answers. For example: Een [b]zin[/b]. Answers: 1." in output
    assert "mend verlof" in output
    assert f"--apply {found[0].id}" in output
    found.clear()
    assert klopt("company", "suggest", folder).err == "Nothing to suggest from 8 answers.\n"
