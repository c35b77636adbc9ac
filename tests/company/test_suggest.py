"""``klopt company suggest``: its suggestions, and the decisions that it stores."""

from itertools import chain

import pytest

from klopt import Page, Turn
from klopt.company.folder import ProductName, read_names
from klopt.company.suggestions import (
    MIN_LOGGED_ANSWERS,
    ScoredAnswer,
    Suggestions,
    contradicted_pages,
    score_answers,
    unknown_names,
)
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from tests.cli.conftest import write_log
from tests.company.reviewed import PROFILE, company_of

OWN = Profile.read(PROFILE.split("[languages")[0], where="acme", folder=None)
PAGES = {
    "verlof": "# Verlof aanvragen\n\n1. Klik op **Nieuw verlof**.\n2. Vul het veld **Begindatum** "
    "in.\n3. Klik op **Indienen**.\n\nDe **Werkbank** vervalt.",
    "ziek": "# Ziek melden\n\n1. Open het overzicht **Verzuim**.\n2. Klik op **Ziek melden**.\n",
    "loon": "# Loonstrook bekijken\n\nU vindt de loonstrook in het overzicht **Salaris**. Een "
    "voorschot is hoogstens 250 euro.",
}
Rows = tuple[tuple[str, str, str], ...]
UNKNOWN = (
    ("verlof", "Hoe vraag ik verlof aan?", "Klik in **Mijn Acme** op **Nieuw verlof**."),
    ("ziek", "Hoe meld ik mij ziek?", "Open in **Mijn Acme** het overzicht **Verzuim**."),
)
UNTRUE = (
    ("verlof", "Hoe trek ik verlof in?", "De **Werkbank** vervalt. Klik op **Nieuw verlof**."),
    ("loon", "Hoe hoog is een voorschot?", "Een voorschot is hoogstens 400 euro."),
    ("loon", "Wat krijg ik als voorschot?", "Een voorschot is hoogstens 900 euro."),
)
TRUE = (
    ("loon", "Waar staat mijn loonstrook?", "In het overzicht **Salaris**."),
    ("verlof", "Wat vul ik bij verlof in?", "U vult het veld **Begindatum** in."),
)
RATED = {"name": (UNKNOWN, 5), "true": (TRUE, 5), "untrue": (UNTRUE, 1)}


def turns_of(rows: Rows, rating: float | None, start: str) -> list[Turn]:
    about = {"language": "nl", "message_type": "instruction", "rating": rating}
    return [
        Turn(question, answer, [Page(PAGES[page], id=page)], f"{start}-{number}", **about)
        for number, (page, question, answer) in enumerate(rows)
    ]


def answers_of(*more: Turn) -> list[ScoredAnswer]:
    every = (turns_of(*rows, start) for start, rows in RATED.items())
    return score_answers(Scorer(OWN), [*chain.from_iterable(every), *more])


@pytest.fixture(scope="module")
def known():
    return answers_of()


@pytest.mark.parametrize(
    ("pages", "why"),
    [
        ({}, "on no page"),
        (
            {"start.md": Page("# Mijn Acme", id="start")},
            "on none of the pages the bot was given; start.md has it",
        ),
    ],
)
def test_a_name_of_true_answers_is_suggested(known, pages, why):
    (found,) = unknown_names(known, pages)
    assert (found.name, found.answers) == ("Mijn Acme", ("name-0", "name-1"))
    assert found.why == f"in 2 answers rated 4 or 5, and {why}"
    assert found.examples == tuple(answer.replace("**", "") for _, _, answer in UNKNOWN)


def test_a_name_of_as_many_untrue_answers_is_not_suggested():
    assert not list(unknown_names(answers_of(*turns_of(UNKNOWN, 1, "wrong")), {}))


def test_a_name_in_enough_answers_of_a_log_is_suggested():
    log = turns_of(UNKNOWN * 2, None, "log")
    answers = score_answers(Scorer.load(), log)
    assert not list(unknown_names(answers[: MIN_LOGGED_ANSWERS - 1], {}))
    (found,) = unknown_names(answers, {})
    assert (found.reason, len(found.answers)) == ("logged_nowhere", 4)


def test_pages_that_untrue_answers_contradict_are_suggested(known):
    (found,) = contradicted_pages(known)
    assert (found.page, found.answers) == ("loon", ("untrue-1", "untrue-2"))
    assert not list(contradicted_pages(score_answers(Scorer(OWN), turns_of(UNTRUE[:2], 1, "a"))))


@pytest.fixture
def folder(tmp_path):
    company = company_of(tmp_path, "Acme", {f"{name}.md": text for name, text in PAGES.items()})
    about = {"message_type": "instruction", "language": "nl"}
    rated = [
        {"id": f"{start}-{at}", "question": one, "answer": text, "contexts": [page], "rating": n}
        for start, (rows, n) in RATED.items()
        for at, (page, one, text) in enumerate(rows)
    ]
    write_log(company.rated, *(row | about for row in rated))
    return company.path


def test_the_command_suggests_applies_and_stores_decisions(klopt, folder):
    run = klopt("company", "suggest", folder, "--format", "jsonl")
    rows = {row["does"]: row for row in run.rows}
    assert run.code == 0
    assert set(rows) == {"allow the name “Mijn Acme”", "improve loon.md"}
    allow, page = rows.values()
    assert allow["answers"] == ["name-0", "name-1"]
    run = klopt("company", "suggest", folder, "--apply", allow["id"], "--reject", page["id"])
    assert run.out.splitlines() == [
        f"accepted: {allow['id']}, allow the name “Mijn Acme”",
        f"rejected: {page['id']}, improve loon.md",
    ]
    assert f"klopt company check {folder}" in run.err
    assert read_names(folder, "nl") == [ProductName("Mijn Acme")]
    run = klopt("company", "suggest", folder)
    assert run.err.startswith("Nothing to suggest from 7 answers.\n7 of 50 ratings.\nNext:\n")
    status = {one.id: one.status for one in Suggestions.read(folder).all}
    assert status == {allow["id"]: "accepted", page["id"]: "rejected"}


def test_a_denied_name_is_not_suggested(klopt, folder):
    klopt("company", "deny", folder, "mijn acme")
    run = klopt("company", "suggest", folder, "--format", "jsonl")
    assert [row["does"] for row in run.rows] == ["improve loon.md"]


def test_an_example_is_shown_once():
    answers = score_answers(Scorer(OWN), turns_of([UNTRUE[1]] * 3, 1, "a"))
    (found,) = contradicted_pages(answers)
    assert (len(found.answers), len(found.examples)) == (3, 1)
