"""The words of a text for comparison: weighted keys, their places, and their sentences."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, TypeAlias

from klopt import lexicons
from klopt._internal import shipped
from klopt._internal.cached import cached_property
from klopt.text.plain import PlainText, Span
from klopt.text.reader import split_sentences
from klopt.text.tokens import Tokenizer

GENERAL: Final = 0.3  # Weight of a general word: "file", "click", a single letter
FIGURE: Final = 2.0  # Weight of a word that begins with a digit
MAX_PLACES: Final = 60  # Places examined of one word

_APART: Final = str.maketrans("-‐‑/", "    ")  # joined words are compared one by one
_ITEM_NUMBER: Final = re.compile(
    r"^[ \t>]*(?:[*_#]+[ \t]*)?\d{1,3}[.)][*_]*(?=[ \t]+\S)", re.MULTILINE
)
_CAMEL_CASE: Final = re.compile(r"[^\W\d_]*[a-zà-ÿ][A-ZÀ-Þ]")

Run: TypeAlias = tuple[int, int]  # The first and the last of consecutive words


@dataclass(frozen=True, slots=True)
class Covered:
    """The share of a step or key term that an answer has, 0 to 1, and its words there."""

    degree: float
    run: Run | None = None


@dataclass(frozen=True)
class Words:
    """The words of a text in NFC, in order, without signs, markup and list numbers.

    ``keys`` are stems; ``letters`` are without case, hyphens and apostrophes, a version's v and
    thousands separators; ``weights`` are 0 for a stop word, `GENERAL`, 1, or `FIGURE`; ``origin``
    is the text before conversion.
    """

    source: str
    keys: tuple[str, ...]
    letters: tuple[str, ...]
    weights: tuple[float, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    abbreviations: frozenset[str]
    origin: PlainText | None = None

    def span(self, run: Run) -> tuple[int, int]:
        """The span of consecutive words in the text."""
        return self.starts[run[0]], self.ends[run[1]]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """A span of the text as a span of the original."""
        return (start, end) if self.origin is None else self.origin.original(start, end)

    def between(self, number: int) -> str:
        """The characters between a word and the next."""
        return self.source[self.ends[number] : self.starts[number + 1]]

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """Key → the numbers of its words."""
        places: dict[str, list[int]] = {}
        for number, key in enumerate(self.keys):
            places.setdefault(key, []).append(number)
        return places

    @cached_property
    def sentences(self) -> tuple[int, ...]:
        """For each word the number of its sentence or line."""
        spans = split_sentences(self.source, self.abbreviations)
        ends = [span.end for span in spans]
        return tuple(bisect_right(ends, start) for start in self.starts)

    @cached_property
    def joined(self) -> str:
        """All words without separators."""
        return "".join(self.letters)

    @cached_property
    def _joints(self) -> tuple[Sequence[int], Mapping[int, int]]:
        """The start of each word in `joined`, and end → word."""
        starts, ends, length = [], {}, 0
        for number, letters in enumerate(self.letters):
            starts.append(length)
            length += len(letters)
            ends[length] = number
        return starts, ends

    def find(self, joined: str) -> Iterator[Run]:
        """The runs of whole words that are a text when joined, as `joined` is."""
        starts, ends = self._joints
        at = self.joined.find(joined) if joined else -1
        while at >= 0:
            start = bisect_left(starts, at)
            is_start = start < len(starts) and starts[start] == at
            if is_start and at + len(joined) in ends:
                yield start, ends[at + len(joined)]
            after = start + is_start
            at = self.joined.find(joined, starts[after]) if after < len(starts) else -1


class CheckedLanguage:
    """Keys, weights and synonyms of one language, ``nl`` or ``en``.

    >>> CheckedLanguage("nl").read("De instellingen van LN-2041").weights
    (0.0, 0.3, 0.0, 1.0, 2.0)
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self.tables = lexicons.load(code)
        self.tokenizer = Tokenizer(self.tables)
        self._key = self.tokenizer.key
        lists = self.tables["general_words"].lists
        self.general_nouns = frozenset(map(self._key, lists["nouns"]))
        """Keys of nouns that a name may lack: "file", "tab", "service"."""
        self._general = self.general_nouns.union(map(self._key, lists["verbs"]))

    def read(self, text: str | PlainText) -> Words:
        """The words of a text."""
        origin = text if isinstance(text, PlainText) else None
        source = unicodedata.normalize("NFC", text if isinstance(text, str) else text.text)
        apart = _ITEM_NUMBER.sub(lambda match: " " * len(match[0]), source).translate(_APART)
        tokens = self.tokenizer.read(apart, as_written=True)
        letters, keys, weights = [], [], []
        for number, key in enumerate(tokens.keys):
            word = source[tokens.starts[number] : tokens.ends[number]]
            bare, key = _compared(word, key)
            letters.append(bare)
            keys.append(key)
            if bare[0].isdigit():
                weights.append(FIGURE)
            elif tokens.stops[number]:
                weights.append(0.0)
            else:
                weights.append(GENERAL if len(bare) == 1 or key in self._general else 1.0)
        each = (tuple(keys), tuple(letters), tuple(weights), tokens.starts, tokens.ends)
        return Words(source, *each, self.tables["abbreviations"].words, origin)

    @cached_property
    def synonyms(self) -> Mapping[str, frozenset[str]]:
        """Key → the keys of its synonyms."""
        found: dict[str, set[str]] = {}
        for named in self.tables["synonyms"].word_groups.values():
            for group in named:
                keys = {self._key(word) for word in group if " " not in word}
                for key in keys:
                    found.setdefault(key, set()).update(keys - {key})
        return {key: frozenset(others) for key, others in found.items()}


