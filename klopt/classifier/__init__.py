"""What type of message a question is, of the seven types of the AFAS paper, section 4.4.1.

The type decides what is looked at in an answer and whether it is scored at all. There are two
methods, each only rules over tables: ``published`` is the paper's; ``scored``, klopt's own default,
weighs patterns clause by clause. Ignoring case costs the regular expressions two
thirds of their time, and nearly all of ours are written in small letters: so a message is put into
small letters once, character by character so that offsets stay, and such a pattern is compiled
again to respect case.

>>> from klopt.lexicons import load
>>> found = classify("Kan ik dat later nog aanpassen?", load("nl"))
>>> found.message_type, found.pattern
('binary', 'modal_question')
>>> classify("Kan ik dat later nog aanpassen?", load("nl"), method="published").pattern
'can'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice, pairwise
from typing import Final, Literal, TypeAlias, get_args

import regex

from klopt.errors import ConfigurationError, UnknownLanguageError
from klopt.lexicons import Lexicon, Lexicons, Pattern, in_lower_case
from klopt.reading.reader import split_sentences
from klopt.reading.text import Span, in_small_letters
from klopt.records import MESSAGE_TYPES, MessageType

__all__ = [
    "NO_MATCH",
    "NO_QUESTION_MARK",
    "Classification",
    "Method",
    "classify",
]

Method: TypeAlias = Literal["published", "scored"]

ORDER: Final[tuple[MessageType, ...]] = ("error", "general", "reasoning", "instruction", "binary")
"""The lists in the paper's order. Action has no list; unspecified is what is left."""

QUESTION_MARKS: Final = ("?", "？", "؟")

NO_MATCH: Final = "no_match"
"""The `pattern` of a message in which no pattern was found."""

NO_QUESTION_MARK: Final = "no_question_mark"
"""The `pattern` of a message that the published method calls reasoning for want of a ``?``."""


MESSAGE_MAX_CHARS: Final = 20_000
"""Only so much of a message is looked at, by either method."""

QUESTION_WEIGHT: Final = 4.0
"""A pattern at least this heavy, of a type that asks, begins a question where it is found."""

ASKING: Final[tuple[MessageType, ...]] = ("action", "reasoning", "instruction", "general")
"""The types whose patterns begin a question wherever they are found; see `_begins_question`."""

SENTENCES_MAX: Final = 10
"""Of a longer message only the first half and the last half as many sentences are looked at."""

SENTENCE_MAX_CHARS: Final = 300
"""A longer sentence counts as several."""

BREAKS_MAX: Final = 6
"""After so many commas of a sentence it is not cut any more."""

FORMULAS_MAX: Final = 3
"""So many greetings and the like are taken off the front of a sentence."""

_OPENING_CHARS: Final = 3
"""By so many characters a text that a rule needs is looked up."""

_ESCAPE: Final = regex.compile(r"\\p\{L\}|\\[^p]", regex.VERSION1)
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

Part: TypeAlias = Literal["formula", "question", "statement"]
"""What a clause does in its message."""

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
class Classification:
    """The type of one message and why.

    Attributes:
        message_type: One of `klopt.records.MESSAGE_TYPES`.
        pattern: The id of the pattern that decided, or `NO_MATCH` or `NO_QUESTION_MARK`.
        start: First character, in the message, of what the pattern found.
        end: After its last character; 0 and 0 when no pattern was found.
        scores: Type → score for the scored method, the types without a score left out, in the
            order of `klopt.records.MESSAGE_TYPES`; empty for the published method.

    >>> Classification("binary", "modal_question", 0, 6, (("binary", 4.0),)).score("error")
    0.0
    """

    message_type: MessageType
    pattern: str
    start: int
    end: int
    scores: tuple[tuple[MessageType, float], ...] = ()

    def score(self, message_type: MessageType) -> float:
        """The score of one type, at least 0.0, no unit; 0.0 where nothing spoke for it."""
        return dict(self.scores).get(message_type, 0.0)


