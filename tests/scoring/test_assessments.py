"""What an assessment of a scored turn says."""

from __future__ import annotations

import pytest

from klopt import Page, Profile, Scorer, Turn
from klopt.errors import UnknownLanguageError
from tests.scoring.turns import ENGLISH_PAGE, PAGE, QUESTION, only, turn


def test_page_in_another_language_is_left_out(scorer: Scorer):
    both = scorer.score(turn(contexts=[ENGLISH_PAGE, Page(PAGE, id="nl.md")]))
    assert both.status == "scored"
    assert both.score == scorer.score(turn()).score
    pages = {e.page for one in both.measurements.values() for e in one.evidence}
    assert pages <= {None, "nl.md"}


def test_decided_message_type_has_its_span_in_the_original(scorer: Scorer):
    question = f"<p>Goedemorgen, {QUESTION[0].lower()}{QUESTION[1:]}</p>"
    found = scorer.score(turn(question=question))
    assert found.message_type == "instruction"
    assert found.pattern
    start, end = found.span
    assert 0 <= start < end <= len(question)
    assert "hoe" in question[start:end]


def test_all_types():
    found = Scorer.load(all_types=True).score(turn(message_type="action"))
    assert (found.status, found.message_type) == ("scored", "action")
    assert (found.pattern, found.span) == ("given", None)
    assert Scorer.load("afas").score(turn(message_type="general")).reason_code == "out_of_scope"


def test_stated_language_is_taken(scorer: Scorer):
    found = scorer.score(turn(question="XT-9?", answer="XT-9!", contexts=["XT-9."], language="en"))
    assert found.language == "en"
    assert found.explanation == (
        "Not scored: the profile does not score messages of the type unspecified."
    )


def test_that_it_does_not_know_is_said_once(scorer: Scorer):
    """In the default profile the node that decides says it already."""
    found = scorer.score(turn(answer="Dat weet ik helaas niet."))
    assert (found.abstained, found.score, found.rule) == (True, 1.5, "abstains_too_soon")
    assert found.sentences == (
        "Score 1,5 van 5: niet versturen.",
        "Het antwoord laat de vraag open, maar de pagina's gaan over wat er gevraagd is.",
    )


def test_weights_of_a_turn_are_those_of_its_language(scorer: Scorer):
    """A heuristic that was not weighed in a language counts for 0 there."""
    english = turn("How does the user open the file?", "The user opens it.", [ENGLISH_PAGE])
    for row in (turn(), english):
        found = scorer.score(row)
        terms = scorer.profile.evidence[found.language or ""].terms
        assert {name: weight for name, weight in found.weights.items() if weight} == {
            name: term.weight for name, term in terms.items() if term.weight
        }


def test_explanation_names_three_things_at_most(afas: Scorer):
    names = ("Turbo", "Hyper", "Mega", "Giga")
    answer = " ".join(f"Klik op **{name}**." for name in (*names, "Turbo"))
    found = afas.score(turn(answer=answer))
    assert found.sentences[-1] == ("Geen pagina noemt “Turbo”, “Hyper”, “Mega”, …")


def test_a_sum_of_one_feature_has_no_lowest_and_highest():
    found = Scorer(only(Profile.load("afas"), "hal")).score(turn())
    assert found.sentences == ("Score 5,0 van 5: versturen.", "De som.")


def test_rating_and_reference_are_never_read(scorer: Scorer):
    rated = turn(rating=1.0, reference="Iets heel anders.")
    assert scorer.score(rated) == scorer.score(turn())


def test_classify(scorer: Scorer):
    found, span = scorer.classify(turn())
    assert (found.message_type, span is None) == ("instruction", False)
    given, nowhere = scorer.classify(turn(message_type="error"))
    assert (given.message_type, given.pattern, nowhere) == ("error", "given", None)
    with pytest.raises(UnknownLanguageError, match=r"^the text was not recognised as Dutch"):
        scorer.classify(turn(question="XT-9?"))


@pytest.mark.parametrize(
    ("question", "answer", "pages", "languages"),
    [
        ("Hoe lang geldt het?", "De code geldt 15 minuten.", ["De code geldt 15 minuten."], None),
        ("Hoe lang?", "15 minuten.", ["LN-2047", "De code geldt nog 15 minuten."], None),
        ("Hoe lang geldt de code dan?", "De code geldt 15 minuten.",
         ["De code geldt nog 15 minuten.", "The code is valid for 15 minutes.", "LN-2047"],
         {"question": "nl", "answer": "nl", "pages": ["nl", "en", None]}),
        ("Hoe lang geldt de code dan?",
         "Der Code ist nur für kurze Zeit gültig und wird nicht erneuert.",
         ["Der Code ist nur 15 Minuten gültig.", "De code geldt nog 15 minuten."],
         {"question": "nl", "answer": "de", "pages": ["de", "nl"]}),
    ],
)  # fmt: skip
def test_languages_are_told_where_they_are_several(question, answer, pages, languages):
    turn = Turn(question, answer, [Page(text) for text in pages], language="nl")
    row = Scorer.load().score(turn).to_dict()
    assert row.get("languages") == languages
