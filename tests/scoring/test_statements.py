"""The statements of an answer beside the pages: places in the originals, faults, the words told."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from klopt import Page, Profile, Scorer, Turn
from klopt.comparing import Finding
from klopt.reading.text import read_plain
from klopt.records import Evidence, Measurement
from klopt.scoring.assessment import CheckedStatement, Quote, Slot
from klopt.scoring.explanation import window
from klopt.scoring.interpretation import Translate
from klopt.scoring.statements import slots_in, with_unknown_names
from klopt.translation.interpreter import MemoryInterpreter
from klopt.translation.memory import Memory
from tests.translation.fakes import trusted

SAYS = {
    "nl": ("Hoe sluit ik alle vensters?", "U sluit *alle* vensters met **Alt+F8**. Wacht even."),
    "en": ("How do I close all windows?", "You close *all* windows with **Alt+F8**. Hold on."),
}
PAGES = {
    "nl": "Hier leest u meer.\n\nU sluit alle vensters met **Alt+F7**.",
    "en": "Here you read more.\n\nYou close all windows with **Alt+F7**.",
}
TURNS = [
    Turn(*SAYS[language], [Page(PAGES[language], id="vensters.md")], language=language)
    for language in SAYS
]


def comparing(fault_below: float, **changes: object) -> Profile:
    """The default profile, measuring the weakest statement beside the rest.

    Above 1 every statement is at fault, at 0 none is.
    """
    default = Profile.load()
    weights = {**default.weights, "weakest_statement": 1.0}
    options = {**default.options, "weakest_statement": {"fault_below": fault_below}}
    return replace(default, weights=weights, options=options, **changes)


ALL_FAULTS = Scorer(
    comparing(1.1, review_on=("weakest_statement",), send_from=1.0, block_below=1.0)
)
NO_FAULTS = Scorer(comparing(0.0, review_on=("weakest_statement",)))


@pytest.mark.parametrize("turn", TURNS, ids=SAYS)
def test_offsets_are_those_of_the_originals(turn: Turn):
    first, *_ = ALL_FAULTS.score(turn).statements
    assert turn.answer[first.start : first.end].endswith("**Alt+F8**.")
    assert first.passage.page == "vensters.md"
    passage = turn.pages[0].text[first.passage.start : first.passage.end]
    assert passage.endswith("**Alt+F7**.")
    assert [one[0][-6:] + one[1][-6:] for one in first.rivals] == ["Alt+F8Alt+F7"]
    assert [first.text[slice(*span)] for span in first.wrong] == ["Alt+F8"]
    for slot in first.slots:
        for text, words in ((turn.answer, slot.claim), (turn.pages[0].text, slot.page)):
            assert words is None or text[words.start : words.end] == words.text
    assert len(first.slots) == len(set(first.slots))


@pytest.mark.parametrize(
    ("language", "names"),
    [("nl", ("Roosterbord", "Zilverlade")), ("en", ("Rota board", "Silver drawer"))],
)
def test_a_name_on_no_page_is_a_fault_of_its_statement_unless_the_answer_is_sent(language, names):
    say = {
        "nl": ("Hoe pas ik mijn rooster aan?", "Open **{}**. Het rooster geldt vanaf maandag."),
        "en": ("How do I change my rota?", "Open **{}**. The rota holds from Monday."),
    }
    question, text = say[language]
    known, unknown = names
    for name, is_fault in ((known, False), (unknown, True)):
        found = Scorer.load().score(question, text.format(name), [text.format(known)])
        assert (found.verdict == "send") is not is_fault
        first, second = found.statements
        assert first.fault is is_fault
        assert (first.relation == "supported") is not is_fault
        assert not second.fault
        assert second.relation == "supported"


@pytest.mark.parametrize("sign", ["**Q**", "Q", "`X`", "**+**", "<b>+</b>"])
@pytest.mark.parametrize("language", ["nl", "en"])
def test_a_button_of_one_letter_or_sign_on_no_page_is_told(language: str, sign: str):
    say = {
        "nl": ("Hoe sluit ik de kast?", "Klik op {}. De kast gaat na een minuut dicht."),
        "en": ("How do I close the cupboard?", "Click {}. The cupboard closes after one minute."),
    }
    question, text = say[language]
    page = text.format("**#**")
    assert Scorer.load().score(Turn(question, page, [page], language=language)).verdict == "send"
    found = Scorer.load().score(Turn(question, text.format(sign), [page], language=language))
    assert found.verdict != "send"
    assert f"“{sign.strip('*`<b>/')}”" in found.explanation


def test_only_a_statement_with_the_name_is_changed():
    first = CheckedStatement("Open Kast.", 0, 14, "supported", False, 0.9, None, ())
    denied = replace(first, start=20, end=40, relation="contradicted")
    at = [Evidence("unsupported", "Kast", 7, 11), Evidence("supported", "Slot", 22, 26)]
    names = Measurement(0.5, evidence=tuple(at))
    found = with_unknown_names((first, denied), names)
    assert found == (replace(first, relation="not_stated", fault=True), denied)
    names = Measurement(0.0, evidence=(Evidence("unsupported", "Slot", 22, 26),))
    assert with_unknown_names((first, denied), names) == (first, replace(denied, fault=True))
    assert with_unknown_names((first,), None) == (first,)


@pytest.mark.parametrize("turn", TURNS, ids=SAYS)
def test_a_fault_lies_below_the_line_of_the_profile(turn: Turn):
    answer = turn.answer.replace("Alt+F8", "Alt+F7")  # a name that is known
    # What no page says is a fault of an answer that would be sent, wherever the line lies.
    turn = replace(turn, answer=re.sub(r"\s*(Wacht even|Hold on)\.", "", answer))
    for scorer, is_fault in ((ALL_FAULTS, True), (NO_FAULTS, False)):
        found = scorer.score(turn)
        assert found.statements
        assert is_fault or "de pagina zegt" not in found.explanation
        for one in found.statements:
            assert one.fault is is_fault
            assert 0 <= one.truth <= 1
            assert not (one.fault and one.relation == "supported")
        evidence = found.measurements.get("weakest_statement")
        if evidence is not None:
            marked = [(one.start, one.end) for one in evidence.evidence]
            assert marked == [(one.start, one.end) for one in found.statements if one.fault]


def test_no_page_with_a_word_of_it_is_no_passage():
    turn = Turn("Hoe werkt de tuin?", "De kikker zwemt.", ["Fietsen staan buiten."], language="nl")
    [one] = ALL_FAULTS.score(turn).statements
    assert (one.passage, one.slots) == (None, ())


@pytest.mark.parametrize(
    "turn",
    [
        Turn(*SAYS["nl"], [], language="nl"),
        Turn(SAYS["nl"][0], "Sorry, daar heb ik geen antwoord op.", [PAGES["nl"]], language="nl"),
        Turn("Wie ist das?", "Das ist gut so.", [PAGES["nl"]], language="de"),
    ],
    ids=["refused", "no statement", "other language"],
)
def test_nothing_compared_is_no_statement(turn: Turn):
    assert ALL_FAULTS.score(turn).to_dict()["statements"] == []


def test_a_translated_turn_points_into_the_originals(tmp_path: Path):
    page = (
        "Das ist die Seite für die Fenster und für nichts anderes.\n\n"
        "Sie schließen alle Fenster mit **Alt+F7**."
    )
    answer = "Warten Sie kurz. Sie schließen alle Fenster mit **Alt+F8**."
    pairs = {
        "Wie schließe ich alle Fenster?": "How do I close all windows?",
        "Das ist die Seite für die Fenster und für nichts anderes.": "Here you read more.",
        "Warten Sie kurz.": "Hold on.",
        "Sie schließen alle Fenster mit ⟦1⟧.": "You close all windows with ⟦1⟧.",
    }
    with Memory.open(tmp_path / "memory.sqlite", create=True) as memory:
        memory.add(trusted(pairs.items(), "de"))
        translate = Translate(MemoryInterpreter(memory))
        scorer = Scorer(comparing(1.1), all_types=True, translate=translate)
        pages = [Page(page, id="fenster.md")]
        found = scorer.score(Turn("Wie schließe ich alle Fenster?", answer, pages, language="de"))
    *_, one = found.statements
    assert answer[one.start : one.end] == "Sie schließen alle Fenster mit **Alt+F8**."
    assert page[one.passage.start : one.passage.end].endswith("mit **Alt+F7**.")
    [slot] = [slot for slot in one.slots if slot.kind == "key" and slot.side == "against"]
    assert answer[slot.claim.start : slot.claim.end] == "Alt+F8"
    assert page[slot.page.start : slot.page.end] == "Alt+F7"


DIFFERING = [
    ("nl", "Hoe snel start de router?", "De router start binnen 5 minuten.",
     "De garantie duurt *30* dagen en de router start binnen **3** minuten.",
     "duurt 30 dagen en de router start binnen [3] minuten."),
    ("nl", "Wat kost de pas?", "De pas kost 12 euro per maand.",
     "De pas uit 2019 kost 19 euro per maand.", "De pas uit 2019 kost [19] euro per maand."),
    ("nl", "Hoe sluit ik alle vensters?", "U sluit alle vensters met Alt+F8.",
     "Hier leest u meer.\n\nU sluit alle vensters met **Alt+F7**.",
     "U sluit alle vensters met [Alt+F7]."),
    ("en", "How soon does the router restart?", "The router restarts within 5 minutes.",
     "The warranty lasts 30 days and the router restarts within 3 minutes.",
     "lasts 30 days and the router restarts within [3] minutes."),
]  # fmt: skip


@pytest.mark.parametrize(("language", "question", "answer", "page", "end"), DIFFERING)
def test_what_differs_is_marked_where_it_stands_in_the_passage(
    language, question, answer, page, end
):
    (one,) = ALL_FAULTS.score(Turn(question, answer, [page], language=language)).statements
    text = one.passage.text
    for first, last in reversed(one.differing):
        text = f"{text[:first]}[{text[first:last]}]{text[last:]}"
    assert text.endswith(end)


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
def test_a_window_begins_with_its_sentence_or_line_and_is_never_empty(text, first, most, expected):
    start, end = window(text, first, most)
    assert text[start:end] == expected
    assert end - start <= most


def test_words_of_slots_are_plain_and_lead_to_the_original():
    claim, page = read_plain("Met Alt+F8."), read_plain("Met Alt+F7.")
    finding = Finding("key", "against", (4, 10), (4, 10))
    [slot] = slots_in([finding, finding], claim, page)
    assert slot == Slot("key", "against", Quote("Alt+F8", 4, 10), Quote("Alt+F7", 4, 10))
    [alone] = slots_in([Finding("added", "open", (4, 10), None)], claim, page)
    assert alone.page is None
