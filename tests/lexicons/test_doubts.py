"""What holds for the lexicons of doubts and of general nouns."""

from __future__ import annotations

from itertools import pairwise

import pytest

from klopt import lexicons
from tests.tables import tables

LANGUAGES = lexicons.languages()
GROUPS = ("gap", "given_context")
LONGEST = 60
"""Characters of a doubt in the examples: it is a turn of phrase, not a sentence."""

each_language = pytest.mark.parametrize("language", LANGUAGES)
each_group = pytest.mark.parametrize("group", GROUPS)


def spans(language: str, group: str, text: str) -> list[tuple[int, int]]:
    patterns = lexicons.load(language)["doubts"].group(group)
    return sorted(match.span() for pattern in patterns for match in pattern.finditer(text))


@each_language
def test_every_pattern_has_two_hits_and_two_misses(language: str) -> None:
    for pattern in lexicons.load(language)["doubts"].patterns:
        assert len(pattern.hit) >= 2, pattern.id
        assert len(pattern.miss) >= 2, pattern.id


@each_language
@each_group
def test_doubts_of_a_group_are_short_and_apart(language: str, group: str) -> None:
    for pattern in lexicons.load(language)["doubts"].patterns:
        for text in (*pattern.hit, *pattern.miss):
            found = spans(language, group, text)
            assert all(one[1] <= other[0] for one, other in pairwise(found)), text
            assert all(end - start <= LONGEST for start, end in found), text


@each_language
def test_a_hit_is_found_in_capitals_and_inside_a_text(language: str) -> None:
    for pattern in lexicons.load(language)["doubts"].patterns:
        for text in pattern.hit:
            assert pattern.search(text.upper()), text
            assert pattern.search(f"1. ...\n- {text}\n..."), text


@pytest.mark.parametrize(("language", "text", "counts"), tables("lexicons", "doubts")["counts"])
def test_one_doubt_counts_once(language: str, text: str, counts: list[int]) -> None:
    assert [len(spans(language, group, text)) for group in GROUPS] == counts


NOUNS = {
    "en": ("button directory file menu setting tab", "date directive name number printer server"),
    "nl": ("bestand instelling knop map menu tabblad", "datum factuur naam nummer printer server"),
}
"""General ones, and such as make another term of a word beside them."""


@each_language
def test_general_nouns_are_words_with_content_that_make_no_other_term(language: str) -> None:
    tables = lexicons.load(language)
    words = tables["general_words"].lists["nouns"]
    general, others = (set(text.split()) for text in NOUNS[language])
    assert general <= set(words)
    assert not others & set(words)
    assert len(words) >= 60
    assert all(word == word.lower() for word in words)
    assert not set(words) & tables["stop_words"].words
