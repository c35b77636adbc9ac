"""Sentences as what can be compared: lemmas with content, numbers, keys and code, in order."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from klopt.reading.components import Component
from klopt.reading.parse import Parse
from klopt.reading.reader import Reading

_NUMBER: Final = re.compile(r"\d[\d.,:/]*")
LITERAL_SIGNS: Final = ("#", "@")
"""What a number (``#``) and a key or code (``@``) begin with: they match only themselves."""


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a unit.

    Attributes:
        key: Its lemma; ``#`` and the figures for a number; ``@`` and the component's key for a
            key, key combination or code.
        start: First plain character.
        end: After the last one.
    """

    key: str
    start: int
    end: int


@dataclass(frozen=True)
class Unit:
    """One sentence.

    Attributes:
        number: Its place among the units of its text.
        start: First plain character.
        end: After the last one.
        tokens: Its words without stop words.
        components: The components that it names, code left out.
        first: Index of its first word in the parse; `last` is after its last word.
        last: See `first`.
    """

    number: int
    start: int
    end: int
    tokens: tuple[Token, ...]
    components: tuple[Component, ...]
    first: int
    last: int

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The distinct tokens, in order."""
        return tuple(dict.fromkeys(token.key for token in self.tokens))


def units_of(reading: Reading, parse: Parse) -> tuple[Unit, ...]:
    """The sentences of a text as units, in order; one without words is a unit without tokens.

    Args:
        reading: The text.
        parse: Its parse.

    >>> from klopt import lexicons
    >>> from klopt.reading.reader import Reader
    >>> reader = Reader(lexicons.load("en"))
    >>> reading = reader.read("Press `Ctrl+S` within 30 seconds.")
    >>> units_of(reading, reader.parse(reading)[0])[0].keys
    ('press', '@ctrl+s', '#30', 'second')
    """
    literals = [one for one in reading.components if one.kind in ("key", "code")]
    literal_starts = [one.start for one in literals]
    starts = [one.start for one in reading.components]
    units = []
    for number, sentence in enumerate(reading.sentences):
        first = bisect_left(parse.word_starts, sentence.start)
        last = bisect_left(parse.word_starts, sentence.end)
        inside = reading.components[
            bisect_left(starts, sentence.start) : bisect_left(starts, sentence.end)
        ]
        own = literals[
            bisect_left(literal_starts, sentence.start) : bisect_left(literal_starts, sentence.end)
        ]
        tokens = _words(parse, first, last, own)
        tokens += [Token(f"@{one.key}", one.start, one.end) for one in own]
        tokens.sort(key=lambda token: token.start)
        named = tuple(one for one in inside if one.kind != "code")
        units.append(Unit(number, sentence.start, sentence.end, tuple(tokens), named, first, last))
    return tuple(units)


def _words(parse: Parse, first: int, last: int, literals: list[Component]) -> list[Token]:
    tokens = []
    for index in parse.word_indices[first:last]:
        span = parse.spans[index]
        if any(one.start <= span.start < one.end for one in literals):
            continue
        word = parse.words[index]
        if _NUMBER.fullmatch(word):
            tokens.append(Token("#" + word.rstrip(".,:/"), span.start, span.end))
        elif not parse.stops[index]:
            tokens.append(Token(parse.lemmas[index], span.start, span.end))
    return tokens
