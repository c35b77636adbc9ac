"""Patterns run only where one of their words stands, and find all the same what they found."""

from importlib import resources
from pathlib import Path

import pytest

from klopt import lexicons
from klopt.lexicons import languages, load
from klopt.lexicons import patterns as ahead
from klopt.lexicons.patterns import (
    MOST_CHARACTERS,
    beginnings,
    beginnings_ahead,
    literals_ahead,
    required_literals,
)

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


BEGINNINGS = {
    r"(?<!\w)(?:[Kk]lik|druk)t?[ ]op": ("klik", "druk"),
    r"\b(?=\w)de[ ]\p{Lu}": ("de ",),
    r"(?<label>[Cc]trl|F1)": ("ctrl", "f1"),
    r"[Cc]trl|F\d": (),
    r"\Aklik": (),
    r"(?:a|b)?klik": (),
    r"(?:klik|\w+)": (),
    r"\p{Lu}\w+[ ]knop": (),
    r"[►▸]\s": ("►", "▸"),
    "İk|ſk": ("ik", "sk"),
    r"klik|[[a-z]--[aeiou]]7": (),
}


@pytest.mark.parametrize("source", BEGINNINGS)
def test_beginnings(source: str):
    assert beginnings(source) == BEGINNINGS[source]


def test_a_large_set_of_characters_requires_nothing():
    letters = "".join(map(chr, range(97, 97 + MOST_CHARACTERS + 1)))
    assert required_literals(f"[{letters}]") == ()


@pytest.mark.parametrize("language", ["nl", "en"])
def test_no_pattern_loses_a_match(language: str):
    """On the examples of all patterns of the lexicon, alone and together."""
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


@pytest.mark.parametrize("language", languages())
def test_what_is_known_ahead_is_what_would_be_found(language: str):
    """Else ``make patterns`` is to be run."""
    patterns = [pattern for lexicon in load(language).values() for pattern in lexicon.patterns]
    for pattern in patterns:
        assert literals_ahead(pattern.source) == required_literals(pattern.source), pattern.id
        assert beginnings_ahead(pattern.source) == beginnings(pattern.source), pattern.id


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda content: content[: len(content) // 2], id="cut off"),
        pytest.param(lambda content: b"", id="empty"),
        pytest.param(lambda content: None, id="gone"),
        pytest.param(
            lambda content: b"%b%c%b" % (content[:-99], content[-99] ^ 1, content[-98:]), id="a bit"
        ),
        pytest.param(lambda content: content[:-2] + b", 7" + content[-2:], id="not JSON"),
        pytest.param(lambda content: b'{"sha256": "0", ' + content[80:], id="no digest"),
    ],
)
def test_a_damaged_file_is_not_used(damage, tmp_path: Path, monkeypatch, caplog):
    """Altered code would end the process: it is compiled anew, and said."""
    content = resources.files("klopt.lexicons").joinpath(ahead.AHEAD).read_bytes()
    damaged = damage(content)
    assert damaged != content
    if damaged is not None:
        (tmp_path / ahead.AHEAD).write_bytes(damaged)
    monkeypatch.setattr(ahead.resources, "files", lambda _: tmp_path)
    assert ahead._ahead.__wrapped__() == ({}, {})
    assert "is damaged" in caplog.text
