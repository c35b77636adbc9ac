"""A text as words that can be compared: keys with a weight, their places, and their sentences."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from klopt import lexicons
from klopt.cached import cached_property
from klopt.reading.reader import split_sentences
from klopt.reading.text import PlainText
from klopt.reading.tokens import Tokenizer

GENERAL: Final = 0.3
"""What a word weighs that says little of its own: "file", "click", a single letter."""
FIGURE: Final = 2.0
"""What a word weighs that begins with a digit: another number says another thing."""
MOST_PLACES: Final = 60
"""Places of one word that are looked at; a word that stands more often tells little."""
PLACEHOLDER_WORDS: Final = 8
"""So many words may stand for a placeholder; a path is several."""

_APART: Final = str.maketrans("-‐‑/", "    ")
"""What joins words that are compared one by one: "LN-2041", "client/server"."""
_ITEM_NUMBER: Final = re.compile(
    r"^[ \t>]*(?:[*_#]+[ \t]*)?\d{1,3}[.)][*_]*(?=[ \t]+\S)", re.MULTILINE
)
_CAMEL_CASE: Final = re.compile(r"[^\W\d_]*[a-zà-ÿ][A-ZÀ-Þ]")
_PLACEHOLDER: Final = re.compile(
    r"<[^\W\d][^<>\n]{0,40}>|\[[^\W\d][\w ]{0,40}\]|\$?\{[^\W\d]\w{0,40}\}"
)

Run: TypeAlias = tuple[int, int]
"""The first and the last of some words in a row."""


@dataclass(frozen=True, slots=True)
class Covered:
    """How much an answer has of a step or a key term, 0 to 1, and the words that stand there."""

    degree: float
    run: Run | None = None


@dataclass(frozen=True)
class Words:
    """The words of a text, in NFC, in order; signs, markup and the numbers of items are left out.

    Attributes:
        keys: What each is compared by; see `klopt.reading.tokens.Tokens`.
        letters: What each is compared by letter for letter: without case, hyphens and
            apostrophes, a version's v and thousands.
        weights: What each says of its own: 0 for a stop word, `GENERAL`, 1, or `FIGURE`.
        abbreviations: Words whose full stop does not end a sentence.
        origin: What the text was read from; None where it stands as it was given.
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
        """Where words in a row stand in the text."""
        return self.starts[run[0]], self.ends[run[1]]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the text stands in what was given."""
        return (start, end) if self.origin is None else self.origin.original(start, end)

    def between(self, number: int) -> str:
        """What stands between a word and the next one."""
        return self.source[self.ends[number] : self.starts[number + 1]]

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """Key → the numbers of the words that have it."""
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
        """All words without anything between them."""
        return "".join(self.letters)

    @cached_property
    def _joints(self) -> tuple[Sequence[int], Mapping[int, int]]:
        """Where in `joined` each word starts, and which ends where."""
        starts, ends, length = [], {}, 0
        for number, letters in enumerate(self.letters):
            starts.append(length)
            length += len(letters)
            ends[length] = number
        return starts, ends

    def find(self, parts: Sequence[str]) -> Iterator[Run]:
        """Where texts, as `joined`, stand in order, `PLACEHOLDER_WORDS` words apart at most."""
        for first, last in self._find(parts[0], 0, len(self.keys)):
            for part in parts[1:]:
                follows = next(self._find(part, last + 1, last + 2 + PLACEHOLDER_WORDS), None)
                if follows is None:
                    break
                last = follows[1]
            else:
                yield first, last

    def _find(self, joined: str, start: int, end: int) -> Iterator[Run]:
        """Where whole words, joined, are a text; the first one is from ``start`` before ``end``."""
        starts, ends = self._joints
        end = min(end, len(starts))
        while joined and start < end:
            at = self.joined.find(joined, starts[start], starts[end - 1] + len(joined))
            if at < 0:
                return
            start = bisect_left(starts, at, start)
            if start < end and starts[start] == at:
                if at + len(joined) in ends:
                    yield start, ends[at + len(joined)]
                start += 1


class CheckedLanguage:
    """What one language, ``nl`` or ``en``, gives to comparing: keys and weights, synonyms.

    >>> CheckedLanguage("nl").read("De instellingen van LN-2041").weights
    (0.0, 0.3, 0.0, 1.0, 2.0)
    """

    def __init__(self, code: str) -> None:
        self.tables = lexicons.load(code)
        self._tokenizer = Tokenizer(self.tables)
        self._key = self._tokenizer.key
        lists = self.tables["general_words"].lists
        self.general_nouns = frozenset(map(self._key, lists["nouns"]))
        """Keys of what a name may go without: "file", "tab", "service"."""
        self._general = self.general_nouns.union(map(self._key, lists["verbs"]))

    def read(self, text: str | PlainText) -> Words:
        """The words of a text."""
        origin = text if isinstance(text, PlainText) else None
        source = unicodedata.normalize("NFC", text if isinstance(text, str) else text.text)
        apart = _ITEM_NUMBER.sub(lambda match: " " * len(match[0]), source).translate(_APART)
        tokens = self._tokenizer.read(apart, as_written=True)
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

    def split(self, text: str) -> tuple[str, ...]:
        """A command, joined, in the parts around what the reader is to put in himself.

        >>> language("en").split("login -u <user> --now"), language("en").split("<user>")
        (('loginu', 'now'), ('user',))
        """
        parts = tuple(filter(None, (self.read(part).joined for part in _PLACEHOLDER.split(text))))
        return parts or (self.read(text).joined,)

    @cached_property
    def synonyms(self) -> Mapping[str, frozenset[str]]:
        """Key → the keys of words that may stand for it."""
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
    """Whether a word is made of several: "maxUsers"; not "Users" or "PDF"."""
    return _CAMEL_CASE.match(word) is not None


def without_placeholders(text: str) -> str:
    """A command without what the reader is to put in himself; the text when nothing else is there.

    >>> without_placeholders("login -u <user> [password]")
    'login -u    '
    """
    bare = _PLACEHOLDER.sub(" ", text)
    return bare if any(map(str.isalnum, bare)) else text


def _compared(word: str, key: str) -> tuple[str, str]:
    """A word's letters and key; a name such as maxUsers is its own key."""
    if key[0] == "#" and word[-1].isdigit():
        return key[1:], key
    letters = "".join(filter(str.isalnum, word.lower()))
    return letters, letters if is_camel_case(word) else key
