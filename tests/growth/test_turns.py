"""A whole turn takes time in proportion to its texts, up to their limits."""

from __future__ import annotations

from io import StringIO
from itertools import count

import pytest
from rich.console import Console

from klopt import Scorer, Turn
from klopt.cli.explain import show
from klopt.reading.reader import ANSWER_LIMIT_CHARS, PAGE_LIMIT_CHARS
from tests.growth.growing import Shape, assert_linear, shapes

pytestmark = pytest.mark.slow

SAVING = """# Een document opslaan

1. Klik op **Bestand**.
2. Klik op **Opslaan**.
3. Kies de map van de medewerker.
"""
QUESTION = "Hoe sla ik een document op in het dossier?"
ANSWER = "Klik op **Bestand** en daarna op **Opslaan**, en kies de map van de medewerker."
END = " Klik op **Bestand** en **Opslaan** en kies de map van de medewerker in het dossier."


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    scorer = Scorer.load()
    scorer.prepare("nl")
    return scorer


@shapes("turns")
@pytest.mark.parametrize("where", ["question", "answer", "page"])
def test_a_turn(scorer, where, shape):
    numbers, console = count(), Console(file=StringIO())

    def score(text: str) -> None:
        texts = {"question": QUESTION, "answer": ANSWER, "page": SAVING}
        texts[where] = f"{text} {next(numbers)}"  # a text that was read before is remembered
        turn = Turn(texts["question"], texts["answer"], [texts["page"]], language="nl")
        one = scorer.score(turn, measure_all=True)
        one.to_dict()
        show(turn, one, console)
        assert one.reason_code != "internal"
        assert one.verdict == "unscored" or one.status == "scored"

    assert_linear(Shape(shape.unit, end=END).text, ANSWER_LIMIT_CHARS - 100, score=score)


def test_a_page_of_twice_the_limit_is_refused_before_it_is_read(scorer, monkeypatch):
    monkeypatch.setattr("klopt.reading.reader.read_text", None)
    page = "<div>*_[`" * (2 * PAGE_LIMIT_CHARS // 9)
    one = scorer.score(Turn(QUESTION, ANSWER, [page]))
    assert (one.status, one.reason_code) == ("not_scorable", "page_too_long")
