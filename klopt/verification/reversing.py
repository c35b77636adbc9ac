"""Find what reverses a claim in one sentence: negations, bounds, times, roles, opposites.

The sentence has most of the claim's words. A word reverses the claim only where the words beside
it are aligned with words of the claim.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product
from typing import Final

import numpy as np

from klopt.verification.clauses import LEAST_BACK, Aligned, Clauses, Operator, share_of
from klopt.verification.findings import Finding, Span
from klopt.verification.pairs import Relation

__all__ = ["contradictions", "is_hedged", "may_contradict", "reply_of"]

LEAST_COVERED: Final = 0.75
"""Smallest share of a claim's weight in a sentence about the same subject."""
LEAST_DENIED: Final = 0.8
"""The same for a claim that a negation reverses."""
LEAST_WORDS: Final = 2
"""Smallest number of content words that both sides share."""
LEAST_SCOPE: Final = 0.75
"""Smallest share of a reversed clause in the other sentence."""
MOST_SCOPE: Final = 6
"""Content words around a negation that it denies, at most."""
_UNANSWERED: Final = ("after", "ahead", "asking", "before", "until", "without")
"""Lists of words that make a sentence about the rest of a question no reply to it."""
_ACTORS: Final = ("by_admin", "by_buyer", "by_seller", "by_system", "by_us", "by_you", "manual")
_ONE_ACTOR: Final = (
    *({"by_seller", "by_us"}, {"by_admin", "by_you"}, {"by_buyer", "by_you"}),
    {"by_you", "manual"},
)
"""Actors that may be the same person: the reader may be the customer or the administrator."""
_EXCEPTIONS: Final = ("except", "unless")
_EXCHANGED: Final = frozenset({*_ACTORS, "range_from"})
"""Lists that both sides need for an exchange of roles or ends of a range."""
OBJECT_WORDS: Final = 2
"""Content words behind a preposition that are its object; one shared word is enough."""
NUMBER_REACH: Final = 4
"""Words between a bound and its number, at most."""

_PERIODS: Final = ("per_day", "per_week", "per_month", "per_quarter", "per_year")
_HEDGES: Final = (
    *("automatic", "before", "except", "implicit", "less_than", "manual", "need_not", "only"),
    *("some", "unless", "until", "usually", "without"),
)
"""Lists of words that may do what a negation does when only one side has them."""

_BY_OBJECT: Final = (  # of which only one holds for what follows them
    ("timing", "after", "ahead"),
    ("timing", "after", "before"),
    ("timing", "from", "until"),
    ("timing", "through", "until"),
    ("timing", "excluding", "including"),
    ("quantifier", "also", "except"),
    ("quantifier", "all", "some"),
    ("quantifier", "except", "only"),
)
_BY_NUMBER: Final = (  # of which only one holds for the number beside them
    ("quantifier", "at_least", "at_most"),
    ("quantifier", "at_least", "less_than"),
    ("quantifier", "at_most", "more_than"),
    ("quantifier", "less_than", "more_than"),
    *(("timing", one, other) for one in _PERIODS for other in _PERIODS if one < other),
)
_BY_CLAUSE: Final = (  # of which only one holds for their clause
    ("obligation", "must", "need_not"),
    ("quantifier", "always", "usually"),
    ("quantifier", "at_most", "unlimited"),
)
_BY_OWNER: Final = (  # of which only one holds where the second has another subject
    ("quantifier", "all", "only"),
    ("quantifier", "also", "only"),
)
_EXCLUDING: Final = frozenset(
    pair
    for _, one, other in (*_BY_OBJECT, *_BY_NUMBER, *_BY_CLAUSE, *_BY_OWNER)
    for pair in ((one, other), (other, one))
)
"""Lists of operators that exclude one another."""


def reply_of(aligned: Aligned) -> tuple[bool, Span] | None:
    """Return whether a sentence replies yes to a question, and the words; None for no reply."""
    question, page = aligned.claim, aligned.page
    if question.negations or question.named_in(_UNANSWERED):
        return None
    if aligned.covered < LEAST_DENIED or aligned.matched_words < LEAST_WORDS:
        return None
    if is_hedged(aligned, but=("need_not",)) or aligned.has_rivals or not aligned.same_numbers:
        return None
    back = aligned.turned()
    if not aligned.conditions_covered or not back.conditions_covered:
        return None
    partners = aligned.partners[aligned.partners >= 0]
    clauses = np.isin(page.clauses, page.clauses[partners]) & page.content
    if share_of(page.weights * clauses, aligned.partners_back >= 0) < LEAST_BACK:
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
        return (False, page.span(negation)) if _denied(back, negation) is not None else None
    at = int(partners[-1])
    return True, (int(page.spans[at, 0]), int(page.spans[at, 1]))


