"""What else in an answer speaks against it: a yes for a no, doubt, and what it adds."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

from klopt.checking.solution import Sign, SignPlace
from klopt.checking.words import Language, Words
from klopt.lexicons.patterns import apart

DOUBTS: Final = 3.0
"""So many expressions of doubt make the sign 1 - 1/e, about two thirds."""

_BEFORE_WORDS: Final = re.compile(r"[^\w]*(?:\d{1,3}[.)][^\w]*)?")


def doubt(answer: Words, reference: str, language: Language) -> Sign:
    """How far the answer doubts its sources: "not mentioned", "based on the provided context".

    The expressions are those of the lexicon ``doubts``; where the reference has them, an answer
    may. Advice ("you can try") and chance ("perhaps") are none: they tell little more of an answer.

    Returns:
        1 - exp(-n / `DOUBTS`) for n expressions more than the reference has; the places are all
        of them. 0 and no places when the reference has as many.

    Raises:
        PatternTimeoutError: A pattern took too long.

    Source:
        Ours; TechSupportEval looks only at what the reference has.

    >>> from klopt.checking.words import language
    >>> english = language("en")
    >>> answer = english.read("Unfortunately, the page does not mention it.")
    >>> [place.text for place in doubt(answer, "", english).places]
    ['Unfortunately', 'does not mention']
    """
    patterns = language.tables["doubts"].patterns
    spans = apart(patterns, answer.source)
    more = max(0, len(spans) - len(apart(patterns, reference))) if spans else 0
    return Sign("doubt", 1.0 - math.exp(-more / DOUBTS), _places(answer, spans if more else ()))


def contradiction(answer: Words, reference: str, language: Language) -> Sign:
    """Whether the answer opens with a yes where the reference opens with a no, or the reverse.

    The openings are those of the lexicons ``confirmations`` and ``negations``.

    Returns:
        1 with the opening as its place when they contradict each other; 0 otherwise, also when
        either opens with neither.

    Source:
        Ours.

    >>> from klopt.checking.words import language
    >>> english = language("en")
    >>> contradiction(english.read("Yes, you can."), "1. No, that is not possible.", english).value
    1.0
    """
    said, expected = _opening(answer.source, language), _opening(reference, language)
    if said is None or expected is None or said[0] == expected[0]:
        return Sign("contradiction", 0.0)
    return Sign("contradiction", 1.0, _places(answer, [said[1]]))


def _opening(text: str, language: Language) -> tuple[bool, tuple[int, int]] | None:
    """Whether a text opens with a yes or a no, and where; None for any other opening."""
    start = _BEFORE_WORDS.match(text)
    at = start.end() if start is not None else 0
    for is_yes, lexicon in ((True, "confirmations"), (False, "negations")):
        match = language.tables[lexicon].phrases["openings"].match(text, at)
        if match is not None:
            return is_yes, match.span()
    return None


def added(answer: Words, question: str, reference: str, language: Language) -> Sign:
    """How much of the answer neither the reference nor the question has.

    Returns:
        The share of its words, by weight, that stand in neither, 0 to 1; 1 for an answer without
        any word, 0 for one of stop words only. No places: it concerns the whole.

    Source:
        Ours.

    >>> from klopt.checking.words import language
    >>> english = language("en")
    >>> added(english.read("Restart the old printer"), "", "Restart the printer", english).value
    0.3333333333333333
    """
    known = {key for text in (question, reference) for key in language.read(text).keys}
    total = sum(answer.weights)
    if not total:
        return Sign("added", float(not answer.keys))
    new = (
        weight for key, weight in zip(answer.keys, answer.weights, strict=True) if key not in known
    )
    return Sign("added", sum(new) / total)


def _places(answer: Words, spans: Sequence[tuple[int, int]]) -> tuple[SignPlace, ...]:
    return tuple(SignPlace(answer.source[slice(*one)], *answer.original(*one)) for one in spans)