UNSPECIFIED: Final = Classification("unspecified", NO_MATCH, 0, 0)


def table(lexicons: Lexicons, lexicon_id: str) -> Lexicon:
    """The classifier's lexicon of a language.

    Raises:
        UnknownLanguageError: The language has none; that of another language is never used.
    """
    try:
        return lexicons[lexicon_id]
    except KeyError:
        raise UnknownLanguageError(
            f'language "{lexicons.language}" has no lexicon "{lexicon_id}", which says what '
            f"type a message is; add {lexicons.language}/{lexicon_id}.toml"
        ) from None


def prepare(lexicons: Lexicons, method: Method) -> None:
    """Makes ready now what the first messages would wait for; see `classify`."""
    if method == "published":
        table(lexicons, "messages_published").compile()
    else:
        for rule in chain.from_iterable(rules_of(lexicons).by_type.values()):
            rule.pattern.compile()


def classify(
    text: str,
    lexicons: Lexicons,
    *,
    method: Method = "scored",
    sentences: Sequence[Span] | None = None,
) -> Classification:
    """The type of a message, with the pattern and the characters that decided it.

    Args:
        text: The message as the user typed it; may be empty.
        lexicons: The tables of its language: ``messages`` and ``messages_published``.
        method: ``scored`` adds weights up over the clauses; ``published`` is the paper's ordered
            lists, first match wins.
        sentences: Where the sentences are, if the caller has split them already; only ``scored``
            looks.

    Returns:
        A `Classification`; a text that says nothing is ``unspecified`` with ``no_match``.

    Raises:
        ConfigurationError: There is no such method.
        UnknownLanguageError: The language has no table for the method.
        PatternTimeoutError: A company's own pattern took too long.

    Source: AFAS paper, sections 4.4.1 (types) and 5.1 (ordered lists).
    """
    text = text[:MESSAGE_MAX_CHARS]
    if method == "published":
        return _published(text, table(lexicons, "messages_published"))
    if method == "scored":
        return _scored(text, rules_of(lexicons).likely(text), sentences)
    allowed = ", ".join(get_args(Method))
    raise ConfigurationError(f'classifier method "{method}" is not one of {allowed}')


def _published(text: str, lexicon: Lexicon) -> Classification:
    """The type whose list is the first to hold something that stands in the text.

    A message without a question mark is reasoning, unless the error or the general list took it:
    the paper prints that condition as part of the reasoning list. Within a list the patterns are
    tried in the order of the table.

    Source: AFAS paper, section 5.1. The paper prints the beginning of each list, in English;
    the table's header says which entries those are and which we completed. The paper lowercases
    the text; we ignore case instead, which finds the same and keeps the character offsets.
    """
    if not text.strip():
        return UNSPECIFIED
    for message_type in ORDER:
        for pattern in lexicon.group(message_type):
            match = pattern.search(text)
            if match is not None:
                return Classification(message_type, pattern.id, match.start(), match.end())
        if message_type == "reasoning" and not any(mark in text for mark in QUESTION_MARKS):
            return Classification(message_type, NO_QUESTION_MARK, 0, 0)
    return UNSPECIFIED


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A pattern, and whether it reads the text in small letters or as it was typed."""

    pattern: Pattern
    in_small_letters: bool


@dataclass(frozen=True, slots=True)
class Rules:
    """The patterns of one language.

    ``formulas`` are the unspecified patterns that may open a text; ``asking`` the heavy ones of the
    types that ask, ``yes_no`` those of yes/no questions. ``needed`` has, by their first characters,
    texts in lower case without which a rule is not found; ``free`` are the rules without any.
    """

    by_type: Mapping[MessageType, tuple[Rule, ...]]
    formulas: tuple[Rule, ...]
    asking: tuple[Rule, ...]
    yes_no: tuple[Rule, ...]
    abbreviations: frozenset[str]
    needed: Mapping[str, Sequence[tuple[str, Rule]]]
    free: frozenset[Rule]

    def likely(self, text: str) -> Rules:
        """Those that may be found somewhere in a text: there are far more than any text has."""
        small = in_lower_case(text)
        likely_rules = set(self.free)
        for length in range(1, _OPENING_CHARS + 1):
            parts = {small[at : at + length] for at in range(len(small))}
            for part in parts.intersection(self.needed):
                likely_rules.update(rule for literal, rule in self.needed[part] if literal in small)
        return replace(
            self,
            by_type={
                name: tuple(filter(likely_rules.__contains__, group))
                for name, group in self.by_type.items()
            },
            formulas=tuple(filter(likely_rules.__contains__, self.formulas)),
            asking=tuple(filter(likely_rules.__contains__, self.asking)),
            yes_no=tuple(filter(likely_rules.__contains__, self.yes_no)),
        )


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a message, as typed and in small letters, with its place and its part in it."""

    start: int
    typed: str
    small: str
    part: Part


