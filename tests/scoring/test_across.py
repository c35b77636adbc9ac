"""A statement is put beside the sentence that is nearest in meaning, unless a place denies it."""

from __future__ import annotations

import pytest

from klopt import Page, lexicons
from klopt.comparing import Finding, Statement
from klopt.comparing.passages import Passage
from klopt.heuristics import Material
from klopt.matching import Context, Language
from klopt.scoring.across import Nearness

PAGES = (
    "De proeftijd duurt 30 dagen.",
    "Een retour duurt langer. U krijgt uw geld na 14 dagen terug.",
)
ANSWER = "Vous êtes remboursé au bout de quatorze jours."
FOR = (Finding("value", "for", (0, 4), (20, 22)),)
AGAINST = (Finding("role", "against", (0, 4), (20, 22)),)


@pytest.fixture(scope="module")
def material() -> Material:
    language = Language(lexicons.load("nl"))
    read = language.reader.read
    contexts = [Context(str(one), language.page(Page(text))) for one, text in enumerate(PAGES)]
    return Material(read("Quand suis-je remboursé ?"), read(ANSWER), tuple(contexts), language)


def moved(material: Material, share: float | None, findings: tuple[Finding, ...]) -> Statement:
    passage = None if share is None else Passage(0, 0, 0, share, (0, len(PAGES[0])))
    denied = 0.9 if findings == AGAINST else 0.1
    statement = Statement(
        *(0, 0, len(ANSWER), 0.7, "not_stated", False, passage),
        chances=(0.9 - denied, denied, 0.1),
        findings=findings,
    )
    return Nearness().apply(material, [statement])[0]


@pytest.mark.parametrize(
    ("share", "findings", "page", "kept"),
    [
        (None, (), 1, ()),
        (0.2, (), 1, ()),
        (0.2, FOR, 1, ()),  # what was found stands on the page that it is no longer beside
        (0.6, FOR, 0, FOR),
        (0.2, AGAINST, 0, AGAINST),
    ],
)
def test_what_was_found_goes_with_its_place(material, share, findings, page, kept):
    statement = moved(material, share, findings)
    assert statement.passage is not None
    assert (statement.passage.page, statement.findings) == (page, kept)
    if page == 1:
        start, end = statement.passage.span
        assert PAGES[1][start:end] == "U krijgt uw geld na 14 dagen terug."


def test_a_place_that_denies_is_not_outvoted(material):
    assert moved(material, 0.6, AGAINST).truth <= 0.7 < moved(material, 0.6, FOR).truth


def test_pages_without_sentences_move_nothing(material):
    empty = Material(material.question, material.answer, (), material.language)
    statement = moved(material, 0.6, FOR)
    assert Nearness().apply(empty, [statement]) == (statement,)
