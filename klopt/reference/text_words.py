"""A text as words that can be compared: stems with a weight, their places, and their sentences."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from threading import Lock
from typing import Final

import Stemmer

from klopt import lexicons

STEMMERS: Final[Mapping[str, str]] = {"en": "english", "nl": "dutch"}
"""Language → the name of its Snowball stemmer."""
GENERAL: Final = 0.3
"""What a word weighs that says little of its own: "file", "tab", a single letter."""
MOST_PLACES: Final = 60
"""Places of one word that are looked at; a word that stands more often tells little."""

_WORD: Final = re.compile(r"\d+(?:[.,]\d+)+[^\W_]*|[^\W_]+(?:['’][^\W\d_]+)?")
_VERSION: Final = re.compile(r"v(\d[\d.]*)")
_BREAK: Final = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z`*\[\d\"“])|\n+")
_GENITIVE: Final = "'s"
_PLACEHOLDER: Final = re.compile(
    r"<[^\W\d][^<>\n]{0,40}>|\[[^\W\d][\w ]{0,40}\]|\$?\{[^\W\d]\w{0,40}\}"
)


@dataclass(frozen=True, slots=True)
class Word:
    """One word.

    Attributes:
        text: As it stands, in lower case.
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
        words: Its words, in order; signs and markup between them are left out.
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
    def _joined(self) -> tuple[str, Mapping[int, int], Mapping[int, int]]:
        """All words without anything between them, and where in that each starts and ends."""
        starts, ends, length = {}, {}, 0
        for number, word in enumerate(self.words):
            starts[length] = number
            length += len(word.text)
            ends[length] = number
        return "".join(word.text for word in self.words), starts, ends

    def find(self, joined: str) -> Iterator[tuple[int, int]]:
        """Where words in a row, joined, are a text: first and last word.

        Args:
            joined: Words without anything between them, in lower case; see `join`.
        """
        text, starts, ends = self._joined
        at = text.find(joined) if joined else -1
        while at >= 0:
            if at in starts and at + len(joined) in ends:
                yield starts[at], ends[at + len(joined)]
            at = text.find(joined, at + 1)


def join(text: str) -> str:
    r"""The words of a text without anything between them: signs and spaces do not matter.

    >>> join("-Xverbosegc: file=/tmp/gc.vgc") == join("-xverbosegc:file=\\tmp\\gc.vgc")
    True
    """
    return "".join(match[0].lower() for match in _WORD.finditer(text))


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
        self._stemmer = Stemmer.Stemmer(STEMMERS[code])
        self._lock = Lock()
        self._general = frozenset(map(self._stem, self.tables["general_nouns"].words))
        self._stop_words = self.tables["stop_words"].words

    def read(self, text: str) -> Words:
        """The words of a text."""
        stem = self.stem
        return Words(
            text,
            tuple(
                Word(word := match[0].lower(), stem(word), match.start(), match.end())
                for match in _WORD.finditer(text)
            ),
        )

    def weight(self, word: str) -> float:
        """0 for a stop word, `GENERAL` for one that says little, 1 for any other."""
        if word in self._stop_words:
            return 0.0
        if len(word) == 1 and not word.isdigit():
            return GENERAL
        return GENERAL if self.is_general(word) else 1.0

    def is_general(self, word: str) -> bool:
        """Whether a name stays the same without it: "file", "tab", "service"."""
        return self.stem(word) in self._general

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

    def _stem(self, word: str) -> str:
        word = word.replace("’", "'").removesuffix(_GENITIVE)
        version = _VERSION.fullmatch(word)
        if version is not None:
            return version[1]
        if not word.isalpha():
            return word
        with self._lock:
            return str(self._stemmer.stemWord(word))


@lru_cache
def language(code: str) -> Language:
    """One `Language` for all callers."""
    return Language(code)
