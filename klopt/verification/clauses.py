"""Split sentences into clauses with the words that reverse them, and align two sentences.

Tables say which of these words exclude each other.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from klopt._internal.cached import cached_property
from klopt.lexicons import Lexicons
from klopt.verification.findings import Span
from klopt.verification.pairs import Relation
from klopt.verification.units import Bools, Floats, Integers
from klopt.verification.views import MATCHED
from klopt.verification.words import FLAGS, Side

MIN_BACK: Final = 0.6
"""Smallest share of the clause without the reversing word in the other sentence."""
MIN_SCOPE: Final = 0.75
"""Smallest share of a reversed clause in the other sentence."""
MAX_SCOPE: Final = 6
"""Content words around a negation that it denies, at most."""
JOINED_WORDS: Final = 3
"""Words from "and" to the negation of the clause that it opens, at most."""
RANGE_REACH: Final = 4
"""Words from the first end of a range to the second one, at most."""
_APART: Final = frozenset(";:,()\n–—|")
"""Signs that separate clauses; a word of `_OPENING` starts one too."""
_SIGNS: Final = {"<": "less_than", ">": "more_than", "≤": "at_most", "≥": "at_least"}
_ABBREVIATED: Final = frozenset({"no", "nos"})
"""Words that are no negation before a full stop and a number: "No. 5"."""
_OPENING: Final = frozenset({"clauses", "conditions"})
_CONTENT: Final = frozenset(
    {
        *("asking", "by_admin", "by_buyer", "by_seller", "by_system", "by_us", "by_you"),
        *("determiners", "implicit", "joining", "range_from", "range_to", "you", "yourself"),
    }
)
"""Lists whose words remain content words of their clause."""
_NEGATIONS: Final = frozenset({"negation", "negative"})
OBJECT_WORDS: Final = 2
"""Content words behind a preposition that are its object; one shared word is enough."""
NUMBER_REACH: Final = 4
"""Words between a bound and its number, at most."""
EXCEPTIONS: Final = ("except", "unless")
ACTORS: Final = ("by_admin", "by_buyer", "by_seller", "by_system", "by_us", "by_you", "manual")
_EXCHANGED: Final = frozenset({*ACTORS, "range_from"})
"""Lists that both sides need for an exchange of roles or ends of a range."""
_PERIODS: Final = ("per_day", "per_week", "per_month", "per_quarter", "per_year")
EXCLUDING: Final = {
    "object": (
        *(("timing", "after", "ahead"), ("timing", "after", "before"), ("timing", "from", "until")),
        *(("timing", "through", "until"), ("timing", "excluding", "including")),
        *(("quantifier", "also", "except"), ("quantifier", "all", "some")),
        ("quantifier", "except", "only"),
    ),
    "number": (
        *(("quantifier", "at_least", "at_most"), ("quantifier", "at_least", "less_than")),
        *(("quantifier", "at_most", "more_than"), ("quantifier", "less_than", "more_than")),
        *(("timing", one, other) for one in _PERIODS for other in _PERIODS if one < other),
    ),
    "clause": (
        *(("obligation", "must", "need_not"), ("quantifier", "always", "usually")),
        ("quantifier", "at_most", "unlimited"),
    ),
    "owner": (("quantifier", "all", "only"), ("quantifier", "also", "only")),
}
"""Kind of finding and two lists of operators that exclude one another.

