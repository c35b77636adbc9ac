"""What an opinion changes of score, verdict, statements and explanation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from klopt import Scorer
from klopt.opinions import Adviser, Said, SaidOfStatement
from klopt.records import Evidence
from tests.opinions.asking import EN, NL, PROFILE, Says, advised, before, scored, statements

FAULT = Evidence("unsupported", "drie dagen", 16, 26)
SURE = statements(("supported", 1.0), ("supported", 1.0))
BELOW = round(PROFILE.send_from - 0.01, 2)
"""What would score 5 and is not sent."""


@pytest.mark.parametrize("verdict", ["send", "review", "block"])
@pytest.mark.parametrize(
    ("truth", "score", "after"),
    [(1.0, 5.0, "send"), (0.6, 3.4, "review"), (0.25, 2.0, "block"), (0.0, 1.0, "block")],
)
def test_an_opinion_on_the_whole_stands_in_for_a_person(verdict, truth, score, after):
    found = advised(Said(truth=truth, who="Anna"), before(verdict=verdict))
    assert (found.score, found.verdict, found.stars) == (score, after, int(score + 0.5))
    (note,) = found.opinions
    assert (note.who, note.status, note.truth) == ("Anna", "given", truth)
    assert (note.score_before, note.verdict_before) == (found.own_score, verdict)
    assert found.fingerprint.endswith("|opinion:wim:1")


def faulty(verdict="review"):
    first = before(verdict=verdict)
    return replace(first, statements=tuple(replace(one, fault=True) for one in first.statements))


def held_by(name):
    """As before, with evidence of a heuristic against it."""
    first = before()
    held = {name: replace(first.measurements[name], evidence=(FAULT,))}
    return replace(first, measurements={**first.measurements, **held})


def test_what_is_sent_names_no_fault_any_more():
    first = faulty()
    assert not any(one.fault for one in advised(Said(truth=1.0), first).statements)
    assert all(one.fault for one in advised(Said(truth=0.6), first).statements)


@pytest.mark.parametrize(
    ("said", "truth", "verdict", "faults"),
    [
        ([("supported", 0.9), ("supported", 0.95)], 0.9, "send", [False, False]),
        ([("supported", 0.9), None], 0.9, "send", [False, False]),
        ([("supported", 0.99), ("contradicted", 0.9)], 0.1, "block", [False, True]),
        ([("not_stated", 0.5), ("supported", 0.9)], 0.5, "review", [True, False]),
        ([("supported", 0.6), ("supported", 0.9)], 0.6, "review", [False, False]),
        # Said with so little chance that the score alone would send it: just below that line.
        ([("contradicted", 0.05), ("supported", 0.99)], 0.95, "review", [True, False]),
        ([("not_stated", 0.0), None], 0.95, "review", [True, False]),
    ],
)
def test_an_answer_is_as_true_as_its_least_likely_statement(said, truth, verdict, faults):
    found = advised(statements(*said))
    assert found.score == pytest.approx(PROFILE.on_its_side(1 + 4 * truth, verdict))
    assert found.verdict == verdict
    assert [one.fault for one in found.statements] == faults
    pairs = zip(found.statements, said, strict=True)
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
    assert advised(Said(truth=1.0), held_by(name)).verdict == "send"


def test_a_part_that_is_left_open_stays_open():
    assert advised(SURE, before(abstained=True)).verdict == "review"
    assert advised(SURE, before(verdict="send", abstained=True)).verdict == "send"


def test_whole_and_statements_together():
    said = Said(truth=1.0, statements=(SaidOfStatement("not_stated", 0.9), None))
    found = advised(said)
    assert (found.score, found.verdict, found.statements[0].fault) == (BELOW, "review", True)


@pytest.mark.parametrize("turn", [NL, EN], ids=["nl", "en"])
@pytest.mark.parametrize(
    "said",
    [
        Said(truth=1.0),
        statements(("contradicted", 1.0), ("not_stated", 1.0)),
        statements(("supported", 0.9), ("supported", 1.0)),
        statements(("supported", 0.6), ("supported", 0.9)),
        statements(None, ("supported", 0.6)),
    ],
    ids=["whole", "against", "for", "hardly", "of one"],
)
def test_the_opinion_is_told_first_in_the_language_of_the_question(turn, said, snapshot):
    assert list(advised(said, before(turn), turn).sentences) == snapshot


@pytest.mark.parametrize(
    ("said", "first", "is_told"),
    [
        (Said(truth=0.6), before(), True),
        (Said(truth=0.0), before(), True),
        (Said(truth=0.6), before(verdict="block"), True),
        (Said(truth=1.0), before(), False),
        (Said(truth=0.6), before(verdict="send"), False),
        (statements(("supported", 0.6), ("supported", 0.9)), faulty(), False),
        (statements(("supported", 0.9), None), faulty(), True),
        (statements(("supported", 0.9), ("supported", 1.0)), before(abstained=True), True),
    ],
)
def test_what_klopt_found_is_told_unless_the_opinion_settles_it(said, first, is_told):
    found = advised(said, first)
    rest = first.sentences[1:]
    assert rest
    assert (found.sentences[-len(rest) :] == rest) == is_told


def test_what_is_asked_is_what_people_read():
    opinion = Says(Said(truth=1.0))
    Adviser(opinion).advise(NL, before(), PROFILE)
    (asked,) = opinion.asked
    first, second = asked.statements
    assert asked.turn is NL
    assert first.text == "Meld het schip drie dagen voor aankomst aan."
    assert NL.answer[first.start : first.end].startswith("Meld het schip **drie dagen**")
    assert "uiterlijk drie dagen" in first.passage.text
    assert "Zonder aanmelding betaalt u dubbel liggeld." in second.passage.text


def test_several_opinions_one_after_the_other():
    found = advised(Said(truth=0.6), advised(Said(truth=0.5)))
    assert [note.score_before for note in found.opinions] == [3.5, 3.0]
    assert (found.own_score, found.score) == (3.5, 3.4)


def test_an_answer_that_nobody_is_asked_about_is_as_it_was():
    turns = [replace(NL, contexts=()), NL, EN]
    alone = Scorer(PROFILE, all_types=True)
    sure = Scorer(PROFILE, all_types=True, adviser=Adviser(Says(Said(truth=1.0))))
    for turn in turns:
        first, second = alone.score(turn), sure.score(turn)
        if first.verdict != "review":
            assert first.to_dict() == second.to_dict()
            assert "opinions" not in second.to_dict()
    assert sure.name == "default + Wim"


def test_the_row_tells_who_was_asked_and_what_was_said(snapshot):
    assert advised(statements(("supported", 0.87654321), None)).to_dict()["opinions"] == snapshot
    assert scored(NL).opinions == ()
