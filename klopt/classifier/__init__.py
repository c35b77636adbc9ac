"""Classify a question into the seven message types of the AFAS paper, section 4.4.1.

The type decides which features are measured and whether an answer is scored. Method ``published``
is the paper's ordered lists; ``scored``, the default, weighs patterns clause by clause. Patterns in
lower case search the lower-cased message, which takes a third of the time of ignoring case.

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
from klopt.text.plain import Span, in_small_letters
from klopt.text.reader import split_sentences
from klopt.types import MESSAGE_TYPES, MessageType

Method: TypeAlias = Literal["published", "scored"]
QUESTION_WEIGHT: Final = 4.0
"""Least weight of a pattern of an asking type that begins a question."""
ASKING: Final[tuple[MessageType, ...]] = ("action", "reasoning", "instruction", "general")
"""Types whose patterns begin a question anywhere; see `_begins_question`."""
CLOSING: Final = "closing"
"""The pattern of regards, which the sender's signature follows."""
_OPENING_CHARS: Final = 3  # characters of the key of a literal
_ESCAPE: Final = regex.compile(r"\\p\{L\}|\\[^p]", regex.VERSION1)
ORDER: Final[tuple[MessageType, ...]] = ("error", "general", "reasoning", "instruction", "binary")
"""The paper's order of the lists; action has none, and unspecified is the rest."""
QUESTION_MARKS: Final = ("?", "？", "؟")
NO_MATCH: Final = "no_match"  # pattern of a message that none matched
NO_QUESTION_MARK: Final = "no_question_mark"
"""Pattern of a message that the published method calls reasoning as it lacks a ``?``."""
MESSAGE_MAX_CHARS: Final = 20_000  # characters of a message that are read
SENTENCES_MAX: Final = 10
"""Sentences read of a message: the first and the last half of this number."""
SENTENCE_MAX_CHARS: Final = 300  # a longer sentence counts as several
BREAKS_MAX: Final = 6  # cuts in one sentence
FORMULAS_MAX: Final = 3  # formulas at the start of one sentence
COURTESIES: Final = frozenset({"greeting", "thanks", CLOSING, "preamble", "and_so"})
"""Patterns that do not count beside a message with a type."""
_SIGNATURE_LINES: Final = 6
"""Lines of a signature after the regards."""
_SIGNATURE_CHARS: Final = 60
COMMON_LITERAL_CHARS: Final = 2  # nearly every message has a literal as short as this
_PIECE: Final = regex.compile(
    rf".{{1,{SENTENCE_MAX_CHARS}}}+(?=\s|\Z)|.{{1,{SENTENCE_MAX_CHARS}}}(?:\s|\Z)"
    rf"|.{{1,{SENTENCE_MAX_CHARS}}}",
    regex.DOTALL | regex.VERSION1,
)
_ASKS: Final = regex.compile(r"[?？؟](?:[\s!.'\"?]|\p{Pf}|\p{Pe}|\p{S})*+\Z", regex.VERSION1)
_BREAK: Final = regex.compile(r"[,;:]\s+|\s+[-–—]+\s+|\s*+(?:\.\.+|…)\s*", regex.VERSION1)
_EDGE: Final = regex.compile(r"\A[\s\p{P}\p{S}]*+", regex.VERSION1)
STATEMENT_BEFORE_SHARE: Final = 0.5
"""Weight of a statement before a question, which counts 1."""
STATEMENT_AFTER_SHARE: Final = 0.3  # weight of a statement after the last question
Part: TypeAlias = Literal["formula", "question", "statement"]  # the role of a clause in its message
TIE_ORDER: Final[tuple[MessageType, ...]] = (
    "action",
    "reasoning",
    "instruction",
    "binary",
    "error",
    "general",
    "unspecified",
)
"""The type that wins among equal scores comes first."""


