"""``klopt company show``, ``lines``, ``allow`` and ``deny``."""

from __future__ import annotations

import dataclasses
import re
import tomllib

import pytest

from klopt.company.entries import LexiconEntry, put, read
from klopt.company.folder import Company
from klopt.company.lines import Changed, Sending, changed
from klopt.company.settings import Settings
from klopt.records import Turn
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer

CUSTOMERS = """[profile]
name = "customers"
extends = "profile.toml"

[verdict]
send_from = 4.5
"""


def test_flat_is_a_profile_that_stands_alone_and_says_where_each_line_is_from(klopt, acme: Company):
    (acme.path / "customers.toml").write_text(CUSTOMERS, "utf-8")
    run = klopt("company", "show", acme.path, "--flat", "--profile", "customers.toml")
    assert run.code == 0
    text = run.out.replace(f"{acme.path}/", "")
    assert "extends" not in text
    for line in (
        'name = "customers" # customers.toml',
        'classifier = "scored" # default',
        '  "nl", # profile.toml',
        "[heuristics.denied_names] # profile.toml",
        "[[tree]] # default",
        "block_below = 2.8 # default",
        "send_from = 4.5 # customers.toml",
    ):
        assert line in text.splitlines(), line
    alone = acme.path / "alone.toml"
    alone.write_text(run.out, "utf-8")
    both = [Profile.load(path) for path in (alone, acme.path / "customers.toml")]
    first, second = (dataclasses.replace(one, digest="") for one in both)
    assert first == second


def test_flat_of_a_profile_that_replaces_a_whole_table_has_nothing_of_the_other(acme: Company):
    more = "\n[evidence.nl]\nbase = 0.1\n[evidence.nl.step_order]\nweight = 1.0\nneutral = 1.0\n"
    acme.profile.write_text(acme.profile.read_text("utf-8") + more, "utf-8")
    table = tomllib.loads(Settings.of(acme.profile).text())
    assert list(table["evidence"]["nl"]) == ["base", "step_order"]
    assert "statements_hold" in table["evidence"]["en"]


def test_show_counts_what_the_folder_holds(klopt, acme: Company):
    put(acme.path, "nl", [LexiconEntry("synonyms", "nouns", ("chef", "leidinggevende"))])
    run = klopt("company", "show", acme.path)
    assert run.code == 0
    lines = [" ".join(line.split()) for line in run.out.splitlines()]
    assert "nl/company_terms.toml terms 2 verlofsaldo, verlofscherm" in lines
    assert "nl/synonyms.toml nouns 1 chef = leidinggevende" in lines
    assert re.search(r"blocked\s+below 2\.8\s+\(default\)", run.out)
    assert klopt("company", "show", acme.path / "nl").code == 3


def test_lines_show_what_they_would_do_before_they_are_written(klopt, acme: Company):
    before = acme.profile.read_bytes()
    run = klopt("company", "lines", acme.path, "--send-from", "2", "--block-below", "1.5")
    assert run.code == 0, run.err
    flat = " ".join(run.out.split())
    assert "untrue, of what is sent" in flat
    assert "of 4 would change:" in flat
    assert acme.profile.read_bytes() == before
    run = klopt("company", "lines", acme.path)
    rows = [line.split(maxsplit=1) for line in run.out.splitlines() if line[:1].isdigit()]
    assert [row[0] for row in rows] == [
        *("3", "3.2", "3.4", "3.6", "3.8", "4", "4.2", "4.4", "4.6", "4.8", "5")
    ]
    now = Profile.load()
    assert f"now (send from {now.send_from:g}, block below {now.block_below:g})" in run.out
    run = klopt("company", "lines", acme.path, "--send-from", "4.9", "--write")
    assert f"Written to {acme.profile}: send_from 4.9." in run.out.splitlines()
    assert acme.load().send_from == 4.9
    assert acme.profile.read_text("utf-8").startswith(before.decode().partition("[verdict]")[0])


