"""Patterns that a lexicon declares: compiled once, run under a time limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

import regex

from klopt.errors import LexiconError, PatternTimeoutError
from klopt.lexicons.literals import required_literals, without_case

PATTERN_TIMEOUT_SECONDS: Final = 0.5
"""One pattern on one text. Ours take microseconds; a company's own may be worse."""

LONGEST_SOURCE_CHARS: Final = 5_000
MOST_REPEATED_CHARS: Final = 200_000
"""Of the shortest text that a pattern could match; each of them is compiled by itself."""

_SECOND_TIMEOUT_SECONDS: Final = 1.0
# The clock of ``regex`` counts the whole process: other threads, and a garbage collection that
# happens to fall here. A pattern is called slow when it is so twice.


@dataclass(frozen=True)
class Pattern:
    """One declared regular expression with an example that it hits and one that it just misses.

    Attributes:
        id: Unique in its lexicon; evidence and explanations name it.
        group: What the pattern stands for; the lexicon's schema lists the groups.
        source: The regular expression in verbose mode.
        ignore_case: Whether capitals and small letters are alike.
        weight: How much a hit counts, where the lexicon's reader adds hits up.
        hit: Texts in which the pattern must be found.
        miss: Texts, as near as possible, in which it must not be found.
    """

    id: str
    group: str
    source: str
    ignore_case: bool
    weight: float
    hit: tuple[str, ...]
    miss: tuple[str, ...]

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Pattern:
        """The pattern of a ``[[pattern]]`` table that fits its schema."""
        hit, miss = (
            (texts,) if isinstance(texts := entry[key], str) else tuple(texts)
            for key in ("hit", "miss")
        )
        return cls(
            entry["id"],
            entry["group"],
            entry["pattern"],
            entry.get("case", "ignore") == "ignore",
            float(entry.get("weight", 1.0)),
            hit,
            miss,
        )

    @cached_property
    def expression(self) -> regex.Pattern[str]:
        """The compiled expression; compiled when first used, since not all always are."""
        return compile_pattern(self.source, ignore_case=self.ignore_case)

    @cached_property
    def literals(self) -> tuple[str, ...]:
        """Texts in lower case of which at least one stands in every match; none if not known."""
        return required_literals(self.source)

    def may_match(self, text: str) -> bool:
        """Whether a text has one of the words that the pattern cannot do without."""
        literals = self.literals
        if not literals:
            return True
        small = in_lower_case(text)
        for literal in literals:  # noqa: SIM110 - run most often of all; any() takes twice as long
            if literal in small:
                return True
        return False

    def search(self, text: str) -> regex.Match[str] | None:
        """The first match, or None.

        Raises:
            PatternTimeoutError: After `PATTERN_TIMEOUT_SECONDS`, and again at a second try.
        """
        if not self.may_match(text):
            return None
        try:
            return search_in_time(self.expression, text)
        except TimeoutError:
            raise self._too_slow(text) from None

    def match_start(self, text: str) -> regex.Match[str] | None:
        """The match at the very start of a text, or None.

        Raises:
            PatternTimeoutError: As `search`.
        """
        if not self.may_match(text):
            return None
        try:
            return self.expression.match(text, timeout=_SECOND_TIMEOUT_SECONDS)
        except TimeoutError:
            raise self._too_slow(text) from None

    def finditer(self, text: str) -> Iterator[regex.Match[str]]:
        """All matches from left to right.

        Raises:
            PatternTimeoutError: After `PATTERN_TIMEOUT_SECONDS` for the whole text, and again at
                a second try.
        """
        if not self.may_match(text):
            return iter(())
        # Lists, so that the time between two matches, which is the caller's, is not counted.
        for seconds in (PATTERN_TIMEOUT_SECONDS, _SECOND_TIMEOUT_SECONDS):
            try:
                return iter(list(self.expression.finditer(text, timeout=seconds)))
            except TimeoutError:
                continue
        raise self._too_slow(text)

    def _too_slow(self, text: str) -> PatternTimeoutError:
        return PatternTimeoutError(
            f'pattern "{self.id}" took over {PATTERN_TIMEOUT_SECONDS} s on a text of '
            f"{len(text)} characters; simplify its nested repetitions"
        )


_UNREADABLE: Final = (RecursionError, MemoryError, OverflowError, ValueError)
_LETTER_BY_LETTER: Final = "(?-f)"