def _scored(text: str, rules: Rules, sentences: Sequence[Span] | None) -> Classification:
    """The type with the highest sum of pattern weights over the clauses of the message.

    In each clause each type gets the weight of its heaviest pattern, so that the number of
    patterns of a type does not matter. A question counts in full, the statements around it less;
    without a question all statements count in full. Formulas (greetings, thanks, "I have a
    question") count as unspecified and as nothing else. The pattern that is named is the one
    that added most to the winning type, the first of them if several did.

    Source: the seven types of the AFAS paper, section 4.4.1. Weights, clauses and word order
    take the place of the ordered lists of section 5.1.
    """
    spans = split_sentences(text, rules.abbreviations) if sentences is None else sentences
    clauses = _clauses(text, spans, rules)
    last_question = max((n for n, one in enumerate(clauses) if one.part == "question"), default=-1)
    totals = dict.fromkeys(MESSAGE_TYPES, 0.0)
    heaviest: dict[MessageType, tuple[float, Classification]] = {}
    for number, clause in enumerate(clauses):
        share = 1.0
        if clause.part == "statement" and last_question >= 0:
            is_after = number > last_question
            share = STATEMENT_AFTER_SHARE if is_after else STATEMENT_BEFORE_SHARE
        for message_type, group in rules.by_type.items():
            if clause.part == "formula" and message_type != "unspecified":
                continue
            for rule in group:
                match = rule.pattern.search(clause.small if rule.in_small_letters else clause.typed)
                if match is None:
                    continue
                adds = share * rule.pattern.weight
                totals[message_type] += adds
                if message_type not in heaviest or adds > heaviest[message_type][0]:
                    start = clause.start + match.start()
                    end = start + len(match.group().rstrip())
                    hit = Classification(message_type, rule.pattern.id, start, end)
                    heaviest[message_type] = adds, hit
                break
    if not heaviest:
        return UNSPECIFIED
    scores = {name: round(total, 6) for name, total in totals.items()}
    winner = max(TIE_ORDER, key=lambda message_type: scores[message_type])
    named = tuple((name, score) for name, score in scores.items() if totals[name])
    return replace(heaviest[winner][1], scores=named)


