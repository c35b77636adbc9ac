"""How a second opinion changes score, verdict, claims and explanation."""

from dataclasses import replace

import pytest

from klopt.llm.opinions import OpinionResult
from klopt.types import Evidence
from tests.llm.opinions.fakes import EN, NL, PROFILE, advised, assessed, claim_opinions, scored

UNSUPPORTED = Evidence("unsupported", "drie dagen", 16, 26)
SURE = claim_opinions(("supported", 1.0), ("supported", 1.0))
BELOW = round(PROFILE.send_from - 0.01, 2)
"""The highest score that is not sent."""


@pytest.mark.parametrize("verdict", ["send", "review", "block"])
@pytest.mark.parametrize(
    ("truth", "score", "after"),
    [(1.0, 5.0, "send"), (0.6, 3.4, "review"), (0.2, 1.8, "block"), (0.0, 1.0, "block")],
)
def test_an_opinion_on_the_answer_replaces_the_score(verdict, truth, score, after):
    found = advised(OpinionResult(truth=truth, who="Anna"), assessed(verdict=verdict))
    assert (found.score, found.verdict, found.stars) == (score, after, int(score + 0.5))
    (note,) = found.opinions
    assert (note.who, note.status, note.truth) == ("Anna", "given", truth)
    assert (note.score_before, note.verdict_before) == (found.own_score, verdict)
    assert found.fingerprint.endswith("|opinion:wim:1")


def with_faults():
    first = assessed()
    return replace(first, claims=tuple(replace(claim, fault=True) for claim in first.claims))


def with_evidence_against(name):
    first = assessed()
    measured = {name: replace(first.measurements[name], evidence=(UNSUPPORTED,))}
    return replace(first, measurements={**first.measurements, **measured})


def test_a_sent_answer_has_no_faulty_claim():
    first = with_faults()
    assert not any(claim.fault for claim in advised(OpinionResult(truth=1.0), first).claims)
    assert all(claim.fault for claim in advised(OpinionResult(truth=0.6), first).claims)


@pytest.mark.parametrize(
    ("opinions", "truth", "verdict", "faults"),
    [
        ([("supported", 0.9), ("supported", 0.95)], 0.9, "send", [False, False]),
        ([("supported", 0.9), None], 0.9, "send", [False, False]),
        ([("supported", 0.99), ("contradicted", 0.9)], 0.1, "block", [False, True]),
        ([("not_stated", 0.5), ("supported", 0.9)], 0.5, "review", [True, False]),
        ([("supported", 0.6), ("supported", 0.9)], 0.6, "review", [False, False]),
        # The score alone would send the answer: it stays just below that threshold.
        ([("contradicted", 0.05), ("supported", 0.99)], 0.95, "review", [True, False]),
        ([("not_stated", 0.0), None], 0.95, "review", [True, False]),
    ],
)
def test_the_least_likely_claim_decides_the_score(opinions, truth, verdict, faults):
    found = advised(claim_opinions(*opinions))
    assert found.score == pytest.approx(PROFILE.on_its_side(1 + 4 * truth, verdict))
    assert found.verdict == verdict
    assert [claim.fault for claim in found.claims] == faults
    pairs = zip(found.claims, opinions, strict=True)
    assert all(claim.relation == given[0] for claim, given in pairs if given is not None)


@pytest.mark.parametrize(
    ("name", "score", "verdict"),
    [
        *((name, BELOW, "review") for name in ("components_defined", "guide_asked", "step_order")),
        ("weakest_statement", 5.0, "send"),
    ],
)
def test_opinions_on_claims_do_not_overrule_features_of_the_whole_answer(name, score, verdict):
    first = with_evidence_against(name)
    found = advised(SURE, first)
    assert (found.score, found.verdict) == (score, verdict)
    assert advised(OpinionResult(truth=1.0), first).verdict == "send"


def test_opinions_on_claims_do_not_complete_an_open_answer():
    assert advised(SURE, assessed(abstained=True)).verdict == "review"
    assert advised(SURE, assessed(verdict="send", abstained=True)).verdict == "send"


@pytest.mark.parametrize("turn", [NL, EN], ids=["nl", "en"])
@pytest.mark.parametrize(
    "result",
    [
        OpinionResult(truth=1.0),
        claim_opinions(("contradicted", 1.0), ("not_stated", 1.0)),
        claim_opinions(("supported", 0.9), ("supported", 1.0)),
        claim_opinions(("supported", 0.6), ("supported", 0.9)),
        claim_opinions(None, ("supported", 0.6)),
    ],
    ids=["answer", "against", "for", "unsure", "one claim"],
)
def test_the_explanation_starts_with_the_opinion(turn, result, snapshot):
    assert list(advised(result, assessed(turn), turn).sentences) == snapshot


@pytest.mark.parametrize(
    ("result", "first", "is_kept"),
    [
        (OpinionResult(truth=0.6), assessed(), True),
        (OpinionResult(truth=0.0), assessed(), True),
        (OpinionResult(truth=0.6), assessed(verdict="block"), True),
        (OpinionResult(truth=1.0), assessed(), False),
        (OpinionResult(truth=0.6), assessed(verdict="send"), False),
        (claim_opinions(("supported", 0.6), ("supported", 0.9)), with_faults(), False),
        (claim_opinions(("supported", 0.9), None), with_faults(), True),
        (SURE, assessed(abstained=True), True),
    ],
)
def test_own_reasons_are_kept_unless_the_opinion_settles_them(result, first, is_kept):
    found = advised(result, first)
    reasons = first.sentences[1:]
    assert reasons
    assert (found.sentences[-len(reasons) :] == reasons) == is_kept


def test_the_row_contains_the_opinion(snapshot):
    row = advised(claim_opinions(("supported", 0.87654321), None)).to_dict()
    assert row["opinions"] == snapshot
    assert scored(NL).opinions == ()
