"""Find words that reverse a claim in its passage: negations, bounds, times, roles, opposites.

A sentence is compared that has most of the claim's words; a word in it reverses the claim only
where the words beside it are aligned with words of the claim, and only if no other sentence of the
page has as much of the claim without reversing it. A yes or no that opens the answer is compared
with what the page replies to the question.
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
from klopt.verification.clauses import (
    ACTORS,
    EXCEPTIONS,
    EXCLUDING,
    MIN_BACK,
    MIN_SCOPE,
    OBJECT_WORDS,
    Aligned,
    Clauses,
    Operator,
    clauses_of,
    may_contradict,
    share_of,
)
from klopt.verification.comparator import Passage
from klopt.verification.findings import Finding, Span
from klopt.verification.index import SAME
from klopt.verification.match import Match
from klopt.verification.pairs import LONGEST, Pairing, Relation
from klopt.verification.units import Integers, Units
from klopt.verification.views import LIKENESS, NEARNESS
from klopt.verification.words import Side

MIN_ALIKE: Final = 0.4
"""Smallest share of a claim's weight that a sentence has to be compared with it."""
MAX_ELSEWHERE: Final = 6
"""Other sentences of a page that are checked for support of the claim, at most."""
MIN_ASKED: Final = 0.85
"""Smallest share of a question that a question of the page has, and the other way around."""
MAX_QUESTIONS: Final = 16
"""Questions of a page that are compared with the user's question, at most."""
MIN_COVERED: Final = 0.75
"""Smallest share of a claim's weight in a sentence about the same subject."""
MIN_DENIED: Final = 0.8
"""The same for a claim that a negation reverses."""
MIN_WORDS: Final = 2
"""Smallest number of content words that both sides share."""
CONTRASTED: Final = 2
"""Words before "not ..." that say what the page allows instead."""
_UNANSWERED: Final = ("after", "ahead", "asking", "before", "until", "without")
"""Lists of words that make a sentence about the rest of a question no reply to it."""
_ONE_ACTOR: Final = (
    *({"by_seller", "by_us"}, {"by_admin", "by_you"}, {"by_buyer", "by_you"}),
    {"by_you", "manual"},
)
"""Actors that may be the same person: the reader may be the customer or the administrator."""
_WORD: Final = re.compile(r"[^\W_]+")


class Reversals:
    """Contradictions of the claims of one answer by words that reverse a sentence."""

    def __init__(self, match: Match, pairing: Pairing, lexicons: Lexicons) -> None:
        self._match, self._pairing, self._lexicons = match, pairing, lexicons

    def of(self, own: Integers, stated: slice, place: Passage) -> list[Finding]:
        """Return the contradictions of a claim in its passage.

        ``own`` are its distinct words, ``stated`` all its words in the answer.
        """
        match, page = self._match, place.page
        weights, likes = match.weights[own], match.likes[page]
        shares = weights @ likes[own, place.first : place.last + 1].astype(np.int64)
        alike = (shares >= MIN_ALIKE * SAME * weights.sum()).nonzero()[0] + place.first
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
            everywhere = weights @ likes[own].astype(np.int64)
            for other in np.argsort(-everywhere, kind="stable")[:MAX_ELSEWHERE].tolist():
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
        between = self._pairing.question.between(*span)
        question, rows = self._stretch(between, in_question=True)
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
        index = match.contexts[page].index
        units, text = index.units, index.reading.plain.text
        shares = match.likes[page][match.question_words].astype(np.int64).sum(axis=0)
        alike = np.flatnonzero(shares).tolist() if len(match.question_words) else []
        same = (one for one in alike if _asks(text, units, one))
        for number in islice(same, MAX_QUESTIONS):
            reply = self._opening(text, units.ends[number], len(text))
            if reply is None:
                continue
            aligned = self._beside(question, rows, page, number)
            if min(aligned.covered, aligned.turned.covered) < MIN_ASKED:
                continue
            if aligned.matched_words < MIN_WORDS or aligned.is_hedged():
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


def reply_of(aligned: Aligned) -> tuple[bool, Span] | None:
    """Return whether a sentence replies yes to a question, and the words; None for no reply."""
    question, page = aligned.claim, aligned.page
    if question.negations or question.named_in(_UNANSWERED):
        return None
    if aligned.covered < MIN_DENIED or aligned.matched_words < MIN_WORDS:
        return None
    if aligned.is_hedged(but=("need_not",)) or aligned.has_rivals or not aligned.same_numbers:
        return None
    back = aligned.turned
    if not aligned.conditions_covered or not back.conditions_covered:
        return None
    partners = aligned.partners[aligned.partners >= 0]
    clauses = np.isin(page.clauses, page.clauses[partners]) & page.content
    if share_of(page.weights * clauses, aligned.partners_back >= 0) < MIN_BACK:
        return None
    if question.named_in(("must", "needing")):
        for name in ("must", "need_not"):
            if found := page.named(name):
                return (name == "must") != bool(page.negations), page.span(found[0])
        return None
    if page.named("need_not") or len(page.negations) > 1:
        return None
    if page.negations:
        negation = page.negations[0]
        return (False, page.span(negation)) if back.denied(negation) is not None else None
    at = int(partners[-1])
    return True, (int(page.spans[at, 0]), int(page.spans[at, 1]))


