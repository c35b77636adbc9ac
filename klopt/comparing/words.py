"""Words as the comparator sees them: all of a text with their marks, and each as a point."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from klopt import shipped
from klopt.cached import cached_property
from klopt.lexicons import Lexicons, load_one
from klopt.matching.index import PageIndex
from klopt.matching.units import Integers
from klopt.reading.reader import Reading
from klopt.reading.tokens import LITERAL_SIGNS, Kind

__all__ = [
    "FLAGS",
    "LARGEST",
    "QUALIFIERS",
    "Bools",
    "Coordinates",
    "Floats",
    "PreparedPage",
    "Side",
    "WordVectors",
    "bit_of",
    "cosines",
    "grams",
    "prepared",
    "product",
    "side_of",
]

Bools = NDArray[np.bool_]
Coordinates = NDArray[np.int8]
Floats = NDArray[Any]

FLAGS: Final = ("stop", "number", "literal", "component", "negated", "conditional", "capital")
"""What is marked at each word; ``literal`` is a key or code, ``negated`` a negation's own words,
``capital`` a capital that no sentence begins with."""

QUALIFIERS: Final = (*sorted(load_one("nl", "qualifiers").lists), "yes", "no")
"""The lists of the lexicon ``qualifiers``, and what opens an answer with a yes or a no."""

LARGEST: Final = 127
"""The coordinates of a word are whole numbers from minus this to this."""
SHORTEST_GRAM: Final = 3
LONGEST_GRAM: Final = 5
MOST_KNOWN: Final = 16_384
"""So many words beyond the table are remembered; the least recently used go first."""
LONGEST_CHARS: Final = 60
"""Of a longer word the beginning counts."""

MOST_PRODUCTS: Final = 1 << 18
"""Up to so many products of two numbers BLAS (OpenBLAS) takes no second thread."""


@dataclass(frozen=True, eq=False)
class Side:
    """One text.

    Attributes:
        words: Its distinct words (`klopt.reading.tokens`), in order.
        ids: For each word of the text its number in ``words``, shape ``(n,)``.
        flags: One column for each of `FLAGS`, 0 or 1, shape ``(n, len(FLAGS))``.
        starts: First plain character of each word.
        ends: After its last one.
        sentences: The number of its sentence.
        qualifiers: A bit for each of `QUALIFIERS` that the word belongs to.
    """

    words: tuple[str, ...]
    ids: Integers
    flags: NDArray[np.float32]
    starts: Integers
    ends: Integers
    sentences: Integers
    qualifiers: Integers

    @cached_property
    def spans(self) -> Integers:
        """First plain character and end of each word, shape ``(n, 2)``."""
        return np.stack([self.starts, self.ends], axis=1)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Word → its number."""
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def literals(self) -> dict[str, list[int]]:
        """Sign → the numbers of the numbers, or of the keys and code, among its words."""
        by_sign: dict[str, list[int]] = {sign: [] for sign in LITERAL_SIGNS}
        for word, number in self.numbers.items():
            if word[0] in by_sign:
                by_sign[word[0]].append(number)
        return by_sign

    @cached_property
    def _first_chars(self) -> list[int]:
        chars: list[int] = self.starts.tolist()
        return chars

    def between(self, start: int, end: int, most: int = sys.maxsize) -> slice:
        """The words that start in a plain stretch, so many at most."""
        starts = self._first_chars
        first = bisect_left(starts, start)
        return slice(first, min(first + most, bisect_left(starts, end)))


def side_of(reading: Reading, lexicons: Lexicons) -> Side:
    """The words of a text.

    Args:
        reading: The text.
        lexicons: Of its language; of ``negations`` the lists of negations and conditions are used.
    """
    tokens, text = reading.tokens, reading.plain.text
    numbers: dict[str, int] = {}
    ids = np.array([numbers.setdefault(key, len(numbers)) for key in tokens.keys], np.int64)
    kinds = np.frombuffer(tokens.kinds, np.uint8)
    starts = np.array(tokens.starts, np.int64)
    flags = np.zeros((len(ids), len(FLAGS)), np.float32)
    flags[:, 0] = np.frombuffer(tokens.stops, np.uint8)
    flags[:, 1] = kinds == Kind.NUMBER.value
    flags[:, 2] = (kinds == Kind.KEY.value) | (kinds == Kind.CODE.value)
    flags[:, 3] = kinds == Kind.COMPONENT.value
    phrases = lexicons["negations"].phrases
    for column, name in ((4, "negations"), (5, "conditions")):
        for match in phrases[name].finditer(text):
            span = tokens.between(*match.span())
            flags[span.start : span.stop, column] = 1
    flags[:, 6] = [text[start].isupper() for start in tokens.starts]
    sentences = [sentence.start for sentence in reading.sentences]
    opening = np.searchsorted(starts, sentences)
    flags[opening[opening < len(ids)], 6] = 0
    written = text.lower()
    if len(written) != len(text):
        written = "".join(one.lower()[0] for one in text)
    surfaces = [written[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)]
    return Side(
        tuple(numbers),
        ids,
        flags,
        starts,
        np.array(tokens.ends, np.int64),
        np.searchsorted(sentences, starts, side="right"),
        _qualifiers(surfaces, lexicons),
    )


