"""Which answers an adviser requests opinions on, within which budget, and invalid opinions."""

import json
import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Scorer
from klopt.errors import InputError
from klopt.llm.calls import Usage
from klopt.llm.opinions import Adviser, Budget, ClaimOpinion, OpinionRequest, OpinionResult
from klopt.verification import LABELS
from tests.llm.opinions.fakes import (
    EN,
    NL,
    PROFILE,
    FakeOpinion,
    advised,
    assessed,
    claim_opinions,
)

CENT = OpinionResult(truth=1.0, usage=Usage(calls=1, cost_usd=0.01, seconds=0.2))
CONTRADICTORY = OpinionResult(truth=0.95, claims=(ClaimOpinion("contradicted", 0.9), None))


def fail(_: OpinionRequest) -> OpinionResult:
    raise RuntimeError("the text of an answer")


def failed(code: str) -> OpinionResult:
    return OpinionResult(reason_code=code, reason="any reason")


INVALID = {
    "recorded as late": (OpinionResult(truth=1.0, usage=Usage(seconds=61.0)), "late"),
    "internal error": (fail, "internal"),
    "probability above 1": (OpinionResult(truth=1.5), "no_shape"),
    "probability below 0": (OpinionResult(truth=-0.1), "no_shape"),
    "not a number": (OpinionResult(truth=float("nan")), "no_shape"),
    "empty": (OpinionResult(), "no_shape"),
    "no claim": (claim_opinions(None, None), "no_shape"),
    "too few claims": (claim_opinions(("supported", 1.0)), "no_shape"),
    "too many claims": (claim_opinions(*[("supported", 1.0)] * 3), "no_shape"),
    "unknown label": (claim_opinions(("perhaps", 1.0), None), "no_shape"),
    "invalid probability of a claim": (claim_opinions(("supported", 7.0), None), "no_shape"),
    "contradicts itself": (CONTRADICTORY, "contradiction"),
    **{
        code: (failed(code), code)
        for code in ("timeout", "bad_json", "bad_shape", "cut", "no_transcript")
    },
}


@pytest.mark.parametrize(
    ("turn", "verdict"), [(NL, "send"), (EN, "send"), (NL, "review"), (EN, "block")], ids=str
)
@pytest.mark.parametrize(("result", "code"), INVALID.values(), ids=list(INVALID))
def test_an_invalid_opinion_changes_no_score_and_sends_no_answer(result, code, verdict, turn):
    first = assessed(turn, verdict)
    found = advised(result, first, turn)
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


def test_an_internal_error_is_logged_without_the_text_of_the_answer(caplog):
    (note,) = advised(fail).opinions
    assert note.reason == "RuntimeError"
    assert "the opinion Wim on turn 'nl' failed" in caplog.text


def test_a_late_opinion_is_not_awaited_but_its_cost_counts():
    proceed = threading.Event()
    opinion = FakeOpinion(lambda _: CENT if proceed.wait(60) else OpinionResult())
    adviser = Adviser(opinion, budget=Budget(ms=30))
    found = adviser.advise(NL, assessed(), PROFILE)
    (note,) = found.opinions
    assert (note.reason_code, note.reason) == ("late", "there was no reply within 30 ms")
    assert found.verdict == "review"
    assert (
        found.sentences[-1] == "Er is geen tweede mening (Wim): er was geen reactie binnen 30 ms."
    )
    assert adviser.usage == Usage()
    proceed.set()
    for thread in threading.enumerate():
        if thread.name == "klopt-opinion":
            thread.join(60)
    assert adviser.usage.cost_usd == 0.01


UNPRICED = replace(CENT, usage=Usage(calls=1))
NOT_RECORDED = OpinionResult(reason_code="nothing_recorded")
SERVER = failed("server")


