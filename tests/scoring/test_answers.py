"""Rules, verdicts and reasons of the answers in `answers.toml`, scored by `default`."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from klopt import Assessment, Page, Profile, Scorer, Turn

TABLES = tomllib.loads(Path(__file__).with_name("answers.toml").read_text("utf-8"))
LOOK = {"nl": "laat er eerst iemand naar kijken.", "en": "let a person look at it first."}


def each(name: str) -> pytest.MarkDecorator:
    """Run a test for the rows of a table, or for the answers of turns under a key."""
    rows = TABLES.get(name) or [
        {**turn, "answer": answer} for turn in TABLES["turn"] for answer in turn.get(name, ())
    ]
    ids = [f"{row['page']}-{row.get('answer', row.get('untrue'))[:30]}" for row in rows]
    return pytest.mark.parametrize("row", rows, ids=ids)


@pytest.fixture(scope="module")
def sends_all():
    """The default profile, but with thresholds that send every score."""
    return Scorer(replace(Profile.load(), send_from=1.0, block_below=1.0))


def assess(scorer: Scorer, row: dict[str, Any], answer: str | None = None) -> Assessment:
    page = Page(TABLES["pages"][row["page"]], id="page.md")
    language = row["page"][-2:] if row["page"][-3:] in ("_nl", "_en") else "auto"
    return scorer.score(Turn(row["question"], answer or row["answer"], [page], language=language))


@each("rule")
def test_the_deciding_rule(sends_all, row):
    assert assess(sends_all, row).rule == row["rule"][row["answer"]]


@each("send")
def test_answers_that_are_sent(sends_all, row):
    assert assess(sends_all, row).verdict == "send"


@each("unscored")
def test_answers_without_a_claim_are_unscored(sends_all, row):
    found = assess(sends_all, row)
    assert (found.verdict, found.reason_code) == ("unscored", "nothing_checked")


@each("review")
def test_a_fault_is_the_reason_for_review(sends_all, row):
    found = assess(sends_all, row)
    assert (found.verdict, found.rule) == ("review", "weighed_evidence")
    assert found.why == row["review"][row["answer"]]
    assert found.sentences[0].endswith(LOOK[found.language or ""])
    assert found.sentences.count(found.why) == 1


@each("fault")
def test_a_claim_at_fault_is_the_reason_for_review(sends_all, row):
    found, fault = assess(sends_all, row), row["fault"][row["answer"]]
    assert found.verdict == "review"
    assert fault in found.why
    assert any(claim.fault and fault.startswith(claim.text[:9]) for claim in found.claims)


@each("pair")
def test_one_wrong_fact_is_not_sent(scorer, row):
    right, wrong = (assess(scorer, row, row[which]) for which in ("true", "untrue"))
    assert (right.verdict == "send", wrong.verdict == "send") == (row.get("sent", True), False)
    assert (wrong.score or 0.0) < (right.score or 0.0) - 0.5
    assert wrong.claims[-1].fault


@each("yes_or_no")
def test_a_yes_or_no_is_part_of_the_next_claim(scorer, row):
    then, untrue = row["then"], row["untrue"]
    right, wrong = (assess(scorer, row, f"{word} {then}") for word in (row["true"], untrue))
    assert (right.claims[0].start, wrong.claims[0].start) == (0, 0)
    assert right.claims[0].truth > wrong.claims[0].truth
    assert (right.score or 0.0) > (wrong.score or 0.0)
    later = assess(scorer, row, f"{then} {untrue}")
    assert [claim.text for claim in later.claims] == [then.replace("**", "")]


PASS = {"page": "pass_nl", "question": "Hoe vraag ik een pas aan?"}
UNKNOWN = "Open Mijn pas en klik op **Bestellen**."


def test_a_fault_changes_no_score_and_raises_no_verdict(sends_all):
    profile = sends_all.profile
    without = Scorer(replace(profile, review_on=()))
    blocks = Scorer(replace(profile, send_from=5.0, block_below=5.0))
    found = [assess(scorer, PASS, UNKNOWN) for scorer in (sends_all, without, blocks)]
    assert found[1].score == found[2].score
    assert [assessment.verdict for assessment in found] == ["review", "send", "block"]
    # A weighed score without a fault blocks no answer.
    for row, answer in (
        (PASS, "Open **Mijn pas** en klik op **Versturen**."),
        ({**PASS, "page": "pass_en"}, "Open **My pass** and click **Submit**."),
    ):
        found = assess(blocks, row, answer)
        assert (found.verdict, found.rule) == ("review", "weighed_evidence"), found.explanation


def test_the_afas_profile_reviews_by_score_alone():
    assert Profile.load("afas").review_on == ()
