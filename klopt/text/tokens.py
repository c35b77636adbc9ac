"""Tokenise a text into words with a key to compare, a kind and a place.

Without a parse: words are stemmed, separated verbs and particles joined ("zet … uit" is
"uitzetten"), amounts normalised (`klopt.text.amounts`), and keys, code and codes ("LN-2041") are
one word each, which matches only itself.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from typing import Final, TypeAlias

from klopt.lexicons import Lexicon, Lexicons
from klopt.text.amounts import normalise_amounts
from klopt.text.components import Component
from klopt.text.stems import LONGEST_CHARS, stemmer
from klopt.text.values import (
    CODE,
    NUMBER,
    AmountMark,
    Draft,
    Kind,
    Sort,
    Values,
    amount_of,
    figures,
    pieces,
    written_amount,
)

MAX_KNOWN: Final = 16_384
"""Size of a tokenizer's cache in words."""
PARTICLE_REACH: Final = 15  # words between a verb and its particle
_ORDINAL: Final = re.compile(r"(\d+)(?:e|de|ste|st|nd|rd|th)")
_GROUPED: Final = (
    r"(?<![\d.,:/+\-])(?<!\d )[1-9]\d{0,2}(?: \d{3})+(?:[.,]\d{1,2})?(?![.,:/ \-]?\d|[^\W_])"
)
"""A number with blanks between its thousands: "1 500", "12 000,50"."""
_PHONE: Final = (
    r"(?<![\w.,/+-])(?!\d{1,2}[- ]\d{1,2}[- ]\d{4}(?!\d))(?=[+(]?\d(?:[ ()\-–]{0,3}\d){8})"
    r"(?:\+|\(?0)\d{1,11}\)?(?:[ \-–]{1,3}(?:\(0\)[ ]?)?\d{1,8}){0,5}(?![\w-])"
)
_PHONE_DIGITS: Final = 8
"""Digits of a phone number that are compared, from its end: +31 88 and 088 are one number."""
_WORD: Final = re.compile(
    r"((?:[^\W\d_vV]|[vV](?!\d))[^\W_]*+(?:['’\-‐‑][^\W_]++)*+(?:\+(?![\w+]))?+"  # most are words
    rf"|(?=[\d+(vV])(?:{_PHONE}|{_GROUPED}|[vV]?\d+(?:[.,:/]\d+)*[^\W_]*(?:['’\-‐‑][^\W_]+)*))"
)
_DIGIT: Final = re.compile(r"\d")
_NO_DIGIT: Final = re.compile(r"\D")
_IS_PHONE: Final = re.compile(_PHONE)
_VULGAR: Final = re.compile(r"(\d{0,6})([¼½¾⅓⅔⅛⅜⅝⅞])")
_HYPHEN: Final = re.compile(r"[-‐‑]")
_SENTENCE_END: Final = re.compile(r"[.!?;:|\n]")
_CLAUSE_END: Final = re.compile(r"[.,!?;:|\n()–—]")
_Known: TypeAlias = tuple[str, Kind, int, AmountMark | None]
"""Key, kind, whether it is a stop word, and its role in amounts."""


