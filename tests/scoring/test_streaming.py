"""An answer that is checked while it is being written."""

from __future__ import annotations

import functools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt import Scorer, Turn
from klopt.cli.demo_log import demo_rows
from klopt.errors import RecordError
from klopt.scoring.assessment import Assessment
from klopt.scoring.streaming import EarlyFault

TURNS = [row.turn for row in demo_rows() if row.turn is not None]
PAGE = {
    "nl": "# Pas\n\n1. Open **Mijn pas**.\n2. Kies **Nieuwe kaart**.\n3. Klik op **Versturen**.\n\n"
    "Een pas kost € 7,50 en is twee jaar geldig.",
    "en": "# Pass\n\n1. Open **My pass**.\n2. Choose **New card**.\n3. Click **Submit**.\n\n"
    "A pass costs € 7.50 and is valid for two years.",
}
QUESTION = {"nl": "Hoe vraag ik een pas aan?", "en": "How do I request a pass?"}


@functools.cache
def all_types() -> Scorer:
    return Scorer.load(all_types=True)


def stream(turn: Turn, pieces: list[str]) -> tuple[list[EarlyFault], Assessment]:
    answer = all_types().stream(turn)
    found = [fault for piece in pieces for fault in answer.feed(piece)]
    return found, answer.finish()


@functools.cache
def whole(turn_number: int) -> tuple[list[EarlyFault], Assessment]:
    turn = TURNS[turn_number]
    found, _ = stream(turn, [turn.answer])
    return found, all_types().score(turn)


FAULTS = [
    (
        "nl",
        "Open **Mijn pas** en klik op **Bestellen**. D",
        [("unknown_name", "Bestellen", None)],
    ),
    (
        "en",
        "Open **My pass** and click **Order**. T",
        [("unknown_name", "Order", None)],
    ),
    (
        "nl",
        "1. Klik op **Versturen**.\n2. Open **Mijn pas**.\n3. Kies **Nieuwe kaart**.\n\nK",
        [("early_step", "Klik op Versturen.", "Klik op Versturen.")],
    ),
    (
        "en",
        "1. Click **Submit**.\n2. Open **My pass**.\n3. Choose **New card**.\n\nR",
        [("early_step", "Click Submit.", "Click Submit.")],
    ),
    (
        "nl",
        "Een pas kost € 9,50 en is twee jaar geldig. D",
        [("contradicted", "Een pas kost € 9,50 en is twee jaar geldig.", "€ 7,50")],
    ),
    (
        "en",
        "A pass costs € 9.50 and is valid for two years. T",
        [("contradicted", "A pass costs € 9.50 and is valid for two years.", "€ 7.50")],
    ),
]


@pytest.mark.parametrize(("language", "answer", "faults"), FAULTS)
def test_what_is_wrong_is_told_when_its_sentence_is_complete(
    language: str, answer: str, faults: list[tuple[str, str, str | None]]
):
    turn = Turn(QUESTION[language], "", [PAGE[language]], language=language)
    running = all_types().stream(turn)
    before = [fault for character in answer[:-1] for fault in running.feed(character)]
    after = running.feed(answer[-1])
    found = [*before, *after]
    for kind, text, place in faults:
        (one,) = [each for each in found if (each.kind, each.text) == (kind, text)]
        assert place is None or place in one.place.text
        plain = answer[one.start : one.end].replace("**", "")
        assert plain.endswith(text)


def test_a_right_answer_has_no_faults():
    answer = "1. Open **Mijn pas**.\n2. Kies **Nieuwe kaart**.\n3. Klik op **Versturen**.\n\nKlaar."
    found, assessment = stream(Turn(QUESTION["nl"], answer, [PAGE["nl"]]), [answer])
    assert not found
    assert assessment.verdict == "send"
