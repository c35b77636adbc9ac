"""Coverage, resemblance and relevance, against figures worked out by hand."""

from __future__ import annotations

import os
import subprocess
import sys
from math import log
from pathlib import Path

import pytest
from klopt.matching.alignment import ELSEWHERE, LITERAL_WEIGHT, PAIR
from klopt.matching.likeness import COMPOUND, SYNONYM

from klopt.reading.reader import Reader
from tests.matching.texts import aligned

ROOT = Path(__file__).parent.parent.parent


def weight(count: float, sentence_count: int) -> float:
    """A word in so many sentences of the pages: 1 when it stands in none."""
    return log(1 + sentence_count / (0.5 + count)) / log(1 + 2 * sentence_count)


def test_weights(dutch: Reader):
    pages = ["De huurder belt. De huurder tekent.", "De huurder wacht 30 minuten."]
    found = aligned(dutch, "De huurder tekent een brief binnen 30 of 40 dagen.", pages)
    assert found.weight("brief") == pytest.approx(1.0)
    assert found.weight("tekenen") == pytest.approx(weight(1, 3))
    assert found.weight("huurder") == pytest.approx(weight(3, 3))
    assert found.weight("#30") == pytest.approx(LITERAL_WEIGHT * weight(1, 3))
    assert found.weight("#40") == pytest.approx(LITERAL_WEIGHT)
    assert found.page_weight("huurder") == pytest.approx(weight(3, 3))
    assert found.page_weight("wachten") == pytest.approx(weight(1, 3))


def test_the_sentence_itself(dutch: Reader):
    found = aligned(dutch, "De huurder tekent.", ["Bel de balie. De huurder tekent."])
    ((place,),) = found.places
    assert place.share == pytest.approx(1.0)
    assert [unit.number for unit in place.units] == [1]
    assert found.support == pytest.approx((1.0,))


def test_two_sentences_that_follow_one_another(dutch: Reader):
    """Each has one of two words of one weight: together all, which counts `PAIR`."""
    found = aligned(dutch, "De huurder sluit.", ["De huurder tekent. De balie sluit."])
    ((place,),) = found.places
    assert place.share == pytest.approx(PAIR)
    assert [unit.number for unit in place.units] == [0, 1]


def test_two_sentences_with_one_between_them(dutch: Reader):
    """One word in the sentence, the other elsewhere on the page: the mean of 1 and `ELSEWHERE`."""
    page = "De huurder tekent. De monteur fietst. De balie sluit."
    ((place,),) = aligned(dutch, "De huurder sluit.", [page]).places
    assert place.share == pytest.approx((1 + ELSEWHERE) / 2)
    assert [unit.number for unit in place.units] == [0]


def test_synonym_compound_and_missing_word(dutch: Reader):
    page = "Wie wil afdrukken, heeft een netwerkverbinding."
    found = aligned(dutch, "Een brief over de verbinding om te printen.", [page])
    ((place,),) = found.places
    printing, network = weight(SYNONYM, 1), weight(COMPOUND, 1)
    share = (SYNONYM * printing + COMPOUND * network) / (printing + network + 1)
    assert found.units[0].keys == ("brief", "verbinding", "printen")
    assert place.share == pytest.approx(share)


def test_nothing_alike(dutch: Reader):
    ((place,),) = aligned(dutch, "De lamp brandt.", ["De huurder tekent."]).places
    assert (place.share, place.units) == (0.0, ())


def test_support_weighs_the_sentences(dutch: Reader):
    """The first is covered whole: two words of one weight; the second, of weight 1, not at all."""
    found = aligned(dutch, "De huurder tekent. De lamp ontbreekt.", ["De huurder tekent."])
    own = 2 * weight(1, 1)
    assert found.support == pytest.approx((own / (own + 2),))


def test_best_pages_are_all_that_cover_as_much(dutch: Reader):
    pages = ["De huurder tekent.", "De lamp brandt.", "De huurder tekent."]
    found = aligned(dutch, "De huurder tekent.", pages)
    assert [page.page for page in found.best_pages] == ["page-1", "page-3"]
    assert len(aligned(dutch, "De deur klemt.", pages).best_pages) == 3


def test_resembling_is_the_harmonic_mean_of_both_coverages(dutch: Reader):
    """Of the answer's two words the page has one, of the page's three the answer has one."""
    page = "De huurder tekent de brief. De lamp brandt."
    found = aligned(dutch, "De huurder wacht.", [page])
    (other,) = found.resembling(found.units[0])
    known = weight(1, 2)
    covers, covered = known / (known + 1), 1 / 3
    assert other.share == pytest.approx(2 * covers * covered / (covers + covered))
    assert (other.page, other.unit.number) == (0, 0)