def may_contradict(claim: Clauses, page: Clauses) -> bool:
    """Return whether `contradictions` may find anything; a cheap check."""
    own, there = claim.by_name.keys(), page.by_name.keys()
    return (
        len(claim.negations) != len(page.negations)
        or not (own.isdisjoint(_EXCHANGED) or there.isdisjoint(_EXCHANGED))
        or not _EXCLUDING.isdisjoint(product(own, there))
    )


def contradictions(aligned: Aligned) -> list[Finding]:
    """Return the contradictions of a claim in one sentence."""
    if not len(aligned.claim.words) or not len(aligned.page.words):
        return []
    return [
        *_of_operators(aligned),
        *_polarity(aligned),
        *_exchanged(aligned),
    ]


def _exchanged(aligned: Aligned) -> Iterator[Finding]:
    """Yield another actor, and exchanged ends of a range."""
    claim, page = aligned.claim, aligned.page
    if len(claim.negations) != len(page.negations):
        return
    yield from _other_actor(aligned)
    if aligned.covered < LEAST_DENIED:
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
    own, there = claim.named_in(_ACTORS), page.named_in(_ACTORS)
    if len({one.name for one in own}) != 1 or len({one.name for one in there}) != 1:
        return
    actors = {own[0].name, there[0].name}
    if len(actors) == 1 or any(actors <= same for same in _ONE_ACTOR):
        return
    if len(own) != 1 or len(there) != 1:
        return
    if is_hedged(aligned, but=("automatic", "manual", *_EXCEPTIONS)) or _is_exception(aligned):
        return
    weights = claim.weights.copy()
    weights[own[0].first : own[0].last + 1] = 0
    matched = aligned.partners >= 0
    is_same = share_of(weights, matched) >= LEAST_DENIED and aligned.same_numbers
    if is_same and int((matched & (weights > 0)).sum()) >= LEAST_WORDS:
        yield Finding("actor", "against", claim.span(own[0]), page.span(there[0]))


def _is_exception(aligned: Aligned) -> bool:
    """Return whether the claim makes an exception or is about an exception of the page."""
    exceptions = [one.first for one in aligned.page.named_in(_EXCEPTIONS)]
    partners = aligned.partners[aligned.partners >= 0]
    return bool(
        aligned.claim.named_in(_EXCEPTIONS)
        or np.isin(aligned.page.clauses[partners], aligned.page.clauses[exceptions]).any()
    )


def _polarity(aligned: Aligned) -> Iterator[Finding]:
    """Yield a negation that only one side has."""
    own, there = _uncancelled(aligned)
    if (len(own), len(there)) not in ((0, 1), (1, 0)) or aligned.covered < LEAST_DENIED:
        return
    if aligned.matched_words < LEAST_WORDS or aligned.page.named("no"):
        return
    if is_hedged(aligned) or aligned.has_rivals or not aligned.same_numbers:
        return
    if not aligned.conditions_covered or not aligned.turned().conditions_covered:
        return
    is_own = bool(own)
    beside = aligned if is_own else aligned.turned()
    negation = (own or there)[0]
    at = _denied(beside, negation)
    if at is None:
        return
    mine = beside.claim.span(negation)
    theirs = int(beside.page.spans[at, 0]), int(beside.page.spans[at, 1])
    yield Finding("polarity", "against", *((mine, theirs) if is_own else (theirs, mine)))


