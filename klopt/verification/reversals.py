"""Find contradictions by words that reverse a sentence, in the passage of a claim.

None is reported where another sentence of the page has as much of the claim and does not reverse
it. A yes or no that opens the answer is compared with what the page replies to the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from klopt.lexicons import Lexicons
from klopt.text.reader import Reading
from klopt.verification.clauses import Aligned, Clauses, clauses_of
from klopt.verification.comparator import Passage
from klopt.verification.findings import Finding, Span
from klopt.verification.index import SAME
from klopt.verification.match import Match
from klopt.verification.pairs import LONGEST, Pairing, Relation
from klopt.verification.reversing import (
    LEAST_WORDS,
    contradictions,
    is_hedged,
    may_contradict,
    reply_of,
)
from klopt.verification.units import Integers, Units
from klopt.verification.views import LIKENESS, NEARNESS
from klopt.verification.words import Side

__all__ = ["Reversals"]

LEAST_ALIKE: Final = 0.4
"""Smallest share of a claim's weight that a sentence has to be compared with it."""
MOST_ELSEWHERE: Final = 6
"""Other sentences of a page that are checked for support of the claim, at most."""
LEAST_ASKED: Final = 0.85
"""Smallest share of a question that a question of the page has, and the other way around."""
MOST_QUESTIONS: Final = 16
"""Questions of a page that are compared with the user's question, at most."""
_WORD: Final = re.compile(r"[^\W_]+")