@dataclass(frozen=True, slots=True)
class Classification:
    """The type of one message and why.

    Attributes:
        message_type: One of `klopt.types.MESSAGE_TYPES`.
        pattern: The id of the pattern that decided, or `NO_MATCH` or `NO_QUESTION_MARK`.
        start: First character, in the message, of what the pattern found.
        end: After its last character; 0 and 0 when no pattern was found.
        scores: Type → score for the scored method, the types without a score left out, in the
            order of `klopt.types.MESSAGE_TYPES`; empty for the published method.

    >>> Classification("binary", "modal_question", 0, 6, (("binary", 4.0),)).score("error")
    0.0
    """

    message_type: MessageType
    pattern: str
    start: int
    end: int
    scores: tuple[tuple[MessageType, float], ...] = ()

    def score(self, message_type: MessageType) -> float:
        """Return the score of one type, at least 0.0; 0.0 where no pattern of it matched."""
        return dict(self.scores).get(message_type, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A pattern, and whether it searches the text in lower case or as typed."""

    pattern: Pattern
    in_small_letters: bool


@dataclass(frozen=True, slots=True)
class Rules:
    """The patterns of one language.

    Attributes:
        formulas: The unspecified patterns that may open a text.
        closings: Those before a signature.
        asking: The heavy patterns of the asking types.
        yes_no: Those of yes/no questions.
        needed: First characters of a literal → the literal and its rule.
        free: Rules without literals.
    """

    by_type: Mapping[MessageType, tuple[Rule, ...]]
    formulas: tuple[Rule, ...]
    closings: tuple[Rule, ...]
    asking: tuple[Rule, ...]
    yes_no: tuple[Rule, ...]
    abbreviations: frozenset[str]
    needed: Mapping[str, Sequence[tuple[str, Rule]]]
    free: frozenset[Rule]

    def likely(self, text: str) -> Rules:
        """Return the rules whose literals occur in a text."""
        small = in_lower_case(text)
        found = set(self.free)
        for length in range(1, _OPENING_CHARS + 1):
            parts = {small[at : at + length] for at in range(len(small))}
            for part in parts.intersection(self.needed):
                for literal, rule in self.needed[part]:
                    if literal in small:
                        found.add(rule)
        is_likely = found.__contains__
        return replace(
            self,
            by_type={name: tuple(filter(is_likely, rules)) for name, rules in self.by_type.items()},
            formulas=tuple(filter(is_likely, self.formulas)),
            closings=tuple(filter(is_likely, self.closings)),
            asking=tuple(filter(is_likely, self.asking)),
            yes_no=tuple(filter(is_likely, self.yes_no)),
        )


UNSPECIFIED: Final = Classification("unspecified", NO_MATCH, 0, 0)


def prepare(lexicons: Lexicons, method: Method) -> None:
    """Compile what the first message would wait for; see `classify`."""
    if method == "published":
        table(lexicons, "messages_published").prepare()
    else:
        for group in rules_of(lexicons).by_type.values():
            for pattern in (rule.pattern for rule in group):
                if min(map(len, pattern.literals.required), default=0) <= COMMON_LITERAL_CHARS:
                    pattern.expression  # noqa: B018 - cached


def classify(
    text: str,
    lexicons: Lexicons,
    *,
    method: Method = "scored",
    sentences: Sequence[Span] | None = None,
) -> Classification:
    """Return the type of a message, with the pattern and the characters that decided it.

    Args:
        text: The message as the user typed it; may be empty.
        lexicons: Those of its language: ``messages`` and ``messages_published``.
        method: ``scored`` sums weights over the clauses; ``published`` takes the first match of
            the paper's ordered lists.
        sentences: The sentences, if known; only for ``scored``.

    Returns:
        A `Classification`; a text without a match is ``unspecified`` with ``no_match``.

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
    """Return the type of the first list with a match."""
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


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a message, as typed and in lower case, with its start and role."""

    start: int
    typed: str
    small: str
    part: Part


def _scored(text: str, rules: Rules, sentences: Sequence[Span] | None) -> Classification:
    """The type with the highest sum of pattern weights over the clauses of the message."""
    spans = split_sentences(text, rules.abbreviations) if sentences is None else sentences
    clauses = _clauses(text, spans, rules)
    last_question = max((n for n, one in enumerate(clauses) if one.part == "question"), default=-1)
    totals = dict.fromkeys(MESSAGE_TYPES, 0.0)
    heaviest: dict[MessageType, tuple[float, Classification]] = {}
    for number, clause in sorted(enumerate(clauses), key=lambda one: one[1].part == "formula"):
        share = 1.0
        by_type = rules.by_type
        if clause.part == "formula":
            left_out = COURTESIES if heaviest.keys() - {"unspecified"} else ()
            formulas = [one for one in by_type["unspecified"] if one.pattern.id not in left_out]
            by_type = {"unspecified": tuple(formulas)}
        elif clause.part == "statement" and last_question >= 0:
            is_after = number > last_question
            share = STATEMENT_AFTER_SHARE if is_after else STATEMENT_BEFORE_SHARE
        for message_type, group in by_type.items():
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
    winner = max(TIE_ORDER, key=scores.__getitem__)
    named = tuple((name, score) for name, score in scores.items() if totals[name])
    return replace(heaviest[winner][1], scores=named)


def _clauses(text: str, sentences: Sequence[Span], rules: Rules) -> list[Clause]:
    """The clauses of a message, in order."""
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

    for number, (first, end) in enumerate(pieces):
        start = _after_edge(text, first, end)
        for _ in range(FORMULAS_MAX):
            taken = _chars_at_start(rules.formulas, text[start:end], small[start:end])
            if not taken:
                break
            is_closing = _chars_at_start(rules.closings, text[start:end], small[start:end]) > 0
            add(start, start + taken, "formula")
            if is_closing and _is_signature(
                text[first:last] for first, last in pieces[number + 1 :]
            ):
                return clauses
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


def _is_signature(lines: Iterable[str]) -> bool:
    """Whether the lines after the regards are a signature."""
    after = list(lines)
    return len(after) <= _SIGNATURE_LINES and all(
        len(line) <= _SIGNATURE_CHARS and not any(mark in line for mark in QUESTION_MARKS)
        for line in after
    )


def _begins_question(rules: Rules, typed: str, small: str, asks: bool) -> bool:
    """Whether a heavy pattern of a type that asks is found at the start of a text."""
    return _chars_at_start(rules.asking, typed, small) > 0 or (
        asks and _chars_at_start(rules.yes_no, typed, small) > 0
    )


def _chars_at_start(rules: Sequence[Rule], typed: str, small: str) -> int:
    """Return the length of the first match at the start of a text."""
    for rule in rules:
        match = rule.pattern.match_start(small if rule.in_small_letters else typed)
        if match is not None:
            return match.end()
    return 0


def _after_edge(text: str, start: int, end: int) -> int:
    """Return the offset of the first letter or digit."""
    match = _EDGE.match(text[start:end])
    return start + match.end() if match else start


@lru_cache(maxsize=32)
def rules_of(lexicons: Lexicons) -> Rules:
    """Return the rules of a language from a cache.

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
        for literal in rule.pattern.literals.required:
            needed.setdefault(literal[:_OPENING_CHARS], []).append((literal, rule))
    return Rules(
        rules,
        openings(groups["unspecified"]),
        openings(pattern for pattern in groups["unspecified"] if pattern.id == CLOSING),
        openings(pattern for name in ASKING for pattern in heavy[name]),
        openings(heavy["binary"]),
        table(lexicons, "abbreviations").words,
        needed,
        frozenset(rule for rule in all_rules if not rule.pattern.literals.required),
    )


@lru_cache(maxsize=1024)
def _rule(pattern: Pattern) -> Rule:
    """Search in lower case if the pattern ignores case and is in lower case."""
    letters = _ESCAPE.sub("", pattern.source)
    if pattern.ignore_case and letters == letters.lower():
        return Rule(replace(pattern, ignore_case=False), in_small_letters=True)
    return Rule(pattern, in_small_letters=False)


def table(lexicons: Lexicons, lexicon_id: str) -> Lexicon:
    """Return the classifier's lexicon of a language.

    Raises:
        UnknownLanguageError: The language has none; that of another language is never used.
    """
    try:
        return lexicons[lexicon_id]
    except KeyError:
        raise UnknownLanguageError(
            f'language "{lexicons.language}" has no lexicon "{lexicon_id}" with the patterns of '
            f"message types; add {lexicons.language}/{lexicon_id}.toml"
        ) from None
