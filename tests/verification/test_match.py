"""Similarity of words, and coverage of a question, against figures worked out by hand."""

from collections.abc import Iterable

import pytest

from klopt import Page
from klopt.verification import Language, Match
from klopt.verification.index import COMPOUND, LITERAL_WEIGHT, SAME, SYNONYM, WEIGHTS, rarity
from klopt.verification.match import ELSEWHERE, PAIR
from tests.heuristics.materials import material, numbered
from tests.tables import tables

CASES = tables("verification", "relations")
SIMILARITY = {"same": SAME, "synonym": SYNONYM, "compound": COMPOUND, "none": None}


def matched(language: Language, answer: str, pages: Iterable[str], question: str = "") -> Match:
    return material(language, question, answer, numbered(pages)).match


def test_rare_words_weigh_more_and_literals_most(nl):
    pages = ["De huurder belt. De huurder tekent.", "De huurder wacht 30 minuten."]
    found = matched(nl, "De huurder tekent een brief binnen 30 of 40 dagen.", pages)
    key = nl.reader.tokenizer.key
    weight = {word: int(found.weights[number]) for word, number in found.words.items()}
    assert weight[key("brief")] == WEIGHTS
    assert weight[key("tekent")] == rarity(1, 3)
    assert weight[key("huurder")] == rarity(3, 3)
    assert weight["#30"] == LITERAL_WEIGHT * rarity(1, 3)
    assert weight["#40"] == LITERAL_WEIGHT * WEIGHTS


@pytest.mark.parametrize(
    ("question", "page", "share"),
    [
        ("De huurder tekent?", "Bel de balie. De huurder tekent.", 1.0),
        ("De huurder sluit?", "De huurder tekent. De balie sluit.", PAIR / 100),
        (
            "De huurder sluit?",
            "De huurder tekent. De monteur fietst. De balie sluit.",
            (1 + ELSEWHERE / SAME) / 2,
        ),
        ("De lamp brandt?", "De huurder tekent.", 0.0),
        ("De balie?", "Bel gerust. " * 2_000 + "Bel de balie.", 1.0),
        ("De balie?", "Balie.", 1.0),
        ("Hoe lang is de balie open?", "De balie is open.", 1.0),
        ("Hoe lang?", "De balie is open.", None),
        ("Een huisdierenverzekering?", "Een verzekering kost 3 euro.", 0.0),
        ("Een huisdierenverzekering?", "De huisdierverzekering en de huisdierenverzekering.", 1.0),
    ],
)
def test_one_sentence_or_two_consecutive_ones_cover_a_question(nl, question, page, share):
    assert matched(nl, "Nee.", [page], question).question_share() == pytest.approx(share)


def test_a_synonym_counts_more_than_a_compound(nl):
    page = "Wie wil afdrukken, heeft een netwerkverbinding."
    questions = ("Printen?", "Een verbinding?", "Een brief?")
    shares = [matched(nl, "Nee.", [page], question).question_share() for question in questions]
    assert 1 > shares[0] > shares[1] > shares[2] == 0


@pytest.mark.parametrize(("language", "one", "other", "similarity", "why"), CASES["like"])
def test_similarity_of_words(languages, language, one, other, similarity, why):
    own = languages[language]
    index = own.page(Page(other))
    (word,) = own.reader.read(one).tokens.keys
    assert index.like(word, own.relations).get(0) == SIMILARITY[similarity], why


@pytest.mark.parametrize(("language", "one", "other", "excludes"), CASES["rivals"])
def test_words_that_exclude_each_other(languages, language, one, other, excludes):
    own = languages[language]
    first, second = (own.reader.read(text).tokens.keys[0] for text in (one, other))
    assert own.relations.exclude(first, second) is excludes
    assert own.relations.exclude(second, first) is excludes
    if excludes:
        assert own.relations.has_rival(first)
        assert own.relations.has_rival(second)