By what they hold for: what follows them, the number beside them, their clause, or another subject
than the second has."""
_EXCLUDING: Final = frozenset(
    pair
    for _, one, other in chain.from_iterable(EXCLUDING.values())
    for pair in ((one, other), (other, one))
)
_HEDGES: Final = (
    *("automatic", "before", "except", "implicit", "less_than", "manual", "need_not", "only"),
    *("some", "unless", "until", "usually", "without"),
)
"""Lists of words that may do what a negation does when only one side has them."""
_STOP, _NUMBER = FLAGS.index("stop"), FLAGS.index("number")


@dataclass(frozen=True, slots=True)
class Operator:
    """A word or phrase that reverses or bounds a clause.

    Attributes:
        name: Its list in the lexicon ``reversals``.
        first: The number of its first word in the sentence.
        last: The number of its last word.
    """

    name: str
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Clauses:
    """A sentence in clauses.

    Attributes:
        words: Its words as written, in lower case.
        spans: Plain start and end of each word.
        content: Whether each word is a content word and no operator.
        numbers: Whether each word is a number.
        clauses: The number of each word's clause.
        weights: The weight of each word; 0 for words that are no content words.
        operators: The operators, in order.
    """

    words: tuple[str, ...]
    spans: Integers
    content: Bools
    numbers: Bools
    clauses: Integers
    weights: Floats
    operators: tuple[Operator, ...]

    @cached_property
    def by_name(self) -> dict[str, list[Operator]]:
        """List → its operators in the sentence, in order."""
        by_name: dict[str, list[Operator]] = {}
        for one in self.operators:
            by_name.setdefault(one.name, []).append(one)
        return by_name

    def named(self, name: str) -> Sequence[Operator]:
        """Return the operators of a list, in order."""
        return self.by_name.get(name, ())

    def named_in(self, names: Collection[str]) -> list[Operator]:
        """Return the operators of some lists, in order."""
        if self.by_name.keys().isdisjoint(names):
            return []
        return [one for one in self.operators if one.name in names]

    @cached_property
    def negations(self) -> list[Operator]:
        """The negations."""
        return self.named_in(_NEGATIONS)

    def span(self, operator: Operator) -> Span:
        """Return the plain span of an operator."""
        return int(self.spans[operator.first, 0]), int(self.spans[operator.last, 1])

    def around(self, operator: Operator) -> Integers:
        """Return the content words of an operator's clause, the nearest first."""
        own = np.flatnonzero(self.content & (self.clauses == self.clauses[operator.first]))
        far = np.where(own < operator.first, operator.first - own, own - operator.last)
        return own[np.argsort(far, kind="stable")]

    def opens(self, operator: Operator) -> bool:
        """Return whether an operator opens a clause that is not the first one."""
        at = operator.first
        return bool(at and self.clauses[at] != self.clauses[at - 1])

    def closes(self, operator: Operator) -> bool:
        """Return whether an operator closes a clause that is not the last one."""
        at = operator.last + 1
        return bool(at < len(self.words) and self.clauses[at] != self.clauses[at - 1])

    @cached_property
    def conditional(self) -> frozenset[int]:
        """The numbers of the clauses that are conditions: "if ...", and what goes before "then"."""
        opened = {int(self.clauses[one.first]) for one in self.named("conditions")}
        then = (one for one in self.named("then") if self.opens(one) and one.first == one.last)
        return frozenset(opened | {int(self.clauses[one.first]) - 1 for one in then})

    def is_conditional(self, at: int) -> bool:
        """Return whether the clause of a word is a condition."""
        return int(self.clauses[at]) in self.conditional

    def stretch(self, first: int, last: int) -> Span:
        """Return the plain span from one word to another."""
        return int(self.spans[min(first, last), 0]), int(self.spans[max(first, last), 1])

    def number_at(self, operator: Operator) -> int | None:
        """Return the number nearest to an operator; None beyond `NUMBER_REACH`."""
        numbers = np.flatnonzero(self.numbers)
        far = np.where(numbers < operator.first, operator.first - numbers, numbers - operator.last)
        if not len(far) or far.min() > NUMBER_REACH:
            return None
        return int(numbers[far.argmin()])

    @cached_property
    def ranges(self) -> list[tuple[int, int]]:
        """The two ends of each "from ... to ..."."""
        ends_of_ranges = np.flatnonzero(self.content | self.numbers)
        ranges = list[tuple[int, int]]()
        ends = self.named("range_to")
        for start in self.named("range_from"):
            first = ends_of_ranges[ends_of_ranges > start.last][:1]
            for end in ends:
                last = ends_of_ranges[ends_of_ranges > end.last][:1]
                if len(first) and len(last) and first[0] < end.first <= first[0] + RANGE_REACH:
                    ranges.append((int(first[0]), int(last[0])))
                    break
        return ranges

    def behind(self, operator: Operator, most: int) -> Integers:
        """Return the first content words after an operator, in its clause."""
        start, end = operator.last + 1, len(self.words)
        clause = self.clauses[operator.first]
        own = np.flatnonzero(self.content[start:end] & (self.clauses[start:end] == clause))
        return own[:most] + start


def may_contradict(claim: Clauses, page: Clauses) -> bool:
    """Return whether `contradictions` may find anything; a cheap check."""
    own, there = claim.by_name.keys(), page.by_name.keys()
    return (
        len(claim.negations) != len(page.negations)
        or not (own.isdisjoint(_EXCHANGED) or there.isdisjoint(_EXCHANGED))
        or not _EXCLUDING.isdisjoint(product(own, there))
    )


