"""The page cache of a language is limited, and its parser is loaded late."""

from klopt import lexicons
from klopt.types import Page
from klopt.verification import Language


def small(page_cache: int) -> Language:
    return Language(lexicons.load("nl"), page_cache=page_cache)


def test_a_page_is_read_once_whatever_its_name():
    language = small(8)
    first = language.page(Page("De lamp brandt.", "a.md"))
    assert language.page(Page("De lamp brandt.", "b.md")) is first
    assert language.page(Page("De lamp brandt niet.", "a.md")) is not first
    assert language.page(Page("De lamp brandt.", "a.md", format="plain")) is not first


def test_the_least_recently_used_page_is_dropped_first():
    language = small(2)
    first, second = (language.page(Page(f"Lamp {number} brandt.")) for number in (1, 2))
    assert language.page(Page("Lamp 1 brandt.")) is first
    language.page(Page("Lamp 3 brandt."))
    assert language.page(Page("Lamp 1 brandt.")) is first
    assert language.page(Page("Lamp 2 brandt.")) is not second


def test_the_page_cache_is_limited_in_characters(monkeypatch):
    monkeypatch.setattr("klopt.verification.language.PAGE_CACHE_CHARS", 100)
    language = small(8)
    short = language.page(Page("De lamp brandt."))
    long = language.page(Page("De lamp brandt niet. " * 4))
    assert language.page(Page("De lamp brandt.")) is short
    language.page(Page("De lamp brandt nog. " * 4))
    assert language.page(Page("De lamp brandt.")) is short
    assert language.page(Page("De lamp brandt niet. " * 4)) is not long


def test_the_parser_is_loaded_when_it_is_used():
    language = small(1)
    index = language.page(Page("De wijziging wordt opgeslagen."))
    assert "nlp" not in vars(language.parser)
    assert language.parser.parse(index.reading).subject_pairs
    assert "nlp" in vars(language.parser)
