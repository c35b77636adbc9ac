"""An answer sentence by sentence, beside what the pages say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt import Scorer, Turn
from klopt.measurement import Evidence, Measurement
from klopt.reading.markup import read_text
from klopt.report.evidence import DIFFERS, sentences
from klopt.report.view import Sentence
from klopt.scoring.explanation import TELLING
from tests.scoring.comparing import comparing

FAULTS = Scorer(comparing(1.1), all_types=True)
NONE = Scorer(comparing(0.0), all_types=True)


def shown(scorer: Scorer, turn: Turn) -> tuple[Sentence, ...]:
    one = scorer.score(turn)
    return sentences(
        read_text(turn.answer),
        one.statements,
        one.measurements,
        one.explanation,
        one.language,
        is_sent=one.verdict == "send",
    )


def text_of(one: Sentence) -> str:
    return "".join(piece.text for piece in one.words)


def marked(pieces) -> list[str]:
    return [piece.text for piece in pieces if piece.kind == DIFFERS]


CASES = [
    ("nl", "Hoe lang duurt de huur?", "De huur duurt 60 dagen.", "De huur duurt 90 dagen.",
     "60", "90", "regel"),
    ("en", "How long is the rent?", "The rent lasts 60 days.", "The rent lasts 90 days.",
     "60", "90", "line"),
    ("nl", "Hoe sluit ik af?", "Sluit de map met **Alt+F8**.", "Sluit de map met **Alt+F7**.",
     "Alt+F8", "Alt+F7", "regel"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "question", "answer", "page", "ours", "theirs", "_"), CASES)
def test_what_differs_is_marked_on_both_sides(language, question, answer, page, ours, theirs, _):
    (one,) = shown(FAULTS, Turn(question, answer, [page], language=language))
    assert one.kind == "fault"
    assert ours in marked(one.words)
    assert theirs in marked(one.passage)
    assert one.place is not None
    assert page[one.place.start : one.place.end].replace("*", "") == one.place.text


def test_what_is_supported_has_no_marks_and_nothing_said():
    for _, question, answer, page, *_ in CASES:
        for one in shown(NONE, Turn(question, answer.replace("60", "90"), [page], language="nl")):
            assert one.said == "" or "Alt+F8" in one.said
            assert marked(one.passage) == [] or "Alt+F8" in one.said


def test_a_name_that_no_page_has_is_a_fault_of_its_sentence():
    page = "1. Open **Mijn pas**.\n2. Kies **Nieuw**."
    turn = Turn("Hoe vraag ik een pas aan?", "Open **Mijn pas** en kies **Bestellen**.", [page])
    (one,) = shown(NONE, turn)
    assert (one.kind, marked(one.words)) == ("fault", ["Bestellen"])
    assert one.said.startswith("geen pagina noemt “Bestellen”")


def test_far_from_any_page_there_is_no_passage():
    turn = Turn("Waar is de fiets?", "De fiets staat achter het grote huis van Anna.",
                ["De trein rijdt op tijd, en de fiets mag mee."], language="nl")  # fmt: skip
    (one,) = shown(FAULTS, turn)
    assert (one.kind, one.passage, one.place) == ("fault", (), None)


def test_a_long_page_is_cut_around_what_differs():
    page = f"{'De kast is blauw en het raam is open. ' * 3}De huur duurt 90 dagen en niet langer."
    turn = Turn("Hoe lang duurt de huur?", "De huur duurt 60 dagen en niet langer.", [page])
    (one,) = shown(FAULTS, turn)
    assert "90" in "".join(piece.text for piece in one.passage)
    assert len("".join(piece.text for piece in one.passage)) < 260


WORDS = st.sampled_from(
    ["kies", "**Map**", "sluit", "60", "dagen.", "niet", "# Kop", "\n\n", "1. ", "- ", "`x`", "Ja,"]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, max_size=30).map(" ".join), st.lists(WORDS, max_size=30).map(" ".join))
def test_all_of_the_answer_is_shown_once_and_in_order(answer, page):
    turn = Turn("Hoe sluit ik de map?", answer, [page], language="nl")
    for scorer in (FAULTS, NONE):
        words = " ".join(" ".join(map(text_of, shown(scorer, turn))).split())
        whole = " ".join(read_text(answer).text.split())
        assert [c for c in words if c.isalnum()] == [c for c in whole if c.isalnum()]


NAMES = Measurement(
    0.5,
    evidence=(
        Evidence("unsupported", "Foo", 13, 16),
        Evidence("supported", "Map", 24, 27),
        Evidence("unsupported", "Bar", 37, 40),
    ),
)


@pytest.mark.parametrize(
    ("is_sent", "names", "expected"),
    [
        (False, NAMES, [["Foo"], ["Bar"]]),
        (True, NAMES, [[], []]),
        (False, None, [[], []]),
    ],
)
def test_names_that_no_page_has_are_marked_on_their_line_unless_the_answer_is_sent(
    is_sent, names, expected
):
    answer = read_text("Ga naar: x **Foo** en **Map**.\n\nOf **Bar**.")
    shown = sentences(answer, (), {TELLING: names} if names else {}, "", "nl", is_sent=is_sent)
    assert [marked(one.words) for one in shown] == expected
    assert {one.kind for one in shown} == {"fault" if any(expected) else ""}