@dataclass(frozen=True, eq=False, slots=True)
class Tokens:
    """The words of one text, in order; all fields of shape ``(n,)``.

    Attributes:
        keys: The stem of each word; ``#`` and the figures of a number; ``@`` and the name of a
            key, a key combination or a piece of code.
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
        """Return the indices of the words that start in a plain stretch."""
        return range(bisect_left(self.starts, start), bisect_left(self.starts, end))

    def content(self, start: int, end: int) -> list[int]:
        """Return the indices of the content words that start in a plain stretch."""
        return [number for number in self.between(start, end) if not self.stops[number]]

    @property
    def running(self) -> list[int]:
        """The indices of the content words."""
        return [number for number, stop in enumerate(self.stops) if not stop]


class Tokenizer:
    """Tokenizer of one language. Thread-safe.

    >>> from klopt import lexicons
    >>> dutch = Tokenizer(lexicons.load("nl"))
    >>> dutch.read("Zet de twee printers uit.").keys
    ('uitzet', 'de', '#2', 'printer', 'uit')
    >>> dutch.key("uitgezet"), dutch.key("uitschakelen"), dutch.key("1.000"), dutch.key("25e")
    ('uitzet', 'uitschakel', '#1000', '#25')
    >>> dutch.read("Binnen twee weken met code LN-2041.").keys
    ('bin', '#14', 'dag', 'met', 'cod', '@ln-2041')
    """

    def __init__(self, lexicons: Lexicons) -> None:
        self.language = lexicons.language
        self._stem = stemmer(lexicons.language)
        self._stop_words = lexicons["stop_words"].words
        self._irregular: dict[str, str] = {}
        irregular = lexicons.get("irregular_verbs")
        for forms in irregular.word_groups["verbs"] if irregular else ():
            stem = self._stem(min(forms, key=lambda form: (len(form), form)))
            self._irregular.update(dict.fromkeys(forms, stem))
        self._read_particle_verbs(lexicons.get("particle_verbs"))
        self._key_names, self._keys = _key_names(lexicons.get("keys"))
        self._same_units = _same_units(lexicons.get("contrasts"))
        signs = {
            word: self._bare(name)
            for word, name in self._same_units.items()
            if len(word) == 1 and not word.isalnum()
        }
        self.currencies = frozenset(signs.values())
        self._values = Values(lexicons["numbers"], self._bare, signs)
        self._unit_ends = self._values.units
        self._known = lru_cache(MAX_KNOWN)(self._read_word)

    def _read_particle_verbs(self, lexicon: Lexicon | None) -> None:
        verbs = lexicon.lists["verbs"] if lexicon else ()
        self._followers = frozenset(lexicon.lists["followers"] if lexicon else ())
        self._is_fused = any("|" in entry for entry in verbs)
        pairs = [  # "uit|zetten" or "turn off"
            entry.partition("|")[::-2] if "|" in entry else entry.partition(" ")[::2]
            for entry in verbs
        ]
        self._particles = frozenset(particle for _, particle in pairs)
        self._joined: dict[tuple[str, str], str] = {}
        for verb, particle in pairs:
            stem = self._bare(verb)
            whole = self._bare(particle + verb) if self._is_fused else f"{stem} {particle}"
            self._joined[stem, particle] = whole

    def key(self, word: str) -> str:
        """Return the key of a word, or of a verb, a blank and its particle."""
        verb, _, particle = word.lower().partition(" ")
        if particle:
            return self._joined.get((self._bare(verb), particle), f"{self._bare(verb)} {particle}")
        return self._look_up(word)[0]

    def read(
        self, text: str, components: Sequence[Component] = (), *, as_written: bool = False
    ) -> Tokens:
        """Tokenise a plain text.

        Keys and code among the components become one word each. With ``as_written``, amounts are
        not normalised: "twee weken" is not "14 dagen".
        """
        draft = self._words(text, components)
        marks = {number: mark for number, mark in enumerate(draft.marks) if mark is not None}
        for number, mark in marks.items():
            if mark.sort == Sort.PARTICLE:
                self._join(draft, number)
        if not as_written and marks:
            normalise_amounts(self._values, draft, marks)
        places = tuple(draft.starts), tuple(draft.ends)
        return Tokens(tuple(draft.keys), *places, bytes(draft.kinds), bytes(draft.stops))

    def _words(self, text: str, components: Sequence[Component]) -> Draft:
        """Read each word on its own."""
        parts = _WORD.split(text)
        words, borders = parts[1::2], [*accumulate(map(len, parts))]
        if not words:
            return Draft(text)
        is_short = max(map(len, words)) <= LONGEST_CHARS
        known = [*map(self._known if is_short else self._look_up, words)]
        keys, kinds, stops, marks = map(list, zip(*known, strict=True))
        starts, ends = borders[:-1:2], borders[1::2]
        edits: list[tuple[int, int, Draft]] = []
        covered: set[int] = set()  # words within a key or code
        for part in components:
            first = bisect_left(starts, part.start)
            last = bisect_left(starts, part.end, first)
            if part.kind not in ("key", "code"):
                for number in range(first, last):
                    if kinds[number] == Kind.WORD:
                        kinds[number] = Kind.COMPONENT
            elif first < len(starts):
                is_key = part.kind == "key"
                name = self._key_name(part.key) if is_key else part.key
                one = Draft(text)
                if not _reaches(marks, starts, first, part.start):
                    one.add(f"@{name}", part.start, part.end, Kind.KEY if is_key else Kind.CODE, 0)
                covered.update(range(first, last))
                edits.append((first, last, one))
        edits += [
            (number, number + 1, self._pieces_of(text, starts[number], mark))
            for number, mark in enumerate(marks)
            if mark is not None and mark.sort == Sort.PIECES and number not in covered
        ]
        draft = Draft(text, keys, starts, ends, bytearray(kinds), bytearray(stops), marks)
        if edits:
            draft.splice(sorted(edits, key=itemgetter(0, 1)))
        return draft

    def _pieces_of(self, text: str, start: int, whole: AmountMark) -> Draft:
        """Return the words that one word really is: "30-day", "10GB", "2024-03-01"."""
        draft = Draft(text)
        for first, last, number in whole.pieces:
            place, end = start + first, start + last
            if number:
                mark = AmountMark(Sort.FIGURES, amount_of(number))
                draft.add(f"#{number}", place, end, Kind.NUMBER, 0, mark)
            else:
                key, kind, stop, other = self._look_up(text[place:end])
                draft.add(key, place, end, kind, stop, other)
        return draft

    def _join(self, draft: Draft, number: int) -> None:
        """Join a particle with its verb, if it has one."""
        keys, starts, ends = draft.keys, draft.starts, draft.ends
        following, next_word = number + 1, draft.written(number + 1)
        if self._is_fused and next_word == "te" and following + 1 < len(keys):
            whole = self._joined.get((keys[following + 1], draft.written(number)))
            if whole is not None:
                keys[following + 1] = whole
                draft.kinds[number], draft.stops[number] = Kind.PARTICLE, 1
            return
        is_last = next_word in self._followers or ends_clause(draft.text, starts, ends, number)
        if not is_last and self._is_fused:
            return
        particle, reach = draft.written(number), PARTICLE_REACH if is_last else 1
        for verb in range(number - 1, max(-1, number - 1 - reach), -1):
            whole = self._joined.get((keys[verb], particle))
            if whole is not None:
                for one in range(verb, number):
                    if _SENTENCE_END.search(draft.text, ends[one], starts[one + 1]):
                        return
                keys[verb], draft.stops[verb] = whole, 0
                draft.kinds[number], draft.stops[number] = Kind.PARTICLE, 1
                return

    def _look_up(self, word: str) -> _Known:
        """Return `_read_word` of a word, cached unless it is too long for a word."""
        if len(word) <= LONGEST_CHARS:
            return self._known(word)
        plain = word.lower()
        if NUMBER.fullmatch(plain):
            return f"#{figures(plain)}", Kind.NUMBER, 0, None
        return self._bare(plain), Kind.WORD, 0, None

    def _read_word(self, word: str) -> _Known:
        """Return the key, kind, stop flag and amount mark of a word."""
        plain = unicodedata.normalize("NFC", word).lower().replace("’", "'")
        if not plain.isalpha():
            plain = _HYPHEN.sub("-", plain)
            known = self._read_figures(plain)
            if known is not None:
                return known
        is_stop = plain in self._stop_words
        mark = self._values.mark(plain)
        if mark is not None:
            is_number = mark.sort in (Sort.NUMBER, Sort.ORDINAL, Sort.SCALE)
            if is_number and not is_stop and not mark.is_unit_too:
                return f"#{written_amount(mark.amount or 0)}", Kind.NUMBER, 0, mark
        elif plain in self._particles:
            mark = AmountMark(Sort.PARTICLE)
        elif plain in self._keys:
            return f"@{self._key_name(plain)}", Kind.KEY, 0, None
        elif plain.endswith(self._unit_ends) and (head := self._values.opening(plain)):
            unit = plain.removeprefix(head).lstrip("-")
            mark = _pieces((0, len(head), ""), (len(plain) - len(unit), len(plain), ""))
        elif "-" in plain and self._values.counts(plain.partition("-")[0]):
            cut = plain.index("-")
            mark = _pieces((0, cut, ""), (cut + 1, len(plain), ""))
        return self._bare(self._same_units.get(plain, plain)), Kind.WORD, is_stop, mark

    def _read_figures(self, word: str) -> _Known | None:
        """`_read_word` for a word with digits: a number, joined words or a code."""
        begins = word[:1].isdigit()
        if (vulgar := _VULGAR.fullmatch(word)) is not None:
            amount = int(vulgar[1] or 0) + unicodedata.numeric(vulgar[2])
            return f"#{written_amount(amount)}", Kind.NUMBER, 0, AmountMark(Sort.FIGURES, amount)
        if word[:1] in "+(0" and _IS_PHONE.fullmatch(word):
            return f"@{_NO_DIGIT.sub('', word)[-_PHONE_DIGITS:]}", Kind.CODE, 0, None
        if begins and " " in word:
            word = word.replace(" ", "").replace(".", ",")
        parts = tuple(pieces(word, self.language)) if begins else ()
        if parts:
            start, end, figure = parts[-1]
            tail = word[start:end]
            if figure or tail in self._same_units or self._values.is_behind(tail):
                return self._bare(word), Kind.WORD, 0, _pieces(*parts)
        if (begins or word[:1] == "v") and NUMBER.fullmatch(number := word.rstrip(".,:/")):
            figure = figures(number)
            return f"#{figure}", Kind.NUMBER, 0, AmountMark(Sort.FIGURES, amount_of(figure))
        if begins and (ordinal := _ORDINAL.fullmatch(word)) is not None:
            figure = figures(ordinal[1])
            return f"#{figure}", Kind.NUMBER, 0, AmountMark(Sort.ORDINAL, amount_of(figure))
        if _DIGIT.search(word) is None:
            return None
        if CODE.fullmatch(word):
            return f"@{word}", Kind.CODE, 0, None
        head, _, tail = word.rpartition("-")
        if tail.isalpha() and CODE.fullmatch(head) and head != "1":
            whole = _pieces((0, len(head), ""), (len(head) + 1, len(word), ""))
            return self._bare(word), Kind.WORD, 0, whole
        return None

    def _key_name(self, key: str) -> str:
        """Return the canonical name of a key or key combination."""
        return "+".join(self._key_names.get(part, part) for part in key.split("+"))

    def _bare(self, word: str) -> str:
        """The stem of a word in lower case."""
        if not word.isalpha():
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


def _reaches(
    marks: Sequence[AmountMark | None], starts: Sequence[int], number: int, place: int
) -> bool:
    """Whether the last piece of the word before a number starts at a place or after it."""
    mark = marks[number - 1] if number else None
    if mark is None or mark.sort != Sort.PIECES:
        return False
    return starts[number - 1] + mark.pieces[-1][0] >= place


def _pieces(*parts: tuple[int, int, str]) -> AmountMark:
    return AmountMark(Sort.PIECES, pieces=parts)


def _key_names(lexicon: Lexicon | None) -> tuple[dict[str, str], frozenset[str]]:
    """Return name → shortest name of each key, and the names that need no markup."""
    groups = lexicon.word_groups if lexicon else {}
    names = {
        word: min(group, key=lambda name: (len(name), name))
        for group in groups.get("names", ())
        for word in group
    }
    return names, frozenset(word for group in groups.get("alone", ()) for word in group)


def _same_units(lexicon: Lexicon | None) -> dict[str, str]:
    """Return word → longest synonym of the units of money, size and length."""
    groups = lexicon.word_groups if lexicon else {}
    return {
        word: max(group, key=len)
        for name in ("currencies", "length_units", "size_units")
        for group in groups.get(name, ())
        for word in group
    }


def ends_clause(text: str, starts: Sequence[int], ends: Sequence[int], number: int) -> bool:
    """Whether a word is the last one before a punctuation mark, a line's end or the text's.

    >>> ends_clause("Zet het UIT, nu", (0, 4, 8, 13), (3, 7, 11, 15), 2)
    True
    """
    if number + 1 == len(starts):
        return True
    between = text[ends[number] : starts[number + 1]]
    return between != " " and _CLAUSE_END.search(between) is not None
