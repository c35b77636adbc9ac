"""Second opinions of LLMs, from a scripted server on loopback."""

import json
import re

import pytest

from klopt.errors import ReplyError
from klopt.llm.client import ChatClient
from klopt.llm.opinions import Adviser
from klopt.llm.opinions.llm import LlmOpinion, read_reply
from tests.llm.opinions.fakes import NL, PROFILE, assessed
from tests.llm.server import KEY, Server, completes, status


def entry(number: object = 1, relation: object = "supported", probability: object = 0.9) -> dict:
    return {"number": number, "why": "", "relation": relation, "probability": probability}


def body(*entries: object) -> str:
    return json.dumps({"statements": list(entries)})


SURE = body(entry(1), entry(2, "contradicted", 0.8))
SCORE = '{"explanation": "It is so.", "score": 4}'


def advise(server: Server, form: str):
    client = ChatClient("tiny", server.base_url, KEY, max_retries=1, prices=(1.0, 2.0))
    with client as model:
        return Adviser(LlmOpinion(model, form)).advise(NL, assessed(), PROFILE)


def test_an_opinion_on_the_answer_is_that_of_the_truthfulness_judge():
    with Server(then=completes(SCORE)) as server:
        found = advise(server, "answer")
    (note,) = found.opinions
    assert (note.who, note.truth, note.calls) == ("tiny-2026-01-01", 0.75, 1)
    assert note.cost_usd == pytest.approx((20 * 1 + 5 * 2) / 1e6)
    assert (found.score, found.verdict) == (4.0, "send")
    (received,) = server.received
    assert "Truthfulness" in received.body["messages"][0]["content"]
    assert "uiterlijk drie dagen voor aankomst" in received.user
    assert "|opinion:llm_answer:tiny@" in found.fingerprint


def test_opinions_on_all_claims_take_one_request():
    with Server(then=completes(SURE)) as server:
        found = advise(server, "statements")
    claims = [(claim.relation, claim.truth) for claim in found.claims]
    assert claims == [("supported", 0.9), ("contradicted", pytest.approx(0.2))]
    assert found.verdict == "block"
    (received,) = server.received
    names = re.findall(r"^\[BEGIN (.+) \w{10}\]$", received.user, re.MULTILINE)
    assert names == ["QUESTION", "ANSWER", "PAGE 1", "STATEMENT 1", "STATEMENT 2"]


@pytest.mark.parametrize(
    ("form", "behaviour", "code"),
    [
        ("answer", status(401), "refused"),
        ("statements", completes(SCORE), "bad_shape"),
        ("answer", completes(SCORE.replace("4", "4.5")), "bad_shape"),
    ],
)
def test_an_invalid_reply_is_no_opinion(form, behaviour, code):
    with Server(then=behaviour) as server:
        found = advise(server, form)
    (note,) = found.opinions
    assert (note.status, note.reason_code) == ("failed", code)
    assert (found.verdict, found.score) == ("review", 3.5)
    assert KEY not in json.dumps(found.to_dict())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "in the reply statements: missing; give a list"),
        ("[]", "in the reply all: [] is not a table with statements"),
        (body(entry(1) | {"extra": 1}), "in the reply statements.0.extra: unknown key; allowed"),
        (body(entry("1")), 'in the reply statements.0.number: "1" is not a whole number'),
        (body(entry(True)), "in the reply statements.0.number: true is not a whole number"),
        (body(entry(probability="0.5")), 'in the reply statements.0.probability: "0.5" is not a'),
        (body(entry(probability=2)), "in the reply statements.0.probability: 2 is not a number"),
        (body(entry(relation="yes")), 'in the reply statements.0.relation: "yes" is not one of'),
        (body(entry()), "the reply has statements [1], not 1 to 2, each once, in order"),
        (body(entry(), entry(2), entry(2)), "the reply has statements [1, 2, 2], not 1 to 2"),
        (body(entry(2), entry(1)), "the reply has statements [2, 1], not 1 to 2, each once"),
        (body(*[entry(9)] * 999), "the reply has statements [9, 9, 9, 9, 9,"),
    ],
    ids=lambda text: text[:80],
)
def test_an_invalid_reply_is_described(text, message):
    with pytest.raises(ReplyError) as caught:
        read_reply(text, 2)
    assert caught.value.reason_code == "bad_shape"
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < 200
