"""The words of a text: what each is compared by, what kind it is, and where it stands.

One tokeniser for the whole package, by rules and tables, without a parse: words are brought to
their stems, verbs and particles that stand apart are joined ("zet … uit" is "uitzetten"), number
words are figures, and keys and code are one word each.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Final

from klopt.lexicons import Lexicon, Lexicons
from klopt.reading.components import Component
from klopt.reading.stems import LONGEST_CHARS, stemmer

__all__ = ["LITERAL_SIGNS", "Kind", "Tokenizer", "Tokens", "ends_clause"]

LITERAL_SIGNS: Final = ("#", "@")
"""What the key of a number (``#``) and of a key or code (``@``) begins with: they match only
themselves."""

MOST_KNOWN: Final = 16_384
"""Words whose keys a tokenizer remembers; the least recently used go first."""

PARTICLE_REACH: Final = 15
"""How many words may stand between a verb and its particle."""

_NUMBER: Final = re.compile(r"v?\d+(?:[.,:/]\d+)*")
_ORDINAL: Final = re.compile(r"(\d+)(?:e|de|ste|st|nd|rd|th)")
_WORD: Final = re.compile(
    r"[vV]?\d+(?:[.,:/]\d+)*[^\W_]*(?:['’\-‐‑][^\W_]+)*|[^\W_]+(?:['’\-‐‑][^\W_]+)*"
)
_TIME: Final = re.compile(r"0?(\d{1,2})[.:](\d{2})")
_THOUSANDS: Final = re.compile(r"[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+)")
_HYPHEN: Final = re.compile(r"[-‐‑]")
_SENTENCE_END: Final = re.compile(r"[.!?;:\n]")
_CLAUSE_END: Final = re.compile(r"[.,!?;:\n()–—]")


class Kind(IntEnum):
    """What a word is."""

    WORD = 0
    NUMBER = 1
    KEY = 2
    CODE = 3
    COMPONENT = 4
    """A word of a component's name."""
    PARTICLE = 5
    """A particle that was joined with its verb."""


@dataclass(frozen=True, eq=False, slots=True)
class Tokens:
    """The words of one text, in order; all fields of shape ``(n,)``.

    Attributes:
        keys: What each word is compared by: its stem; ``#`` and the figures of a number; ``@``
            and the name of a key, a key combination or a piece of code.
        starts: First plain character.
        ends: After the last one.
        kinds: A `Kind` each.
        stops: 1 for a word without content of its own, else 0.
    """

    keys: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    kinds: bytes
    stops: bytes

    def __len__(self) -> int:
        return len(self.keys)

    def between(self, start: int, end: int) -> range:
        """The numbers of the words that start in a plain stretch."""
        return range(bisect_left(self.starts, start), bisect_left(self.starts, end))

    def content(self, start: int, end: int) -> list[int]:
        """The numbers of the words with content that start in a plain stretch."""
        return [number for number in self.between(start, end) if not self.stops[number]]

    @property
    def running(self) -> list[int]:
        """The numbers of the words with content."""
        return [number for number, stop in enumerate(self.stops) if not stop]


class Tokenizer:
    """Reads the words of one language. Safe to use from several threads.

    Args:
        lexicons: Its tables: stop words, number words, irregular verbs, verbs with a particle.

    >>> from klopt import lexicons
    >>> dutch = Tokenizer(lexicons.load("nl"))
    >>> dutch.read("Zet de twee printers uit.").keys
    ('uitzet', 'de', '#2', 'printer', 'uit')
    >>> dutch.key("uitgezet"), dutch.key("uitschakelen"), dutch.key("1.000"), dutch.key("25e")
    ('uitzet', 'uitschakel', '#1000', '#25')
    """

    def __init__(self, lexicons: Lexicons) -> None:
        self.language = lexicons.language
        self._stem = stemmer(lexicons.language)
        self._stop_words = lexicons["stop_words"].words
        numbers = lexicons.get("numbers")
        self._cardinals: Mapping[str, float] = numbers.values["cardinals"] if numbers else {}
        self._irregular: dict[str, str] = {}
        irregular = lexicons.get("irregular_verbs")
        for forms in irregular.word_groups["verbs"] if irregular else ():
            stem = self._stem(min(forms, key=lambda form: (len(form), form)))
            self._irregular.update(dict.fromkeys(forms, stem))
        self._read_particle_verbs(lexicons.get("particle_verbs"))
        self._known = lru_cache(MOST_KNOWN)(self._read_word)

    def _read_particle_verbs(self, lexicon: Lexicon | None) -> None:
        verbs = lexicon.lists["verbs"] if lexicon else ()
        self._followers = frozenset(lexicon.lists["followers"] if lexicon else ())
        self._is_fused = any("|" in entry for entry in verbs)
        pairs = [_verb_and_particle(entry) for entry in verbs]
        self._particles = frozenset(particle for _, particle in pairs)
        self._joined: dict[tuple[str, str], str] = {}
        for verb, particle in pairs:
            stem = self._bare(verb)
            whole = self._bare(particle + verb) if self._is_fused else f"{stem} {particle}"
            self._joined[stem, particle] = whole

    def key(self, word: str) -> str:
        """What one word, or a verb with its particle behind a blank, is compared by.

        Args:
            word: As it stands in a text or a lexicon.
        """
        verb, _, particle = word.lower().partition(" ")
        if particle:
            return self._joined.get((self._bare(verb), particle), f"{self._bare(verb)} {particle}")
        return self._look_up(word)[0]

    def read(self, text: str, components: Sequence[Component] = ()) -> Tokens:
        """The words of a plain text.

        Args:
            text: Plain text in NFC.
            components: What it names; keys and code become one word each.
        """
        keys: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        kinds = bytearray()
        stops = bytearray()
        particles: list[int] = []
        spans = iter([*((one.start, one.end, one) for one in components), (len(text) + 1, 0, None)])
        start, end, component = next(spans)
        for match in _WORD.finditer(text):
            first = match.start()
            while component is not None and first >= start:
                is_literal = component.kind in ("key", "code")
                if is_literal and (not starts or starts[-1] < start):
                    keys.append(f"@{component.key}")
                    starts.append(start)
                    ends.append(end)
                    kinds.append(Kind.KEY if component.kind == "key" else Kind.CODE)
                    stops.append(0)
                if first < end:
                    break
                start, end, component = next(spans)
            inside = component is not None and start <= first < end
            if inside and component is not None and component.kind in ("key", "code"):
                continue
            key, kind, stop, is_particle = self._look_up(match[0])
            if is_particle:
                particles.append(len(keys))
            keys.append(key)
            starts.append(first)
            ends.append(match.end())
            kinds.append(Kind.COMPONENT if inside and kind == Kind.WORD else kind)
            stops.append(stop)
        for number in particles:
            self._join(text, number, keys, starts, ends, kinds, stops)
        return Tokens(tuple(keys), tuple(starts), tuple(ends), bytes(kinds), bytes(stops))

    def _join(
        self,
        text: str,
        number: int,
        keys: list[str],
        starts: list[int],
        ends: list[int],
        kinds: bytearray,
        stops: bytearray,
    ) -> None:
        """Joins a particle with the verb that it belongs to, if it has one."""
        particle = text[starts[number] : ends[number]].lower()
        following = number + 1
        next_word = ""
        if following < len(keys):
            next_word = text[starts[following] : ends[following]].lower()
        if self._is_fused and next_word == "te" and following + 1 < len(keys):
            whole = self._joined.get((keys[following + 1], particle))
            if whole is not None:
                keys[following + 1], kinds[number], stops[number] = whole, Kind.PARTICLE, 1
            return
        is_last = next_word in self._followers or ends_clause(text, starts, ends, number)
        if not is_last and self._is_fused:
            return
        reach = PARTICLE_REACH if is_last else 1
        for verb in range(number - 1, max(-1, number - 1 - reach), -1):
            if _SENTENCE_END.search(text, ends[verb], starts[verb + 1]):
                return
            whole = self._joined.get((keys[verb], particle))
            if whole is not None:
                keys[verb], stops[verb] = whole, 0
                kinds[number], stops[number] = Kind.PARTICLE, 1
                return

    def _look_up(self, word: str) -> tuple[str, Kind, int, bool]:
        """What `_read_word` says; it is remembered of all that is short enough for a word."""
        return self._known(word) if len(word) <= LONGEST_CHARS else self._read_word(word)

    def _read_word(self, word: str) -> tuple[str, Kind, int, bool]:
        """Key, kind, whether it is a stop word, whether it may be a verb's particle."""
        plain = unicodedata.normalize("NFC", word).lower().replace("’", "'")
        if _NUMBER.fullmatch(plain.rstrip(".,:/")):
            return f"#{_figures(plain)}", Kind.NUMBER, 0, False
        if (ordinal := _ORDINAL.fullmatch(plain)) is not None:
            return f"#{_figures(ordinal[1])}", Kind.NUMBER, 0, False
        is_stop = plain in self._stop_words
        value = None if is_stop else self._cardinals.get(plain)
        if value is not None:
            return f"#{value:g}", Kind.NUMBER, 0, False
        return self._bare(plain), Kind.WORD, is_stop, plain in self._particles

    def _bare(self, word: str) -> str:
        """The stem of a word in lower case."""
        word = _HYPHEN.sub("", word).removesuffix("'s").rstrip(".,:/")
        known = self._irregular.get(word)
        if known is not None:
            return known
        if not word.isalpha():
            return word
        if self._is_fused:
            for cut in (2, 3, 4, 5):
                rest = self._irregular.get(word[cut:])
                if rest is not None and word[:cut] in self._particles:
                    return word[:cut] + rest
        return self._stem(word)


def _verb_and_particle(entry: str) -> tuple[str, str]:
    """A verb without its particle, and the particle: "uit|zetten" or "turn off"."""
    first, bar, second = entry.partition("|")
    if bar:
        return second, first
    verb, _, particle = entry.partition(" ")
    return verb, particle


def ends_clause(text: str, starts: Sequence[int], ends: Sequence[int], number: int) -> bool:
    """Whether a word is the last one before a punctuation mark, a line's end or the text's.

    >>> ends_clause("Zet het UIT, nu", (0, 4, 8, 13), (3, 7, 11, 15), 2)
    True
    """
    if number + 1 == len(starts):
        return True
    return _CLAUSE_END.search(text, ends[number], starts[number + 1]) is not None


def _figures(number: str) -> str:
    """A number without its version's v and thousands; a time of day in one spelling.

    >>> _figures("v9.7"), _figures("1.000"), _figures("2,50"), _figures("09:30."), _figures("08")
    ('9.7', '1000', '2.5', '9.30', '8')
    """
    number = number.rstrip(".,:/").removeprefix("v")
    if (time := _TIME.fullmatch(number)) is not None:
        return f"{time[1]}.{time[2]}"
    if _THOUSANDS.fullmatch(number):
        return re.sub(r"[.,]", "", number)
    if number.count(",") == 1:
        number = number.replace(",", ".").rstrip("0").rstrip(".")
    return (number.lstrip("0") or "0") if number.isdigit() else number
