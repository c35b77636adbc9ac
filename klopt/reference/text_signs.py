"""What else in an answer speaks against it: doubt, names from nowhere, and what it adds."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

from klopt.reference.solution import Sign, SignPlace
from klopt.reference.text_words import MOST_PLACES, Language, Words, texts

DOUBTS: Final = 3.0
"""So many expressions of doubt make the sign 1 - 1/e, about two thirds."""
UNKNOWNS: Final = 2.0
"""So many names from nowhere make the sign as strong."""

_IDENTIFIER: Final = re.compile(r"[\w.,]*\d\w*\Z|[^\W\d_]*[a-zà-ÿ][A-ZÀ-Þ]\w*\Z")
_SHORTEST_CHARS: Final = 2


def doubt(answer: Words, reference: str, language: Language) -> Sign:
    """How far the answer does not commit itself: "you can try", "it appears", "not mentioned".

    Args:
        answer: The answer's words.
        reference: What should be said: where it hedges, an answer may.
        language: Of the answer; its lexicon ``doubts`` has the expressions.

    Returns:
        1 - exp(-n / `DOUBTS`) for n expressions more than the reference has; the places are all
        of them. 0 and no places when the reference has as many.

    Raises:
        PatternTimeoutError: A pattern took too long.

    Source:
        Ours; TechSupportEval looks only at what the reference has.

    >>> from klopt.reference.text_words import language
    >>> english = language("en")
    >>> [place.text for place in doubt(english.read("Perhaps you can try it."), "", english).places]
    ['Perhaps', 'you can try']
    """
    spans = _doubts(answer.source, language)
    more = max(0, len(spans) - len(_doubts(reference, language)))
    return Sign("doubt", _strength(more, DOUBTS), _places(answer, spans if more else ()))


def _doubts(text: str, language: Language) -> list[tuple[int, int]]:
    """The expressions of doubt in a text, without overlap."""
    found = sorted(
        match.span()
        for pattern in language.tables["doubts"].patterns
        for match in pattern.finditer(text)
    )
    spans: list[tuple[int, int]] = []
    for span in found:
        if not spans or span[0] >= spans[-1][1]:
            spans.append(span)
    return spans


def unknown(answer: Words, given: Sequence[str]) -> Sign:
    """Identifiers and figures of the answer that stand in nothing that the bot was given.

    Args:
        answer: The answer's words.
        given: The question, the reference, and the pages.

    Returns:
        1 - exp(-n / `UNKNOWNS`) for n different ones; 0 without any. A single character does not
        count, and no more than `MOST_PLACES` are told.

    Source:
        TechSupportEval, section I: "hallucinations may introduce incorrect or non-existent key
        terms". Theirs looks only at the terms of the reference; this at those that it lacks.

    >>> from klopt.reference.text_words import language
    >>> answer = language("en").read("1. Set maxHeap to 4096.")
    >>> [place.text for place in unknown(answer, ["Raise maxHeap."]).places]
    ['4096']
    """
    spans: list[tuple[int, int]] = []
    seen: set[str] = set()
    everything = "\n".join(given).lower()
    known: frozenset[str] | None = None
    for word in answer.words:
        text = answer.source[word.start : word.end]
        if word.text in seen or len(text) < _SHORTEST_CHARS or not _IDENTIFIER.match(text):
            continue
        seen.add(word.text)
        if text.lower() in everything or word.stem in everything:
            continue
        known = texts(everything) if known is None else known
        if word.text not in known:
            spans.append((word.start, word.end))
        if len(spans) == MOST_PLACES:
            break
    return Sign("unknown", _strength(len(spans), UNKNOWNS), _places(answer, spans))


def added(answer: Words, question: str, reference: str, language: Language) -> Sign:
    """How much of the answer neither the reference nor the question has.

    Args:
        answer: The answer's words.
        question: What was asked.
        reference: What should be said.
        language: Of the answer.

    Returns:
        The share of its words with content that stand in neither, 0 to 1; 1 for an answer
        without any. No places: it concerns the whole.

    Source:
        Ours.

    >>> from klopt.reference.text_words import language
    >>> english = language("en")
    >>> added(english.read("Restart the old printer"), "", "Restart the printer", english).value
    0.3333333333333333
    """
    known = {word.stem for text in (question, reference) for word in language.read(text).words}
    content = [word for word in answer.words if language.weight(word.text) == 1.0]
    new = sum(word.stem not in known for word in content)
    return Sign("added", new / len(content) if content else 1.0)


def _strength(count: int, scale: float) -> float:
    return 1.0 - math.exp(-count / scale)


def _places(answer: Words, spans: Sequence[tuple[int, int]]) -> tuple[SignPlace, ...]:
    return tuple(SignPlace(answer.source[start:end], start, end) for start, end in spans)
