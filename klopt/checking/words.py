"""A text as words that can be compared: stems with a weight, their places, and their sentences."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

from klopt import lexicons
from klopt.reading.stems import LONGEST_CHARS, stemmer

GENERAL: Final = 0.3
"""What a word weighs that says little of its own: "file", "click", a single letter."""
FIGURE: Final = 2.0
"""What a word weighs that begins with a digit: another number says another thing."""
MOST_PLACES: Final = 60
"""Places of one word that are looked at; a word that stands more often tells little."""
PLACEHOLDER_WORDS: Final = 8
"""So many words may stand for a placeholder; a path is several."""

_WORD: Final = re.compile(r"[vV]?\d+(?:[.,]\d+)+[^\W_]*|[^\W_]+(?:['’][^\W\d_]+)?")
_ACCENTED: Final = re.compile(
    r"[vV]?\d+(?:[.,]\d+)+[^\W_]*|[^\W_](?:[^\W_]|[\u0300-\u036f])*(?:['’][^\W\d_]+)?"
)
"""The same where an accent is a character of its own, behind its letter."""
_ITEM_NUMBER: Final = re.compile(
    r"^[ \t>]*(?:[*_#]+[ \t]*)?(\d{1,3})[.)][*_]*(?=[ \t]+\S)", re.MULTILINE
)
_BREAK: Final = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z`*\[\d\"“])|[\r\n]+")
_VERSION: Final = re.compile(r"v(\d[\d.]*)")
_THOUSANDS: Final = re.compile(r"[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+)")
_CAMEL_CASE: Final = re.compile(r"[^\W\d_]*[a-zà-ÿ][A-ZÀ-Þ]")
_GENITIVE: Final = "'s"
_PLACEHOLDER: Final = re.compile(
    r"<[^\W\d][^<>\n]{0,40}>|\[[^\W\d][\w ]{0,40}\]|\$?\{[^\W\d]\w{0,40}\}"
)

Run: TypeAlias = tuple[int, int]
"""The first and the last of some words in a row."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word.

    Attributes:
        text: As `plain` gives it.
        stem: What it is compared by.
        start: First character, from 0.
        end: Character after the last one.
    """

    text: str
    stem: str
    start: int
    end: int


@dataclass(frozen=True)
class Words:
    """The words of a text.

    Attributes:
        source: The text.
        words: Its words, in order; signs and markup between them are left out, and so are the
            numbers of the items of a list.
    """

    source: str
    words: tuple[Word, ...]

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """Stem → the numbers of the words that have it."""
        places: dict[str, list[int]] = {}
        for number, word in enumerate(self.words):
            places.setdefault(word.stem, []).append(number)
        return places

    @cached_property
    def sentences(self) -> tuple[int, ...]:
        """For each word the number of its sentence or line."""
        breaks = [match.end() for match in _BREAK.finditer(self.source)]
        return tuple(bisect_right(breaks, word.start) for word in self.words)

    @cached_property
    def _joined(self) -> tuple[str, Sequence[int], Mapping[int, int]]:
        """All words without anything between them, where each starts, and which ends where."""
        starts, ends, length = [], {}, 0
        for number, word in enumerate(self.words):
            starts.append(length)
            length += len(word.text)
            ends[length] = number
        return "".join(word.text for word in self.words), starts, ends

    def find(self, parts: Sequence[str]) -> Iterator[Run]:
        """Where texts stand, in order, with at most `PLACEHOLDER_WORDS` words between two.

        Args:
            parts: Words without anything between them; see `join` and `split`.
        """
        for first, last in self._find(parts[0], 0, len(self.words)):
            for part in parts[1:]:
                follows = next(self._find(part, last + 1, last + 2 + PLACEHOLDER_WORDS), None)
                if follows is None:
                    break
                last = follows[1]
            else:
                yield first, last

    def _find(self, joined: str, start: int, end: int) -> Iterator[Run]:
        """Where whole words, joined, are a text; the first one is from ``start`` before ``end``."""
        text, starts, ends = self._joined
        end = min(end, len(starts))
        while joined and start < end:
            at = text.find(joined, starts[start], starts[end - 1] + len(joined))
            if at < 0:
                return
            start = bisect_left(starts, at, start)
            if start < end and starts[start] == at:
                if at + len(joined) in ends:
                    yield start, ends[at + len(joined)]
                start += 1


def plain(word: str) -> str:
    """A word as it is compared letter for letter: case, a version's v and thousands do not matter.

    >>> plain("V9.7"), plain("1.000"), plain("User’s")
    ('9.7', '1000', "user's")
    """
    text = unicodedata.normalize("NFC", word).lower().replace("’", "'")
    version = _VERSION.fullmatch(text)
    if version is not None:
        return version[1]
    return re.sub(r"[.,]", "", text) if _THOUSANDS.fullmatch(text) else text


def is_camel_case(word: str) -> bool:
    """Whether a word is made of several: "maxUsers"; not "Users" or "PDF".

    >>> is_camel_case("maxUsers"), is_camel_case("PDFs")
    (True, False)
    """
    return _CAMEL_CASE.match(word) is not None


def join(text: str) -> str:
    r"""The words of a text without anything between them: signs and spaces do not matter.

    >>> join("-Xverbosegc: file=/tmp/gc.vgc") == join("-xverbosegc:file=\\tmp\\gc.vgc")
    True
    """
    return "".join(plain(match[0]) for match in _matches(text))


def split(text: str) -> tuple[str, ...]:
    """A command, joined, in the parts around what the reader is to put in himself.

    >>> split("login -u <user> --now"), split("<user>")
    (('loginu', 'now'), ('user',))
    """
    parts = tuple(filter(None, map(join, _PLACEHOLDER.split(text))))
    return parts or (join(text),)


def without_placeholders(text: str) -> str:
    """A command without what the reader is to put in himself; the text when nothing else is there.

    >>> without_placeholders("login -u <user> [password]")
    'login -u    '
    """
    bare = _PLACEHOLDER.sub(" ", text)
    return bare if _WORD.search(bare) else text


class Language:
    """What one language gives to comparing: stems, weights of words, synonyms.

    Args:
        code: ``nl`` or ``en``.

    Raises:
        UnknownLanguageError: There are no tables for the language.

    >>> dutch = Language("nl")
    >>> dutch.stem("instellingen") == dutch.stem("instelling"), dutch.weight("de")
    (True, 0.0)
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self.tables = lexicons.load(code)
        self.stem = lru_cache(maxsize=50_000)(self._stem)
        self._read = lru_cache(maxsize=50_000)(self._both)
        self._snowball = stemmer(code)
        lists = self.tables["general_words"].lists
        self._nouns = frozenset(map(self._stem, lists["nouns"]))
        self._general = self._nouns.union(map(self._stem, lists["verbs"]))
        self._stop_words = self.tables["stop_words"].words

    def read(self, text: str) -> Words:
        """The words of a text."""
        numbers = {match.start(1) for match in _ITEM_NUMBER.finditer(text)}
        words = []
        for match in _matches(text):
            start, end = match.span()
            if start not in numbers:
                both = self._read if end - start <= LONGEST_CHARS else self._both
                plain_text, stem = both(match[0])
                words.append(Word(plain_text, stem, start, end))
        return Words(text, tuple(words))

    def weight(self, word: str) -> float:
        """0 for a stop word, `GENERAL` for one that says little, `FIGURE` for one, 1 for others."""
        if word[:1].isdigit():
            return FIGURE
        if word in self._stop_words:
            return 0.0
        if len(word) == 1:
            return GENERAL
        return GENERAL if self.stem(word) in self._general else 1.0

    def is_general_noun(self, word: str) -> bool:
        """Whether a name stays the same without it: "file", "tab", "service"."""
        return self.stem(word) in self._nouns

    def is_stop_word(self, word: str) -> bool:
        """Whether a word says nothing of its own: "the", "uit"."""
        return word in self._stop_words

    @cached_property
    def synonyms(self) -> Mapping[str, frozenset[str]]:
        """Stem → the stems of words that may stand for it."""
        found: dict[str, set[str]] = {}
        for named in self.tables["synonyms"].word_groups.values():
            for group in named:
                stems = {self._stem(word) for word in group if " " not in word}
                for stem in stems:
                    found.setdefault(stem, set()).update(stems - {stem})
        return {stem: frozenset(others) for stem, others in found.items()}

    def _both(self, word: str) -> tuple[str, str]:
        """A word's text and stem; a name such as maxUsers is its own stem."""
        text = plain(word)
        return text, text if is_camel_case(word) else self.stem(text)

    def _stem(self, word: str) -> str:
        word = word.removesuffix(_GENITIVE)
        return self._snowball(word) if word.isalpha() else word


@lru_cache
def language(code: str) -> Language:
    """One `Language` for all callers."""
    return Language(code)


def _matches(text: str) -> Iterator[re.Match[str]]:
    expression = _WORD if unicodedata.is_normalized("NFC", text) else _ACCENTED
    return expression.finditer(text)
