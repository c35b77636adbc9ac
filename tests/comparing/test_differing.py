"""What differs between a statement and its place: marks, and words beside words."""

from __future__ import annotations

import pytest

from klopt import lexicons
from klopt.comparing import Finding, most_true
from klopt.comparing.findings import Stretch, differing, side_by_side
from klopt.comparing.statements import says_of
from klopt.matching.language import Language
from klopt.records import Page

DUTCH = Language(lexicons.load("nl"))


def span(text: str, words: str | None) -> tuple[int, int] | None:
    return None if words is None else (text.index(words), text.index(words) + len(words))


def found(claim: str, page: str, *findings: tuple[str, str, str | None, str | None]):
    own, there = (DUTCH.page(Page(text)).reading for text in (claim, page))
    given = [
        Finding(kind, side, span(claim, mine), span(page, theirs))
        for kind, side, mine, theirs in findings
    ]
    one = differing(
        given, Stretch(own, 0, len(claim)), Stretch(there, 0, len(page)), DUTCH.relations
    )
    claims = [claim[slice(*each)] for each in one.claim]
    return claims, [page[slice(*each)] for each in one.page], list(one.rivals)


MARKS = [
    # what differs
    ("Betaal binnen 60 dagen.", "Betaal binnen 90 dagen.", [("value", "against", "60", "90")],
     (["60"], ["90"], [("binnen 60 dagen", "binnen 90 dagen")])),
    ("Dat is mogelijk.", "Dat is niet meer mogelijk.",
     [("negation", "against", "mogelijk", "meer")],
     ([], ["niet meer"], [])),
    ("Het duurt 60 dagen.", "De helft telt 90 dagen.",
     [("replaced", "against", "duurt", "telt"), ("value", "against", "60", "90")],
     (["60"], ["90"], [("60 dagen", "90 dagen")])),
    ("Het bureau kan open.", "Het loket is dicht.", [("opposite", "against", "kan open", "dicht")],
     (["kan open"], ["dicht"], [])),
    ("Kies 60 of drie.", "Kies 90 of vier.",
     [("value", "against", "60", "90"), ("figure", "against", "drie", "vier")],
     (["60", "drie"], ["90", "vier"], [("of drie", "of vier"), ("Kies 60 of", "Kies 90 of")])),
    ("De balie wist de pas.", "De pas wordt bewaard.", [("wrong", "against", "wist", None)],
     (["wist"], [], [])),
    ("Kies Rapport.", "Kies een datum.", [("name", "open", "Rapport", None)],
     (["Rapport"], [], [])),
    # what does not
    ("Betaal tot 60 dagen na de datum.", "Betaal tot 90 dagen na de datum.",
     [("order", "against", "tot", "na")], ([], [], [])),
    ("Dit kan niet.", "Nu kan dit niet.", [("negation", "against", "kan", "niet")], ([], [], [])),
    ("Betaal 90 euro.", "Betaal 90 euro.", [("value", "for", "90", "90")], ([], [], [])),
    ("Kies een printer.", "Kies de printers.", [("wrong", "against", "printer", None)],
     ([], [], [])),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "page", "findings", "expected"), MARKS)
def test_only_words_that_the_other_side_has_not_are_marked(claim, page, findings, expected):
    assert found(claim, page, *findings) == expected


def test_what_is_open_is_marked_only_where_nothing_speaks_against():
    claims, _, _ = found(
        "Kies Rapport binnen 60 dagen.",
        "Kies iets binnen 90 dagen.",
        ("name", "open", "Rapport", None),
        ("value", "against", "60", "90"),
    )
    assert claims == ["60"]


BESIDE = [
    # both have a word before, after or at the end of them
    ("Dat kan op de tweede werkdag.", "tweede", "Dit mag op de derde werkdag pas.", "derde",
     ("op de tweede werkdag", "op de derde werkdag")),
    ("Kies Geel.", "Geel", "Kies Blauw of Rood.", "Blauw", ("Kies Geel", "Kies Blauw")),
    ("Het staat standaard uit.", "uit", "Dit is standaard ingeschakeld.", "ingeschakeld",
     ("standaard uit", "standaard ingeschakeld")),
    ("Per vel 14 stuks.", "14 stuks", "Druk er vier stuks van af.", "vier stuks",
     ("14 stuks", "vier stuks")),
    ("Het kan 60 dagen na de datum.", "60 dagen", "Tot 90 dagen na de datum.", "90 dagen",
     ("60 dagen", "90 dagen")),
    ("In het veld Filter.", "Filter", "Vul het veld Afw.-filter in.", "Afw",
     ("het veld Filter", "het veld Afw.-filter")),
    # nobody could read them
    ("Een begin is uitgesloten.", "uitgesloten", "Waar de datum kan liggen.", "kan", None),
    ("Tot 60 km. Niet meer.", "60", "Nooit 90 mijl.", "90", None),
    ("Klik dan. Op F2 drukken.", "F2", "Klik dan op Ctrl.", "Ctrl", ("Op F2", "op Ctrl")),
    ("Kies dan. Nu.", "Nu", "Kies dan nooit.", "nooit", None),
    ("Start nu", "nu", "Start.\nnooit", "nooit", None),
    ("Sla het op.", "op", "Sla het OP!", "OP", None),
    ("", "", "", "", None),
]  # fmt: skip


@pytest.mark.parametrize(("mine", "own", "theirs", "other", "pair"), BESIDE)
def test_words_stand_beside_each_other_with_what_both_have_around_them(
    mine, own, theirs, other, pair
):
    assert side_by_side(mine, span(mine, own), theirs, span(theirs, other)) == pair


@pytest.mark.parametrize(
    ("kind", "side", "contradicted", "most"),
    [
        ("value", "against", 0.5, 0.5),
        ("negation", "against", 0.7, 0.3),
        ("role", "against", 0.6, 0.4),
        ("value", "against", 0.49, 1.0),
        ("replaced", "against", 0.7, 1.0),
        ("value", "open", 0.7, 1.0),
        ("value", "open", 0.9, 0.1),
    ],
)
def test_what_is_found_and_likely_denied_is_not_outvoted(kind, side, contradicted, most):
    one = Finding(kind, side, (0, 1), None)
    assert most_true((0.0, contradicted, 1 - contradicted), [one]) == pytest.approx(most)


@pytest.mark.parametrize(
    ("truth", "stands", "chances", "said"),
    [
        (0.9, True, (0.5, 0.3, 0.2), "supported"),
        (0.9, True, (0.3, 0.5, 0.2), "not_stated"),
        (0.9, False, (0.5, 0.3, 0.2), "not_stated"),
        (0.2, False, (0.5, 0.3, 0.2), "contradicted"),
    ],
)
def test_a_place_supports_what_it_is_likeliest_to_say(truth, stands, chances, said):
    assert says_of(truth, stands, chances) == said
