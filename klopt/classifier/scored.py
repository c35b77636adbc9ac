"""The message type by weighted patterns, clause by clause: klopt's default method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from klopt.classifier.classification import UNSPECIFIED, Classification, table
from klopt.classifier.clauses import Clause, Part, split_clauses
from klopt.lexicons import Lexicons
from klopt.lexicons.patterns import Pattern
from klopt.reading.sentences import split_sentences
from klopt.reading.text import Span
from klopt.records import MESSAGE_TYPES, MessageType

LEXICON: Final = "messages"
ABBREVIATIONS: Final = "abbreviations"

MESSAGE_MAX_CHARS: Final = 20_000
"""Only so much of a message is looked at."""

STATEMENT_BEFORE_SHARE: Final = 0.5
"""How much a statement counts that leads up to a question; the question itself counts 1."""

STATEMENT_AFTER_SHARE: Final = 0.3
"""How much a statement counts after the last question."""

QUESTION_WEIGHT: Final = 4.0
"""A pattern at least this heavy, of a type that asks, begins a question where it is found."""

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

ASKING: Final[tuple[MessageType, ...]] = ("action", "reasoning", "instruction", "general")


@dataclass(frozen=True, slots=True)
class _Hit:
    """The heaviest pattern of one type in one clause: what it adds, and where it was found."""

    share: float
    pattern: Pattern
    start: int
    end: int


def classify_scored(
    text: str, lexicons: Lexicons, *, sentences: Sequence[Span] | None = None
) -> Classification:
    """The type with the highest sum of pattern weights over the clauses of the message.

    In each clause each type gets the weight of its heaviest pattern, so that the number of
    patterns of a type does not matter. A question counts in full, the statements around it less;
    without a question all statements count in full. Formulas (greetings, thanks, "I have a
    question") count as unspecified and nothing else. The pattern that is named is the one that
    added most to the winning type.

    Source: the seven types of the AFAS paper, section 4.4.1; weights, clauses and word order
    take the place of the ordered lists of section 5.1, of which `ordered` is the plain form.

    >>> from klopt.lexicons import load
    >>> found = classify_scored("De scanner hapert. Hoe zet ik hem uit?", load("nl"))
    >>> found.message_type, found.start
    ('instruction', 19)
    """
    rules = _rules(lexicons)
    text = text[:MESSAGE_MAX_CHARS]
    spans = split_sentences(text, rules.abbreviations) if sentences is None else sentences
    clauses = split_clauses(text, spans, rules.formula_chars, rules.begins_question)
    hits = list(_hits(clauses, rules))
    totals: dict[MessageType, float] = {}
    for message_type, hit in hits:
        totals[message_type] = totals.get(message_type, 0.0) + hit.share
    if not totals:
        return UNSPECIFIED
    winner = max(TIE_ORDER, key=lambda message_type: totals.get(message_type, 0.0))
    best = max((hit for message_type, hit in hits if message_type == winner), key=lambda h: h.share)
    scores = tuple((name, round(totals[name], 6)) for name in MESSAGE_TYPES if name in totals)
    return Classification(winner, best.pattern.id, best.start, best.end, scores)


def _hits(clauses: Sequence[Clause], rules: _Rules) -> Iterator[tuple[MessageType, _Hit]]:
    questions = [i for i, clause in enumerate(clauses) if clause.part is Part.QUESTION]
    for number, clause in enumerate(clauses):
        share = 1.0
        if questions and clause.part is Part.STATEMENT:
            after = number > questions[-1]
            share = STATEMENT_AFTER_SHARE if after else STATEMENT_BEFORE_SHARE
        for message_type, patterns in rules.by_type.items():
            if clause.part is Part.FORMULA and message_type != "unspecified":
                continue
            for pattern in patterns:
                match = pattern.search(clause.text)
                if match is not None:
                    start, end = clause.start + match.start(), clause.start + match.end()
                    yield message_type, _Hit(share * pattern.weight, pattern, start, end)
                    break


@dataclass(frozen=True, slots=True)
class _Rules:
    """The patterns of one language, sorted once: in each type the heaviest first."""

    by_type: Mapping[MessageType, tuple[Pattern, ...]]
    asking: tuple[Pattern, ...]
    yes_no: tuple[Pattern, ...]
    abbreviations: frozenset[str]

    def formula_chars(self, text: str) -> int:
        """How many characters at the start of a text an unspecified pattern takes."""
        for pattern in self.by_type.get("unspecified", ()):
            match = pattern.search(text)
            if match is not None and match.start() == 0:
                return match.end()
        return 0

    def begins_question(self, text: str, asks: bool) -> bool:
        """Whether a heavy pattern of a type that asks is found at the start of a text.

        Dutch puts the verb first after a subordinate clause too ("Als ik inlog, kan ik niets
        zien."), so a yes/no question begins here only in a sentence with a question mark.
        """
        patterns = self.asking + self.yes_no if asks else self.asking
        for pattern in patterns:
            match = pattern.search(text)
            if match is not None and match.start() == 0:
                return True
        return False


@lru_cache(maxsize=32)
def _rules(lexicons: Lexicons) -> _Rules:
    lexicon = table(lexicons, LEXICON)
    by_type: dict[MessageType, tuple[Pattern, ...]] = {
        name: tuple(sorted(lexicon.group(name), key=lambda pattern: -pattern.weight))
        for name in MESSAGE_TYPES
    }
    heavy = {
        name: tuple(p for p in patterns if p.weight >= QUESTION_WEIGHT)
        for name, patterns in by_type.items()
    }
    asking = tuple(pattern for name in ASKING for pattern in heavy[name])
    abbreviations = table(lexicons, ABBREVIATIONS).words
    return _Rules(by_type, asking, heavy["binary"], abbreviations)