_BLANKS: Final = r"(?:\s|#[^\n]*\n)*+"
_CALL: Final = regex.compile(
    rf"(?s)\\.|(\(\?(?:[R0-9&]|[+-]{_BLANKS}[0-9]|P{_BLANKS}[>&])[^)]{{0,20}}\)?)"
)
_FULL_FOLDING: Final = regex.compile(
    rf"(?s)\\.|(\(\?(?:[a-eg-zA-Z0-9]|{_BLANKS})*+f)(?=[\w\s#:)-])"
)
_COUNT: Final = regex.compile(
    r"(?<one>(?<=[^\s)]))?\{(?<count>(?:[\s0-9,]|#[^\n]*\n)*+)\}", regex.VERSION1
)
"""The least number of times of ``one`` character, or else of a group; also where it is no count."""


@lru_cache(maxsize=256)
def in_lower_case(text: str) -> str:
    """A text in lower case; many patterns look at one text."""
    return without_case(text)


def search_in_time(expression: regex.Pattern[str], text: str) -> regex.Match[str] | None:
    """The first match, or None.

    Raises:
        TimeoutError: After `PATTERN_TIMEOUT_SECONDS`, and again at a second, longer try.
    """
    try:
        return expression.search(text, timeout=PATTERN_TIMEOUT_SECONDS)
    except TimeoutError:
        return expression.search(text, timeout=_SECOND_TIMEOUT_SECONDS)


def first_of(patterns: Iterable[Pattern], text: str) -> regex.Match[str] | None:
    """The first match of the first pattern that is found in a text, or None.

    Raises:
        PatternTimeoutError: As `Pattern.search`.
    """
    for pattern in patterns:
        match = pattern.search(text)
        if match is not None:
            return match
    return None


def apart(patterns: Iterable[Pattern], text: str) -> list[tuple[int, int]]:
    """Where patterns hit a text, from left to right; of two that overlap the first.

    Raises:
        PatternTimeoutError: As `Pattern.search`.
    """
    spans: list[tuple[int, int]] = []
    for span in sorted(match.span() for pattern in patterns for match in pattern.finditer(text)):
        if not spans or span[0] >= spans[-1][1]:
            spans.append(span)
    return spans


def compile_pattern(source: str, *, ignore_case: bool = True) -> regex.Pattern[str]:
    """A compiled expression in verbose mode, where white space and ``#`` comments are ignored.

    Letters are alike one by one: "STRASSE" is not "straße", nor is "ﬁ" two letters. Full case
    folding would make them so, at twice the work for every "ss", "ff" and "st" in a row.

    Raises:
        LexiconError: The expression does not compile, and where; or it is not bounded.
    """
    if (refusal := _refusal(source)) is not None:
        raise LexiconError(refusal)
    flags = regex.VERBOSE | regex.MULTILINE | regex.VERSION1
    try:
        return regex.compile(
            _LETTER_BY_LETTER + source, flags | regex.IGNORECASE if ignore_case else flags
        )
    except regex.error as error:
        met: Any = error  # its attributes are not in the stubs
        place = "" if met.pos is None else f" at position {met.pos - len(_LETTER_BY_LETTER)}"
        raise LexiconError(f"{met.msg}{place}") from None
    except _UNREADABLE:
        raise LexiconError("the expression is too deep or too large to be compiled") from None


def _refusal(source: str) -> str | None:
    """Why an expression could take any time or memory; None if it is bounded."""
    if len(source) > LONGEST_SOURCE_CHARS:
        return (
            f"has {len(source):,} characters, and {LONGEST_SOURCE_CHARS:,} are allowed; "
            "make several patterns of it"
        )
    if (call := _first(_CALL, source)) is not None:
        return f'"{call}" calls a group, which may never end; write out what it stands for'
    if (flags := _first(_FULL_FOLDING, source)) is not None:
        return f'"{flags}" asks for full case folding; leave the f out and write "(?:ß|ss)"'
    chars, times = len(source), 1
    for found in _COUNT.finditer(source, overlapped=True):
        least = regex.sub(r"#[^\n]*\n|\s", "", found["count"]).partition(",")[0].lstrip("0")
        count = max(1, int(least[:9] or 0))
        if found["one"] is not None:
            chars += count
        else:
            times *= count
    if chars * times > MOST_REPEATED_CHARS:
        return (
            f"its counts, one within the other, ask for over {MOST_REPEATED_CHARS:,} characters; "
            "lower them"
        )
    return None


def _first(sought: regex.Pattern[str], source: str) -> str | None:
    """The first place that is not behind a backslash."""
    return next((found[1] for found in sought.finditer(source) if found[1]), None)


def compile_phrases(phrases: Iterable[str]) -> regex.Pattern[str]:
    """One expression that finds any of the phrases as whole words, in any case, longest first.

    >>> compile_phrases(["bij", "bijvoorbeeld"]).findall("Bijvoorbeeld bij de bijlage")
    ['Bijvoorbeeld', 'bij']
    """
    alternatives = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return regex.compile(
        r"(?-f:(?<!\w)\L<phrases>(?!\w))", regex.IGNORECASE | regex.VERSION1, phrases=alternatives
    )
