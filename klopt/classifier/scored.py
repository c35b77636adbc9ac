"""The message type by weighted patterns, clause by clause: klopt's default method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from klopt.classifier.classification import MESSAGE_MAX_CHARS, UNSPECIFIED, Classification
from klopt.classifier.clauses import Clause, Part, split_clauses
from klopt.classifier.rules import Rules, rules_of
from klopt.lexicons import Lexicons
from klopt.reading.sentences import split_sentences
from klopt.reading.text import Span
from klopt.records import MESSAGE_TYPES, MessageType

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
