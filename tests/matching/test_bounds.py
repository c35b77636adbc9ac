"""What is remembered, and what is looked at, stays bounded; threads agree."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from klopt.matching.alignment import MOST_PLACES

from klopt.matching import Index, Indexes
from klopt.reading.reader import Reader
from tests.matching.texts import aligned

MANY = 5 * MOST_PLACES


def page_index(indexes: Indexes, reader: Reader, text: str) -> Index:
    reading = reader.read(text)
    return indexes.of(reading, reader.parse(reading)[0])


def test_indexes_are_made_once(dutch: Reader):
    indexes = Indexes()
    first = page_index(indexes, dutch, "De lamp brandt.")
    assert page_index(indexes, dutch, "De lamp brandt.") is first
    assert page_index(indexes, dutch, "De lamp brandt niet.") is not first


def test_indexes_forget_the_oldest(dutch: Reader):
    indexes = Indexes(2)
    first, second, third = (page_index(indexes, dutch, f"Lamp {n} brandt.") for n in (1, 2, 3))
    assert page_index(indexes, dutch, "Lamp 3 brandt.") is third
    assert page_index(indexes, dutch, "Lamp 2 brandt.") is second
    assert page_index(indexes, dutch, "Lamp 1 brandt.") is not first
    assert len(indexes._known._values) == 2


def test_threads_agree(dutch: Reader):
    indexes = Indexes(3)
    texts = [f"De huurder tekent contract {number % 5}." for number in range(60)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: page_index(indexes, dutch, text).places, texts))
    assert found == [page_index(Indexes(), dutch, text).places for text in texts]
    assert len(indexes._known._values) <= 3


def test_threads_agree_on_one_alignment(dutch: Reader):
    pages = ["De huurder tekent. De balie sluit.", "De lamp brandt."]
    found = aligned(dutch, "De huurder tekent. De lamp sluit.", pages, "Wie tekent?")
    with ThreadPoolExecutor(8) as pool:
        results = set(pool.map(lambda _: (found.support, found.relevance), range(40)))
    assert results == {(found.support, found.relevance)}


def test_of_a_word_that_stands_everywhere_the_first_sentences_are_looked_at(dutch: Reader):
    found = aligned(dutch, "Bel de balie.", ["Bel gerust. " * MANY])
    unit = found.units[0]
    assert len(found.resembling(unit)) == MOST_PLACES
    assert [one.unit.number for one in found.resembling(unit)] == list(range(MOST_PLACES))


def test_a_rare_word_finds_its_sentence_behind_many_others(dutch: Reader):
    page = "Bel gerust. " * MANY + "Bel de balie."
    found = aligned(dutch, "Bel de balie.", [page])
    ((place,),) = found.places
    assert place.share > 0.999
    assert [unit.number for unit in place.units] == [MANY]
    best = max(found.resembling(found.units[0]), key=lambda one: one.share)
    assert best.unit.number == MANY


def test_many_words_find_a_bounded_number_of_sentences(dutch: Reader):
    words = ("lamp", "deur", "balie", "sleutel", "brief", "contract", "monteur", "huurder")
    page = "".join(f"De {word} is er. " * (MOST_PLACES - 1) for word in words)
    found = aligned(dutch, "De " + ", de ".join(words) + ".", [page])
    assert len(found.resembling(found.units[0])) < 2 * MOST_PLACES


def test_sentences_of_the_same_words_are_looked_up_once(dutch: Reader):
    found = aligned(dutch, "Bel de balie. " * 50, ["Bel gerust de balie. " * 50])
    assert len({id(row[0]) for row in found.places}) == 1
    assert len({id(found.resembling(unit)) for unit in found.units}) == 1
