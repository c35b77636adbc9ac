"""Patterns run only where one of their words stands, and find all the same what they found."""

import pytest

from klopt import lexicons
from klopt.lexicons import languages, load
from klopt.lexicons.patterns import MOST_CHARACTERS, literals_ahead, required_literals

CASES = {
    "klik": ("klik",),
    r"(?:ga|wijs)[ ]naar": (" naar",),
    r"(?:klik|druk)[ ](?:op|in)": ("klik", "druk"),
    r"[Kk]lik(?:ken|t)?\b": ("klik",),
    r"\p{Lu}\w+[ ]knop": (" knop",),
    r"(?:op)?\w+": (),
    r"(?:klik|)\w": (),
    r"(?<=klik )\w+": (),
    r"(?:uit){0,2}x+": ("x",),
    r"(?>aan|uit)++": ("aan", "uit"),
    r"[►▸>]\s": ("►", "▸", ">"),
    r"[a-z]+": (),
    r"\d": (),
    "İk": ("ik",),
    "ſtop": ("stop",),
    "(unbalanced": (),
    r"opslaan|[[a-z]--[aeiou]]{3}7": (),
    r"opslaan|(?:bewaren){e<=1}": (),
    r"opslaan|[[:digit:]]{3}": (),
    r"x{2,3}y": ("x",),
}


@pytest.mark.parametrize("source", CASES)
def test_required_literals(source: str):
    assert required_literals(source) == CASES[source]


def test_a_large_set_of_characters_requires_nothing():
    letters = "".join(map(chr, range(97, 97 + MOST_CHARACTERS + 1)))
    assert required_literals(f"[{letters}]") == ()


@pytest.mark.parametrize("language", ["nl", "en"])
def test_no_pattern_loses_a_match(language: str):
    """On its own examples, and on those of all other patterns of the lexicon."""
    for lexicon in lexicons.load(language).values():
        texts = [text for one in lexicon.patterns for text in (*one.hit, *one.miss)]
        for pattern in lexicon.patterns:
            for text in (*texts, *map(str.upper, texts)):
                found, expected = pattern.search(text), pattern.expression.search(text)
                assert (found and found.span()) == (expected and expected.span())


@pytest.mark.parametrize("language", languages())
def test_what_is_known_ahead_is_what_would_be_found(language: str):
    """Else ``make patterns`` is to be run."""
    patterns = [pattern for lexicon in load(language).values() for pattern in lexicon.patterns]
    found = {pattern.id: literals_ahead(pattern.source) for pattern in patterns}
    assert found == {pattern.id: required_literals(pattern.source) for pattern in patterns}