def test_a_longer_sentence_resembles_less_but_covers_as_much(dutch: Reader):
    pages = ["De huurder tekent.", "De huurder tekent vandaag de brief van de monteur."]
    found = aligned(dutch, "De huurder tekent.", pages)
    first, second = found.places[0]
    assert first.share == pytest.approx(second.share)
    shares = {one.page: one.share for one in found.resembling(found.units[0])}
    assert shares[0] == pytest.approx(1.0)
    assert shares[1] < 0.8


def test_coverage_of_some_words(dutch: Reader):
    found = aligned(dutch, "De huurder tekent de brief.", ["De huurder tekent."])
    page, known = found.pages[0], weight(1, 1)
    words = page.index.places
    assert found.coverage(("huurder", "brief"), page, words) == pytest.approx(known / (known + 1))
    assert found.coverage(("huurder",), page, ("tekenen",)) == 0.0
    assert found.coverage((), page, words) == 0.0


def test_the_question_on_a_page(dutch: Reader):
    found = aligned(dutch, "Nee.", ["De lamp brandt. De huurder tekent."], "Tekent de huurder?")
    asked = found.asked(found.pages[0])
    assert asked.share == pytest.approx(1.0)
    assert [unit.number for unit in asked.units] == [1]


PAGES = [
    "# Sleutels\n\nEen sleutel haalt u bij de balie. Neem uw contract mee.",
    "# Contract\n\nHet contract tekent u bij de balie. Neem uw sleutel mee.",
    "# Lampen\n\nEen lamp vervangt de monteur.",
]


@pytest.mark.parametrize(
    ("question", "likeliest"),
    [
        ("Hoe kom ik aan een sleutel?", 0),
        ("Waar ligt mijn contract?", 1),
        ("Wie vervangt de lamp?", 2),
    ],
)
def test_relevance_prefers_the_page_whose_title_is_asked(
    dutch: Reader, question: str, likeliest: int
):
    relevance = aligned(dutch, "Bel ons gerust.", PAGES, question).relevance
    assert sum(relevance) == pytest.approx(1.0)
    assert max(range(3), key=lambda number: relevance[number]) == likeliest


def test_pages_are_equally_relevant_to_a_question_of_stop_words(dutch: Reader):
    relevance = aligned(dutch, "Ja.", PAGES, "Hoe dan?").relevance
    assert relevance == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_the_opening_tells_what_the_answer_takes_the_question_to_be_about(dutch: Reader):
    answer = "Een lamp vervangt u zo.\n\n1. Klik op **Sleutel**.\n2. Klik op **Contract**.\n"
    relevance = aligned(dutch, answer, PAGES, "Hoe dan?").relevance
    assert relevance[2] > 0.9


def test_no_pages(dutch: Reader):
    found = aligned(dutch, "De huurder tekent.", [], "Wie tekent?")
    assert (found.support, found.relevance, found.best_pages) == ((), (), ())
    assert found.places == ((),)
    assert found.resembling(found.units[0]) == []
    assert found.weight("huurder") == pytest.approx(1.0)


def test_a_page_without_words(dutch: Reader):
    found = aligned(dutch, "De huurder tekent.", ["***", "De huurder tekent."], "Wie tekent?")
    assert found.support == pytest.approx((0.0, 1.0))
    assert sum(found.relevance) == pytest.approx(1.0)
    assert found.asked(found.pages[0]).share == 0.0


@pytest.mark.parametrize("answer", ["Ja, dat kan.", "", "***"])
def test_an_answer_without_words(dutch: Reader, answer: str):
    found = aligned(dutch, answer, ["De huurder tekent."], "Wie tekent?")
    assert (found.units, found.places) == ((), ())
    assert found.support == (0.0,)
    assert len(found.best_pages) == 1


@pytest.mark.parametrize("question", ["", "Hoe dan?"])
def test_a_question_without_words(dutch: Reader, question: str):
    found = aligned(dutch, "De huurder tekent.", ["De huurder tekent."], question)
    assert found.asked(found.pages[0]).share == 0.0
    assert found.relevance == (1.0,)


PROGRAM = """
from klopt import lexicons
from klopt.reading.reader import Reader
from tests.matching.test_alignment import PAGES
from tests.matching.texts import aligned
answer = "Een sleutel haalt u bij de monteur. Neem uw huurcontract en 2 lampen mee naar de balie."
found = aligned(Reader(lexicons.load("nl")), answer, PAGES, "Hoe kom ik aan mijn sleutel?")
print(found.support, found.relevance, [
    (one.page, one.unit.number, one.share) for u in found.units for one in found.resembling(u)
])
"""


def test_the_same_bytes_whatever_the_order_of_sets():
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
    assert next(iter(outputs)).strip()
