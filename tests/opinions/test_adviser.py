"""Whom an adviser asks, under which budget, and what it makes of opinions that are none."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from klopt import Scorer
from klopt.comparing import LABELS
from klopt.errors import ConfigurationError, InputError
from klopt.models.calls import Usage
from klopt.opinions import Adviser, Asked, Budget, Said, SaidOfStatement
from tests.opinions.asking import EN, NL, PROFILE, Says, advised, before, statements

CENT = Said(truth=1.0, usage=Usage(calls=1, cost_usd=0.01, seconds=0.2))
CONTRADICTS = Said(truth=0.95, statements=(SaidOfStatement("contradicted", 0.9), None))


def fails(_: Asked) -> Said:
    raise RuntimeError("the text of an answer")


def unknown(code: str) -> Said:
    return Said(reason_code=code, reason="whatever was met")


BAD = {
    "late, as it was recorded": (Said(truth=1.0, usage=Usage(seconds=61.0)), "late"),
    "itself failed": (fails, "internal"),
    "a chance above 1": (Said(truth=1.5), "no_shape"),
    "a chance below 0": (Said(truth=-0.1), "no_shape"),
    "no number": (Said(truth=float("nan")), "no_shape"),
    "nothing at all": (Said(), "no_shape"),
    "nothing of any statement": (statements(None, None), "no_shape"),
    "too few statements": (statements(("supported", 1.0)), "no_shape"),
    "too many statements": (statements(*[("supported", 1.0)] * 3), "no_shape"),
    "an unknown relation": (statements(("perhaps", 1.0), None), "no_shape"),
    "an impossible chance": (statements(("supported", 7.0), None), "no_shape"),
    "contradicts itself": (CONTRADICTS, "contradiction"),
    "no reply in time": (unknown("timeout"), "timeout"),
    "no JSON": (unknown("bad_json"), "bad_json"),
    "no label": (unknown("bad_shape"), "bad_shape"),
    "cut off": (unknown("cut"), "cut"),
    "no transcript": (unknown("no_transcript"), "no_transcript"),
}


@pytest.mark.parametrize("turn", [NL, EN], ids=["nl", "en"])
@pytest.mark.parametrize("verdict", ["send", "review", "block"])
@pytest.mark.parametrize(("said", "code"), BAD.values(), ids=list(BAD))
def test_an_opinion_that_is_none_leaves_it_to_a_person(said, code, verdict, turn):
    first = before(turn, verdict)
    found = advised(said, first, turn)
    assert found.verdict == ("review" if verdict == "send" else verdict)
    assert (found.score, found.statements) == (first.score, first.statements)
    (note,) = found.opinions
    assert (note.status, note.reason_code) == ("failed", code)
    assert note.reason
    assert (note.truth, note.statements) == (None, ())
    start = {"nl": "Een tweede mening (Wim) is er niet: ", "en": "There is no second opinion (Wim)"}
    assert found.sentences[-1].startswith(start[turn.language])
    assert "{" not in found.sentences[-1]
    words = {"nl": "Score 4,8 van 5: laat er eerst iemand", "en": "Score 4.8 of 5: let a person"}
    if verdict == "send":
        assert found.sentences[0].startswith(words[turn.language])


def test_what_fails_tells_no_text_of_an_answer(caplog):
    (note,) = advised(fails).opinions
    assert note.reason == "RuntimeError"
    assert "the opinion Wim on turn 'nl' failed" in caplog.text


def let_go(free: threading.Event) -> None:
    """Lets whoever is still asked answer, and waits for that."""
    free.set()
    for thread in threading.enumerate():
        if thread.name == "klopt-opinion":
            thread.join(10)


def test_an_opinion_that_comes_too_late_is_not_waited_for_and_paid_all_the_same():
    free = threading.Event()
    opinion = Says(lambda _: CENT if free.wait(10) else Said())
    adviser = Adviser(opinion, budget=Budget(ms=30))
    found = adviser.advise(NL, before(), PROFILE)
    (note,) = found.opinions
    assert (note.reason_code, note.reason) == ("late", "it did not come within 30 ms")
    assert found.verdict == "review"
    assert found.sentences[-1] == "Een tweede mening (Wim) is er niet: die kwam niet binnen 30 ms."
    assert adviser.usage == Usage()
    let_go(free)
    assert adviser.usage.cost_usd == 0.01


def test_what_fails_when_nobody_waits_any_more_is_not_told(caplog):
    free = threading.Event()

    def closed(_: Asked) -> Said:
        free.wait(10)
        raise RuntimeError("the client is closed")

    assert advised(closed, budget=Budget(ms=20)).opinions[0].reason_code == "late"
    let_go(free)
    assert caplog.text == ""


def test_a_name_is_one_short_line():
    (note,) = advised(Said(truth=1.0, who="tiny\n" * 1_000)).opinions
    assert note.who.startswith("tiny tiny")
    assert len(note.who) == 100


def many(adviser: Adviser, count: int) -> list[str | None]:
    found = [adviser.advise(NL, before(), PROFILE) for _ in range(count)]
    codes = [advice.opinions[0].reason_code for advice in found]
    left = [advice for advice, code in zip(found, codes, strict=True) if code]
    assert {(advice.verdict, advice.score) for advice in left} <= {("review", 3.5)}
    return codes


UNPRICED = replace(CENT, usage=Usage(calls=1))
SERVER = Said(reason_code="server", reason="503")


@pytest.mark.parametrize(
    ("said", "budget", "codes", "asked"),
    [
        (CENT, Budget(), [None] * 4, 4),
        (CENT, Budget(questions=2), [None, None, "budget", "budget"], 2),
        (CENT, Budget(questions=0), ["budget"] * 4, 0),
        (CENT, Budget(usd=0.015), [None, None, "money", "money"], 2),
        (CENT, Budget(usd=0.0), ["money"] * 4, 0),
        (UNPRICED, Budget(usd=1.0), [None, "unpriced", "unpriced", "unpriced"], 1),
        (UNPRICED, Budget(), [None] * 4, 4),
        (Said(truth=1.0), Budget(usd=1.0), [None] * 4, 4),
        (Said(reason_code="nothing_recorded"), Budget(questions=2), ["nothing_recorded"] * 4, 0),
        (SERVER, Budget(), ["server"] * 3 + ["gave_up"], 3),
        (replace(SERVER, usage=Usage(calls=1)), Budget(), ["server"] * 4, 4),
        (Said(reason_code="no_transcript"), Budget(), ["no_transcript"] * 4, 4),
    ],
)
def test_answers_are_asked_about_in_order_while_the_budget_lasts(said, budget, codes, asked):
    adviser = Adviser(Says(said), budget=budget)
    assert many(adviser, 4) == codes
    assert adviser.asked_count == asked


@pytest.mark.parametrize(
    ("budget", "words"),
    [
        (Budget(questions=0), "er mocht hoogstens 0 keer gevraagd worden"),
        (Budget(usd=0.0), "het budget van 0 dollar is op"),
    ],
)
def test_the_words_of_a_budget(budget, words):
    found = advised(CENT, budget=budget)
    assert found.sentences[-1] == f"Een tweede mening (Wim) is er niet: {words}."
    assert found.opinions[0].status == "not_asked"
    assert advised(CENT, before(verdict="send"), budget=Budget(usd=0.0)).verdict == "send"


@pytest.mark.parametrize("verdict", ["send", "review", "block"])
@pytest.mark.parametrize("when", ["review", "always"])
def test_when_somebody_is_asked(when, verdict):
    opinion, first = Says(CENT), before(verdict=verdict)
    found = Adviser(opinion, when).advise(NL, first, PROFILE)
    is_asked = when == "always" or verdict == "review"
    assert (len(opinion.asked), found is first) == (is_asked, not is_asked)


def test_an_answer_without_a_score_is_not_asked_about():
    scorer = Scorer(PROFILE, adviser=Adviser(Says(CENT), "always"))
    assert "opinions" not in scorer.score(replace(NL, contexts=())).to_dict()


def test_what_ends_the_run_is_raised():
    def full(_: Asked) -> Said:
        raise InputError("said.jsonl: cannot be written")

    with pytest.raises(InputError, match=r"^said\.jsonl: cannot be written$"):
        advised(full)


def test_what_is_on_file_is_of_one_answer_an_id():
    turns = [NL, NL, replace(NL, answer=EN.answer), NL]
    for one_each, codes in ((True, [None, None, "id_twice", None]), (False, [None] * 4)):
        adviser = Adviser(Says(CENT), one_each=one_each)
        found = [adviser.advise(turn, before(), PROFILE) for turn in turns]
        assert [advice.opinions[0].reason_code for advice in found] == codes
        told = "een ander antwoord had hetzelfde id."
        ends = [advice.sentences[-1].endswith(told) for advice in found]
        assert ends == [False, False, one_each, False]


@pytest.mark.parametrize(
    ("budget", "at_once"), [(Budget(), 8), (Budget(questions=9), 1), (Budget(usd=1.0), 1)]
)
def test_a_bounded_budget_asks_one_after_the_other(budget, at_once):
    assert Adviser(Says(CENT), budget=budget, at_once=8).at_once == at_once


def test_a_profile_that_asks_for_opinions_needs_somebody():
    from klopt.scoring.profile import OpinionSettings

    asking = replace(PROFILE, opinion=OpinionSettings("llm"))
    with pytest.raises(ConfigurationError, match="asks for second opinions of llm, and this"):
        Scorer(asking).score(NL)
    assert Scorer(asking, adviser=Adviser(Says(CENT))).score(NL).status == "scored"


FIRST = {verdict: before(NL, verdict) for verdict in ("send", "review", "block")}
chances = some.one_of(some.floats(0, 1), some.floats())
relations = some.sampled_from([*LABELS, "perhaps"])
of_statements = some.one_of(some.none(), some.builds(SaidOfStatement, relations, chances))
opinions = some.builds(
    Said,
    truth=some.one_of(some.none(), chances),
    statements=some.lists(of_statements, max_size=3).map(tuple),
    who=some.text(max_size=300),
)


@given(opinions, some.sampled_from(list(FIRST)))
def test_an_answer_is_sent_only_by_an_opinion_that_is_one(said, verdict):
    first = FIRST[verdict]
    found = advised(said, first)
    (note,) = found.opinions
    assert found.score is not None
    assert 1 <= found.score <= 5
    assert found.stars == int(found.score + 0.5)
    assert json.dumps(found.to_dict(), allow_nan=False)
    assert all(found.sentences)
    assert len(note.who) <= 100
    if found.verdict == "send":
        assert note.status == "given"
        assert not any(one.fault for one in found.statements)
    if note.status != "given":
        assert (found.score, found.statements) == (first.score, first.statements)
    assert found == advised(said, first)