@dataclass(frozen=True, eq=False)
class PreparedPage(PageIndex):
    """A page that has its side, too, as one from an index file does.

    Attributes:
        side: Its words as the comparator sees them.
    """

    side: Side


def prepared(index: PageIndex, lexicons: Lexicons) -> PreparedPage:
    """A page with its side."""
    given = {field_.name: getattr(index, field_.name) for field_ in fields(PageIndex)}
    return PreparedPage(**given, side=side_of(index.reading, lexicons))


@cache
def bit_of(*names: str) -> int:
    """The bits of some of `QUALIFIERS` together."""
    return sum(1 << QUALIFIERS.index(name) for name in names)


def _qualifiers(words: Sequence[str], lexicons: Lexicons) -> Integers:
    bits_of = [0] * len(words)
    phrases = qualifier_phrases(lexicons)
    for number, word in enumerate(words):
        for phrase, bit in phrases.get(word, ()):
            end = number + len(phrase)
            if tuple(words[number:end]) == phrase:
                bits_of[number:end] = [bits | bit for bits in bits_of[number:end]]
    return np.array(bits_of, np.int64)


@lru_cache(8)
def qualifier_phrases(lexicons: Lexicons) -> dict[str, list[tuple[tuple[str, ...], int]]]:
    """First word → the phrases that begin with it, as words, each with its bit."""
    by_first: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    lists = dict(lexicons["qualifiers"].lists)
    lists["yes"] = lexicons["confirmations"].lists["openings"]
    lists["no"] = lexicons["negations"].lists["openings"]
    for name, entries in lists.items():
        for phrase in map(str.split, entries):
            by_first.setdefault(phrase[0], []).append((tuple(phrase), bit_of(name)))
    return by_first


class WordVectors:
    """The words of one language, as points where those that are used alike lie near each other.

    Trained on the sentences of software documentation (`training.vectors`); the parts of a word
    count, so that a compound that was never seen has its place too. Opposites lie near each other
    in any such space: what excludes what is said by the tables (`klopt.matching.index`), never
    by nearness.

    Args:
        language: Theirs.
        words: Those of the table.
        coordinates: Theirs, shape ``(n_words, n_dimensions)``.
        rarities: 0 for the most frequent words, about 1 for unseen ones, shape ``(n_words,)``.
        parts: The coordinates of parts of words by the number of `grams`, shape
            ``(n_parts, n_dimensions)``.
        part_scales: What one step of each part's coordinates is, shape ``(n_parts,)``.
        middle: What is taken from a sum of parts of length 1, shape ``(n_dimensions,)``.
        direction: Along which nothing is told apart, of length 1, shape ``(n_dimensions,)``.

    >>> dutch = WordVectors.load("nl")
    >>> near = dutch.likeness(["printer"], ["printers", "afdrukapparaat", "belasting"])[0]
    >>> bool(near[0] > near[2])
    True
    """

    def __init__(
        self,
        language: str,
        words: Sequence[str],
        coordinates: Coordinates,
        rarities: NDArray[np.float32],
        parts: Coordinates,
        part_scales: NDArray[np.float32],
        middle: NDArray[np.float32],
        direction: NDArray[np.float32],
    ) -> None:
        self.language = language
        self._numbers = {word: number for number, word in enumerate(words)}
        self._coordinates = coordinates
        self._rarities = rarities
        self._parts = parts
        self._part_scales = part_scales
        self._middle = middle
        self._direction = direction
        self._rarest = float(rarities.max(initial=0.0))
        self._texts: WeakKeyDictionary[Side, tuple[Coordinates, NDArray[np.float32]]] = (
            WeakKeyDictionary()
        )
        self._composed = lru_cache(MOST_KNOWN)(self._compose)

    @classmethod
    def load(cls, language: str) -> WordVectors:
        """Those that come with klopt.

        Args:
            language: ``nl`` or ``en``.
        """
        return cls.read(language, shipped.arrays("klopt.comparing", language, "vectors.npz"))

    @classmethod
    def read(cls, language: str, arrays: Mapping[str, NDArray[Any]]) -> WordVectors:
        """Those in arrays, as `training.vectors` packs them."""
        return cls(
            language,
            arrays["words"].tobytes().decode().split("\n"),
            arrays["coordinates"],
            arrays["rarities"].astype(np.float32),
            arrays["parts"],
            arrays["part_scales"].astype(np.float32),
            arrays["middle"],
            arrays["direction"],
        )

    @property
    def dimensions(self) -> int:
        """The number of coordinates of a word."""
        return int(self._coordinates.shape[1])

    def of(self, keys: Sequence[str]) -> tuple[Coordinates, NDArray[np.float32]]:
        """Coordinates and rarity of words.

        Args:
            keys: Of `klopt.reading.tokens`.

        Returns:
            Shapes ``(n, n_dimensions)`` and ``(n,)``. All numbers are one word.
        """
        coordinates = np.empty((len(keys), self.dimensions), np.int8)
        rarities = np.empty(len(keys), np.float32)
        for row, key in enumerate(keys):
            word = _word(key)
            number = self._numbers.get(word)
            if number is not None:
                coordinates[row], rarities[row] = self._coordinates[number], self._rarities[number]
            else:
                coordinates[row], rarities[row] = self._composed(word), self._rarest
        return coordinates, rarities

    def of_text(self, text: Side) -> tuple[Coordinates, NDArray[np.float32]]:
        """Those of the words of a text, known again for as long as the text is."""
        known = self._texts.get(text)
        if known is None:
            known = self._texts[text] = self.of(text.words)
        return known

    def likeness(self, first: Sequence[str], second: Sequence[str]) -> NDArray[np.float32]:
        """The cosine of each word with each other, shape ``(n_first, n_second)``."""
        return cosines(self.of(first)[0], self.of(second)[0])

    def _compose(self, word: str) -> Coordinates:
        """A word beyond the table, from its parts."""
        numbers = grams(word, len(self._parts))
        if not numbers:
            return np.zeros(self.dimensions, np.int8)
        whole = (self._parts[numbers] * self._part_scales[numbers, None]).sum(axis=0)
        whole = whole / max(float(np.linalg.norm(whole)), 1e-9) - self._middle
        return in_whole_numbers(whole - (whole @ self._direction) * self._direction)


