"""Patterns, bounded regular expressions compiled when a text may contain a match; and lexicons."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import regex

from klopt._internal import shipped
from klopt._internal.cached import cached_property
from klopt.errors import LexiconError, PatternTimeoutError

MAX_SOURCE_CHARS: Final = 5_000
MAX_REPEATED_CHARS: Final = 200_000
"""Characters of the shortest text that a pattern can match; each is compiled separately."""
TIMEOUT_SECONDS: Final = 0.5  # for one pattern on one text
_RETRY_TIMEOUT_SECONDS: Final = 1.0
"""For a second try: the clock of ``regex`` counts other threads and garbage collections too."""
UNTIMED_CHARS: Final = 4_000
"""Bundled patterns run without a timeout on texts up to this length: the clock costs more."""
LITERALS: Final = "literals.json"
"""The literals of the bundled patterns, by `source_key`; ``training/literals.py`` derives them."""
_UNREADABLE: Final = (RecursionError, MemoryError, OverflowError, ValueError)
_SIMPLE_FOLDING: Final = "(?-f)"
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
"""A repetition count, after one character or after a group."""


class Literals(NamedTuple):
    """The literals of a pattern, in lower case; empty where none are known.

    Attributes:
        required: Every match contains at least one of these.
        initial: Every match begins with one of these; empty where a search for them would take
            longer than the pattern: single letters, and patterns bound to the start of a text.
        at_word_start: Whether no letter may precede a match.
        by_line: Whether a match is on one line, and needs more than its initial literal.
    """

    required: tuple[str, ...] = ()
    initial: tuple[str, ...] = ()
    at_word_start: bool = False
    by_line: bool = False


def lower_case(text: str) -> str:
    """Return a text in lower case, with the letters equated that ``regex`` equates."""
    return text.replace("İ", "i").replace("ı", "i").replace("ſ", "s").lower()


in_lower_case: Final = lru_cache(maxsize=256)(lower_case)
"""`lower_case`, cached because many patterns search the same text."""


def source_key(source: str) -> str:
    """Return the key under which the literals of a pattern are stored."""
    return hashlib.sha256(source.encode()).hexdigest()[:12]


@cache
def _stored_literals() -> Mapping[str, Literals]:
    table = json.loads(shipped.text("klopt.lexicons", LITERALS))
    return {
        key: Literals(tuple(one), tuple(other), *more) for key, (one, other, *more) in table.items()
    }


@dataclass(frozen=True)
class Pattern:
    """One declared regular expression, with examples that it matches and that it just misses.

    Attributes:
        id: Unique in its lexicon; evidence and explanations name it.
        group: Its meaning; the lexicon's schema lists the groups.
        source: The regular expression in verbose mode.
        ignore_case: Whether upper and lower case match each other.
        weight: How much a match counts where the lexicon's reader adds matches up.
        hit: Texts in which the pattern must be found.
        miss: Similar texts in which it must not be found.
        bundled: Whether it comes with klopt, so that its running time is known.
    """

    id: str
    group: str
    source: str
    ignore_case: bool
    weight: float
    hit: tuple[str, ...]
    miss: tuple[str, ...]
    bundled: bool = field(default=False, compare=False)

    @classmethod
    def of(cls, entry: Mapping[str, Any], *, bundled: bool = False) -> Pattern:
        """Return the pattern of a valid ``[[pattern]]`` table."""
        hit, miss = (
            (texts,) if isinstance(texts := entry[key], str) else tuple(texts)
            for key in ("hit", "miss")
        )
        ignore_case = entry.get("case", "ignore") == "ignore"
        weight = float(entry.get("weight", 1.0))
        source = entry["pattern"]
        return cls(entry["id"], entry["group"], source, ignore_case, weight, hit, miss, bundled)

    @cached_property
    def expression(self) -> regex.Pattern[str]:
        """The expression, compiled on first use."""
        return compile_pattern(self.source, ignore_case=self.ignore_case)

    @cached_property
    def literals(self) -> Literals:
        """Texts in lower case that its matches contain or begin with, as far as known."""
        return _stored_literals().get(source_key(self.source), Literals())

    def may_match(self, lowered: str) -> bool:
        """Return whether a text, given by `in_lower_case`, contains one of the literals."""
        literals = self.literals.required
        for literal in literals:
            if literal in lowered:
                return True
        return not literals

    def search(self, text: str) -> regex.Match[str] | None:
        """Return the first match, or None.

        Raises:
            PatternTimeoutError: It took longer than `TIMEOUT_SECONDS`, and a retry did too.
        """
        if not self.may_match(in_lower_case(text)):
            return None
        if self.bundled and len(text) <= UNTIMED_CHARS:
            return self.expression.search(text)
        match: regex.Match[str] | None = self.run("search", text)
        return match

    def match_start(self, text: str) -> regex.Match[str] | None:
        """Return the match at the very start of a text, or None; see `search`."""
        is_fast = self.bundled and "expression" in self.__dict__  # faster than the literals
        if is_fast and len(text) <= UNTIMED_CHARS:
            return self.expression.match(text)
        if not is_fast and not self.may_match(in_lower_case(text)):
            return None
        match: regex.Match[str] | None = self.run("match", text)
        return match

    def finditer(self, text: str) -> list[regex.Match[str]]:
        """Return all matches from left to right, within the time of one `search`.

        A bundled pattern is tried only where one of its initial literals occurs.
        """
        lowered = in_lower_case(text)
        required, initial, at_word_start, by_line = self.literals
        if not (initial and self.bundled) or len(lowered) != len(text):
            found: list[regex.Match[str]] = (
                self.run("finditer", text) if self.may_match(lowered) else []
            )
            return found
        starts = []
        for first, last in _lines_with(required, lowered) if by_line else [(0, len(text))]:
            for literal in initial:
                at = lowered.find(literal, first, last)
                while at >= 0:
                    if not (at and at_word_start and lowered[at - 1].isalpha()):
                        starts.append(at)
                    at = lowered.find(literal, at + 1, last)
        matches, end = [], 0
        for start in sorted(starts):
            if start >= end and (match := self.expression.match(text, start)) is not None:
                matches.append(match)
                end = match.end()
        return matches

    def run(self, method: str, text: str) -> Any:  # noqa: ANN401 - as the method returns
        """Call a method of the expression, with a timeout where one is needed.

        Raises:
            PatternTimeoutError: It took longer than `TIMEOUT_SECONDS`, and a retry did too.
        """
        call = getattr(self.expression, method)
        if self.bundled and len(text) <= UNTIMED_CHARS:
            matches = call(text)
            return list(matches) if method == "finditer" else matches
        for seconds in (TIMEOUT_SECONDS, _RETRY_TIMEOUT_SECONDS):
            try:
                matches = call(text, timeout=seconds)
                # A list, so that the caller's time between two matches does not count.
                return list(matches) if method == "finditer" else matches
            except TimeoutError:
                continue
        raise PatternTimeoutError(
            f'pattern "{self.id}" took over {TIMEOUT_SECONDS} s on a text of '
            f"{len(text)} characters; simplify its nested repetitions"
        )


def likely(patterns: Iterable[Pattern], text: str) -> list[Pattern]:
    """Return the patterns whose literals occur in a text, in order."""
    lowered, found = in_lower_case(text), list[Pattern]()
    for pattern in patterns:
        required = pattern.literals.required
        for literal in required:
            if literal in lowered:
                found.append(pattern)
                break
        else:
            if not required:
                found.append(pattern)
    return found


def _lines_with(literals: Iterable[str], lowered: str) -> Iterable[tuple[int, int]]:
    """Return where the lines that contain one of some literals start and end."""
    lines: dict[int, int] = {}
    for literal in literals:
        at = lowered.find(literal)
        while at >= 0:
            start, end = lowered.rfind("\n", 0, at) + 1, lowered.find("\n", at)
            lines[start] = len(lowered) if end < 0 else end
            at = lowered.find(literal, lines[start])
    return lines.items()


@dataclass(frozen=True, slots=True)
class OpposedPair:
    """Two sides that contradict each other as properties of the same thing."""

    one: tuple[str, ...]
    other: tuple[str, ...]


class Phrases(dict[str, regex.Pattern[str]]):
    """List name → expression that finds its phrases, compiled on first use."""

    def __init__(self, lists: Mapping[str, tuple[str, ...]]) -> None:
        super().__init__()
        self._lists = lists

    def __missing__(self, name: str) -> regex.Pattern[str]:
        compiled = self[name] = compile_phrases(self._lists[name])
        return compiled


@dataclass(frozen=True, eq=False)
class Lexicon:
    """One lexicon of one language.

    Attributes:
        id: Its name in ``schema.toml``.
        language: The language of its entries.
        lists: Of a phrase lexicon, list name → sorted phrases.
        patterns: Of a pattern lexicon, the patterns in order of precedence.
        digest: SHA-256 of the file, or of both files when a company's file was added.
        word_groups: Of a group lexicon, name → groups of words with one meaning.
        pairs: Of a pair lexicon, the pairs of sides that contradict each other.
        values: Of a value lexicon, name → word → number.
    """

    id: str
    language: str
    lists: Mapping[str, tuple[str, ...]]
    patterns: tuple[Pattern, ...]
    digest: str
    word_groups: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    pairs: tuple[OpposedPair, ...] = ()
    values: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @cached_property
    def phrases(self) -> Phrases:
        """For each list, one expression that finds its phrases as whole words in any case."""
        return Phrases(self.lists)

    @cached_property
    def words(self) -> frozenset[str]:
        """All phrases of all lists, in lower case."""
        return frozenset(entry.casefold() for entries in self.lists.values() for entry in entries)

    def prepare(self) -> None:
        """Compile the patterns now instead of at the first text that may contain a match."""
        for pattern in self.patterns:
            pattern.expression  # noqa: B018 - cached

    def group(self, name: str) -> tuple[Pattern, ...]:
        """Return the patterns of one group, in order."""
        return self._groups.get(name, ())

    @cached_property
    def _groups(self) -> Mapping[str, tuple[Pattern, ...]]:
        groups: dict[str, tuple[Pattern, ...]] = {}
        for pattern in self.patterns:
            groups[pattern.group] = (*groups.get(pattern.group, ()), pattern)
        return groups

    def likely(self, text: str, *groups: str) -> list[Pattern]:
        """Return the patterns of some groups whose literals occur in a text, in order."""
        return likely([one for name in groups for one in self._groups.get(name, ())], text)

    def first(self, group: str, text: str, *, only: str | None = None) -> regex.Match[str] | None:
        """Return the first match of the first pattern of a group that matches, or None.

        Raises:
            PatternTimeoutError: A company's own pattern took too long.
        """
        for pattern in likely(self._groups.get(group, ()), text):
            if only is None or pattern.id == only:
                match: regex.Match[str] | None = pattern.run("search", text)
                if match is not None:
                    return match
        return None

    def hits(self, text: str, *groups: str) -> list[tuple[Pattern, list[regex.Match[str]]]]:
        """Return the patterns of some groups that match a text, in order, with all matches.

        Raises:
            PatternTimeoutError: A company's own pattern took too long.
        """
        patterns = [one for name in groups for one in self._groups.get(name, ())]
        return [(pattern, found) for pattern in patterns if (found := pattern.finditer(text))]

    def extended(self, other: Lexicon) -> Lexicon:
        """Return this lexicon with a company's own added.

        Phrases and pairs are added, patterns take precedence, groups merge with those that share
        a word, and values replace those of the same word.
        """
        own = self.word_groups
        return replace(
            self,
            lists={
                name: tuple(sorted({*self.lists.get(name, ()), *other.lists.get(name, ())}))
                for name in {*self.lists, *other.lists}
            },
            patterns=(*other.patterns, *self.patterns),
            digest=hashlib.sha256((self.digest + other.digest).encode()).hexdigest(),
            word_groups={
                name: merged_groups(own.get(name, ()), other.word_groups.get(name, ()))
                for name in {*own, *other.word_groups}
            },
            pairs=(*self.pairs, *other.pairs),
            values={
                name: {**self.values.get(name, {}), **other.values.get(name, {})}
                for name in {*self.values, *other.values}
            },
        )


def merged_groups(
    own: Iterable[tuple[str, ...]], added: Iterable[tuple[str, ...]]
) -> tuple[tuple[str, ...], ...]:
    """Return both sets of groups as one, in which groups that share a word are merged.

    >>> merged_groups([("afdrukken", "printen"), ("map",)], [("printen", "uitdraaien")])
    (('afdrukken', 'printen', 'uitdraaien'), ('map',))
    """
    groups: list[set[str]] = []
    for group in (*own, *added):
        words = set(group)
        distinct: list[set[str]] = []
        for known in groups:
            if known & words:
                words |= known
            else:
                distinct.append(known)
        groups = [*distinct, words]
    return tuple(sorted(tuple(sorted(words)) for words in groups))


def compile_pattern(source: str, *, ignore_case: bool = True) -> regex.Pattern[str]:
    """Compile an expression in verbose mode, where white space and ``#`` comments are ignored.

    Case folding is letter by letter, as full case folding doubles the work at every "ss" or "st".

    Raises:
        LexiconError: The expression does not compile, and where; or it is not bounded.
    """
    if (problem := _unbounded(source)) is not None:
        raise LexiconError(problem)
    flags = regex.VERBOSE | regex.MULTILINE | regex.VERSION1
    try:
        return regex.compile(
            _SIMPLE_FOLDING + source, flags | regex.IGNORECASE if ignore_case else flags
        )
    except regex.error as error:
        details: Any = error  # its attributes are not in the stubs
        position = None if details.pos is None else details.pos - len(_SIMPLE_FOLDING)
        where = "" if position is None else f" at position {position}"
        raise LexiconError(f"{details.msg}{where}") from None
    except _UNREADABLE:
        raise LexiconError("the expression is too deep or too large to be compiled") from None


def compile_phrases(phrases: Iterable[str]) -> regex.Pattern[str]:
    """Compile an expression that finds phrases as whole words, in any case, longest first.

    >>> compile_phrases(["bij", "bijvoorbeeld"]).findall("Bijvoorbeeld bij de bijlage")
    ['Bijvoorbeeld', 'bij']
    """
    longest_first = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return regex.compile(
        r"(?-f:(?<!\w)\L<phrases>(?!\w))", regex.IGNORECASE | regex.VERSION1, phrases=longest_first
    )


def _unbounded(source: str) -> str | None:
    """Why an expression could need any amount of time or memory; None if it is bounded."""
    if len(source) > MAX_SOURCE_CHARS:
        return (
            f"has {len(source):,} characters, and {MAX_SOURCE_CHARS:,} are allowed; "
            "split it into several patterns"
        )
    if (call := _first(_CALL, source)) is not None:
        return f'"{call}" calls a group, which may never end; write the group out'
    if (flags := _first(_FULL_FOLDING, source)) is not None:
        return f'"{flags}" asks for full case folding; remove the f and write "(?:ß|ss)"'
    chars, times = len(source), 1
    for counted in _COUNT.finditer(source, overlapped=True):
        least = regex.sub(r"#[^\n]*\n|\s", "", counted["count"]).partition(",")[0].lstrip("0")
        count = max(1, int(least[:9] or 0))
        if counted["one"] is not None:
            chars += count
        else:
            times *= count
    if chars * times > MAX_REPEATED_CHARS:
        return (
            f"its nested repetition counts ask for over {MAX_REPEATED_CHARS:,} characters; "
            "lower them"
        )
    return None


def _first(expression: regex.Pattern[str], source: str) -> str | None:
    """The first match that is not behind a backslash."""
    return next((match[1] for match in expression.finditer(source) if match[1]), None)
