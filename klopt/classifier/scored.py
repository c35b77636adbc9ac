"""The message type by weighted patterns, clause by clause: klopt's default method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice, pairwise
from typing import Final

import regex

from klopt.classifier.classification import MESSAGE_MAX_CHARS, UNSPECIFIED, Classification
from klopt.classifier.rules import Rules, rules_of
from klopt.lexicons import Lexicons
from klopt.reading.sentences import split_sentences
from klopt.reading.text import Span
from klopt.records import MESSAGE_TYPES, MessageType

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

STATEMENT_BEFORE_SHARE: Final = 0.5
"""How much a statement counts that leads up to a question; the question itself counts 1."""

STATEMENT_AFTER_SHARE: Final = 0.3
"""How much a statement counts after the last question."""

TIE_ORDER: Final[tuple[MessageType, ...]] = (
    "action",
    "reasoning",
    "instruction",
    "binary",
    "error",
    "general",
    "unspecified",
)
"""Which type wins among equal scores: the more particular request before the vaguer one."""


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


@dataclass(frozen=True, slots=True)
class _Hit:
    """The heaviest pattern of one type in one clause: what it adds, and where it was found."""

    message_type: MessageType
    adds: float
    pattern: str
    start: int
    end: int


def classify_scored(
    text: str, lexicons: Lexicons, *, sentences: Sequence[Span] | None = None
) -> Classification:
    """The type with the highest sum of pattern weights over the clauses of the message.

    In each clause each type gets the weight of its heaviest pattern, so that the number of
    patterns of a type does not matter. A question counts in full, the statements around it less;
    without a question all statements count in full. Formulas (greetings, thanks, "I have a
    question") count as unspecified and as nothing else. The pattern that is named is the one
    that added most to the winning type, the first of them if several did.

    Source: the seven types of the AFAS paper, section 4.4.1. Weights, clauses and word order
    take the place of the ordered lists of section 5.1, which `ordered` follows.

    >>> from klopt.lexicons import load
    >>> found = classify_scored("De scanner hapert. Hoe zet ik hem uit?", load("nl"))
    >>> found.message_type, found.start
    ('instruction', 19)
    """
    rules = rules_of(lexicons)
    text = text[:MESSAGE_MAX_CHARS]
    spans = split_sentences(text, rules.abbreviations) if sentences is None else sentences
    hits = tuple(_hits(split_clauses(text, spans, rules), rules))
    if not hits:
        return UNSPECIFIED
    totals = dict.fromkeys(MESSAGE_TYPES, 0.0)
    for hit in hits:
        totals[hit.message_type] += hit.adds
    winner = max(TIE_ORDER, key=lambda message_type: round(totals[message_type], 6))
    best = max((hit for hit in hits if hit.message_type == winner), key=lambda hit: hit.adds)
    scores = tuple((name, round(total, 6)) for name, total in totals.items() if total)
    return Classification(winner, best.pattern, best.start, best.end, scores)


def _hits(clauses: Sequence[Clause], rules: Rules) -> Iterator[_Hit]:
    for clause, share in zip(clauses, _shares(clauses), strict=True):
        for message_type, group in rules.by_type.items():
            if clause.part is Part.FORMULA and message_type != "unspecified":
                continue
            for rule in group:
                match = rule.search(clause.typed, clause.small)
                if match is not None:
                    start = clause.start + match.start()
                    end = start + len(match.group().rstrip())
                    adds = share * rule.pattern.weight
                    yield _Hit(message_type, adds, rule.pattern.id, start, end)
                    break


def _shares(clauses: Sequence[Clause]) -> Iterator[float]:
    """How much each clause counts."""
    questions = [n for n, clause in enumerate(clauses) if clause.part is Part.QUESTION]
    for number, clause in enumerate(clauses):
        if not questions or clause.part is not Part.STATEMENT:
            yield 1.0
        else:
            yield STATEMENT_AFTER_SHARE if number > questions[-1] else STATEMENT_BEFORE_SHARE


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