def clauses_of(text: str, side: Side, own: slice, rarities: Floats, lexicons: Lexicons) -> Clauses:
    """Split a sentence into clauses; ``own`` are its words in the text around it."""
    spans, stops = side.spans[own], side.flags[own, _STOP] > 0
    numbers, ends = side.flags[own, _NUMBER] > 0, spans.tolist()
    words = tuple([text[start:end].lower().replace("’", "'") for start, end in ends])
    gaps = ["", *[text[one[1] : two[0]] for one, two in pairwise(ends)]]
    operators = _operators(words, gaps, numbers, lexicons)
    opens = {one.first for one in operators if one.name in _OPENING}
    opens |= _joined_denials(operators, ~stops)
    opened = [bool(_APART & set(gap)) or at in opens for at, gap in enumerate(gaps[: len(words)])]
    clauses = np.cumsum(np.array(opened, np.int64))
    operators = _settled(operators, clauses)
    content = ~stops
    for one in operators:
        if one.name not in _CONTENT:
            content[one.first : one.last + 1] = False
    weights = (rarities + 0.1) * content
    return Clauses(words, spans, content, numbers, clauses, weights, tuple(operators))


def _operators(
    words: Sequence[str], gaps: Sequence[str], numbers: Bools, lexicons: Lexicons
) -> list[Operator]:
    """Return the longest phrases of the lexicon from left to right, and signs before numbers."""
    phrases, found, at = _phrases(lexicons), list[Operator](), 0
    while at < len(words):
        sign = _SIGNS.get(gaps[at].rstrip(" €$£")[-1:]) if numbers[at] else None
        if sign:
            found.append(Operator(sign, at, at))
        for phrase, names in phrases.get(words[at], ()):
            end = at + len(phrase)
            if tuple(words[at:end]) != phrase:
                continue
            if not (at and words[at] in _ABBREVIATED and gaps[end : end + 1] and "." in gaps[end]):
                found += [Operator(name, at, end - 1) for name in names]
            at = end - 1
            break
        at += 1
    return found


@lru_cache(8)
def _phrases(lexicons: Lexicons) -> dict[str, list[tuple[tuple[str, ...], list[str]]]]:
    """Return the phrases by their first word, the longest first, each with its lists."""
    lists_of: dict[tuple[str, ...], list[str]] = {}
    for name, entries in lexicons["reversals"].lists.items():
        for phrase in entries:
            lists_of.setdefault(tuple(phrase.split()), []).append(name)
    by_first: dict[str, list[tuple[tuple[str, ...], list[str]]]] = {}
    for words in sorted(lists_of, key=len, reverse=True):
        by_first.setdefault(words[0], []).append((words, lists_of[words]))
    return by_first


def _joined_denials(operators: Sequence[Operator], content: Bools) -> set[int]:
    """Return where "and is never sent" begins: the denial is of what follows only."""
    negations = [one.first for one in operators if one.name == "negation"]
    return {
        one.first
        for one in operators
        for at in negations
        if one.name == "joining"
        and one.last < at <= one.last + JOINED_WORDS
        and not content[one.last + 1 : at].any()
    }


def _settled(operators: Sequence[Operator], clauses: Integers) -> list[Operator]:
    """Return the operators; a requirement that its clause negates becomes "need not"."""
    settled = list[Operator]()
    negated = {int(clauses[one.first]): one for one in operators if one.name == "negation"}
    dropped = set[Operator]()
    reader = {int(clauses[one.first]) for one in operators if one.name == "you"}
    for one in operators:
        if one.name == "yourself" and int(clauses[one.first]) in reader:
            settled.append(Operator("manual", one.first, one.last))
        negation = negated.get(int(clauses[one.first]))
        if one.name == "forgetting" and negation is not None:
            dropped.add(negation)
        elif one.name in ("needing", "required"):
            if negation is not None:
                dropped.add(negation)
                settled.append(Operator("need_not", one.first, one.last))
            elif one.name == "required":
                settled.append(Operator("must", one.first, one.last))
        else:
            settled.append(one)
    return [one for one in settled if one not in dropped]


