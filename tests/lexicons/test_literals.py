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
from tests.tables import tables

CASES = tables("lexicons", "literals")


@pytest.mark.parametrize(("source", "literals"), CASES["literals"])
def test_required_literals(source: str, literals: list[str]):
    assert required_literals(source) == tuple(literals)


@pytest.mark.parametrize(("source", "literals"), CASES["beginnings"])
def test_beginnings(source: str, literals: list[str]):
    assert beginnings(source) == tuple(literals)


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