@lru_cache
def language(code: str) -> CheckedLanguage:
    """One `CheckedLanguage` for all callers."""
    return CheckedLanguage(code)


def is_camel_case(word: str) -> bool:
    """Whether a word is several in camel case: "maxUsers"; not "Users" or "PDF"."""
    return _CAMEL_CASE.match(word) is not None


def _compared(word: str, key: str) -> tuple[str, str]:
    """A word's letters and key; a name such as maxUsers is its own key."""
    if key[0] == "#" and word[-1].isdigit():
        return key[1:], key
    letters = "".join(filter(str.isalnum, word.lower()))
    return letters, letters if is_camel_case(word) else key


_LONGEST_SOUGHT_CHARS: Final = 2_000
_NEGATED_WORDS: Final = 2  # A negation within this many words before a term negates it
_NEGATED_CHARS: Final = 100
_LONGEST_NAME_CHARS: Final = 300
_MAX_ADDED_WORDS: Final = 12  # more make a fill a piece of the answer, not a term

_SAME: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad™®©", None),
        "\\": "/",
        "→": ">",
        "›": ">",
    }
)
_QUOTES: Final = re.compile(r"[\"`]+|\*\*+|(?<!\w)'+|'+(?!\w)")
_EMPHASIS: Final = re.compile(r"(?<![\w*])\*(?=[^\s*.])([^*]*[^\s*])\*(?![\w*])")
_END_MARKS: Final = " .,;:!?…/"
_BRACKETED: Final = re.compile(r"(.*\S)\s*\(([^()]+)\)")
_ABBREVIATION: Final = re.compile(r"[A-Z][A-Za-z0-9]{1,9}")
_TECHNICAL: Final = re.compile(r"[^\W\d_]*[\d_./\\=$<>{}@#-]")


def matches(term: str, fill: str) -> bool:
    """Whether a fill contains the whole key term, and does not negate it.

    Case, white space, quotes, Markdown, kind of slash and final punctuation are ignored. An
    article, a general noun such as "file", or one of a name and its abbreviation may be missing.
    TechSupportEval, section III-C, says "exactly match"; the rules are ours.

    >>> matches("httpd.conf", "the conf/httpd.conf file"), matches("9.7", "9.7.0.1")
    (True, False)
    """
    wanted, given = _plain(term), _plain(fill)
    if not wanted or not given:
        return False
    added = len(given.split()) - len(wanted.split())
    if added > _MAX_ADDED_WORDS:
        return False
    if _has(given, wanted):
        return True
    forms = {given, _bare(given)}
    return any(
        forms & {form, bare} or (_TECHNICAL.match(bare) and _has(given, bare))
        for form in map(_plain, names(term))
        if _heads_agree(form, given) and (bare := _bare(form))
    )


