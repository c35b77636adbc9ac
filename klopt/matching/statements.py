"""Which sentences of an answer say something that can be held against a page, and which do not.

A greeting, "Prima, succes!" and "Ja." say nothing that a page could bear out or contradict; nor
does a sentence that says that the answer is not known, or where else to ask.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from typing import Final

from klopt.lexicons import Lexicons
from klopt.matching.index import PageIndex
from klopt.reading.guides import OPENING
from klopt.reading.reader import Reading
from klopt.reading.text import Span
from klopt.reading.tokens import LITERAL_SIGNS

__all__ = ["refusal_in", "statements_in"]

_FEWEST_CHARS: Final = 2
"""A shorter word, such as "x", says nothing; a number does."""
_MOST_BEFORE: Final = 2
"""So many words of its own may lead to a referral: "For questions on this you had best ask ..."."""


def statements_in(
    answer: Reading, asked: Collection[str], pages: Sequence[PageIndex], lexicons: Lexicons
) -> list[Span]:
    """The sentences that can be held against a page, in order.

    Args:
        answer: The answer.
        asked: The words with content of the question.
        pages: The pages.
        lexicons: Of the language; see `refusal_in`.

    >>> from klopt import lexicons
    >>> from klopt.reading.reader import Reader
    >>> reader = Reader(lexicons.load("en"))
    >>> answer = reader.read("Great, good luck! I don't know. Leave is 25 days.")
    >>> [answer.plain.text[one.start :] for one in statements_in(answer, (), (), reader.lexicons)]
    ['Leave is 25 days.']
    """
    saying = _saying(answer, lexicons)
    if refusal_in(answer, asked, pages, lexicons) is None:
        return saying
    unknown = _places(answer, "does_not_know", lexicons)
    return [
        one
        for one in saying
        if _adds(answer, one, asked)
        or not (_has(one, unknown) or _refers_only(answer, one, asked, lexicons))
    ]


def refusal_in(
    answer: Reading, asked: Collection[str], pages: Sequence[PageIndex], lexicons: Lexicons
) -> Span | None:
    """Where an answer says that it does not know, or refers to people and says nothing else.

    Who should contact the help desk for a new pass, and is told so, was answered: where a page
    about what was asked says it, and not merely for when all else fails, it is a statement.

    Args:
        answer: The answer.
        asked: The words with content of the question: what it names the answer does not claim.
        pages: The pages.
        lexicons: Of the language; ``refusals`` has both groups of patterns, ``confirmations``
            and ``negations`` what opens an answer, or agrees, and says nothing by itself.
    """
    text, refusals = answer.plain.text, lexicons["refusals"]
    match = refusals.first("does_not_know", text)
    if match is not None:
        return Span(*match.span())
    match = refusals.first("refers_elsewhere", text)
    if match is None:
        return None
    saying = _saying(answer, lexicons)
    if not all(_refers_only(answer, one, asked, lexicons) for one in saying):
        return None
    words = [answer.tokens.keys[number] for number in answer.tokens.content(*match.span())]
    if any(_is_told(words, asked, page) for page in pages):
        return None
    return Span(*match.span())


def _refers_only(
    answer: Reading, sentence: Span, asked: Collection[str], lexicons: Lexicons
) -> bool:
    """Whether a sentence refers to people, and tells to do nothing else first."""
    said = answer.plain.text[sentence.start : sentence.end]
    found = [one.search(said) for one in lexicons["refusals"].group("refers_elsewhere")]
    start = min((match.start() for match in found if match is not None), default=None)
    if start is None or _adds(answer, sentence, asked):
        return False
    for pattern in lexicons["guides"].group("step_verb"):
        step = pattern.search(said) if pattern.id == OPENING else None
        if step is not None and step.end() <= start:
            return False
    before = answer.tokens.content(sentence.start, sentence.start + start)
    return sum(answer.tokens.keys[number] not in asked for number in before) <= _MOST_BEFORE


def _is_told(words: Collection[str], asked: Collection[str], page: PageIndex) -> bool:
    """Whether a sentence of a page has all the words, beside what was asked, and no condition."""
    units, text = page.units, page.reading.plain.text
    known = {units.ids[word] for word in words if word in units.ids}
    about = {units.ids[word] for word in asked if word in units.ids}
    if len(known) < len(set(words)) or not about:
        return False
    for unit in range(len(units)):
        own = set(units.of(unit).tolist())
        before = text[max(0, units.starts[unit] - 2) : units.starts[unit]]
        if known <= own and not units.conditional[unit] and "?" not in before:
            above = (units.of(heading).tolist() for heading in page.paths[unit])
            if not about.isdisjoint(own.union(page.title.tolist(), *above) - known):
                return True
    return False


def _places(answer: Reading, group: str, lexicons: Lexicons) -> list[int]:
    """Where the patterns of a group of refusals stand, in order."""
    patterns = lexicons["refusals"].group(group)
    return sorted(match.start() for one in patterns for match in one.finditer(answer.plain.text))


def _has(sentence: Span, places: Sequence[int]) -> bool:
    """Whether one of some places, in order, lies in a sentence."""
    at = bisect_left(places, sentence.start)
    return at < len(places) and places[at] < sentence.end


def _saying(answer: Reading, lexicons: Lexicons) -> list[Span]:
    """The sentences that have a word with content outside fillers and phrases that only agree."""
    tokens, text = answer.tokens, answer.plain.text
    idle = bytearray(len(text))
    phrases = (
        *lexicons["confirmations"].phrases.values(),
        lexicons["negations"].phrases["openings"],
    )
    for one in phrases:
        for match in one.finditer(text):
            idle[match.start() : match.end()] = b"\1" * len(match[0])
    fillers = set(answer.fillers)
    return [
        one
        for one in answer.sentences
        if one not in fillers
        and any(
            not idle[tokens.starts[number]] and (len(tokens.keys[number]) >= _FEWEST_CHARS)
            for number in tokens.content(one.start, one.end)
        )
    ]


def _adds(answer: Reading, sentence: Span, asked: Collection[str]) -> bool:
    """Whether a sentence has a number, key or component of which the question says nothing."""
    tokens = answer.tokens
    words = (tokens.keys[number] for number in tokens.between(sentence.start, sentence.end))
    if any(word[0] in LITERAL_SIGNS and word not in asked for word in words):
        return True
    return any(
        sentence.start <= one.start < sentence.end
        and not all(tokens.keys[number] in asked for number in tokens.content(one.start, one.end))
        for one in answer.components
        if one.kind != "code"
    )
