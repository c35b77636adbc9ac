"""Whom an adviser asks, under which budget, and what it makes of opinions that are none."""

import json
import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from klopt import Scorer
from klopt.errors import InputError
from klopt.llm.calls import Usage
from klopt.llm.opinions import Adviser, Budget, ClaimOpinion, OpinionRequest, OpinionResult
from klopt.verification import LABELS
from tests.llm.opinions.asking import EN, NL, PROFILE, Says, advised, before, on_claims

CENT = OpinionResult(truth=1.0, usage=Usage(calls=1, cost_usd=0.01, seconds=0.2))
CONTRADICTS = OpinionResult(truth=0.95, claims=(ClaimOpinion("contradicted", 0.9), None))


def fails(_: OpinionRequest) -> OpinionResult:
    raise RuntimeError("the text of an answer")


def unknown(code: str) -> OpinionResult:
    return OpinionResult(reason_code=code, reason="whatever was met")


BAD = {
    "late, as it was recorded": (OpinionResult(truth=1.0, usage=Usage(seconds=61.0)), "late"),
    "itself failed": (fails, "internal"),
    "a chance above 1": (OpinionResult(truth=1.5), "no_shape"),
    "a chance below 0": (OpinionResult(truth=-0.1), "no_shape"),
    "no number": (OpinionResult(truth=float("nan")), "no_shape"),
    "nothing at all": (OpinionResult(), "no_shape"),
    "nothing of any statement": (on_claims(None, None), "no_shape"),
    "too few statements": (on_claims(("supported", 1.0)), "no_shape"),
    "too many statements": (on_claims(*[("supported", 1.0)] * 3), "no_shape"),
    "an unknown relation": (on_claims(("perhaps", 1.0), None), "no_shape"),
    "an impossible chance": (on_claims(("supported", 7.0), None), "no_shape"),
    "contradicts itself": (CONTRADICTS, "contradiction"),
    "no reply in time": (unknown("timeout"), "timeout"),
    "no JSON": (unknown("bad_json"), "bad_json"),
    "no label": (unknown("bad_shape"), "bad_shape"),
    "cut off": (unknown("cut"), "cut"),
    "no transcript": (unknown("no_transcript"), "no_transcript"),
}


@pytest.mark.parametrize(
    ("turn", "verdict"), [(NL, "send"), (EN, "send"), (NL, "review"), (EN, "block")], ids=str
)
@pytest.mark.parametrize(("said", "code"), BAD.values(), ids=list(BAD))
def test_an_opinion_that_is_none_leaves_it_to_a_person(said, code, verdict, turn):
    first = before(turn, verdict)
    found = advised(said, first, turn)
    assert found.verdict == ("review" if verdict == "send" else verdict)
    assert (found.score, found.claims) == (first.score, first.claims)
    (note,) = found.opinions
    assert (note.status, note.reason_code) == ("failed", code)
    assert note.reason
    assert (note.truth, note.claims) == (None, ())
    start = {"nl": "Er is geen tweede mening (Wim): ", "en": "There is no second opinion (Wim)"}
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
            thread.join(60)


def test_an_opinion_that_comes_too_late_is_not_waited_for_and_paid_all_the_same():
    free = threading.Event()
    opinion = Says(lambda _: CENT if free.wait(60) else OpinionResult())
    adviser = Adviser(opinion, budget=Budget(ms=30))
    found = adviser.advise(NL, before(), PROFILE)
    (note,) = found.opinions
    assert (note.reason_code, note.reason) == ("late", "it did not come within 30 ms")
    assert found.verdict == "review"
    assert found.sentences[-1] == "Er is geen tweede mening (Wim): ze kwam niet binnen 30 ms."
    assert adviser.usage == Usage()
    let_go(free)
    assert adviser.usage.cost_usd == 0.01


def many(adviser: Adviser, count: int) -> list[str | None]:
    found = [adviser.advise(NL, before(), PROFILE) for _ in range(count)]
    codes = [advice.opinions[0].reason_code for advice in found]
    left = [advice for advice, code in zip(found, codes, strict=True) if code]
    assert {(advice.verdict, advice.score) for advice in left} <= {("review", 3.5)}
    return codes


UNPRICED = replace(CENT, usage=Usage(calls=1))
SERVER = OpinionResult(reason_code="server", reason="503")


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
        (OpinionResult(truth=1.0), Budget(usd=1.0), [None] * 4, 4),
        (
            OpinionResult(reason_code="nothing_recorded"),
            Budget(questions=2),
            ["nothing_recorded"] * 4,
            0,
        ),
        (SERVER, Budget(), ["server"] * 3 + ["gave_up"], 3),
        (replace(SERVER, usage=Usage(calls=1)), Budget(), ["server"] * 4, 4),
        (OpinionResult(reason_code="no_transcript"), Budget(), ["no_transcript"] * 4, 4),
    ],
)
def test_answers_are_asked_about_in_order_while_the_budget_lasts(said, budget, codes, asked):
    adviser = Adviser(Says(said), budget=budget)
    assert many(adviser, 4) == codes
    assert adviser.requested_count == asked


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
    def full(_: OpinionRequest) -> OpinionResult:
        raise InputError("said.jsonl: cannot be written")

    with pytest.raises(InputError, match=r"^said\.jsonl: cannot be written$"):
        advised(full)


@pytest.mark.parametrize(
    ("budget", "at_once"), [(Budget(), 8), (Budget(questions=9), 1), (Budget(usd=1.0), 1)]
)
def test_a_bounded_budget_asks_one_after_the_other(budget, at_once):
    assert Adviser(Says(CENT), budget=budget, at_once=8).at_once == at_once


FIRST = {verdict: before(NL, verdict) for verdict in ("send", "review", "block")}
chances = some.one_of(some.floats(0, 1), some.floats())
relations = some.sampled_from([*LABELS, "perhaps"])
of_statements = some.one_of(some.none(), some.builds(ClaimOpinion, relations, chances))
opinions = some.builds(
    OpinionResult,
    truth=some.one_of(some.none(), chances),
    claims=some.lists(of_statements, max_size=3).map(tuple),
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
        assert not any(one.fault for one in found.claims)
    if note.status != "given":
        assert (found.score, found.claims) == (first.score, first.claims)
    assert found == advised(said, first)