def contradictions(aligned: Aligned) -> list[Finding]:
    """Return the contradictions of a claim in one sentence."""
    if not len(aligned.claim.words) or not len(aligned.page.words):
        return []
    polarity = [*_polarity(aligned)] or [*_contrast(aligned)]
    return [*_of_operators(aligned), *polarity, *_exchanged(aligned)]


def _exchanged(aligned: Aligned) -> Iterator[Finding]:
    """Yield another actor, and exchanged ends of a range."""
    claim, page = aligned.claim, aligned.page
    if len(claim.negations) != len(page.negations):
        return
    yield from _other_actor(aligned)
    if aligned.covered < MIN_DENIED:
        return
    same = aligned.relations == Relation.SAME
    for first, last in claim.ranges:
        for other, end in page.ranges:
            if same[first, end] and same[last, other] and not same[first, other]:
                spans = claim.stretch(first, last), page.stretch(other, end)
                yield Finding("timing", "against", *spans)


def _other_actor(aligned: Aligned) -> Iterator[Finding]:
    """Yield the actor of a claim where the sentence has another one and all else is the same."""
    claim, page = aligned.claim, aligned.page
    own, there = claim.named_in(ACTORS), page.named_in(ACTORS)
    if len({one.name for one in own}) != 1 or len({one.name for one in there}) != 1:
        return
    actors = {own[0].name, there[0].name}
    if len(actors) == 1 or any(actors <= same for same in _ONE_ACTOR):
        return
    if len(own) != 1 or len(there) != 1:
        return
    if aligned.is_hedged(but=("automatic", "manual", *EXCEPTIONS)) or aligned.is_exception:
        return
    weights = claim.weights.copy()
    weights[own[0].first : own[0].last + 1] = 0
    matched = aligned.partners >= 0
    is_same = share_of(weights, matched) >= MIN_DENIED and aligned.same_numbers
    if is_same and int((matched & (weights > 0)).sum()) >= MIN_WORDS:
        yield Finding("actor", "against", claim.span(own[0]), page.span(there[0]))


def _polarity(aligned: Aligned) -> Iterator[Finding]:
    """Yield a negation that only one side has."""
    own, there = _uncancelled(aligned)
    if (len(own), len(there)) not in ((0, 1), (1, 0)) or aligned.covered < MIN_DENIED:
        return
    if aligned.matched_words < MIN_WORDS or aligned.page.named("no"):
        return
    if aligned.is_hedged() or aligned.has_rivals or not aligned.same_numbers:
        return
    if not aligned.conditions_covered or not aligned.turned.conditions_covered:
        return
    is_own = bool(own)
    beside = aligned if is_own else aligned.turned
    negation = (own or there)[0]
    at = beside.denied(negation)
    if at is None:
        return
    mine = beside.claim.span(negation)
    theirs = int(beside.page.spans[at, 0]), int(beside.page.spans[at, 1])
    yield Finding("polarity", "against", *((mine, theirs) if is_own else (theirs, mine)))


def _contrast(aligned: Aligned) -> Iterator[Finding]:
    """Yield what the page names to exclude it: "from first use, not from purchase"."""
    own, there = _uncancelled(aligned)
    if own or len(there) != 1 or aligned.covered < MIN_DENIED:
        return
    if aligned.matched_words < MIN_WORDS or aligned.page.named("no"):
        return
    if aligned.is_hedged(but=("only",)):
        return
    page, negation, partners = aligned.page, there[0], aligned.turned.partners
    scope = page.around(negation)
    if not page.opens(negation) or not len(scope) or (partners[scope] < 0).any():
        return
    before = np.flatnonzero(page.content & (page.clauses == page.clauses[negation.first] - 1))
    allowed, excluded = partners[before[-CONTRASTED:]], partners[scope]
    joins = (one.first for one in aligned.claim.named("joining"))
    # the claim lacks what the page allows, or joins both: "can be read and written"
    if (
        not len(allowed)
        or (allowed < 0).any()
        or any(allowed.max() < at < excluded.min() for at in joins)
    ):
        at = int(partners[scope[0]])
        yield Finding(
            "polarity", "against", aligned.claim.span(Operator("", at, at)), page.span(negation)
        )


