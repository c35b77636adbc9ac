"""A message cut into the clauses that the scored classifier looks at, each with its part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Final

import regex

from klopt.reading.text import Span

SENTENCES_MAX: Final = 12
"""Of a longer message only the first half and the last half as many sentences are looked at."""

SENTENCE_MAX_CHARS: Final = 400
"""A longer sentence counts as several."""

FORMULAS_MAX: Final = 3
"""So many greetings and the like are taken off the front of a sentence."""

_PIECE: Final = regex.compile(rf".{{1,{SENTENCE_MAX_CHARS}}}(?:\s+|\Z)|.{{1,{SENTENCE_MAX_CHARS}}}",
                              regex.DOTALL | regex.VERSION1)
_ASKS: Final = regex.compile(r"[?？؟](?:[!.\s]|\p{Pf}|\p{Pe}|['\"?])*\Z", regex.VERSION1)
_BREAK: Final = regex.compile(r"[,;:]\s+|\s+[-–—]+\s+|\s*(?:\.\.+|…)\s*", regex.VERSION1)
_EDGE: Final = regex.compile(r"[\s\p{P}\p{S}]*+", regex.VERSION1)


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
        text: Its characters, the punctuation at its end included.
        part: A question, a statement, or a formula such as a greeting.
    """

    start: int
    text: str
    part: Part


FormulaChars = Callable[[str], int]
"""How many characters at the start of a text are a greeting or the like; 0 if it has none."""

BeginsQuestion = Callable[[str, bool], bool]
"""Whether a text begins as a question does; told whether its sentence has a question mark."""


def split_clauses(
    text: str,
    sentences: Sequence[Span],
    formula_chars: FormulaChars,
    begins_question: BeginsQuestion,
) -> tuple[Clause, ...]:
    """The clauses of a message, in order.

    A sentence is one clause, except that what `formula_chars` finds at its start is a clause of
    its own, and that a comma, colon, dash or the like ends a clause where `begins_question` says
    that a question follows: "Ik krijg een melding, wat nu?" is a statement and a question.
    """
    found: list[Clause] = []
    for start, sentence in _sentences(text, sentences):
        asks = _ASKS.search(sentence) is not None
        for _ in range(FORMULAS_MAX):
            edge = _edge(sentence)
            start, sentence = start + edge, sentence[edge:]
            taken = formula_chars(sentence)
            if not taken:
                break
            found.append(Clause(start, sentence[:taken], Part.FORMULA))
            start, sentence = start + taken, sentence[taken:]
        start, sentence = start + (edge := _edge(sentence)), sentence[edge:]
        if not sentence:
            continue
        cuts = [m.end() for m in _BREAK.finditer(sentence) if begins_question(sentence[m.end():], asks)]
        bounds = [0, *cuts, len(sentence)]
        for begin, end in pairwise(bounds):
            piece = sentence[begin:end]
            is_question = (asks and end == len(sentence)) or begins_question(piece, False)
            found.append(Clause(start + begin, piece, Part.QUESTION if is_question else Part.STATEMENT))
    return tuple(found)


def _sentences(text: str, sentences: Sequence[Span]) -> Iterator[tuple[int, str]]:
    pieces = [
        (span.start + match.start(), match.group())
        for span in sentences
        for match in _PIECE.finditer(text[span.start : span.end])
    ]
    if len(pieces) > SENTENCES_MAX:
        half = SENTENCES_MAX // 2
        pieces = pieces[:half] + pieces[-half:]
    yield from pieces


def _edge(text: str) -> int:
    """How many characters of punctuation and white space a text begins with."""
    match = _EDGE.match(text)
    return match.end() if match else 0
