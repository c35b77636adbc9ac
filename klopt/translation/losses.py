"""Find translated sentences that lack a value, a placeholder or half of their words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from klopt import lexicons
from klopt.scoring.notes import TOO_SHORT
from klopt.text.quantities import quantities
from klopt.text.quantity import Quantity, are_alike
from klopt.text.tokens import Tokenizer
from klopt.text.values import MEASURES
from klopt.translation.masks import Segment

MIN_WORDS: Final = 7
"""Words that a sentence needs before its length is compared."""
SHORTEST_SHARE: Final = 0.55
"""A shorter translation, relative to its sentence, lacks a part; in characters."""
SHORTEST_SHARES: Final[Mapping[tuple[str, str], float]] = {("en", "nl"): 0.65}
"""The same for languages of other lengths; ``python -m benchmarks.losses`` measures the bounds."""
MOST_VALUES: Final = 200
"""Values of a sentence that are compared."""
MIN_DIGITS: Final = 4
"""A number of as many digits may be written in parts: "12 000"."""
CACHED: Final = 16_384
"""Sentences whose comparison is cached."""

_FIGURES: Final = re.compile(r"\d+(?:[.,:\u00a0]\d+)*")
_NO_DIGIT: Final = re.compile(r"\D")
_TRANSLATED: Final = frozenset({"bracket", "component", "key", "number"})
"""Kinds of masks that a translator may change; numbers are compared as values."""
_IN_WORDS: Final = frozenset({"money", "months", "time", *MEASURES})
"""Dimensions of the values that are compared if written in words: "twee weken"."""


def lost_part(segment: Segment, original: str, translated: str, source: str, target: str) -> str:
    """Return the part of a sentence that its translation lacks.

    Compared are figures, values in words where klopt has lexicons for both languages, masked parts
    that mean the same in every language, and the length.

    Args:
        segment: The sentence, with its masks.
        original: Its text without placeholders.
        translated: Its translation without placeholders.
        source: Its language.
        target: The language of the translation.

    Returns:
        A value or a masked part as it is written, `TOO_SHORT`, or nothing.
    """
    for mask in segment.masks:
        part = original[mask.start - segment.start : mask.end - segment.start]
        if mask.kind not in _TRANSLATED and part.casefold() not in translated.casefold():
            return part
    return _lost_value(original, translated, source, target) or _lost_half(
        original, translated, source, target
    )


def _lost_half(original: str, translated: str, source: str, target: str) -> str:
    if len(original.split()) < MIN_WORDS:
        return ""
    share = SHORTEST_SHARES.get((source, target), SHORTEST_SHARE)
    return TOO_SHORT if len(translated) < share * len(original) else ""


@lru_cache(CACHED)
def _lost_value(original: str, translated: str, source: str, target: str) -> str:
    """Return the first value that is missing.

    >>> _lost_value("Het kan binnen twee weken.", "You can do so within 14 days.", "nl", "en")
    ''
    >>> _lost_value("Het kan binnen twee weken.", "You can do so.", "nl", "en")
    'twee weken'
    """
    kept = [*map(_digits, _FIGURES.findall(translated))]
    joined = "".join(kept)
    values, own = list[Quantity](), list[Quantity]()
    if {source, target} <= set(lexicons.languages()):
        values, own = _quantities(translated, target), _quantities(original, source)
    written = [original[value.start : value.end] for value in own]
    found = [text for text, one in zip(written, own, strict=True) if _is_among(one, values)]
    for figures in _FIGURES.findall(original)[:MOST_VALUES]:
        digits = _digits(figures)
        is_kept = digits in kept or (len(digits) >= MIN_DIGITS and digits in joined)
        if figures != "1" and not is_kept and not any(figures in text for text in found):
            return str(figures)  # a lost 1 is no loss: "1 dag" is "a day"
    for text, one in zip(written, own, strict=True):
        is_counted = one.dimension in _IN_WORDS and (one.written or 0) > 1
        if is_counted and text not in found and not any(map(str.isdigit, text)):
            return text
    return ""


def _is_among(value: Quantity, values: Iterable[Quantity]) -> bool:
    return any(are_alike(value, one) for one in values)


def _quantities(text: str, language: str) -> list[Quantity]:
    return quantities(text, _tokenizer(language).read(text), language)[:MOST_VALUES]


@lru_cache
def _tokenizer(language: str) -> Tokenizer:
    return Tokenizer(lexicons.load(language))


def _digits(text: str) -> str:
    return _NO_DIGIT.sub("", text)
