"""The words of a text: what each is compared by, what kind it is, and where it stands.

One tokeniser for the whole package, by rules and tables, without a parse: words are brought to
their stems, verbs and particles that stand apart are joined ("zet … uit" is "uitzetten"),
amounts, times and dates have one form (`klopt.reading.amounts`), and keys, code and codes
("LN-2041") are one word each, which matches only itself.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import Stemmer

from klopt.cached import ProcessLock
from klopt.lexicons import Lexicon, Lexicons
from klopt.reading.amounts import LITERAL_SIGNS, Draft, Kind, settle
from klopt.reading.components import Component
from klopt.reading.values import (
    CODE,
    NUMBER,
    AmountMark,
    Sort,
    Values,
    amount_of,
    figures,
    pieces,
    told,
)

__all__ = ["LITERAL_SIGNS", "Kind", "Tokenizer", "Tokens", "ends_clause"]

MOST_KNOWN: Final = 16_384
"""Words whose keys a tokenizer remembers; the least recently used go first."""

PARTICLE_REACH: Final = 15
"""How many words may stand between a verb and its particle."""

_ORDINAL: Final = re.compile(r"(\d+)(?:e|de|ste|st|nd|rd|th)")
_WORD: Final = re.compile(
    r"[vV]?\d+(?:[.,:/]\d+)*[^\W_]*(?:['’\-‐‑][^\W_]+)*|[^\W_]+(?:['’\-‐‑][^\W_]+)*"
)
_DIGIT: Final = re.compile(r"\d")
_HYPHEN: Final = re.compile(r"[-‐‑]")
_SENTENCE_END: Final = re.compile(r"[.!?;:|\n]")
_CLAUSE_END: Final = re.compile(r"[.,!?;:|\n()–—]")

STEMMERS: Final = {"en": "english", "nl": "dutch"}
"""Language → the name of its Snowball stemmer."""

LONGEST_CHARS: Final = 60
"""A longer word is no word: it is compared as it stands."""

_SHORTEST_CHARS: Final = 5
"""Dutch: a shorter word or stem keeps its last letter, but where one of `_ENDINGS` says so."""

_VERB_T: Final = re.compile(r"(?<=[^aeiouyàáèéêëïö])(?<![^aeiouy]s)(?<!en)(?<![^aeiou][aou]r)t\Z")
_LAST_T: Final = re.compile(
    r"(?<=[^aeiouyàáèéêëïös])(?<![^aeiou][aou]r)t\Z|(?<=[^aeiouyàáèéêëïön])d\Z"
)
_LAST_E: Final = re.compile(r"(?<=\w\w\w[^aeiouy])e\Z|(?<=\w\w[dg])e\Z")
_LONG_VOWEL: Final = re.compile(r"(aa|ee|oo|uu)")
_FINAL: Final = str.maketrans("vz", "fs")
_DOUBLE: Final = re.compile(r"([bcdfgklmnprst])\1\Z")

_ENDINGS: Final = re.compile(
    r"(?<=[ei])ën\Z"  # categorieën
    r"|(?<=[ns]t)s\Z"  # accounts
    r"|(?<=\A\w[aeiou][bgp])s\Z|(?<=\A[aeiou]pp)s\Z"  # tips, apps
    r"|(?<=\A\w[aeiou][gklp])t\Z"  # vult
    r"|(?<=[gt]aan)de?\Z"  # bestaande
    r"|(?<=[ao][aeo]i)(?:t|de?|den)\Z"  # voltooide
    r"|(?<=[^aeiou]ig)er[es]?\Z"  # veiliger
)
"""Dutch: endings of a form that Snowball leaves, or that make it take too much."""

_ADJECTIVE: Final = re.compile(r"((?<=b)a(?=r)|(?<=ion)e(?=l))([rl])e\Z")
"""Dutch: beschikbare, optionele: what Snowball knows without -e."""

_PARTICIPLE: Final = re.compile(
    r"((?:be|her|onder|ont|over|ver)\w+(?:ee|eu|ie|oe|oo)n)de?"  # ondersteund
)
_TAIL: Final = r"(?=(?:e|en|s|t|te|d|de|den|end|ende|ing|ingen|er|ers|heid|heden|t?jes?)?\Z)"
_KEPT: Final = re.compile(
    rf"s(?=el{_TAIL})"  # wissel
    rf"|st(?=er{_TAIL})"  # venster
    rf"|(?<![aeiou][aeiou]r)(?<=[aeiou]r)d(?=er{_TAIL})"  # order
    rf"|(?<=[^aeiou]i)g{_TAIL}"  # wijzig
    rf"|(?:(?<=aa)|(?<=ie)|(?<=oe))ts{_TAIL}"  # plaats
    rf"|(?:(?<=[dgp]re)|(?<=[co]ce))ss?{_TAIL}"  # adres
    rf"|(?:(?<=ve)|(?<=bee)|(?<=\A[gm]e)|(?<=[^aeiou]ge))ld{_TAIL}"  # veld
    rf"|(?:(?<=geme)|(?<=[^aeioum]me))ld{_TAIL}"  # melding
    r"|(?<=lij)ks(?=e?\Z)|(?<=advie)s\Z|(?<=\A[^aeiou]en)s\Z|(?<=\A[^aeiou]{2}en)s\Z"  # grens
    r"|(?:(?<=\Abe)|(?<=\Aon)|(?<=\Aver))g(?=e)"  # vergelijk
)
"""Dutch: letters of the word itself that Snowball takes for an ending."""

_STANDS_FOR: Final = "ß"
"""What stands for them meanwhile: a consonant that no ending has."""


_Known: TypeAlias = tuple[str, Kind, int, AmountMark | None]
"""Key, kind, whether it is a stop word, and what it may be a part of."""


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
        self._values = Values(lexicons["numbers"], self._bare, signs)
        self._unit_ends = self._values.units
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
        """What one word, or a verb with its particle behind a blank, is compared by."""
        verb, _, particle = word.lower().partition(" ")
        if particle:
            return self._joined.get((self._bare(verb), particle), f"{self._bare(verb)} {particle}")
        return self._look_up(word)[0]

    def read(
        self, text: str, components: Sequence[Component] = (), *, as_written: bool = False
    ) -> Tokens:
        """The words of a plain text.

        Keys and code among the components become one word each; ``as_written`` each word stays
        what it is alone, so that "twee weken" is not "14 dagen".
        """
        draft = Draft(text)
        keys, starts, ends = draft.keys, draft.starts, draft.ends
        kinds, stops, look_up = draft.kinds, draft.stops, self._look_up
        marks: dict[int, AmountMark] = {}
        spans = iter(
            [*((part.start, part.end, part) for part in components), (len(text) + 1, 0, None)]
        )
        start, end, component = next(spans)
        for match in _WORD.finditer(text):
            first, last = match.span()
            while component is not None and first >= start:
                if component.kind in ("key", "code") and (not starts or starts[-1] < start):
                    is_key = component.kind == "key"
                    name = self._key_name(component.key) if is_key else component.key
                    draft.add(f"@{name}", start, end, Kind.KEY if is_key else Kind.CODE, 0)
                if first < end:
                    break
                start, end, component = next(spans)
            inside = component is not None and start <= first < end
            if inside and component is not None and component.kind in ("key", "code"):
                continue
            key, kind, stop, mark = look_up(match[0])
            if inside and kind == Kind.WORD:
                kind = Kind.COMPONENT
            if mark is not None:
                if mark.sort == Sort.PIECES:
                    self._add_pieces(draft, first, mark, marks)
                    continue
                marks[len(starts)] = mark
            keys.append(key)
            starts.append(first)
            ends.append(last)
            kinds.append(kind)
            stops.append(stop)
        for number, mark in marks.items():
            if mark.sort == Sort.PARTICLE:
                self._join(draft, number)
        if not as_written and marks:
            settle(self._values, draft, marks)
        return Tokens(
            tuple(draft.keys),
            tuple(draft.starts),
            tuple(draft.ends),
            bytes(draft.kinds),
            bytes(draft.stops),
        )

    def _add_pieces(
        self, draft: Draft, start: int, whole: AmountMark, marks: dict[int, AmountMark]
    ) -> None:
        """The words that one word really is: "30-day", "10GB", "2024-03-01"."""
        for first, last, number in whole.pieces:
            place, end = start + first, start + last
            if number:
                key, kind, stop = f"#{number}", Kind.NUMBER, 0
                mark: AmountMark | None = AmountMark(Sort.FIGURES, amount_of(number))
            else:
                key, kind, stop, mark = self._look_up(draft.text[place:end])
            if mark is not None:
                marks[len(draft.keys)] = mark
            draft.add(key, place, end, kind, stop)

    def _join(self, draft: Draft, number: int) -> None:
        """Joins a particle with the verb that it belongs to, if it has one."""
        keys, starts, ends = draft.keys, draft.starts, draft.ends
        particle, next_word = draft.written(number), draft.written(number + 1)
        following = number + 1
        if self._is_fused and next_word == "te" and following + 1 < len(keys):
            whole = self._joined.get((keys[following + 1], particle))
            if whole is not None:
                keys[following + 1] = whole
                draft.kinds[number], draft.stops[number] = Kind.PARTICLE, 1
            return
        is_last = next_word in self._followers or ends_clause(draft.text, starts, ends, number)
        if not is_last and self._is_fused:
            return
        reach = PARTICLE_REACH if is_last else 1
        for verb in range(number - 1, max(-1, number - 1 - reach), -1):
            if _SENTENCE_END.search(draft.text, ends[verb], starts[verb + 1]):
                return
            whole = self._joined.get((keys[verb], particle))
            if whole is not None:
                keys[verb], draft.stops[verb] = whole, 0
                draft.kinds[number], draft.stops[number] = Kind.PARTICLE, 1
                return

    def _look_up(self, word: str) -> _Known:
        """What `_read_word` says; it is remembered of all that is short enough for a word."""
        if len(word) <= LONGEST_CHARS:
            return self._known(word)
        plain = word.lower()
        if NUMBER.fullmatch(plain):
            return f"#{figures(plain)}", Kind.NUMBER, 0, None
        return self._bare(plain), Kind.WORD, 0, None

    def _read_word(self, word: str) -> _Known:
        """Key, kind, whether it is a stop word, and what it may be a part of."""
        plain = unicodedata.normalize("NFC", word).lower().replace("’", "'")
        plain = _HYPHEN.sub("-", plain)
        if not plain.isalpha():
            known = self._read_figures(plain)
            if known is not None:
                return known
        is_stop = plain in self._stop_words
        mark = self._values.mark(plain)
        if mark is not None:
            is_number = mark.sort in (Sort.NUMBER, Sort.ORDINAL, Sort.SCALE)
            if is_number and not is_stop and not mark.is_unit_too:
                return f"#{told(mark.amount or 0)}", Kind.NUMBER, 0, mark
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
        """The same of a word with digits: a number, several words written as one, a code."""
        begins = word[:1].isdigit()
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
        """A key or key combination by the names that all of its names have in common."""
        return "+".join(self._key_names.get(part, part) for part in key.split("+"))

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


def _pieces(*parts: tuple[int, int, str]) -> AmountMark:
    return AmountMark(Sort.PIECES, pieces=parts)


def _key_names(lexicon: Lexicon | None) -> tuple[dict[str, str], frozenset[str]]:
    """Each name of a key and its shortest one, and the names that need no sign that they are."""
    groups = lexicon.word_groups if lexicon else {}
    names = {
        word: min(group, key=lambda name: (len(name), name))
        for group in groups.get("names", ())
        for word in group
    }
    return names, frozenset(word for group in groups.get("alone", ()) for word in group)


def _same_units(lexicon: Lexicon | None) -> dict[str, str]:
    """Each word for a unit of money, size or length, and the longest one for the same."""
    groups = lexicon.word_groups if lexicon else {}
    return {
        word: max(group, key=len)
        for name in ("currencies", "length_units", "size_units")
        for group in groups.get(name, ())
        for word in group
    }


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


def stemmer(language: str) -> Callable[[str], str]:
    """A function from a word in lower case to its stem; safe in threads.

    Source:
        Snowball's ``english`` and ``dutch`` (Kraaij and Pohlmann).

    Differs:
        Dutch: the stemmer takes the -t of "klikt" but not of "selecteert", writes "selecteer" and
        "controler", and makes "oop" of "open". Here the -t goes first, what is too short is left
        alone, and a long vowel is written once. It makes "ven" of "venster", "wis" of "wissel",
        "wijs" of "wijzig" and "or" of "order": what is no ending there is kept from it. The -e of
        "externe" goes.

    >>> dutch = stemmer("nl")
    >>> {dutch(word) for word in ("selecteer", "selecteert", "selecteren", "geselecteerd")}
    {'selecter'}
    >>> {dutch(word) for word in ("openen", "opent", "open")}, dutch("dienst")
    ({'open'}, 'dienst')
    >>> dutch("vensters"), dutch("wisselt"), dutch("wist")
    ('venster', 'wissel', 'wist')
    """
    snowball, lock = Stemmer.Stemmer(STEMMERS[language]), ProcessLock()

    def stem(word: str) -> str:
        with lock:
            return str(snowball.stemWord(word))

    def dutch(word: str) -> str:
        word = _ADJECTIVE.sub(r"\1\1\2", _ENDINGS.sub("", word))
        participle = _PARTICIPLE.fullmatch(word)
        if participle is not None:
            word = participle[1]
        kept = _KEPT.findall(word)
        if not kept:
            return _dutch(word, stem)
        stemmed = _dutch(_KEPT.sub(_STANDS_FOR, word), stem)
        for letters in kept:
            stemmed = stemmed.replace(_STANDS_FOR, letters.replace("ss", "s"), 1)
        return stemmed

    whole = dutch if language == "nl" else stem
    return lambda word: whole(word) if len(word) <= LONGEST_CHARS else word


def _dutch(word: str, snowball: Callable[[str], str]) -> str:
    if len(word) >= _SHORTEST_CHARS:
        word = _VERB_T.sub("", word)
    stem = snowball(word)
    if len(stem) < len(word) <= _SHORTEST_CHARS and len(stem) < _SHORTEST_CHARS - 1:
        stem = word
    if len(stem) >= _SHORTEST_CHARS:
        stem = _LAST_T.sub("", stem)
    if _LAST_E.search(stem):
        stem = _DOUBLE.sub(r"\1", stem[:-1])
        stem = stem[:-1] + stem[-1].translate(_FINAL)
    return _LONG_VOWEL.sub(lambda match: match[0][0], stem)
