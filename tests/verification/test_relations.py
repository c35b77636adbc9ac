"""How like two words are, and which words exclude each other."""

import pytest

from klopt.types import Page
from klopt.verification.index import COMPOUND, SAME, SYNONYM
from tests.tables import tables

CASES = tables("verification", "relations")
LIKENESS = {"same": SAME, "synonym": SYNONYM, "compound": COMPOUND, "none": None}


@pytest.mark.parametrize(("language", "one", "other", "likeness", "why"), CASES["like"])
def test_likeness(languages, language, one, other, likeness, why):
    own = languages[language]
    index = own.page(Page(other))
    (word,) = own.reader.read(one).tokens.keys
    assert index.like(word, own.relations).get(0) == LIKENESS[likeness], why


@pytest.mark.parametrize(("language", "one", "other", "excludes"), CASES["rivals"])
def test_rivals(languages, language, one, other, excludes):
    own = languages[language]
    first, second = (own.reader.read(text).tokens.keys[0] for text in (one, other))
    assert own.relations.exclude(first, second) is excludes
    assert own.relations.exclude(second, first) is excludes
    if excludes:
        assert own.relations.has_rival(first)
        assert own.relations.has_rival(second)
