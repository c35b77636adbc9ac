"""What holds for the lexicons of doubts and of general nouns."""

import pytest

from klopt import lexicons
from tests.tables import tables

LANGUAGES = lexicons.languages()
GROUPS = ("gap", "given_context")
LONGEST = 60
"""Characters of a doubt in the examples: it is a turn of phrase, not a sentence."""

each_language = pytest.mark.parametrize("language", LANGUAGES)


def spans(language: str, group: str, text: str) -> list[tuple[int, int]]:
    patterns = lexicons.load(language)["doubts"].group(group)
    return sorted(match.span() for pattern in patterns for match in pattern.finditer(text))


@each_language
def test_every_pattern_has_two_hits_and_two_misses(language):
    for pattern in lexicons.load(language)["doubts"].patterns:
        assert len(pattern.hit) >= 2, pattern.id
        assert len(pattern.miss) >= 2, pattern.id


@each_language
def test_a_hit_is_found_in_capitals_and_inside_a_text(language):
    for pattern in lexicons.load(language)["doubts"].patterns:
        for text in pattern.hit:
            assert pattern.search(text.upper()), text
            assert pattern.search(f"1. ...\n- {text}\n..."), text


@pytest.mark.parametrize(("language", "text", "counts"), tables("lexicons", "doubts")["counts"])
def test_one_doubt_counts_once(language, text, counts):
    assert [len(spans(language, group, text)) for group in GROUPS] == counts
