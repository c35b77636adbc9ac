"""Texts within the limits, made to cost time."""

from __future__ import annotations

import time

import pytest

from klopt import Scorer, Turn
from klopt.reading.reader import ANSWER_LIMIT_CHARS, PAGE_LIMIT_CHARS

TURN_BOUND_S = 5.0

SAVING = """# Een document opslaan

1. Klik op **Bestand**.
2. Klik op **Opslaan**.
3. Kies de map van de medewerker.
"""
QUESTION = "Hoe sla ik een document op in het dossier?"
ANSWER = "Klik op **Bestand** en daarna op **Opslaan**, en kies de map van de medewerker."


def test_a_page_of_twice_the_limit_is_refused_before_it_is_read():
    scorer = Scorer.load()
    page = ("<div>" * 10 + "*_[`") * (2 * PAGE_LIMIT_CHARS // 54)
    start = time.process_time()
    one = scorer.score(Turn(QUESTION, ANSWER, [page]))
    assert (one.status, one.reason_code) == ("not_scorable", "page_too_long")
    assert time.process_time() - start < TURN_BOUND_S / 5


# Texts within the limits, made to cost time. Pages have a fifth of their limit: reading takes time
# in proportion to the length, and what grows with its square shows there already.

PAGE_CHARS = PAGE_LIMIT_CHARS // 5
END = " Klik op **Bestand** en **Opslaan** en kies de map van de medewerker in het dossier."
COSTLY = {
    "asterisks": "*" * 190_000,
    "brackets": "[" * 18_000,
    "quotes": '"' * 190_000,
    "quote marks": "> " * 90_000,
    "numbers": "1. " * 60_000,
    "backticks": "`" * 190_000,
    "angle brackets": "<" * 190_000,
    "open tags": "<div>" * 20_000,
    "one word": "x" * 190_000,
    "zero width": "\u200b" * 190_000,
    "paths": "Ga naar: A / " * 14_000,
    "arrows": "Ga naar: A > " * 14_000,
}


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    scorer = Scorer.load()
    scorer.prepare("nl")
    return scorer


PLACES = [(name, where) for name in COSTLY for where in ("page", "answer")]
PLACES += [(name, "question") for name in ("brackets", "one word", "paths")]


@pytest.mark.parametrize(("name", "where"), PLACES)
def test_a_costly_text_takes_bounded_time(scorer, name, where):
    length = PAGE_CHARS if where == "page" else ANSWER_LIMIT_CHARS - len(END)
    texts = {"question": QUESTION, "answer": ANSWER, "page": SAVING}
    texts[where] = COSTLY[name][:length] + END
    turn = Turn(texts["question"], texts["answer"], [texts["page"]], language="nl")
    start = time.process_time()
    one = scorer.score(turn, measure_all=True)
    seconds = time.process_time() - start
    assert seconds < TURN_BOUND_S
    assert one.reason_code != "internal"
    assert one.verdict == "unscored" or one.status == "scored"
