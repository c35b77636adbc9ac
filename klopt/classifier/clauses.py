"""A message cut into the clauses that the scored classifier looks at, each with its part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice, pairwise
from typing import Final

import regex

from klopt.classifier.rules import Rules
from klopt.reading.text import Span

SENTENCES_MAX: Final = 10
"""Of a longer message only the first half and the last half as many sentences are looked at."""

SENTENCE_MAX_CHARS: Final = 300
"""A longer sentence counts as several."""

BREAKS_MAX: Final = 6
"""After so many commas of a sentence it is not cut any more."""

FORMULAS_MAX: Final = 3
"""So many greetings and the like are taken off the front of a sentence."""

_PIECE: Final = regex.compile(
    rf".{{1,{SENTENCE_MAX_CHARS}}}+(?=\s|\Z)|.{{1,{SENTENCE_MAX_CHARS}}}(?:\s|\Z)"
    rf"|.{{1,{SENTENCE_MAX_CHARS}}}",
    regex.DOTALL | regex.VERSION1,
)
_ASKS: Final = regex.compile(r"[?？؟](?:[\s!.'\"?]|\p{Pf}|\p{Pe}|\p{S})*+\Z", regex.VERSION1)
_BREAK: Final = regex.compile(r"[,;:]\s+|\s+[-–—]+\s+|\s*+(?:\.\.+|…)\s*", regex.VERSION1)
_EDGE: Final = regex.compile(r"\A[\s\p{P}\p{S}]*+", regex.VERSION1)


class Part(Enum):
    """What a clause does in its message."""

    FORMULA = "formula"
    QUESTION = "question"
    STATEMENT = "statement"


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a message.

    Attributes:
        start: Its first character in the message.
        typed: Its characters, the punctuation at its end included.
        small: The same in small letters, of the same length.
        part: A question, a statement, or a formula such as a greeting.
    """

    start: int
    typed: str
    small: str
    part: Part


def split_clauses(text: str, sentences: Sequence[Span], rules: Rules) -> tuple[Clause, ...]:
    """The clauses of a message, in order.

    A sentence is one clause, except that a formula at its start is a clause of its own, and that
    a comma, colon, dash or the like ends a clause where the rules say that a question follows:
    "Ik krijg een melding, wat nu?" is a statement and a question.
    """
    small = in_small_letters(text)
    return tuple(
        Clause(start, text[start:end], small[start:end], part)
        for span in _sentences(text, sentences)
        for start, end, part in _clauses(text, small, span, rules)
    )


def in_small_letters(text: str) -> str:
    """A text in small letters with every character where it was.

    >>> in_small_letters("İK WİL") == "İk wİl"
    True
    """
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


def _sentences(text: str, sentences: Sequence[Span]) -> Sequence[Span]:
    pieces = [
        Span(span.start + match.start(), span.start + match.end())
        for span in sentences
        for match in _PIECE.finditer(text[span.start : span.end])
    ]
    half = SENTENCES_MAX // 2
    return pieces if len(pieces) <= SENTENCES_MAX else pieces[:half] + pieces[-half:]


def _clauses(text: str, small: str, span: Span, rules: Rules) -> Iterator[tuple[int, int, Part]]:
    start, end = _after_edge(text, span.start, span.end), span.end
    for _ in range(FORMULAS_MAX):
        taken = rules.formula_chars(text[start:end], small[start:end])
        if not taken:
            break
        yield start, start + taken, Part.FORMULA
        start = _after_edge(text, start + taken, end)
    if start == end:
        return
    asks = _ASKS.search(text, start, end) is not None
    breaks = islice(_BREAK.finditer(text, start, end), BREAKS_MAX)
    cuts = [
        cut.end()
        for cut in breaks
        if rules.begins_question(text[cut.end() : end], small[cut.end() : end], asks=asks)
    ]
    for begin, finish in pairwise([start, *cuts, end]):
        is_question = (asks and finish == end) or rules.begins_question(
            text[begin:finish], small[begin:finish], asks=asks and begin == start
        )
        yield begin, finish, Part.QUESTION if is_question else Part.STATEMENT


def _after_edge(text: str, start: int, end: int) -> int:
    """Where the first letter or digit stands: after white space, punctuation and signs."""
    match = _EDGE.match(text[start:end])
    return start + match.end() if match else start
