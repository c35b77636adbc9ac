"""Answers that are checked while a bot writes them."""

import dataclasses
import functools
import itertools
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt import Scorer, Turn
from klopt.cli.scoring import demo_rows
from klopt.heuristics import Material
from klopt.scoring.assessment import Assessment
from klopt.scoring.streaming import WINDOW_CHARS, EarlyFault

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


FAULTS = [
    ("nl", "Open **Mijn pas** en klik op **Bestellen**. D", "unknown_name", "Bestellen", None),
    ("en", "Open **My pass** and click **Order**. T", "unknown_name", "Order", None),
    ("nl", "1. Klik op **Versturen**.\n2. Open **Mijn pas**.\n3. Kies **Nieuwe kaart**.\n\nK",
     "early_step", "Klik op Versturen.", "Klik op Versturen."),
    ("en", "1. Click **Submit**.\n2. Open **My pass**.\n3. Choose **New card**.\n\nR",
     "early_step", "Click Submit.", "Click Submit."),
    ("nl", "Een pas kost € 9,50 en is twee jaar geldig. D",
     "contradicted", "Een pas kost € 9,50 en is twee jaar geldig.", "€ 7,50"),
    ("en", "A pass costs € 9.50 and is valid for two years. T",
     "contradicted", "A pass costs € 9.50 and is valid for two years.", "€ 7.50"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "answer", "kind", "text", "place"), FAULTS)
def test_a_fault_is_reported_when_its_sentence_is_complete(language, answer, kind, text, place):
    turn = Turn(QUESTION[language], "", [PAGE[language]], language=language)
    running = all_types().stream(turn)
    found = [fault for character in answer for fault in running.feed(character)]
    (one,) = [each for each in found if (each.kind, each.text) == (kind, text)]
    assert place is None or place in one.place.text
    assert answer[one.start : one.end].replace("**", "").endswith(text)


def test_a_right_answer_has_no_faults():
    answer = "1. Open **Mijn pas**.\n2. Kies **Nieuwe kaart**.\n3. Klik op **Versturen**.\n\nKlaar."
    found, assessment = stream(Turn(QUESTION["nl"], answer, [PAGE["nl"]]), [answer])
    assert not found
    assert assessment.verdict == "send"


def forms(answer: str) -> list[str]:
    """An answer with other line ends, normalisation, markup and code."""
    return [
        answer,
        answer.replace("\n", "\r\n"),
        unicodedata.normalize("NFD", answer.replace("e", "é", 3)),
        answer.replace(" ", " **_x_** ", 2).replace(". ", ". \ud83d\ude00 ", 1),
        f"```\n{answer[:40]}. Klik op **Weg**.\n```\n\n{answer} `een",
    ]


@settings(max_examples=20)
@given(st.integers(0, len(TURNS) - 1), st.integers(0, 4), st.data())
def test_the_pieces_of_an_answer_change_neither_result_nor_faults(number, form, data):
    turn = dataclasses.replace(TURNS[number], answer=forms(TURNS[number].answer)[form])
    places = st.lists(st.integers(0, len(turn.answer)), max_size=40)
    cuts = [0, *sorted(data.draw(places)), len(turn.answer)]
    pieces = [turn.answer[start:end] for start, end in itertools.pairwise(cuts)]
    found, assessment = stream(turn, pieces)
    assert assessment == all_types().score(turn)
    assert found == stream(turn, [turn.answer])[0]


def is_confirmed(fault: EarlyFault, assessment: Assessment) -> bool:
    """Whether the complete answer has this fault too."""
    if fault.kind in ("contradicted", "not_stated"):
        return any(
            one.fault and (one.start, one.relation) == (fault.start, fault.kind)
            for one in assessment.claims
        )
    name = "components_defined" if fault.kind == "unknown_name" else "step_order"
    return any(
        (one.kind, one.start, one.end) == ("unsupported", fault.start, fault.end)
        for one in assessment.measurements[name].evidence
    )


def test_final_faults_are_confirmed_and_others_mostly():
    """On the demo; `benchmarks.in_a_bot` prints the share of the others."""
    final, other = [], []
    for turn in TURNS[::5]:
        for answer in forms(turn.answer)[:3]:
            given = dataclasses.replace(turn, answer=answer)
            found, _ = stream(given, [answer])
            assessment = all_types().score(given, measure_all=True)
            for fault in found:
                (final if fault.is_final else other).append(is_confirmed(fault, assessment))
            if any(fault.is_final for fault in found):
                assert assessment.verdict != "send"
    assert len(final) > 3
    assert all(final)
    assert sum(other) > 0.6 * len(other)


def test_an_unscored_answer_has_no_faults():
    out_of_scope = Turn("Hallo!", "", [PAGE["nl"]], language="nl", message_type="action")
    running = Scorer.load().stream(out_of_scope)
    assert running.feed("Klik op **Bestellen**. Daarna bent u klaar. E") == ()
    assert running.finish().reason_code == "out_of_scope"


def test_a_long_answer_is_read_within_a_window(monkeypatch):
    read: list[int] = []
    running = all_types().stream(QUESTION["nl"], PAGE["nl"])
    real = running._material

    def material(answer: str) -> Material | None:
        read.append(len(answer))
        return real(answer)

    monkeypatch.setattr(running, "_material", material)
    sentence = "Een pas kost € 7,50, is op alle dagen van de week te koop en is twee jaar geldig. "
    answer = sentence * 30 + "Klik op **Bestellen**. " + sentence
    found = running.feed(answer + "Een woord " * 2_000)
    assert max(read) < WINDOW_CHARS + 100
    (fault,) = [one for one in found if one.kind == "unknown_name"]
    assert answer[fault.start : fault.end] == "Bestellen"
    assert running.finish().reason_code == "answer_too_long"
