"""What a language remembers stays bounded, and threads agree."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from klopt import lexicons
from klopt.matching import Language
from klopt.records import Page


def small(page_cache: int) -> Language:
    return Language(lexicons.load("nl"), page_cache=page_cache)


def test_a_page_is_read_once_whatever_its_name():
    language = small(8)
    first = language.page(Page("De lamp brandt.", "a.md"))
    assert language.page(Page("De lamp brandt.", "b.md")) is first
    assert language.page(Page("De lamp brandt niet.", "a.md")) is not first
    assert language.page(Page("De lamp brandt.", "a.md", format="plain")) is not first


def test_the_page_used_longest_ago_is_forgotten_first():
    language = small(2)
    first, second = (language.page(Page(f"Lamp {number} brandt.")) for number in (1, 2))
    assert language.page(Page("Lamp 1 brandt.")) is first
    language.page(Page("Lamp 3 brandt."))
    assert language.page(Page("Lamp 1 brandt.")) is first
    assert language.page(Page("Lamp 2 brandt.")) is not second


def test_pages_are_forgotten_by_their_length_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("klopt.matching.language.PAGE_CACHE_CHARS", 100)
    language = small(8)
    short = language.page(Page("De lamp brandt."))
    long = language.page(Page("De lamp brandt niet. " * 4))
    assert language.page(Page("De lamp brandt.")) is short
    language.page(Page("De lamp brandt nog. " * 4))
    assert language.page(Page("De lamp brandt.")) is short
    assert language.page(Page("De lamp brandt niet. " * 4)) is not long


def test_a_page_longer_than_all_that_is_remembered_is_read_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("klopt.matching.language.PAGE_CACHE_CHARS", 10)
    language = small(8)
    page = Page("De lamp brandt niet.")
    known = language.page(page)
    assert language.page(page) is known
    language.page(Page("De lamp brandt."))
    assert language.page(page) is not known


def test_threads_agree_on_pages():
    language = small(3)
    pages = [Page(f"De huurder tekent contract {number % 5}.") for number in range(60)]
    with ThreadPoolExecutor(8) as pool:
        words = list(pool.map(lambda page: language.page(page).units.words, pages))
    assert words == [small(1).page(page).units.words for page in pages[:5]] * 12


def test_nothing_is_parsed_before_somebody_asks():
    language = small(1)
    index = language.page(Page("De wijziging wordt opgeslagen."))
    assert "nlp" not in vars(language.parser)
    assert language.parser.parse(index.reading).subject_pairs
    assert "nlp" in vars(language.parser)


@pytest.mark.parametrize("text", ["", "***", "Dat kan wel."])
def test_a_page_without_words_has_an_empty_index(languages: dict[str, Language], text: str):
    index = languages["nl"].page(Page(text))
    assert len(index.units) == 0
    assert (index.units.words, index.paths, index.runs(3)) == ((), (), frozenset())
    assert [len(one) for one in (index.title, index.headings, index.solution)] == [0, 0, 0]
