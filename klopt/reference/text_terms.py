"""Where an answer has a key term, or something else in its place."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from klopt.reference.text_words import (
    GENERAL,
    MOST_PLACES,
    Language,
    Word,
    Words,
    join,
    without_placeholders,
)

SHORTENED: Final = 0.5
"""The degree of a term that the answer has without some of its words."""
SHORTENED_FROM: Final = 0.6
"""A shortened term has at least this much of its words, by weight."""
EXTRA_WORDS: Final = 4
"""So many words that are not the term's may stand among them, and as many as it has itself."""

_ABBREVIATED: Final = re.compile(r"(?P<full>.+?)\s+\((?P<short>[A-Z][A-Za-z0-9]{1,9})\)")
_GLUE: Final = re.compile(r"[_.-]")
"""What joins two words into one name. A path goes on as it likes."""


@dataclass(frozen=True, slots=True)
class Place:
    """What the answer has of a term.

    Attributes:
        degree: 1 when it has the term, `SHORTENED` when it leaves words out, 0 when other words
            stand in their place or too little is there.
        first: Its first word in the answer; None when the answer has nothing of the term.
        last: Its last word.
    """

    degree: float
    first: int | None = None
    last: int | None = None


def find_term(term: str, answer: Words, language: Language) -> tuple[Place, ...]:
    """Every place that has a term, or the best of those that have a part of it.

    Signs, spaces and case do not matter ("profilePath" is "profile path"), but words do: "1" is
    not in "10.1.2", and "ocr_a" is not "ocr_s". What the reader is to put in himself
    ("<user>") may be something else. Of a name with its abbreviation, "Security Kit (SK)", either
    is enough.

    Args:
        term: The key term.
        answer: The answer's words.
        language: Of the answer.

    Returns:
        At least one place.

    >>> from klopt.reference.text_words import language
    >>> english = language("en")
    >>> answer = english.read("Set connection_timeout to 30 in conf/server.xml.")
    >>> [find_term(term, answer, english)[0].degree for term in ("server.xml", "30", "server.ini")]
    [1.0, 1.0, 0.0]
    """
    for variant in _variants(term):
        found = tuple(Place(1.0, *place) for place in answer.find(join(variant)))
        if found:
            return found
    return (_partial(_Term(term, language), answer, language),)


def _variants(term: str) -> tuple[str, ...]:
    match = _ABBREVIATED.fullmatch(term.strip())
    names = (term,) if match is None else (term, match["full"], match["short"])
    return tuple(dict.fromkeys(one for name in names for one in (without_placeholders(name), name)))


class _Term:
    """The words that an answer needs to have a term."""

    def __init__(self, term: str, language: Language) -> None:
        self.every = frozenset(word.stem for word in language.read(term).words)
        bare = without_placeholders(term)
        words = language.read(bare).words
        self.order = tuple(word.stem for word in words)
        self.needed = Counter(self.order)
        self.weights = {word.stem: language.weight(word.text) or GENERAL for word in words}
        self.may_go = frozenset(
            word.stem
            for word in words
            if language.is_general(word.text) and _stands_alone(bare, word)
        )
        self.total = sum(map(self.weights.__getitem__, self.order))


def _stands_alone(text: str, word: Word) -> bool:
    """Whether white space is around a word: the noun of a name, and not a part of code."""
    around = text[max(0, word.start - 1) : word.start] + text[word.end : word.end + 1]
    return not around.strip()


def _partial(term: _Term, answer: Words, language: Language) -> Place:
    """The window of the answer with most of a term's words."""
    at = sorted(
        number for stem in term.needed for number in answer.places.get(stem, ())[:MOST_PLACES]
    )
    reach = 2 * len(term.order) + EXTRA_WORDS
    best = 0.0
    used: tuple[int, ...] = ()
    for place, first in enumerate(at):
        have: Counter[str] = Counter()
        got, numbers = 0.0, []
        for number in at[place:]:
            if number >= first + reach:
                break
            stem = answer.words[number].stem
            if have[stem] < term.needed[stem]:
                have[stem] += 1
                got += term.weights[stem]
                numbers.append(number)
        if got > best:
            best, used = got, tuple(numbers)
    if not best:
        return Place(0.0)
    return Place(_degree(term, answer, used, best / term.total, language), used[0], used[-1])


def _degree(
    term: _Term, answer: Words, used: tuple[int, ...], share: float, language: Language
) -> float:
    """1 for the term less a general noun, `SHORTENED` for a part or another order, or 0."""
    stems = [answer.words[number].stem for number in used]
    missing = term.needed - Counter(stems)
    span = answer.words[used[0] : used[-1] + 1]
    others = sum(word.stem not in term.every and language.weight(word.text) == 1.0 for word in span)
    if _goes_on(answer, used, term) or any(not stem.isalpha() for stem in missing):
        return 0.0
    says_something = any(term.weights[stem] > GENERAL for stem in stems)
    if says_something and all(stem in term.may_go for stem in missing):
        order = [stem for stem in term.order if stem not in missing]
        if stems == order and len(span) == len(used):
            return 1.0
        return SHORTENED if 2 * others <= len(term.order) else 0.0
    return SHORTENED if says_something and share >= SHORTENED_FROM and not others else 0.0


def _goes_on(answer: Words, used: tuple[int, ...], term: _Term) -> bool:
    """Whether what was found is a part of other names: "ocr" of "ocr_s"."""
    kept = set(used)
    for number in used:
        for other in (number - 1, number + 1):
            if other in kept or not 0 <= other < len(answer.words):
                continue
            left, right = sorted((number, other))
            between = answer.source[answer.words[left].end : answer.words[right].start]
            if _GLUE.fullmatch(between) and answer.words[other].stem not in term.every:
                return True
    return False
