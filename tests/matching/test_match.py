"""Coverage, against figures worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from klopt.matching import Language
from klopt.matching.index import LITERAL_WEIGHT, SAME, WEIGHTS, rarity
from klopt.matching.match import BLOCK_CELLS, ELSEWHERE, PAIR
from tests.matching.texts import matched


@pytest.fixture(scope="module")
def nl(languages: dict[str, Language]) -> Language:
    return languages["nl"]


def test_rare_words_weigh_more_and_literals_most(nl: Language):
    pages = ["De huurder belt. De huurder tekent.", "De huurder wacht 30 minuten."]
    found = matched(nl, "De huurder tekent een brief binnen 30 of 40 dagen.", pages)
    key = nl.reader.tokenizer.key
    weight = {word: int(found.weights[number]) for word, number in found.words.items()}
    assert weight[key("brief")] == WEIGHTS
    assert weight[key("tekent")] == rarity(1, 3)
    assert weight[key("huurder")] == rarity(3, 3)
    assert weight["#30"] == LITERAL_WEIGHT * rarity(1, 3)
    assert weight["#40"] == LITERAL_WEIGHT * WEIGHTS


def test_the_sentence_itself(nl: Language):
    page = "Bel de balie. De huurder tekent."
    found = matched(nl, "De huurder tekent.", [page])
    assert found.shares[0, 0] == 1.0
    assert found.support.tolist() == [1.0]


def test_two_sentences_that_follow_one_another_count_almost_as_much(nl: Language):
    page = "De huurder tekent. De balie sluit."
    found = matched(nl, "De huurder sluit.", [page])
    assert found.shares[0, 0] == pytest.approx(PAIR / 100)


def test_of_two_sentences_with_one_between_them_the_other_counts_in_part(nl: Language):
    page = "De huurder tekent. De monteur fietst. De balie sluit."
    found = matched(nl, "De huurder sluit.", [page])
    assert found.shares[0, 0] == pytest.approx((1 + ELSEWHERE / SAME) / 2)


def test_a_synonym_counts_more_than_a_part_and_a_part_more_than_nothing(nl: Language):
    page = "Wie wil afdrukken, heeft een netwerkverbinding."
    answers = ("Een printer printen.", "Een verbinding.", "Een brief.")
    shares = [matched(nl, answer, [page]).shares[0, 0] for answer in ("Printen.", *answers[1:])]
    assert 1 > shares[0] > shares[1] > shares[2] == 0


def test_nothing_alike_counts_for_nothing(nl: Language):
    found = matched(nl, "De lamp brandt.", ["De huurder tekent."])
    assert found.shares[0, 0] == 0.0


def test_support_weighs_the_sentences(nl: Language):
    """The first is covered whole: two words of one weight; the second, of weight 1, not at all."""
    found = matched(nl, "De huurder tekent. De lamp ontbreekt.", ["De huurder tekent."])
    own = 2 * rarity(1, 1)
    assert found.support[0] == pytest.approx(own / (own + 2 * WEIGHTS))


def test_best_pages_are_all_that_cover_as_much(nl: Language):
    pages = ["De huurder tekent.", "De lamp brandt.", "De huurder tekent."]
    assert matched(nl, "De huurder tekent.", pages).best_pages == [0, 2]
    assert matched(nl, "De deur klemt.", pages).best_pages == [0, 1, 2]


def test_what_is_asked(nl: Language):
    page = "De lamp brandt. De huurder tekent."
    assert matched(nl, "Nee.", [page], "Tekent de huurder?").asked_share() == 1.0
    assert matched(nl, "Nee.", [page], "Fietst de monteur?").asked_share() == 0.0
    assert matched(nl, "Nee.", [page], "Hoe dan?").asked_share() is None


PAGES = [
    "# Sleutels\n\nEen sleutel haalt u bij de balie. Neem uw contract mee.",
    "# Contract\n\nHet contract tekent u bij de balie. Neem uw sleutel mee.",
    "# Lampen\n\nEen lamp vervangt de monteur.",
]


def test_a_page_of_one_word(nl: Language):
    found = matched(nl, "De huurder tekent.", ["Dan.", "De huurder tekent."], "Wie tekent?")
    assert found.support.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("answer", ["Ja, dat kan.", "", "***"])
def test_an_answer_without_words(nl: Language, answer: str):
    found = matched(nl, answer, ["De huurder tekent."], "Wie tekent?")
    assert (len(found.answer), found.statements) == (0, [])
    assert found.support.tolist() == [0.0]
    assert found.best_pages == [0]


@pytest.mark.parametrize("question", ["", "Hoe dan?"])
def test_a_question_without_words(nl: Language, question: str):
    found = matched(nl, "De huurder tekent.", ["De huurder tekent."], question)
    assert found.asked_share() is None


def test_greetings_are_no_statements(nl: Language):
    found = matched(nl, "Graag gedaan. Zoek de balie. Fijne dag.", ["Bel ons."])
    starts = [found.answer.starts[unit] for unit in found.statements]
    assert starts == [len("Graag gedaan. ")]


def test_a_rare_word_finds_its_sentence_behind_many_others(nl: Language):
    page = "Bel gerust. " * 2_000 + "Bel de balie."
    found = matched(nl, "Bel de balie.", [page])
    assert found.shares[0, 0] > 0.999


def test_long_pages_are_looked_at_in_blocks(nl: Language, monkeypatch: pytest.MonkeyPatch):
    """Whatever the size of a block, the result is the same."""
    answer = "De huurder tekent een contract bij de balie. De monteur vervangt de lamp."
    whole = matched(nl, answer, PAGES, "Wie tekent?")
    assert all(one.size <= BLOCK_CELLS for one in whole.likes)
    monkeypatch.setattr("klopt.matching.match.BLOCK_CELLS", 1)
    blocks = matched(nl, answer, PAGES, "Wie tekent?")
    for one, other in zip(whole.likes, blocks.likes, strict=True):
        assert np.array_equal(one, other)
    assert np.array_equal(whole.shares, blocks.shares)