class Reversals:
    """Contradictions of the claims of one answer by words that reverse a sentence.

    Args:
        match: The answer on its pages.
        pairing: Makes pairs of its claims and passages.
        lexicons: Of the language.
    """

    def __init__(self, match: Match, pairing: Pairing, lexicons: Lexicons) -> None:
        self._match, self._pairing, self._lexicons = match, pairing, lexicons

    def of(self, own: Integers, stated: slice, place: Passage) -> list[Finding]:
        """Return the contradictions of a claim in its passage.

        Args:
            own: The claim's distinct words.
            stated: All its words in the answer.
            place: Its passage.
        """
        match, page = self._match, place.page
        weights, likes = match.weights[own], match.likes[page][own]
        shares = weights @ likes[:, place.first : place.last + 1].astype(np.int64)
        alike = np.flatnonzero(shares >= LEAST_ALIKE * SAME * weights.sum()) + place.first
        if not len(alike):
            return []
        claim, rows = self._stretch(stated)
        found = list[Finding]()
        for number in alike.tolist():
            if not may_contradict(claim, self._sentence(page, number)[0]):
                continue
            aligned = self._aligned(claim, rows, page, number)
            if aligned is None or not (kinds := contradictions(aligned)):
                continue
            everywhere = weights @ likes.astype(np.int64)
            for other in np.argsort(-everywhere, kind="stable")[:MOST_ELSEWHERE].tolist():
                if other == number or everywhere[other] < everywhere[number]:
                    continue
                beside = self._aligned(claim, rows, page, other)
                if beside and beside.covered >= aligned.covered and not contradictions(beside):
                    break
            else:
                found += kinds
        return list(dict.fromkeys(found))

    def of_reply(self, start: int, place: Passage) -> list[Finding]:
        """Return a yes or no that opens the answer and is the opposite of the page's reply.

        Args:
            start: The first plain character of the first claim.
            place: Its passage.
        """
        text = self._match.answer_reading.plain.text
        opening = self._opening(text, start, len(text))
        span = _last_question(self._match.question_reading)
        if opening is None or span is None:
            return []
        sign, words = opening
        asked = self._pairing.question.between(*span)
        question, rows = self._stretch(asked, in_question=True)
        replies = list(self._replies(question, rows, place))
        if not replies or any(reply == sign for reply, _ in replies):
            return []
        return [Finding("yes_no", "against", words, replies[0][1])]

    def _opening(self, text: str, start: int, end: int) -> tuple[bool, Span] | None:
        """Return a yes or no that opens a stretch, and its span."""
        found = _WORD.search(text, start, end)
        if found is None or text[start : found.start()].strip():
            return None
        lists = self._lexicons["reversals"].lists
        word = found[0].lower()
        if word in lists["yes"] or word in lists["no"]:
            return word in lists["yes"], found.span()
        return None

    def _replies(
        self, question: Clauses, rows: Integers, place: Passage
    ) -> Iterator[tuple[bool, Span]]:
        """Yield the replies of a page to the question: whether each is a yes, and its span.

        First those below the same question on the page, then the sentences of the passage.
        """
        match, page = self._match, place.page
        units, text = (
            match.contexts[page].index.units,
            match.contexts[page].index.reading.plain.text,
        )
        shares = match.likes[page][match.question_words].astype(np.int64).sum(axis=0)
        alike = np.flatnonzero(shares).tolist() if len(match.question_words) else []
        asked = (one for one in alike if _asks(text, units, one))
        for number in islice(asked, MOST_QUESTIONS):
            reply = self._opening(text, units.ends[number], len(text))
            if reply is None:
                continue
            aligned = self._beside(question, rows, page, number)
            if min(aligned.covered, aligned.turned().covered) < LEAST_ASKED:
                continue
            if aligned.matched_words < LEAST_WORDS or is_hedged(aligned):
                continue
            negated = len(aligned.claim.negations) != len(aligned.page.negations)
            if not (negated or aligned.has_rivals) and aligned.same_numbers:
                yield reply
        for number in range(place.first, place.last + 1):
            stated = self._aligned(question, rows, page, number)
            found = reply_of(stated) if stated is not None else None
            if found is not None:
                yield found

    def _aligned(self, claim: Clauses, rows: Integers, page: int, number: int) -> Aligned | None:
        """Align a claim with a sentence of a page; None where the sentence states nothing.

        A heading and a question state nothing, nor does an item below "This is not possible:".
        """
        index = self._match.contexts[page].index
        text, units, layout = index.reading.plain.text, index.units, index.layout
        denying = self._lexicons["negations"].phrases["negations"]
        if layout.headings[number] or _asks(text, units, number):
            return None
        if any(
            denying.search(text, units.starts[one], units.ends[one])
            for one in layout.above[number]
            if not _asks(text, units, one)
        ):
            return None
        return self._beside(claim, rows, page, number)

    def _beside(self, claim: Clauses, rows: Integers, page: int, number: int) -> Aligned:
        """Align a claim, or the question, with a sentence of a page."""
        there, words = self._sentence(page, number)
        relations, nearness = self._pairing.related(rows, page, words)
        likeness = np.maximum(LIKENESS.take(relations), NEARNESS * nearness)
        likeness[relations == Relation.RIVAL] = 0
        return Aligned(claim, there, relations, likeness)

    def _stretch(self, words: slice, *, in_question: bool = False) -> tuple[Clauses, Integers]:
        """Return the clauses of some words of the answer or question, and the words' rows."""
        match, pairing = self._match, self._pairing
        side, own, reading = pairing.answer, pairing.answer_side, match.answer_reading
        if in_question:
            side, own, reading = pairing.question, pairing.question_side, match.question_reading
        rows = own.rows[words][:LONGEST]
        rarities = pairing.rarities[0][rows]
        words = slice(words.start, words.start + len(rows))
        return clauses_of(reading.plain.text, side, words, rarities, self._lexicons), rows

    def _sentence(self, page: int, number: int) -> tuple[Clauses, slice]:
        """Return the clauses of a sentence of a page, and its words, from a cache."""
        side, index = self._pairing.pages[page], self._match.contexts[page].index
        sentences = _SENTENCES.setdefault(side, {})
        known = sentences.get((self._lexicons, number))
        if known is None:
            words = side.between(index.units.starts[number], index.units.ends[number], LONGEST)
            rarities = self._pairing.rarities[page + 1][side.ids[words]]
            text = index.reading.plain.text
            known = clauses_of(text, side, words, rarities, self._lexicons), words
            sentences[self._lexicons, number] = known
        return known


_SENTENCES: Final = WeakKeyDictionary[Side, dict[tuple[Lexicons, int], tuple[Clauses, slice]]]()
"""Cache of the sentences that claims were compared with, by page."""


def _asks(text: str, units: Units, number: int) -> bool:
    """Return whether a sentence is a question."""
    return text[units.starts[number] : units.ends[number]].rstrip().endswith("?")


def _last_question(question: Reading) -> Span | None:
    """Return the last question, or else the last sentence; None without a sentence."""
    text = question.plain.text
    sentences = [one for one in question.sentences if text[one.start : one.end].strip()]
    asking = [one for one in sentences if text[one.start : one.end].rstrip().endswith("?")]
    last = next(iter((asking or sentences)[-1:]), None)
    return (last.start, last.end) if last else None
