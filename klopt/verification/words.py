"""The words of a text with their flags, and word vectors."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from klopt._internal import shipped
from klopt._internal.cached import cached_property
from klopt.lexicons import Lexicons, load_one
from klopt.text.reader import Reading
from klopt.text.values import LITERAL_SIGNS, Kind
from klopt.verification.index import PageIndex
from klopt.verification.networks import product
from klopt.verification.units import Coordinates, Floats, Integers

FLAGS: Final = ("stop", "number", "literal", "component", "negated", "conditional", "capital")
"""The flags of a word: ``literal`` is a key or code, ``negated`` a word of a negation, ``capital``
a capital inside a sentence."""

QUALIFIERS: Final = (*sorted(load_one("nl", "qualifiers").lists), "yes", "no")
"""The lists of the lexicon ``qualifiers``, and the words that open an answer with yes or no."""

LARGEST: Final = 127
"""Largest coordinate of a word vector; the smallest is its negative."""
SHORTEST_GRAM: Final = 3
LONGEST_GRAM: Final = 5
MAX_KNOWN: Final = 16_384
"""Vectors of words outside the table that are cached, least recently used first out."""
LONGEST_CHARS: Final = 60
"""Characters of a word that its vector is composed from."""


@dataclass(frozen=True, eq=False)
class Side:
    """The words of one text.

    Attributes:
        words: Its distinct words (`klopt.text.tokens`), in order.
        ids: The index in ``words`` of each word of the text, shape ``(n,)``.
        flags: One column for each of `FLAGS`, 0 or 1, shape ``(n, len(FLAGS))``.
        starts: First plain character of each word.
        ends: The character after its last one.
        sentences: The number of its sentence.
        qualifiers: Bits of the `QUALIFIERS` that the word belongs to.
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
        """Plain start and end of each word, shape ``(n, 2)``."""
        return np.stack([self.starts, self.ends], axis=1)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Word → its index in ``words``."""
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def literals(self) -> dict[str, list[int]]:
        """Sign of numbers, or of keys and code → the indices of these words."""
        by_sign: dict[str, list[int]] = {sign: [] for sign in LITERAL_SIGNS}
        for word, number in self.numbers.items():
            if word[0] in by_sign:
                by_sign[word[0]].append(number)
        return by_sign

    @cached_property
    def _first_chars(self) -> list[int]:
        chars: list[int] = self.starts.tolist()
        return chars

    def numbers_between(self, start: int, end: int) -> Integers:
        """Return the numbers of the words that start between two plain characters."""
        own = self.between(start, end)
        return np.arange(own.start, own.stop)

    def between(self, start: int, end: int, most: int = sys.maxsize) -> slice:
        """Return the words that start between two plain characters, at most ``most``."""
        starts = self._first_chars
        first = bisect_left(starts, start)
        return slice(first, min(first + most, bisect_left(starts, end)))


def side_of(reading: Reading, lexicons: Lexicons) -> Side:
    """Return a text's words; flags are from lexicons ``negations`` and ``qualifiers``."""
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
    phrases, straight = lexicons["negations"].phrases, text.replace("’", "'")
    for column, name in ((4, "negations"), (5, "conditions")):
        for match in phrases[name].finditer(straight):
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
    """A page with its words already prepared, as in an index file.

    Attributes:
        side: Its words.
    """

    side: Side


def prepared(index: PageIndex, lexicons: Lexicons) -> PreparedPage:
    """Return a page with its words prepared."""
    given = {field_.name: getattr(index, field_.name) for field_ in fields(PageIndex)}
    return PreparedPage(**given, side=side_of(index.reading, lexicons))


@cache
def bit_of(*names: str) -> int:
    """Return the bits of some `QUALIFIERS`, joined."""
    return sum(1 << QUALIFIERS.index(name) for name in names)


def _qualifiers(words: Sequence[str], lexicons: Lexicons) -> Integers:
    bits_of_words, phrases = qualifier_phrases(lexicons)
    bits_of = [bits_of_words.get(word, 0) for word in words]
    for number in [at for at, word in enumerate(words) if word in phrases]:
        for phrase, bit in phrases[words[number]]:
            end = number + len(phrase)
            if tuple(words[number:end]) == phrase:
                bits_of[number:end] = [bits | bit for bits in bits_of[number:end]]
    return np.array(bits_of, np.int64)


@lru_cache(8)
def qualifier_phrases(
    lexicons: Lexicons,
) -> tuple[dict[str, int], dict[str, list[tuple[tuple[str, ...], int]]]]:
    """Return the bits of single words; and longer phrases by first word, each with its bit."""
    bits_of: dict[str, int] = {}
    by_first: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    lists = dict(lexicons["qualifiers"].lists)
    lists["yes"] = lexicons["confirmations"].lists["openings"]
    lists["no"] = lexicons["negations"].lists["openings"]
    for name, entries in lists.items():
        for first, *others in map(str.split, entries):
            if others:
                by_first.setdefault(first, []).append(((first, *others), bit_of(name)))
            else:
                bits_of[first] = bits_of.get(first, 0) | bit_of(name)
    return bits_of, by_first