def test_lines_that_cannot_be_are_refused(klopt, acme: Company):
    run = klopt("company", "lines", acme.path, "--send-from", "2", "--write")
    assert run.code == 2
    told = f"sent from 2 and blocked below {Profile.load().block_below:g}: give --block-below too"
    assert told in " ".join(run.err.split())
    assert acme.load().send_from == Profile.load().send_from
    assert klopt("company", "lines", acme.path, "--write").code == 2
    assert klopt("company", "lines", acme.path, "--send-from", "7").code == 2
    acme.rated.unlink()
    run = klopt("company", "lines", acme.path)
    assert run.code == 3
    assert "there is no such file; rate answers with `klopt company review " in run.err
    assert run.err.endswith(", or give rated ones by --rated FILE\n")


@pytest.fixture(scope="module")
def scored():
    """An assessment that is copied with other verdicts."""
    return Scorer.load().score(Turn("Hoe sluit ik af?", "Met Alt+F7.", ["Sluit af met Alt+F7."]))


def test_the_worst_changes_come_first(scored):
    moves = (
        ("better", 5, "review", "send"),
        ("neither", 3, "review", "send"),
        ("held", 5, "send", "review"),
        ("same", 1, "send", "send"),
        ("unblocked", 1, "block", "review"),
        ("less", 2, "review", "send"),
        ("sent", 1, "review", "send"),
        ("unrated", None, "send", "unscored"),
    )
    turns = [Turn("Kan dat?", "Ja.", id=name, rating=rating) for name, rating, *_ in moves]
    before, after = (
        [dataclasses.replace(scored, verdict=move[place]) for move in moves] for place in (2, 3)
    )
    found = changed(turns, before, after)
    assert all(isinstance(one, Changed) for one in found)
    assert [one.turn.id for one in found] == [
        "sent",
        "less",
        "held",
        "unblocked",
        "neither",
        "unrated",
        "better",
    ]
    sending = Sending.of(turns, after)
    assert (sending.sent.value, sending.sent.n) == (5 / 7, 7)
    assert (sending.untrue_sent.value, sending.untrue_sent.n) == (3 / 4, 4)
    assert (sending.true_held.value, sending.untrue_held.value) == (0.5, 0.25)
    assert (sending.blocked.value, sending.unscored.value) == (0.0, 1 / 8)


def test_allow_and_deny(klopt, acme: Company):
    run = klopt("company", "allow", acme.path, "Urenbriefje", "Afwezig  melden")
    assert run.code == 0, run.err
    first, second = run.out.splitlines()
    assert first == "nl/product_names.toml, allowed: Urenbriefje, Afwezig melden."
    assert second == f"Which answers that moves: klopt company check {acme.path}"
    run = klopt("company", "deny", acme.path, "Urenbriefje")
    assert run.err == "Warning: no longer allowed: Urenbriefje\n"
    names = [
        (one.part, one.name) for one in read(acme.path, "nl") if one.lexicon != "company_terms"
    ]
    assert names == [("allowed", "Afwezig melden"), ("denied", "Urenbriefje")]
    run = klopt("company", "deny", acme.path, "Urenbriefje", "--forget")
    assert run.out.startswith("nl/product_names.toml, no longer denied: Urenbriefje.\n")
    assert [one.name for one in read(acme.path, "nl") if one.part == "denied"] == []


def test_allow_asks_for_the_language_and_refuses_what_is_no_name(klopt, acme: Company):
    assert klopt("company", "allow", acme.path, " ").code == 2
    text = acme.profile.read_text("utf-8") + '\n[languages.en]\nlexicons = ["en"]\n'
    acme.profile.write_text(text, "utf-8")
    english = LexiconEntry("company_terms", "terms", ("leave",))
    put(acme.path, "en", [english])
    run = klopt("company", "allow", acme.path, "Time sheet")
    assert run.code == 2
    assert "has lexicons of nl, en; say of which by --language" in run.err
    run = klopt("company", "allow", acme.path, "Time sheet", "--language", "en")
    assert run.out.startswith("en/product_names.toml, allowed: Time sheet.\n")