@pytest.mark.parametrize(
    ("result", "budget", "codes", "requested_count"),
    [
        (CENT, Budget(), [None] * 4, 4),
        (CENT, Budget(questions=2), [None, None, "budget", "budget"], 2),
        (CENT, Budget(questions=0), ["budget"] * 4, 0),
        (CENT, Budget(usd=0.015), [None, None, "money", "money"], 2),
        (CENT, Budget(usd=0.0), ["money"] * 4, 0),
        (UNPRICED, Budget(usd=1.0), [None, "unpriced", "unpriced", "unpriced"], 1),
        (UNPRICED, Budget(), [None] * 4, 4),
        (OpinionResult(truth=1.0), Budget(usd=1.0), [None] * 4, 4),
        (NOT_RECORDED, Budget(questions=2), ["nothing_recorded"] * 4, 0),
        (SERVER, Budget(), ["server"] * 3 + ["gave_up"], 3),
        (replace(SERVER, usage=Usage(calls=1)), Budget(), ["server"] * 4, 4),
        (failed("no_transcript"), Budget(), ["no_transcript"] * 4, 4),
    ],
)
def test_opinions_are_requested_while_the_budget_lasts(result, budget, codes, requested_count):
    adviser = Adviser(FakeOpinion(result), budget=budget)
    found = [adviser.advise(NL, assessed(), PROFILE) for _ in range(4)]
    assert [one.opinions[0].reason_code for one in found] == codes
    unchanged = [one for one, code in zip(found, codes, strict=True) if code]
    assert {(one.verdict, one.score) for one in unchanged} <= {("review", 3.5)}
    assert adviser.requested_count == requested_count


@pytest.mark.parametrize("verdict", ["send", "review", "block"])
@pytest.mark.parametrize("when", ["review", "always"])
def test_opinions_are_requested_on_review_or_on_every_verdict(when, verdict):
    opinion, first = FakeOpinion(CENT), assessed(verdict=verdict)
    found = Adviser(opinion, when).advise(NL, first, PROFILE)
    is_requested = when == "always" or verdict == "review"
    assert (len(opinion.requests), found is first) == (is_requested, not is_requested)


def test_no_opinion_is_requested_on_an_unscored_answer():
    scorer = Scorer(PROFILE, adviser=Adviser(FakeOpinion(CENT), "always"))
    assert "opinions" not in scorer.score(replace(NL, contexts=())).to_dict()


def test_an_input_error_ends_the_run():
    def full(_: OpinionRequest) -> OpinionResult:
        raise InputError("opinions.jsonl: cannot be written")

    with pytest.raises(InputError, match=r"^opinions\.jsonl: cannot be written$"):
        advised(full)


@pytest.mark.parametrize(
    ("budget", "at_once"), [(Budget(), 8), (Budget(questions=9), 1), (Budget(usd=1.0), 1)]
)
def test_a_limit_of_questions_or_money_requests_one_opinion_at_a_time(budget, at_once):
    assert Adviser(FakeOpinion(CENT), budget=budget, at_once=8).at_once == at_once


FIRST = {verdict: assessed(NL, verdict) for verdict in ("send", "review", "block")}
PROBABILITIES = st.one_of(st.floats(0, 1), st.floats())
CLAIMS = st.none() | st.builds(ClaimOpinion, st.sampled_from([*LABELS, "perhaps"]), PROBABILITIES)
OPINIONS = st.builds(
    OpinionResult,
    truth=st.none() | PROBABILITIES,
    claims=st.lists(CLAIMS, max_size=3).map(tuple),
    who=st.text(max_size=300),
)


@given(OPINIONS, st.sampled_from(list(FIRST)))
def test_only_a_valid_opinion_sends_an_answer(result, verdict):
    first = FIRST[verdict]
    found = advised(result, first)
    (note,) = found.opinions
    assert found.score is not None
    assert 1 <= found.score <= 5
    assert found.stars == int(found.score + 0.5)
    assert json.dumps(found.to_dict(), allow_nan=False)
    assert all(found.sentences)
    assert len(note.who) <= 100
    if found.verdict == "send":
        assert note.status == "given"
        assert not any(claim.fault for claim in found.claims)
    if note.status != "given":
        assert (found.score, found.claims) == (first.score, first.claims)
    assert found == advised(result, first)
