"""The words of a text for comparison: weighted keys, their places, and their sentences."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from klopt import lexicons
from klopt._internal.cached import cached_property
from klopt.text.plain import PlainText
from klopt.text.reader import split_sentences
from klopt.text.tokens import Tokenizer

GENERAL: Final = 0.3  # Weight of a general word: "file", "click", a single letter
FIGURE: Final = 2.0  # Weight of a word that begins with a digit
MOST_PLACES: Final = 60  # Places examined of one word

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
