"""Claims in an assessment: offsets, faults and quoted stretches."""

import re
from dataclasses import replace

import pytest

from klopt import Page, Profile, Scorer, Turn
from klopt.scoring.assessment import CheckedClaim
from klopt.scoring.explanation import window
from klopt.scoring.measuring import with_unknown_names
from klopt.types import Evidence, Measurement

TEXTS = {
    "nl": ("Hoe sluit ik alle vensters?", "U sluit *alle* vensters met **Alt+F8**. Wacht even."),
    "en": ("How do I close all windows?", "You close *all* windows with **Alt+F8**. Hold on."),
}
PAGES = {
    "nl": "Hier leest u meer.\n\nU sluit alle vensters met **Alt+F7**.",
    "en": "Here you read more.\n\nYou close all windows with **Alt+F7**.",
}
TURNS = [
    Turn(*TEXTS[language], [Page(PAGES[language], id="vensters.md")], language=language)
    for language in TEXTS
]


def comparing(fault_below: float, **changes: object) -> Profile:
    """The default profile with the weakest claim; above 1 every claim is at fault, at 0 none."""
    default = Profile.load()
    weights = {**default.weights, "weakest_statement": 1.0}
    options = {**default.options, "weakest_statement": {"fault_below": fault_below}}
    return replace(default, weights=weights, options=options, **changes)


ALL_FAULTS = Scorer(
    comparing(1.1, review_on=("weakest_statement",), send_from=1.0, block_below=1.0)
)
NO_FAULTS = Scorer(comparing(0.0, review_on=("weakest_statement",)))


@pytest.mark.parametrize("turn", TURNS, ids=TEXTS)
def test_offsets_refer_to_the_original_texts(turn):
    first, *_ = ALL_FAULTS.score(turn).claims
    assert turn.answer[first.start : first.end].endswith("**Alt+F8**.")
    assert first.passage.page == "vensters.md"
    passage = turn.pages[0].text[first.passage.start : first.passage.end]
    assert passage.endswith("**Alt+F7**.")
    assert [mine[-6:] + theirs[-6:] for mine, theirs in first.rivals] == ["Alt+F8Alt+F7"]
    assert [first.text[slice(*span)] for span in first.wrong] == ["Alt+F8"]
    for slot in first.slots:
        for text, words in ((turn.answer, slot.claim), (turn.pages[0].text, slot.page)):
            assert words is None or text[words.start : words.end] == words.text
    assert len(first.slots) == len(set(first.slots))


SAVINGS = """## Goal Saver

Set an amount and date. From the third withdrawal in a calendar year we charge 1% of the amount.

## Notice Saver

Tap **Give notice** and enter the amount."""


def test_slots_lie_within_the_passage():
    answer = "The Notice Saver pays 1.90% per year."
    found = Scorer.load().score("What does the Notice Saver pay?", answer, [SAVINGS]).claims
    assert any(one.page for one in found[0].slots)
    for claim in found:
        for slot in (one.page for one in claim.slots if one.page):
            assert claim.passage.start <= slot.start < slot.end <= claim.passage.end


@pytest.mark.parametrize(
    ("language", "names"),
    [("nl", ("Roosterbord", "Zilverlade")), ("en", ("Rota board", "Silver drawer"))],
)
def test_a_name_on_no_page_is_a_fault_of_its_claim(language, names):
    texts = {
        "nl": ("Hoe pas ik mijn rooster aan?", "Open **{}**. Het rooster geldt vanaf maandag."),
        "en": ("How do I change my rota?", "Open **{}**. The rota holds from Monday."),
    }
    question, text = texts[language]
    known, unknown = names
    for name, is_fault in ((known, False), (unknown, True)):
        found = Scorer.load().score(question, text.format(name), [text.format(known)])
        assert (found.verdict == "send") is not is_fault
        first, second = found.claims
        assert first.fault is is_fault
        assert (first.relation == "supported") is not is_fault
        assert not second.fault
        assert second.relation == "supported"


def test_an_unknown_name_changes_only_its_own_claim():
    first = CheckedClaim("Open Kast.", 0, 14, "supported", False, 0.9, None, ())
    denied = replace(first, start=20, end=40, relation="contradicted")
    at = [Evidence("unsupported", "Kast", 7, 11), Evidence("supported", "Slot", 22, 26)]
    names = Measurement(0.5, evidence=tuple(at))
    found = with_unknown_names((first, denied), names)
    assert found == (replace(first, relation="not_stated", fault=True), denied)
    names = Measurement(0.0, evidence=(Evidence("unsupported", "Slot", 22, 26),))
    assert with_unknown_names((first, denied), names) == (first, replace(denied, fault=True))
    assert with_unknown_names((first,), None) == (first,)


@pytest.mark.parametrize("turn", TURNS, ids=TEXTS)
def test_a_fault_lies_below_the_threshold_of_the_profile(turn):
    answer = turn.answer.replace("Alt+F8", "Alt+F7")  # a known name
    # A claim on no page is a fault of an answer that would be sent, whatever the threshold.
    turn = replace(turn, answer=re.sub(r"\s*(Wacht even|Hold on)\.", "", answer))
    for scorer, is_fault in ((ALL_FAULTS, True), (NO_FAULTS, False)):
        found = scorer.score(turn)
        assert found.claims
        assert is_fault or "de pagina zegt" not in found.explanation
        for claim in found.claims:
            assert claim.fault is is_fault
            assert 0 <= claim.truth <= 1
            assert not (claim.fault and claim.relation == "supported")
        weakest = found.measurements.get("weakest_statement")
        if weakest is not None:
            marked = [(one.start, one.end) for one in weakest.evidence]
            assert marked == [(one.start, one.end) for one in found.claims if one.fault]


LONG = "x" * 60
WINDOWS = [
    ("Kies een datum. Wacht negentig dagen.", 22, 15, "Wacht negentig"),
    ("Kies een datum.\nWacht negentig dagen.", 22, 15, "Wacht negentig"),
    ("Kies een datum\nWacht negentig dagen.", 22, 60, "Wacht negentig dagen."),
    ("Kies 3.28 en wacht.", 13, 60, "Kies 3.28 en wacht."),
    ("Kies een datum. Wacht.", 0, 60, "Kies een datum. Wacht."),
    ("Kies een datum. Wacht negentig dagen.", 22, 8, "negentig"),
    (f"Kies {LONG}", 5, 20, f"Kies {LONG[:15]}"),
    (LONG, 50, 20, LONG[:10]),
    (LONG, 0, 20, LONG[:20]),
    ("", 0, 20, ""),
]


@pytest.mark.parametrize(("text", "first", "most", "expected"), WINDOWS)
def test_a_window_starts_with_its_sentence_or_line_and_is_not_empty(text, first, most, expected):
    start, end = window(text, first, most)
    assert text[start:end] == expected
    assert end - start <= most