class WordVectors:
    """Word vectors of one language, composed from character n-grams for unknown words.

    Trained on the sentences of software documentation (`training.vectors`). Opposites lie near each
    other in such a space, so lexicons (`klopt.verification.index`) and not similarity tell which
    words exclude each other.

    Args:
        language: The language.
        arrays: Name → array, as `training.vectors` writes them: ``words``, ``coordinates`` and
            ``rarities`` (0 for the most frequent words, about 1 for unseen ones) of the table;
            ``parts`` and ``part_scales``, the vectors of character n-grams by the number that
            `grams` gives them, and their quantization steps; ``middle``, the mean that is
            subtracted from a composed vector; and ``direction``, the unit vector of the common
            direction, which is projected out.

    >>> dutch = WordVectors.load("nl")
    >>> near = dutch.likeness(["printer"], ["printers", "afdrukapparaat", "belasting"])[0]
    >>> bool(near[0] > near[2])
    True
    """

    def __init__(self, language: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.language = language
        words = arrays["words"].tobytes().decode().split("\n")
        self._numbers = {word: number for number, word in enumerate(words)}
        self._coordinates: Coordinates = arrays["coordinates"]
        self._parts: Coordinates = arrays["parts"]
        self._rarities, self._part_scales = (
            arrays[name].astype(np.float32) for name in ("rarities", "part_scales")
        )
        self._middle, self._direction = arrays["middle"], arrays["direction"]
        self._rarest = float(self._rarities.max(initial=0.0))
        self._texts: WeakKeyDictionary[Side, tuple[Coordinates, Floats, Floats]] = (
            WeakKeyDictionary()
        )
        self._composed = lru_cache(MAX_KNOWN)(self._compose)

    @classmethod
    def load(cls, language: str) -> WordVectors:
        """Return the vectors that ship with klopt, for ``nl`` or ``en``."""
        return cls(language, shipped.arrays("klopt.verification", language, "vectors.npz"))

    @property
    def dimensions(self) -> int:
        """The number of coordinates of a vector."""
        return int(self._coordinates.shape[1])

    def of(self, keys: Sequence[str]) -> tuple[Coordinates, NDArray[np.float32]]:
        """Return vectors and rarities of words.

        Shapes ``(n, n_dimensions)`` and ``(n,)``. All numbers share one vector.
        """
        coordinates = np.empty((len(keys), self.dimensions), np.int8)
        rarities = np.empty(len(keys), np.float32)
        for row, key in enumerate(keys):
            word = word_of(key)
            number = self._numbers.get(word)
            if number is not None:
                coordinates[row], rarities[row] = self._coordinates[number], self._rarities[number]
            else:
                coordinates[row], rarities[row] = self._composed(word), self._rarest
        return coordinates, rarities

    def of_text(self, text: Side) -> tuple[Coordinates, Floats, Floats]:
        """Return vectors, rarities and `lengths_of` a text's words, cached with the text."""
        known = self._texts.get(text)
        if known is None:
            vectors, rarities = self.of(text.words)
            known = self._texts[text] = vectors, rarities, lengths_of(vectors.astype(np.float32))
        return known

    def likeness(self, first: Sequence[str], second: Sequence[str]) -> NDArray[np.float32]:
        """Return cosine similarities, shape ``(n_first, n_second)``."""
        return cosines(self.of(first)[0], self.of(second)[0])

    def _compose(self, word: str) -> Coordinates:
        """Return the vector of a word outside the table, composed from its n-grams."""
        numbers = grams(word, len(self._parts))
        if not numbers:
            return np.zeros(self.dimensions, np.int8)
        whole = (self._parts[numbers] * self._part_scales[numbers, None]).sum(axis=0)
        whole = whole / max(float(np.linalg.norm(whole)), 1e-9) - self._middle
        return in_whole_numbers(whole - (whole @ self._direction) * self._direction)


def in_whole_numbers(vectors: NDArray[np.float32]) -> Coordinates:
    """Quantize vectors so that the largest coordinate of each is `LARGEST`; the shape stays."""
    largest = np.abs(vectors).max(axis=-1, keepdims=True)
    whole: Coordinates = np.rint(vectors / np.maximum(largest, 1e-9) * LARGEST).astype(np.int8)
    return whole


def cosines(first: Coordinates, second: Coordinates) -> NDArray[np.float32]:
    """Return the cosine of each row with each other row.

    The products are whole numbers, so the order of addition does not matter.
    """
    one, other = first.astype(np.float32), second.astype(np.float32)
    products = product(one, other.T)
    products /= np.maximum(lengths_of(one)[:, None] * lengths_of(other), 1.0)
    return products


def lengths_of(points: Floats) -> Floats:
    """Return the Euclidean length of each row."""
    lengths: Floats = np.sqrt((points * points).sum(axis=1))
    return lengths


def grams(word: str, count: int) -> list[int]:
    """Return the hashes, below ``count``, of a word's character n-grams of length 3 to 5.

    Source:
        fastText (Bojanowski et al. 2017): FNV-1a over UTF-8 with signed bytes.

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


def word_of(key: str) -> str:
    """Return the word of the vector table for a token key."""
    if key[0] == LITERAL_SIGNS[0]:
        return key[0]
    return key.removeprefix(LITERAL_SIGNS[1]).replace(" ", "_") or key