@dataclass(frozen=True, eq=False)
class Aligned:
    """A claim aligned with one sentence of a page.

    Attributes:
        claim: The claim.
        page: The sentence.
        relations: The `Relation` of each word of the claim and each word of the sentence.
        likeness: Their similarity, 0 to 1.
    """

    claim: Clauses
    page: Clauses
    relations: NDArray[np.uint8]
    likeness: Floats

    @cached_property
    def partners(self) -> Integers:
        """The most similar content word of the sentence for each word of the claim; -1 for none."""
        return _partners(self.likeness, self.page.content)

    @cached_property
    def partners_back(self) -> Integers:
        """The most similar content word of the claim for each word of the sentence; -1 for none."""
        return _partners(self.likeness.T, self.claim.content)

    @cached_property
    def covered(self) -> float:
        """The share of the claim's weight that the sentence has."""
        return share_of(self.claim.weights, self.partners >= 0)

    @property
    def matched_words(self) -> int:
        """The number of content words of the claim that the sentence has."""
        return int((self.partners[self.claim.content] >= 0).sum())

    @cached_property
    def same_numbers(self) -> bool:
        """Whether each number of either side is a number of the other."""
        same = self.relations == Relation.SAME
        own, there = self.claim.numbers, self.page.numbers
        return bool(same[own].any(axis=1).all() and same[:, there].any(axis=0).all())

    @cached_property
    def conditions_covered(self) -> bool:
        """Whether the sentence has most of the conditions of the claim."""
        inside = np.isin(self.claim.clauses, list(self.claim.conditional)) & self.claim.content
        weights = self.claim.weights * inside
        return not inside.any() or share_of(weights, self.partners >= 0) >= MIN_BACK

    @cached_property
    def has_rivals(self) -> bool:
        """Whether a word of one side excludes one of the other, and only that side has it."""
        alone = (self.relations == Relation.RIVAL) & self.claim.content[:, None]
        alone &= self.page.content
        same = self.relations == Relation.SAME
        alone[same.any(axis=1)] = False
        alone[:, same.any(axis=0)] = False
        return bool(alone.any())

    def is_hedged(self, but: Collection[str] = ()) -> bool:
        """Return whether only one side has a word that may do what a negation does."""
        own, there = self.claim.by_name, self.page.by_name
        for name in _HEDGES:
            if name not in but and len(own.get(name, ())) != len(there.get(name, ())):
                return True
        return False

    @cached_property
    def is_exception(self) -> bool:
        """Whether the claim makes an exception or is about an exception of the page."""
        exceptions = [one.first for one in self.page.named_in(EXCEPTIONS)]
        partners = self.partners[self.partners >= 0]
        return bool(
            self.claim.named_in(EXCEPTIONS)
            or np.isin(self.page.clauses[partners], self.page.clauses[exceptions]).any()
        )

    def denied(self, negation: Operator) -> int | None:
        """Return the other side's word that is aligned with what a negation denies, or None."""
        scope = self.claim.around(negation)[:MAX_SCOPE]
        if not len(scope) or self.partners[scope[0]] < 0 or self.claim.opens(negation):
            return None
        if len(scope) == 1 and self.claim.closes(negation):  # "not in the street;" says not what
            return None
        behind = self.claim.behind(negation, 1)
        determiners = self.claim.named("determiners")
        is_determiner = any(one.first == negation.first for one in determiners)
        if self.partners[behind[0]] < 0 if len(behind) else is_determiner:
            return None
        weights = self.claim.weights[scope]
        matched = self.partners[scope] >= 0
        if share_of(weights, matched) < MIN_SCOPE:
            return None
        at = int(self.partners[scope[0]])
        denied = {int(self.page.clauses[one.first]) for one in self.page.negations}
        if int(self.page.clauses[at]) in denied:
            return None
        if self.claim.is_conditional(negation.first) or self.page.is_conditional(at):
            return None
        clauses = np.unique(self.page.clauses[self.partners[scope[matched]]])
        back = np.isin(self.page.clauses, clauses) & self.page.content
        if share_of(self.page.weights * back, self.partners_back >= 0) < MIN_BACK:
            return None
        return at

    @cached_property
    def turned(self) -> Aligned:
        """The alignment with both sides exchanged."""
        return Aligned(self.page, self.claim, self.relations.T, self.likeness.T)


def _partners(likeness: Floats, content: Bools) -> Integers:
    if not likeness.shape[1]:
        return np.full(len(likeness), -1)
    own = np.where(content, likeness, 0)
    best = own.argmax(axis=1)
    return np.where(own[np.arange(len(best)), best] >= MATCHED, best, -1)


def share_of(weights: Floats, marked: Bools) -> float:
    """Return the marked share of some weights; 0 without any."""
    whole = float(weights.sum())
    return float(weights[marked].sum()) / whole if whole else 0.0
