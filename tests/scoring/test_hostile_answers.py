"""Hostile answers: each gets a status, and the number of function calls grows linearly.

That number does not depend on the machine; tests/growth measures the time.
"""

import cProfile
from collections.abc import Callable
from typing import get_args

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
QUESTIONS = {"nl": "Hoe zeg ik mijn abonnement op?", "en": "How do I cancel my subscription?"}
CLAIMS = {"nl": "Je zegt binnen 14 dagen op", "en": "You cancel within 14 days"}
MAX_GROWTH = 2.6
"""Allowed growth of the number of calls for a text that is twice as long."""
HOSTILE: dict[str, Callable[[int, str], str]] = {
    "citations": lambda size, _: " ".join(f"[{n}][doc{n}]" for n in range(size // 16)),
    "sources": lambda size, _: "\n".join(
        f"[{n}]: https://wad.example/{n}" for n in range(size // 30)
    ),
    "headings": lambda size, claim: "\n\n".join(f"## {claim} {n}" for n in range(size // 40)),
    "one sentence": lambda size, claim: f"{claim} en ".ljust(40) * (size // 40),
    "one word": lambda size, _: "a" * size,
    "nested list": lambda size, claim: "\n".join(
        f"{'  ' * (n % 10)}- {claim} {n}." for n in range(size // 50)
    ),
    "nested steps": lambda size, claim: "\n".join(
        f"{'   ' * (n % 10)}{n % 10 + 1}. {claim}." for n in range(size // 60)
    ),
    "quotations": lambda size, claim: "\n\n".join(
        f"{'> ' * (n % 30)}{claim}." for n in range(size // 70)
    ),
    "scripts": lambda size, claim: (
        f"{claim} нажмите Сохранить 設定を開く اضغط حفظ Οpslaan. " * (size // 80)
    ),
    "labels": lambda size, claim: "\n".join(f"**Tip {n}:** {claim}." for n in range(size // 50)),
    "table": lambda size, claim: (
        "| a | b |\n|---|---|\n" + "".join(f"| {claim} | {n} |\n" for n in range(size // 50))
    ),
    "signs": lambda size, _: "**[(\"'“_`<|" * (size // 11) + " ja",
}


def calls_of(run: Callable[[], Assessment]) -> tuple[Assessment, int]:
    """Return the result of a function and the number of calls that it makes."""
    profile = cProfile.Profile()
    return profile.runcall(run), sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("language", ["nl", pytest.param("en", marks=pytest.mark.slow)])
@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_hostile_answers_get_a_status_in_linear_time(scorer, hostile, language):
    def scored(size: int) -> Assessment:
        answer = hostile(size, CLAIMS[language])
        assert len(answer) <= ANSWER_LIMIT_CHARS
        turn = Turn(QUESTIONS[language], answer, [Page(PAGES[language])], language=language)
        return scorer.score(turn)

    longest = ANSWER_LIMIT_CHARS - 800
    scored(400)  # reads tables and page
    eighth, calls = calls_of(lambda: scored(longest // 8))
    quarter, more_calls = calls_of(lambda: scored(longest // 4))
    for assessment in (eighth, quarter, scored(longest)):
        assert assessment.status in get_args(Status)
        assert (assessment.reason_code is None) == (assessment.status == "scored")
        assert (assessment.score is None) == (assessment.verdict == "unscored")
    assert more_calls <= MAX_GROWTH * calls


@pytest.mark.parametrize("deep", [9, 10, 11, 25, 60])
@pytest.mark.parametrize("item", ["- ", "1. ", "> "])
def test_text_after_a_deep_list_is_kept(deep, item):
    """A parser may drop deep items; then the text after them would not be verified."""
    lines = [
        f"{' ' * len(item) * at if item != '> ' else item * at}{item}x{at}" for at in range(deep)
    ]
    for source in ("\n".join(lines), item * deep + "x" + str(deep - 1)):
        text = read_text(f"{source}\n\nTot slot: wacht 3 dagen.").text
        assert f"x{deep - 1}" in text
        assert text.endswith("Tot slot: wacht 3 dagen.")