def _clauses(text: str, sentences: Sequence[Span], rules: Rules) -> list[Clause]:
    """The clauses of a message, in order.

    A sentence is one clause, except that a formula at its start is a clause of its own, and that
    a comma, colon, dash or the like ends a clause where the rules say that a question follows:
    "Ik krijg een melding, wat nu?" is a statement and a question.
    """
    pieces = [
        (span.start + match.start(), span.start + match.end())
        for span in sentences
        for match in _PIECE.finditer(text[span.start : span.end])
    ]
    if len(pieces) > SENTENCES_MAX:
        pieces = pieces[: SENTENCES_MAX // 2] + pieces[-(SENTENCES_MAX // 2) :]
    small = in_small_letters(text)
    clauses: list[Clause] = []

    def add(start: int, end: int, part: Part) -> None:
        clauses.append(Clause(start, text[start:end], small[start:end], part))

    for first, end in pieces:
        start = _after_edge(text, first, end)
        for _ in range(FORMULAS_MAX):
            taken = _chars_at_start(rules.formulas, text[start:end], small[start:end])
            if not taken:
                break
            add(start, start + taken, "formula")
            start = _after_edge(text, start + taken, end)
        if start == end:
            continue
        asks = _ASKS.search(text, start, end) is not None
        breaks = (sign.end() for sign in islice(_BREAK.finditer(text, start, end), BREAKS_MAX))
        cuts = [
            cut for cut in breaks if _begins_question(rules, text[cut:end], small[cut:end], asks)
        ]
        for begin, finish in pairwise([start, *cuts, end]):
            is_question = (asks and finish == end) or _begins_question(
                rules, text[begin:finish], small[begin:finish], asks and begin == start
            )
            add(begin, finish, "question" if is_question else "statement")
    return clauses


def _begins_question(rules: Rules, typed: str, small: str, asks: bool) -> bool:
    """Whether a heavy pattern of a type that asks is found at the start of a text.

    Dutch puts the verb first after a subordinate clause too ("Als ik inlog, kan ik niets
    zien."), so that a yes/no question begins here only in a sentence with a question mark.
    """
    return _chars_at_start(rules.asking, typed, small) > 0 or (
        asks and _chars_at_start(rules.yes_no, typed, small) > 0
    )


def _chars_at_start(rules: Sequence[Rule], typed: str, small: str) -> int:
    """How many characters at the start of a text the first rule takes that is found there."""
    for rule in rules:
        match = rule.pattern.match_start(small if rule.in_small_letters else typed)
        if match is not None:
            return match.end()
    return 0


def _after_edge(text: str, start: int, end: int) -> int:
    """Where the first letter or digit stands: after white space, punctuation and signs."""
    match = _EDGE.match(text[start:end])
    return start + match.end() if match else start


@lru_cache(maxsize=32)
def rules_of(lexicons: Lexicons) -> Rules:
    """The rules of a language, made ready once.

    Raises:
        UnknownLanguageError: The language has no table of message patterns.
    """
    lexicon = table(lexicons, "messages")
    groups: dict[MessageType, tuple[Pattern, ...]] = {
        name: tuple(sorted(lexicon.group(name), key=lambda pattern: -pattern.weight))
        for name in MESSAGE_TYPES
    }
    heavy = {
        name: [pattern for pattern in group if pattern.weight >= QUESTION_WEIGHT]
        for name, group in groups.items()
    }
    rules = {name: tuple(map(_rule, group)) for name, group in groups.items()}
    all_rules = tuple(chain.from_iterable(rules.values()))
    made = dict(zip(map(id, chain.from_iterable(groups.values())), all_rules, strict=True))

    def openings(patterns: Iterable[Pattern]) -> tuple[Rule, ...]:
        r"""Those that may be found at the start of a text; one with ``\K`` looks further on."""
        return tuple(made[id(pattern)] for pattern in patterns if r"\K" not in pattern.source)

    needed: dict[str, list[tuple[str, Rule]]] = {}
    for rule in all_rules:
        for literal in rule.pattern.literals:
            needed.setdefault(literal[:_OPENING_CHARS], []).append((literal, rule))
    return Rules(
        rules,
        openings(groups["unspecified"]),
        openings(pattern for name in ASKING for pattern in heavy[name]),
        openings(heavy["binary"]),
        table(lexicons, "abbreviations").words,
        needed,
        frozenset(rule for rule in all_rules if not rule.pattern.literals),
    )


@lru_cache(maxsize=1024)
def _rule(pattern: Pattern) -> Rule:
    """Reads small letters where the pattern ignores case and is written in small letters."""
    letters = _ESCAPE.sub("", pattern.source)
    if pattern.ignore_case and letters == letters.lower():
        return Rule(replace(pattern, ignore_case=False), in_small_letters=True)
    return Rule(pattern, in_small_letters=False)