def matches_as_published(term: str, fill: str) -> bool:
    """The released code's rule: either text, without marks and spaces, contains the other.

    >>> matches_as_published("httpd.conf", ""), matches_as_published("10.1.2", "1")
    (True, True)
    """
    wanted, given = _core(term), _core(fill)
    return wanted in given or given in wanted


def names(term: str) -> tuple[str, ...]:
    """The term, and both parts of "name (abbreviation)".

    >>> names("Global Security Kit (GSKit)")
    ('Global Security Kit (GSKit)', 'Global Security Kit', 'GSKit')
    """
    parts = _BRACKETED.fullmatch(term.strip()) if len(term) <= _LONGEST_NAME_CHARS else None
    if parts is None:
        return (term,)
    shorter = min(parts[1], parts[2], key=len)
    is_short = _ABBREVIATION.fullmatch(shorter) is not None
    return (term, parts[1], parts[2]) if is_short else (term,)


def locate(text: str, answer: str) -> Span | None:
    """The span of a text in an answer, ignoring case and white space; whole words first."""
    words = text.split()
    if not words or len(text) > _LONGEST_SOUGHT_CHARS:
        return None
    sought = r"\s+".join(map(re.escape, words))
    for expression in (rf"(?<!\w)(?:{sought})(?!\w)", sought):
        match = re.search(expression, answer, re.IGNORECASE)
        if match is not None:
            return Span(*match.span())
    return None


@cache
def articles() -> frozenset[str]:
    """Words that may be missing or added before a term."""
    return frozenset(_tables()["words"]["articles"])


@cache
def negations() -> frozenset[str]:
    """Words of any language that negate the term after them."""
    return frozenset(_tables()["words"]["exclusions"]).union(
        *(lexicons.load(code)["negations"].lists["negations"] for code in lexicons.languages())
    )


def _tables() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return shipped.table("klopt.reference", "blanks.toml")


@cache
def _heads() -> Mapping[str, str]:
    return {word: sort for sort, words in _tables()["heads"].items() for word in words}


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFC", text).translate(_SAME)
    text = _QUOTES.sub("", _EMPHASIS.sub(r"\1", text)).casefold()
    text = re.sub(r"/{2,}", "/", " ".join(text.split()))
    text = re.sub(r" ?= ?", "=", text)
    text = re.sub(r" ?, ?(?=[^\W\d])", ", ", text)
    text = re.sub(r"(?<!\w)#(?=\d)", "", text)
    return text.rstrip(_END_MARKS) or text


def _has(text: str, term: str) -> bool:
    """Return whether the text has the whole term, not negated."""
    before, behind = r"(?<![\w.+@~*-])", r"(?![\w#*@~]|[.:/?&-][\w<{$])"
    if term[0].isdigit():
        before += r"(?<!\d,)"
    elif term[0] == "/":
        before += r"(?<![:>}%)\]])"
    if term[-1].isdigit():
        behind += r"(?!,\d)"
    elif term[-1].isalpha():
        behind += r"(?!\+)"
    return term in text and any(
        not _negated(text[max(0, match.start() - _NEGATED_CHARS) : match.start()])
        for match in re.finditer(f"{before}(?={re.escape(term)}{behind})", text)
    )


def _negated(before: str) -> bool:
    words = re.findall(r"[\w']+", before)[-_NEGATED_WORDS:]
    return not negations().isdisjoint([*words, " ".join(words)])


def _bare(plain: str) -> str:
    """A text without leading articles and one general noun at either end."""
    words = plain.split()
    while len(words) > 1 and words[0] in articles():
        words = words[1:]
    if len(words) > 1 and words[-1] in _heads():
        words.pop()
    elif len(words) > 1 and words[0] in _heads():
        words = words[1:]
    return " ".join(words)


def _heads_agree(wanted: str, found: str) -> bool:
    """Whether the general nouns of both texts, where both have one, mean the same."""
    heads = _heads()
    theirs = {heads[word] for word in found.split() if word in heads}
    ours = {heads[word] for word in wanted.split() if word in heads}
    return not ours or not theirs or bool(ours & theirs)


def _core(text: str) -> str:
    match = re.search(r"[^\W_](?:.*[^\W_])?", text, re.DOTALL)
    return "" if match is None else "".join(match[0].split()).lower()
