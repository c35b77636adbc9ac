"""An answer sentence by sentence, beside what the pages say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt import Scorer, Turn
from klopt.reading.markup import read_text
from klopt.report.evidence import DIFFERS, sentences
from klopt.report.view import Sentence
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
