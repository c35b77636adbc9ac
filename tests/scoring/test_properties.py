"""What holds for any question, answer and page."""

from __future__ import annotations

import json
import time
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from klopt import Assessment, Page, Scorer, Turn
from klopt.batch.output import to_json
from klopt.heuristics.declaration import NO_CONTEXT
from klopt.matching import Language
from klopt.records import MESSAGE_TYPES
from tests.heuristics.materials import check_measurement, material, measured

few = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=60)
"""All of Unicode, lone surrogates too."""

WORDS = st.sampled_from(
    [
        "de gebruiker", "opent", "het bestand", "the user", "opens", "the file", "niet", "not",
        "Klik op **Opslaan**", "Click **Save**", "**Turbo**", "`Ctrl+S`", "*wel*",
        "HRM / Medewerker", "\n\n1. Klik op: **Nieuw**.\n2. Klik op: **Opslaan**.\n",
        "\n- Open de map.\n- Sluit de map.\n", "\n\nStap 1: Kies Nieuw.\nStap 2: Kies Opslaan.\n",
        "\n# Kop\n", "\n> let op\n", "\n```\ncode\n",
        "<ol><li>Klik op <b>Nieuw</b></li><li>Kies Opslaan", "<script>x()</script>", "<b>",
        "</div>", "&amp;", "&#xD800;", "&", "| a | b |\n|---|---|\n", "***", "[link](http://a.b)",
        "![x](y)", ". ", "? ", ", ", "\n", "\r\n", "\t", "\u200b", "\u202e", "\ufeff", "\ud800",
        "e\u0301", "İ", "ß", "👍🏽", "omdat", "because", "bijvoorbeeld", "dat weet ik niet",
        "I do not know", "U", "2,5", "LN-2114",
    ]
)  # fmt: skip
TEXT = st.one_of(
    ANYTHING,
    st.lists(WORDS, max_size=12).map(" ".join),
    st.lists(WORDS, max_size=12).map("".join),
    st.lists(st.one_of(WORDS, ANYTHING), max_size=6).map(" ".join),
)
FORMATS = st.sampled_from(["auto", "markdown", "html", "plain"])
PAGES = st.lists(
    st.builds(Page, TEXT, st.sampled_from(["a.md", "b.md"]), format=FORMATS), max_size=3
)
TURNS = st.builds(
    Turn,
    TEXT,
    TEXT,
    PAGES,
    language=st.sampled_from(["auto", "nl", "en", "de"]),
    message_type=st.sampled_from([None, *MESSAGE_TYPES]),
)
LANGUAGES = st.sampled_from(["nl", "en"])


@cache
def scorer(profile: str) -> Scorer:
    return Scorer.load(profile, all_types=True)


def check(found: Assessment, turn: Turn) -> None:
    if found.status == "scored":
        assert found.score is not None
        assert 1 <= found.score <= 5
        assert found.stars in (1, 2, 3, 4, 5)
        assert abs(found.stars - found.score) <= 0.5
        assert found.verdict in ("send", "review", "block")
        assert found.reason is None
        assert found.reason_code is None
        assert found.path[-1].decided
        assert found.path[-1].node == found.rule
    else:
        assert found.status == "not_scorable"
        assert (found.score, found.verdict) == (None, "unscored")
        assert found.reason
        assert found.reason_code
    if found.span is not None:
        start, end = found.span
        assert 0 <= start < end <= len(turn.question)
    lengths: dict[str, int] = {}
    for page in turn.pages:
        lengths[page.id] = max(len(page.text), lengths.get(page.id, 0))
    for measurement in found.measurements.values():
        check_measurement(measurement, turn.answer, lengths)


@few
@given(TURNS, st.sampled_from(["default", "afas"]))
def test_score_never_fails_and_stays_in_bounds(turn: Turn, profile: str):
    found = scorer(profile).score(turn, measure_all=True)
    check(found, turn)
    line = to_json(found.to_dict())
    line.encode("utf-8")
    json.loads(line)
    again = scorer(profile).score(turn, measure_all=True)
    assert again == found
    assert to_json(again.to_dict()) == line


@few
@given(TURNS)
def test_measure_all_keeps_score_and_path(turn: Turn):
    plain = scorer("default").score(turn)
    whole = scorer("default").score(turn, measure_all=True)
    assert (plain.status, plain.score, plain.path) == (whole.status, whole.score, whole.path)
    assert plain.measurements.items() <= whole.measurements.items()


@few
@given(TURNS)
def test_score_many_is_score(turn: Turn):
    assert list(scorer("default").score_many([turn, turn])) == [scorer("default").score(turn)] * 2


NAMES = ("components_defined", "hal", "subject_combination", "verbatim_guide_defined")


@few
@given(TEXT, TEXT, PAGES.filter(bool), LANGUAGES, st.booleans())
def test_a_page_that_holds_the_answer_never_lowers_a_value(
    languages: dict[str, Language],
    question: str,
    answer: str,
    pages: list[Page],
    language: str,
    first: bool,
):
    own = languages[language]
    support = Page(answer, id="support.md")
    more = [support, *pages] if first else [*pages, support]
    for name in NAMES:
        before = measured(name, material(own, question, answer, pages))
        if before.reason == NO_CONTEXT:
            continue
        after = measured(name, material(own, question, answer, more))
        assert (before.value is None) == (after.value is None)
        assert before.reason == after.reason
        if before.value is not None and after.value is not None:
            assert after.value >= before.value - 1e-9
            assert after.value >= 1 - 1e-9


HARD_CHARS = 5_000
HARDER = 30.0
"""A text may take so many times what prose of the same length takes."""


def seconds_for(unit: str) -> float:
    """Of the processor, for turns with a text of such units as answer, question and page."""
    text = unit * (HARD_CHARS // len(unit))
    answer = "De gebruiker opent het bestand."
    start = time.process_time()
    for turn in (
        Turn("Kan dat?", text, [answer], language="nl"),
        Turn(text, answer, ["De gebruiker."], language="nl"),
        Turn("Kan dat?", answer, [text], language="nl"),
    ):
        check(scorer("default").score(turn), turn)
    return time.process_time() - start


@cache
def prose_seconds() -> float:
    """What prose takes."""
    return min(seconds_for(f"{answer} ") for answer in ("De map is leeg.", "Klik op de map."))


@pytest.mark.parametrize(
    "unit",
    ["*", "[", "> ", "<b>", "&amp;", "1. a\n", "'\"", "Klik op ", "A / ", "\u202e\u200b", "a.",
     "é"],
    ids=["asterisks", "brackets", "quotations", "tags", "entities", "steps", "quotes", "clicks",
         "slashes", "invisible", "dots", "one word"],
)  # fmt: skip
def test_hard_text_takes_bounded_time(unit: str):
    """As answer, question and page; what may not happen is an error or a hang."""
    scorer("default").prepare("nl")
    assert seconds_for(unit) < HARDER * prose_seconds()