def _uncancelled(aligned: Aligned) -> tuple[list[Operator], list[Operator]]:
    """Return the negations of both sides without those of the same word on both."""
    own, there = list(aligned.claim.negations), list(aligned.page.negations)
    for one in list(own):
        words = set(aligned.claim.behind(one, OBJECT_WORDS)[:1].tolist())
        words |= set(aligned.claim.around(one)[:1].tolist())
        for other in there:
            beside = set(aligned.page.behind(other, OBJECT_WORDS)[:1].tolist())
            beside |= set(aligned.page.around(other)[:1].tolist())
            if any(int(aligned.partners[word]) in beside for word in words):
                own.remove(one)
                there.remove(other)
                break
    return own, there


def _of_operators(aligned: Aligned) -> Iterator[Finding]:
    """Yield operators of both sides that exclude one another."""
    claim, page = aligned.claim, aligned.page
    if (len(claim.negations) - len(page.negations)) % 2:
        return
    for by, table in EXCLUDING.items():
        check = _CHECKS[by]
        for kind, first, second in table:
            for one, other in ((first, second), (second, first)):
                if one not in claim.by_name or other not in page.by_name:
                    continue
                same, same_there = claim.by_name.get(other, ()), page.by_name.get(one, ())
                for mine in claim.by_name[one]:
                    for theirs in page.by_name[other]:
                        if check(aligned, mine, theirs) and not (
                            any(check(aligned, mine, alike) for alike in same_there)
                            or any(check(aligned, alike, theirs) for alike in same)
                        ):
                            yield Finding(kind, "against", claim.span(mine), page.span(theirs))


def _same_object(aligned: Aligned, mine: Operator, theirs: Operator) -> bool:
    if aligned.covered < MIN_COVERED:
        return False
    own = aligned.claim.behind(mine, OBJECT_WORDS)
    there = aligned.page.behind(theirs, OBJECT_WORDS)
    if not len(own) or not len(there):
        return {mine.name, theirs.name} == {"excluding", "including"}
    return int(aligned.partners[own[0]]) == there[0] or (
        set(aligned.partners[own].tolist()) == set(there.tolist())
    )


def _same_number(aligned: Aligned, mine: Operator, theirs: Operator) -> bool:
    own, there = aligned.claim.number_at(mine), aligned.page.number_at(theirs)
    if own is None or there is None or aligned.covered < MIN_COVERED:
        return False
    if aligned.is_hedged(but=("automatic", "manual", mine.name, theirs.name)):
        return False
    return bool(aligned.relations[own, there] == Relation.SAME)


def _same_clause(aligned: Aligned, mine: Operator, theirs: Operator) -> bool:
    is_hedged = aligned.is_hedged(but=("need_not", mine.name, theirs.name))
    if is_hedged or aligned.covered < MIN_COVERED:
        return False
    own = aligned.claim.around(mine)
    there = aligned.page.around(theirs)
    if not len(own) or not len(there):
        return False
    weights = aligned.claim.weights[own]
    inside = np.isin(aligned.partners[own], there)
    back = aligned.partners_back[there] >= 0
    if "unlimited" in (mine.name, theirs.name):  # the number of the bound has no partner
        back |= aligned.page.numbers[there]
    return (
        share_of(weights, inside) >= MIN_SCOPE
        and share_of(aligned.page.weights[there], back) >= MIN_BACK
    )


def _other_owner(aligned: Aligned, mine: Operator, theirs: Operator) -> bool:
    """Return whether "only" restricts one side to a word that the other side lacks."""
    is_own = mine.name == "only"
    beside = aligned if is_own else aligned.turned
    only, other = (mine, theirs) if is_own else (theirs, mine)
    owner = beside.claim.behind(only, OBJECT_WORDS)
    if other.name == "all" and not len(beside.page.behind(other, 1)):
        owner = owner[beside.partners[owner] < 0]  # "only valid for members", "valid for everyone"
    if not len(owner) or beside.partners[owner[0]] >= 0:
        return False
    rest = beside.claim.around(only)
    rest = rest[rest != owner[0]]
    if not len(rest):
        return False
    inside = np.isin(beside.partners[rest], beside.page.around(other))
    return share_of(beside.claim.weights[rest], inside) >= MIN_SCOPE


_CHECKS: Final = {
    "object": _same_object,
    "number": _same_number,
    "clause": _same_clause,
    "owner": _other_owner,
}
"""For each table of `EXCLUDING`: whether two operators hold for the same."""