def in_whole_numbers(vectors: NDArray[np.float32]) -> Coordinates:
    """Vectors, each with its largest coordinate at `LARGEST`; shape stays."""
    largest = np.abs(vectors).max(axis=-1, keepdims=True)
    whole: Coordinates = np.rint(vectors / np.maximum(largest, 1e-9) * LARGEST).astype(np.int8)
    return whole


def cosines(first: Coordinates, second: Coordinates) -> NDArray[np.float32]:
    """The cosine of each row with each other; the products are whole, so no order shows."""
    one, other = first.astype(np.float32), second.astype(np.float32)
    lengths = np.sqrt((one * one).sum(axis=1))[:, None] * np.sqrt((other * other).sum(axis=1))
    products = product(one, other.T)
    products /= np.maximum(lengths, 1.0)
    return products


def product(rows: Floats, table: Floats) -> Floats:
    """The product of two tables, in pieces so small that each is made in the calling thread.

    Several threads of BLAS wait for one another longer than they work, and where they cut a
    product depends on their number.

    Args:
        rows: Shape ``(n, depth)``, one after the other in memory.
        table: Shape ``(depth, width)``.
    """
    (count, depth), width = rows.shape, table.shape[1]
    result = np.empty((count, width), np.float32)
    piece = max(1, MOST_PRODUCTS // max(1, table.size))
    pieces, whole = count // piece, count - count % piece
    np.matmul(
        rows[:whole].reshape(pieces, piece, depth),
        table,
        out=result[:whole].reshape(pieces, piece, width),
    )
    np.matmul(rows[whole:], table, out=result[whole:])
    return result


def grams(word: str, count: int) -> list[int]:
    """The numbers of the parts of a word: of all its stretches of 3 to 5 characters.

    Args:
        word: Any word.
        count: How many numbers there are.

    Source:
        fastText (Bojanowski et al. 2017): FNV-1a over UTF-8, bytes taken as signed.

    >>> len(grams("kolom", 1000))
    12
    """
    whole = f"<{word[:LONGEST_CHARS]}>"
    numbers = []
    for start in range(len(whole)):
        for length in range(SHORTEST_GRAM, LONGEST_GRAM + 1):
            if start + length <= len(whole):
                numbers.append(_number(whole[start : start + length]) % count)
    return numbers


def _number(part: str) -> int:
    number = 2_166_136_261
    for byte in part.encode():
        number ^= byte if byte < 128 else byte | 0xFFFFFF00
        number = number * 16_777_619 & 0xFFFFFFFF
    return number


def _word(key: str) -> str:
    """The word of the space for a key: numbers are one word, verbs with a particle another."""
    if key[0] == LITERAL_SIGNS[0]:
        return key[0]
    return key.removeprefix(LITERAL_SIGNS[1]).replace(" ", "_") or key


def texts_as_words(keys: Iterable[str]) -> str:
    """A sentence as the training reads it: the words of the space, apart by blanks."""
    return " ".join(map(_word, keys))
