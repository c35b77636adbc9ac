"""Literals that each match of a pattern contains; a search with them finds the same matches."""

import pytest

from klopt import lexicons
from tests.tables import tables
from training.literals import FILE, MAX_CHARACTERS, derived, literals_of

CASES = tables("lexicons", "literals")


@pytest.mark.parametrize(("source", "literals"), CASES["literals"])
def test_required_literals(source, literals):
    assert sorted(literals_of(source).required) == sorted(literals)


@pytest.mark.parametrize(("source", "literals"), CASES["initial"])
def test_initial_literals(source, literals):
    assert sorted(literals_of(source).initial) == sorted(literals)


def test_stored_literals_are_current():
    assert FILE.read_text("utf-8") == derived(), "run python -m training.literals"


def test_a_large_character_set_has_no_literals():
    letters = "".join(map(chr, range(97, 97 + MAX_CHARACTERS + 1)))
    assert literals_of(f"[{letters}]").required == ()


@pytest.mark.parametrize("language", ["nl", "en"])
def test_literals_lose_no_match(language):
    """On the examples of all patterns of a lexicon, alone and together."""
    for lexicon in lexicons.load(language).values():
        texts = [text for other in lexicon.patterns for text in (*other.hit, *other.miss)]
        texts += [text.upper() for text in texts]
        together = ["\n".join(texts), "İ ".join(texts)]
        for pattern in lexicon.patterns:
            for text in (*texts, *together):
                matches = [match.span() for match in pattern.expression.finditer(text)]
                assert [match.span() for match in pattern.finditer(text)] == matches
            for text in texts:
                match = pattern.search(text)
                assert (match and match.span()) == next(
                    (match.span() for match in pattern.expression.finditer(text)), None
                )
