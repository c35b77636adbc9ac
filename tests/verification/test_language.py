"""What a language remembers stays bounded, and threads agree."""

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


def test_the_page_used_longest_ago_is_forgotten_first():
    language = small(2)
    first, second = (language.page(Page(f"Lamp {number} brandt.")) for number in (1, 2))
    assert language.page(Page("Lamp 1 brandt.")) is first
    language.page(Page("Lamp 3 brandt."))
    assert language.page(Page("Lamp 1 brandt.")) is first
    assert language.page(Page("Lamp 2 brandt.")) is not second


def test_pages_are_forgotten_by_their_length_too(monkeypatch):
    monkeypatch.setattr("klopt.verification.language.PAGE_CACHE_CHARS", 100)
    language = small(8)
    short = language.page(Page("De lamp brandt."))
    long = language.page(Page("De lamp brandt niet. " * 4))
    assert language.page(Page("De lamp brandt.")) is short
    language.page(Page("De lamp brandt nog. " * 4))
    assert language.page(Page("De lamp brandt.")) is short
    assert language.page(Page("De lamp brandt niet. " * 4)) is not long


def test_nothing_is_parsed_before_somebody_asks():
    language = small(1)
    index = language.page(Page("De wijziging wordt opgeslagen."))
    assert "nlp" not in vars(language.parser)
    assert language.parser.parse(index.reading).subject_pairs
    assert "nlp" in vars(language.parser)
