"""Answers that no help desk would write: each gets a status, in time that grows with its length.

Calls of functions are counted, since their number does not depend on the machine; tests/growth
measures the time.
"""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, get_args

import pytest

from klopt import Page, Turn
from klopt.scoring.assessment import Assessment, Status
from klopt.text.markup import read_text
from klopt.text.reader import ANSWER_LIMIT_CHARS

PAGES = {
    "nl": "# Opzeggen\n\nJe zegt binnen 14 dagen op. Klik op **Opzeggen** en **Bevestigen**.\n\n"
    "1. Open **Account**.\n2. Kies **Abonnement**.",
    "en": "# Cancel\n\nYou cancel within 14 days. Click **Cancel** and choose **Confirm**.\n\n"
    "1. Open **Account**.\n2. Choose **Subscription**.",
}
ASKED = {"nl": "Hoe zeg ik mijn abonnement op?", "en": "How do I cancel my subscription?"}
SAID = {"nl": "Je zegt binnen 14 dagen op", "en": "You cancel within 14 days"}
MOST_CALLS = 2.6
"""So many times the calls for a text twice as long, at most."""


def citations(size: int, _: str) -> str:
    return " ".join(f"[{number}][doc{number}]" for number in range(size // 16))


def sources(size: int, _: str) -> str:
    return "\n".join(f"[{number}]: https://wad.example/{number}" for number in range(size // 30))


def headings(size: int, said: str) -> str:
    return "\n\n".join(f"## {said} {number}" for number in range(size // 40))


def one_sentence(size: int, said: str) -> str:
    return f"{said} en ".ljust(40) * (size // 40)


def one_word(size: int, _: str) -> str:
    return "a" * size


def nested(size: int, said: str) -> str:
    return "\n".join(f"{'  ' * (n % 10)}- {said} {n}." for n in range(size // 50))


def nested_steps(size: int, said: str) -> str:
    return "\n".join(f"{'   ' * (n % 10)}{n % 10 + 1}. {said}." for n in range(size // 60))


def quotations(size: int, said: str) -> str:
    return "\n\n".join(f"{'> ' * (n % 30)}{said}." for n in range(size // 70))


def scripts(size: int, said: str) -> str:
    return f"{said} нажмите Сохранить 設定を開く اضغط حفظ Οpslaan. " * (size // 80)


def labels(size: int, said: str) -> str:
    return "\n".join(f"**Tip {number}:** {said}." for number in range(size // 50))


def table(size: int, said: str) -> str:
    rows = "".join(f"| {said} | {number} |\n" for number in range(size // 50))
    return f"| a | b |\n|---|---|\n{rows}"


def signs(size: int, _: str) -> str:
    return "**[(\"'“_`<|" * (size // 11) + " ja"


HOSTILE = (
    *(citations, sources, headings, one_sentence, one_word, nested, nested_steps, quotations),
    *(scripts, labels, table, signs),
)


@pytest.mark.parametrize("language", ["nl", pytest.param("en", marks=pytest.mark.slow)])
@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda one: one.__name__)
def test_status_and_linear_time(scorer, hostile, language):
    def scored(size: int) -> Assessment:
        answer = hostile(size, SAID[language])
        assert len(answer) <= ANSWER_LIMIT_CHARS
        turn = Turn(ASKED[language], answer, [Page(PAGES[language])], language=language)
        return scorer.score(turn)

    longest = ANSWER_LIMIT_CHARS - 800
    scored(400)  # reads tables and page
    eighth, calls = counted(lambda: scored(longest // 8))
    quarter, more_calls = counted(lambda: scored(longest // 4))
    for assessment in (eighth, quarter, scored(longest)):
        assert assessment.status in get_args(Status)
        assert (assessment.reason_code is None) == (assessment.status == "scored")
        assert (assessment.score is None) == (assessment.verdict == "unscored")
    assert more_calls <= MOST_CALLS * calls


@pytest.mark.parametrize("deep", [9, 10, 11, 25, 60])
@pytest.mark.parametrize("item", ["- ", "1. ", "> "])
def test_nothing_after_a_deep_list_is_dropped(deep, item):
    """A parser may drop what is too deep; then nobody would check the text after it."""
    lines = [
        f"{' ' * len(item) * at if item != '> ' else item * at}{item}x{at}" for at in range(deep)
    ]
    for source in ("\n".join(lines), item * deep + "x" + str(deep - 1)):
        text = read_text(f"{source}\n\nTot slot: wacht 3 dagen.").text
        assert f"x{deep - 1}" in text
        assert text.endswith("Tot slot: wacht 3 dagen.")


def counted(run: Callable[[], Assessment]) -> tuple[Assessment, int]:
    """Return the result of a function and the number of calls that it makes."""
    calls = 0

    def note(_frame: FrameType, event: str, _given: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        given = run()
    finally:
        sys.setprofile(before)
    return given, calls
