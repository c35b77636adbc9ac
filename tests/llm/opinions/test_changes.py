"""What an opinion changes of score, verdict, statements and explanation."""

from dataclasses import replace

import pytest

from klopt.llm.opinions import OpinionResult
from klopt.types import Evidence
from tests.llm.opinions.asking import EN, NL, PROFILE, advised, before, on_claims, scored

FAULT = Evidence("unsupported", "drie dagen", 16, 26)
SURE = on_claims(("supported", 1.0), ("supported", 1.0))
BELOW = round(PROFILE.send_from - 0.01, 2)
"""What would score 5 and is not sent."""


@pytest.mark.parametrize("verdict", ["send", "review", "block"])
@pytest.mark.parametrize(
    ("truth", "score", "after"),
    [(1.0, 5.0, "send"), (0.6, 3.4, "review"), (0.2, 1.8, "block"), (0.0, 1.0, "block")],
)
def test_an_opinion_on_the_whole_stands_in_for_a_person(verdict, truth, score, after):
    found = advised(OpinionResult(truth=truth, who="Anna"), before(verdict=verdict))
    assert (found.score, found.verdict, found.stars) == (score, after, int(score + 0.5))
    (note,) = found.opinions
    assert (note.who, note.status, note.truth) == ("Anna", "given", truth)
    assert (note.score_before, note.verdict_before) == (found.own_score, verdict)
    assert found.fingerprint.endswith("|opinion:wim:1")


def faulty(verdict="review"):
    first = before(verdict=verdict)
    return replace(first, claims=tuple(replace(one, fault=True) for one in first.claims))


def held_by(name):
    """As before, with evidence of a heuristic against it."""
    first = before()
    held = {name: replace(first.measurements[name], evidence=(FAULT,))}
    return replace(first, measurements={**first.measurements, **held})


def test_what_is_sent_names_no_fault_any_more():
    first = faulty()
    assert not any(one.fault for one in advised(OpinionResult(truth=1.0), first).claims)
    assert all(one.fault for one in advised(OpinionResult(truth=0.6), first).claims)


@pytest.mark.parametrize(
    ("said", "truth", "verdict", "faults"),
    [
        ([("supported", 0.9), ("supported", 0.95)], 0.9, "send", [False, False]),
        ([("supported", 0.9), None], 0.9, "send", [False, False]),
        ([("supported", 0.99), ("contradicted", 0.9)], 0.1, "block", [False, True]),
        ([("not_stated", 0.5), ("supported", 0.9)], 0.5, "review", [True, False]),
        ([("supported", 0.6), ("supported", 0.9)], 0.6, "review", [False, False]),
        # So unlikely that the score alone would send it: just below that threshold.
        ([("contradicted", 0.05), ("supported", 0.99)], 0.95, "review", [True, False]),
        ([("not_stated", 0.0), None], 0.95, "review", [True, False]),
    ],
)
def test_an_answer_is_as_true_as_its_least_likely_statement(said, truth, verdict, faults):
    found = advised(on_claims(*said))
    assert found.score == pytest.approx(PROFILE.on_its_side(1 + 4 * truth, verdict))
    assert found.verdict == verdict
    assert [one.fault for one in found.claims] == faults
    pairs = zip(found.claims, said, strict=True)
    assert all(one.relation == given[0] for one, given in pairs if given is not None)


@pytest.mark.parametrize(
    ("name", "score", "verdict"),
    [
        *((name, BELOW, "review") for name in ("components_defined", "guide_asked", "step_order")),
        ("weakest_statement", 5.0, "send"),
    ],
)
def test_what_statements_do_not_settle_is_not_sent(name, score, verdict):
    found = advised(SURE, held_by(name))
    assert (found.score, found.verdict) == (score, verdict)
    assert advised(OpinionResult(truth=1.0), held_by(name)).verdict == "send"


def test_a_part_that_is_left_open_stays_open():
    assert advised(SURE, before(abstained=True)).verdict == "review"
    assert advised(SURE, before(verdict="send", abstained=True)).verdict == "send"


@pytest.mark.parametrize("turn", [NL, EN], ids=["nl", "en"])
@pytest.mark.parametrize(
    "said",
    [
        OpinionResult(truth=1.0),
        on_claims(("contradicted", 1.0), ("not_stated", 1.0)),
        on_claims(("supported", 0.9), ("supported", 1.0)),
        on_claims(("supported", 0.6), ("supported", 0.9)),
        on_claims(None, ("supported", 0.6)),
    ],
    ids=["whole", "against", "for", "hardly", "of one"],
)
def test_the_opinion_is_told_first_in_the_language_of_the_question(turn, said, snapshot):
    assert list(advised(said, before(turn), turn).sentences) == snapshot


@pytest.mark.parametrize(
    ("said", "first", "is_told"),
    [
        (OpinionResult(truth=0.6), before(), True),
        (OpinionResult(truth=0.0), before(), True),
        (OpinionResult(truth=0.6), before(verdict="block"), True),
        (OpinionResult(truth=1.0), before(), False),
        (OpinionResult(truth=0.6), before(verdict="send"), False),
        (on_claims(("supported", 0.6), ("supported", 0.9)), faulty(), False),
        (on_claims(("supported", 0.9), None), faulty(), True),
        (on_claims(("supported", 0.9), ("supported", 1.0)), before(abstained=True), True),
    ],
)
def test_what_klopt_found_is_told_unless_the_opinion_settles_it(said, first, is_told):
    found = advised(said, first)
    rest = first.sentences[1:]
    assert rest
    assert (found.sentences[-len(rest) :] == rest) == is_told


def test_the_row_tells_who_was_asked_and_what_was_said(snapshot):
    assert advised(on_claims(("supported", 0.87654321), None)).to_dict()["opinions"] == snapshot
    assert scored(NL).opinions == ()