def is_hedged(aligned: Aligned, but: Collection[str] = ()) -> bool:
    """Return whether only one side has a word that may do what a negation does."""
    return any(
        len(aligned.claim.named(name)) != len(aligned.page.named(name))
        for name in _HEDGES
        if name not in but
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


def _denied(beside: Aligned, negation: Operator) -> int | None:
    """Return the other side's word that is aligned with what a negation denies, or None."""
    scope = beside.claim.around(negation)[:MOST_SCOPE]
    if not len(scope) or beside.partners[scope[0]] < 0 or beside.claim.opens(negation):
        return None
    if len(scope) == 1 and beside.claim.closes(negation):  # "not in the street;" says not what
        return None
    behind = beside.claim.behind(negation, 1)
    determiners = beside.claim.named("determiners")
    is_determiner = any(one.first == negation.first for one in determiners)
    if beside.partners[behind[0]] < 0 if len(behind) else is_determiner:
        return None
    weights = beside.claim.weights[scope]
    matched = beside.partners[scope] >= 0
    if share_of(weights, matched) < LEAST_SCOPE:
        return None
    at = int(beside.partners[scope[0]])
    denied = {int(beside.page.clauses[one.first]) for one in beside.page.negations}
    if int(beside.page.clauses[at]) in denied:
        return None
    if beside.claim.is_conditional(negation.first) or beside.page.is_conditional(at):
        return None
    clauses = np.unique(beside.page.clauses[beside.partners[scope[matched]]])
    back = np.isin(beside.page.clauses, clauses) & beside.page.content
    if share_of(beside.page.weights * back, beside.partners_back >= 0) < LEAST_BACK:
        return None
    return at


def _of_operators(aligned: Aligned) -> Iterator[Finding]:
    """Yield operators of both sides that exclude one another."""
    claim, page = aligned.claim, aligned.page
    if (len(claim.negations) - len(page.negations)) % 2:
        return
    for table, check in (
        (_BY_OBJECT, _same_object),
        (_BY_NUMBER, _same_number),
        (_BY_CLAUSE, _same_clause),
        (_BY_OWNER, _other_owner),
    ):
        for kind, first, second in table:
            for one, other in ((first, second), (second, first)):
                if one not in claim.by_name or other not in page.by_name:
                    continue
                own, there = claim.named(one), page.named(other)
                for mine in own:
                    for theirs in there:
                        if check(aligned, mine, theirs) and not (
                            any(check(aligned, mine, alike) for alike in page.named(one))
                            or any(check(aligned, alike, theirs) for alike in claim.named(other))
                        ):
                            yield Finding(kind, "against", claim.span(mine), page.span(theirs))


def _same_object(aligned: Aligned, mine: Operator, theirs: Operator) -> bool:
    own = aligned.claim.behind(mine, OBJECT_WORDS)
    there = aligned.page.behind(theirs, OBJECT_WORDS)
    if aligned.covered < LEAST_COVERED:
        return False
    if not len(own) or not len(there):
        return {mine.name, theirs.name} == {"excluding", "including"}
    return int(aligned.partners[own[0]]) == there[0] or (
        set(aligned.partners[own].tolist()) == set(there.tolist())
    )


def _same_number(aligned: Aligned, mine: Operator, theirs: Operator) -> bool:
    own, there = _number_at(aligned.claim, mine), _number_at(aligned.page, theirs)
    if own is None or there is None or aligned.covered < LEAST_COVERED:
        return False
    if is_hedged(aligned, but=("automatic", "manual", mine.name, theirs.name)):
        return False
    return bool(aligned.relations[own, there] == Relation.SAME)


def _number_at(side: Clauses, operator: Operator) -> int | None:
    """Return the number nearest to an operator; None beyond `NUMBER_REACH`."""
    numbers = np.flatnonzero(side.numbers)
    far = np.where(numbers < operator.first, operator.first - numbers, numbers - operator.last)
    if not len(far) or far.min() > NUMBER_REACH:
        return None
    return int(numbers[far.argmin()])


def _same_clause(aligned: Aligned, mine: Operator, theirs: Operator) -> bool:
    own = aligned.claim.around(mine)
    there = aligned.page.around(theirs)
    if is_hedged(aligned, but=("need_not", mine.name, theirs.name)):
        return False
    if not len(own) or not len(there) or aligned.covered < LEAST_COVERED:
        return False
    weights = aligned.claim.weights[own]
    inside = np.isin(aligned.partners[own], there)
    back = aligned.partners_back[there] >= 0
    if "unlimited" in (mine.name, theirs.name):  # the number of the bound has no partner
        back |= aligned.page.numbers[there]
    return (
        share_of(weights, inside) >= LEAST_SCOPE
        and share_of(aligned.page.weights[there], back) >= LEAST_BACK
    )


def _other_owner(aligned: Aligned, mine: Operator, theirs: Operator) -> bool:
    """Return whether "only" restricts one side to a word that the other side lacks."""
    is_own = mine.name == "only"
    beside = aligned if is_own else aligned.turned()
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
    return share_of(beside.claim.weights[rest], inside) >= LEAST_SCOPE
