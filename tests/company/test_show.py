"""``klopt company show``, ``lines``, ``allow`` and ``deny``."""

from __future__ import annotations

import dataclasses
import tomllib

import pytest

from klopt.company.entries import LexiconEntry, put
from klopt.company.folder import Company
from klopt.company.lines import Changed, Sending, changed
from klopt.records import Turn
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer

CUSTOMERS = """[profile]
name = "customers"
extends = "profile.toml"

[verdict]
send_from = 4.5
"""


def test_flat_is_a_profile_that_stands_alone(klopt, acme: Company):
    """Of a table that the nearer profile replaces it has nothing of the other's."""
    more = "\n[evidence.nl]\nbase = 0.1\n[evidence.nl.step_order]\nweight = 1.0\nneutral = 1.0\n"
    acme.profile.write_text(acme.profile.read_text("utf-8") + more, "utf-8")
    (acme.path / "customers.toml").write_text(CUSTOMERS, "utf-8")
    run = klopt("company", "show", acme.path, "--flat", "--profile", "customers.toml")
    table = tomllib.loads(run.out)
    assert "extends" not in table["profile"]
    assert list(table["evidence"]["nl"]) == ["base", "step_order"]
    alone = acme.path / "alone.toml"
    alone.write_text(run.out, "utf-8")
    both = [Profile.load(path) for path in (alone, acme.path / "customers.toml")]
    first, second = (dataclasses.replace(one, digest="") for one in both)
    assert first == second


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
        *("held", "less", "sent", "unblocked", "neither", "unrated", "better")
    ]
    sending = Sending.of(turns, after)
    assert (sending.sent.value, sending.sent.n) == (5 / 7, 7)
    assert (sending.untrue_sent.value, sending.untrue_sent.n) == (3 / 5, 5)
    assert (sending.true_held.value, sending.untrue_held.value) == (0.5, 0.25)
    assert (sending.blocked.value, sending.unscored.value) == (0.0, 1 / 8)


def test_allow_asks_for_the_language(klopt, acme: Company):
    text = acme.profile.read_text("utf-8") + '\n[languages.en]\nlexicons = ["en"]\n'
    acme.profile.write_text(text, "utf-8")
    put(acme.path, "en", [LexiconEntry("company_terms", "terms", ("leave",))])
    run = klopt("company", "allow", acme.path, "Time sheet")
    assert run.code == 2
    assert "has lexicons of nl, en; say of which by --language" in run.err
    run = klopt("company", "allow", acme.path, "Time sheet", "--language", "en")
    assert run.out.startswith("en/product_names.toml, allowed: Time sheet.\n")
