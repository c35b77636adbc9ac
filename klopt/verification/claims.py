"""The claims of an answer, each compared with the best passage of its pages.

A claim's probability comes from `klopt.verification.networks`; contradictions between claim and
passage limit it. A number of a claim that the pages give for something else is found here, anywhere
on the pages.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from operator import itemgetter
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from klopt._internal.cached import cached_property
from klopt.text.values import LITERAL_SIGNS
from klopt.verification.alternatives import Alternatives
from klopt.verification.comparator import DECIMALS, Comparator, Passage, best_places
from klopt.verification.findings import CERTAIN, Finding, Span
from klopt.verification.guides import steps_out_of_order
from klopt.verification.index import Relations
from klopt.verification.language import Language
from klopt.verification.match import Match
from klopt.verification.networks import MAX_LOG_ODDS, NO_PASSAGE, Label
from klopt.verification.reversals import Reversals
from klopt.verification.units import Floats, Integers
from klopt.verification.value_mismatch import ValueMismatches
from klopt.verification.words import FLAGS, Side, bit_of

SUPPORTED_FROM: Final = 0.7
"""The probability from which a claim counts as supported; `training.profile` prints the risk of
sending an answer whose claims all reach it."""
EVEN: Final = 0.5
MAX_IF_CONTRADICTED: Final = 0.45
"""The highest probability of a claim with a certain contradiction: never supported."""
UNKNOWN_NAME: Final = 0.65
"""The highest probability of a claim with a name that no page has."""
_NO_PLACE: Final = (0.0, 0.0, 1.0)
_OPENS: Final = bit_of("yes", "no")
AROUND: Final = 12
"""Words of its sentence on either side of a number that describe it."""
MIN_AROUND: Final = 2
"""Shared words from which two numbers describe the same thing."""
MIN_SHARE: Final = 0.5
"""Share of shared words from which two numbers describe the same thing."""
MAX_FIGURES: Final = 32
"""Numbers of a claim, numbers of a passage, and places of one number that are compared."""
FREE: Final = "#0"
"""The number of what is free."""
YEARS: Final = range(1900, 2100)

_STOP, _NUMBER, _COMPONENT, _CAPITAL = map(FLAGS.index, ("stop", "number", "component", "capital"))


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of an answer, compared with its best passage.

    Attributes:
        unit: The number of its sentence in the answer.
        start: Its first plain character; that of a bare yes or no before the first claim.
        end: The character after its last one.
        truth: The probability that it is true, 0 to 1.
        label: Its label.
        passage: The best passage, or the sentence of its page that settles the claim; None when
            no page has a word of the claim.
        chances: The probabilities of `klopt.verification.networks.LABELS` for that passage.
        findings: The findings for and against it.
        words: The number of its words.
        features: The values of `klopt.verification.networks.FEATURES`.
    """

    unit: int
    start: int
    end: int
    truth: float
    label: Label
    passage: Passage | None
    chances: tuple[float, float, float]
    findings: tuple[Finding, ...]
    words: int
    features: tuple[float, ...] = ()


def support_upper_bound(findings: Iterable[Finding]) -> float:
    """Return the upper bound on a claim's probability of being true, given its contradictions.

    Words that `CERTAIN` contradictions name outvote everything else. Bounds by the likelihood of a
    contradiction without such words bring nothing on answers of sets that were left out.

    >>> support_upper_bound([Finding("figure", "against", (0, 2), (4, 6))])
    0.45
    >>> support_upper_bound([Finding("value", "against", (0, 2), (4, 6))])
    1.0
    """
    is_settled = any(one.side == "against" and one.kind in CERTAIN for one in findings)
    return MAX_IF_CONTRADICTED if is_settled else 1.0


def label_of(truth: float, chances: Sequence[float], findings: Iterable[Finding]) -> Label:
    """Return the label of a claim, given its probability of being true.

    A likely claim is supported. Another one is contradicted where a certain contradiction is
    found on a page, or where it is more likely untrue than true and a contradiction is the most
    likely label.
    """
    if truth >= SUPPORTED_FROM:
        return "supported"
    is_denied = truth < EVEN and chances[1] == max(chances)
    is_found = support_upper_bound(one for one in findings if one.page is not None) < 1
    return "contradicted" if is_denied or is_found else "not_stated"


def claims_of(
    comparator: Comparator, match: Match, language: Language, first: int = 0
) -> tuple[Claim, ...]:
    """Return the claims of an answer, from the ``first`` on, with their best passages."""
    units, ends = match.claims[first:], match.answer.ends
    if not units:
        return ()
    pairing = comparator.pairing(match, language)
    answer = pairing.answer
    places = best_places(match, units)
    starts = [match.answer.starts[unit] for unit in units]
    stated = [answer.between(start, ends[unit]) for start, unit in zip(starts, units, strict=True)]
    counts = [words.stop - words.start for words in stated]
    if not first:
        starts[0] = first_char(match, units[0], answer)
        if starts[0] != match.answer.starts[units[0]]:
            counts[0] = stated[0].stop  # it begins with the first word of the answer
    alternatives, beside = Alternatives(match, language.lexicons), []
    for number, (unit, start, place) in enumerate(zip(units, starts, places, strict=True)):
        if place:
            rows = alternatives.rows(unit, place)
            pair = pairing.pair((start, ends[unit]), place.page, place.span, rows)
            beside.append((number, pair, place))
    compared = comparator.chances(pairing, [pair for _, pair, _ in beside])
    chances = np.tile(_NO_PLACE, (len(units), 1))
    features = np.tile(NO_PASSAGE, (len(units), 1))
    if beside:
        numbers = [number for number, _, _ in beside]
        chances[numbers] = np.round((compared.network + compared.families) / 2, DECIMALS)
        features[numbers, :4] = np.column_stack(
            [
                _log_odds(compared.network[:, 0]),
                _log_odds(compared.families[:, 0]),
                [place.share for _, _, place in beside],
                compared.pair_shares,
            ]
        )
    findings: list[tuple[Finding, ...]] = [()] * len(units)
    misplaced, values = (
        NumberMismatches(answer, pairing.pages, language.relations),
        ValueMismatches(match),
    )
    reversals = Reversals(match, pairing, language.lexicons)
    out_of_order: dict[int, list[Finding]] = {}
    for finding in steps_out_of_order(match, language.lexicons):
        at = bisect_right(match.answer.starts, finding.claim[0] if finding.claim else -1) - 1
        out_of_order.setdefault(at, []).append(finding)
    words = [match.answer.by_sentence[unit] for unit in units]
    for (number, _, place), some in zip(beside, compared.findings, strict=True):
        unit = units[number]
        bound = alternatives.of(unit, place)
        findings[number] = (
            *(_in_passage(one, place) for one in some),
            *bound.findings,
            *bound.apart((*misplaced.of(stated[number], place), *values.of(unit, place.page))),
            *reversals.of(words[number], stated[number], place),
            *(reversals.of_reply(starts[number], place) if unit == match.claims[0] else ()),
            *out_of_order.get(unit, ()),
        )
    has_number, has_name = _unknown(match, words, stated, answer, language.general_words)
    bounds = np.array([support_upper_bound(some) for some in findings])
    has_value = [any(one.kind == "value" and one.side == "against" for one in f) for f in findings]
    features[:, 4:] -= np.column_stack([has_number, bounds < 1, has_value])
    likely = comparator.learnt.support.probabilities(features)
    bounds = np.minimum(bounds, np.where(has_name, UNKNOWN_NAME, 1.0))
    truths = np.minimum(np.round(likely, DECIMALS), bounds).tolist()
    claims = list[Claim]()
    for number, (unit, start) in enumerate(zip(units, starts, strict=True)):
        supported, contradicted, not_stated = chances[number].tolist()
        there, known = (supported, contradicted, not_stated), findings[number]
        truth, own = truths[number], tuple(features[number].tolist())
        label, shown = label_of(truth, there, known), _shown(match, places[number], known)
        stretch = unit, start, ends[unit]
        claims.append(Claim(*stretch, truth, label, shown, there, known, counts[number], own))
    return tuple(claims)


def _in_passage(finding: Finding, place: Passage) -> Finding:
    """Return a finding; a word of a table's headings or another row contradicts no word."""
    if finding.side != "against" or finding.page is None:
        return finding
    is_inside = place.span[0] <= finding.page[0] and finding.page[1] <= place.span[1]
    return finding if is_inside else replace(finding, side="open", page=None)


def _shown(match: Match, place: Passage | None, findings: Iterable[Finding]) -> Passage | None:
    """Return the passage to show: the sentence elsewhere on the page that settles the claim."""
    if place is None:
        return None
    first, last = place.span
    settling = [one.page for one in findings if one.side == "against" and one.kind in CERTAIN]
    elsewhere = [span for span in settling if span and (span[0] < first or last < span[1])]
    if not elsewhere or len(elsewhere) < len(settling):
        return place
    units = match.contexts[place.page].index.units
    start, end = elsewhere[0]
    unit = bisect_right(units.starts, start) - 1
    if unit < 0 or units.ends[unit] < end:
        return place
    return replace(place, first=unit, last=unit, span=(units.starts[unit], units.ends[unit]))


def _unknown(
    match: Match,
    words: Sequence[Integers],
    stated: Sequence[slice],
    answer: Side,
    general: Collection[str],
) -> tuple[list[bool], list[bool]]:
    """Return for each claim whether it has a number, and a name, of which no page has the like.

    Nor has the question, for a name only where it does not ask for yes or no: "Can I pay with
    PayPal?" does not make PayPal known. A name is a word with a capital that no sentence begins
    with, or one in the name of a component that is not among the ``general`` ones, such as
    "button".
    """
    unknown: list[bool] = (match.anywhere == 0).tolist()
    elsewhere = {word for word, number in match.words.items() if unknown[number]}
    new = elsewhere.difference(match.question.words)
    numbers = {match.words[word] for word in new if word[0] == LITERAL_SIGNS[0]}
    names = elsewhere if match.is_yes_or_no_question else new
    names = names - match.relations.allowed_words - set(general)
    named = (answer.flags[:, _CAPITAL] + answer.flags[:, _COMPONENT] > 0) & (
        answer.flags[:, _STOP] == 0
    )
    has_number, has_name = list[bool](), list[bool]()
    for own, span in zip(words, stated, strict=True):
        has_number.append(not numbers.isdisjoint(own.tolist()))
        written = {answer.words[number] for number in answer.ids[span][named[span]].tolist()}
        has_name.append(not names.isdisjoint(written))
    return has_number, has_name


def first_char(match: Match, unit: int, answer: Side) -> int:
    """Return where a claim begins: the first one at a bare yes or no that opens the answer.

    "Ja, dat kan." can only be verified together with what follows and with the question.
    """
    start = match.answer.starts[unit]
    is_opened = unit == match.claims[0] and (answer.qualifiers[:1] & _OPENS).any()
    return min(start, int(answer.starts[0])) if is_opened else start


def _log_odds(chances: Floats) -> NDArray[np.float64]:
    """Return probabilities as log-odds within `MAX_LOG_ODDS`, of the same shape."""
    least = 1 / (1 + np.exp(MAX_LOG_ODDS))
    clipped = np.clip(np.round(chances.astype(np.float64), DECIMALS), least, 1 - least)
    odds: NDArray[np.float64] = np.log(clipped / (1 - clipped))
    return odds


class NumberMismatches:
    """The numbers of one answer's claims that the pages state of something else."""

    def __init__(self, answer: Side, pages: Sequence[Side], relations: Relations) -> None:
        self._answer, self._pages, self._relations = answer, pages, relations

    def of(self, stated: slice, place: Passage) -> list[Finding]:
        """Return a number of a claim that the page states of something else, and the right one.

        "The manager gets a notice 7 days ahead", where the page says 30 days ahead and keeps the
        old key for 7: the words around the claim's number surround another number of days on the
        page, and fewer of them surround the same number on any page. "Free" is a number of any
        currency.
        """
        free = self._relations.free
        own = list(islice(_figures(self._answer, stated, free), MAX_FIGURES))
        if not own:
            return []
        page = self._pages[place.page]
        starts, (first, last) = [one.span[0] for one in _all_figures(page, free)], place.span
        there = _all_figures(page, free)[bisect_left(starts, first) : bisect_left(starts, last)]
        there = there[:MAX_FIGURES]
        own_numbers = {figure.word for figure in own}
        currencies = self._relations.currencies
        prices = [one for one in own if one.word == FREE or one.counted in currencies]
        for figure in own:
            rivals = [
                (len(figure.around & other.around), other.span)
                for other in there
                if self._may_replace(other, figure) and other.word not in own_numbers
            ]
            most, span = max(rivals, key=itemgetter(0), default=(0, figure.span))
            alike = self._known.get((figure.word, figure.counted), [])
            if figure.word == FREE:
                zeros = (self._known.get((FREE, one), []) for one in currencies)
                alike = [*alike, *chain.from_iterable(zeros)]
            nearer = max((len(figure.around & one.around) for one in alike), default=-1)
            is_short = figure.word == FREE and len(prices) == len(figure.around) == 1
            least = 1 if is_short else MIN_AROUND
            if most > nearer and most >= max(least, MIN_SHARE * len(figure.around)):
                return [Finding("figure", "against", figure.span, span)]
        return []

    def _may_replace(self, other: _Figure, figure: _Figure) -> bool:
        """Return whether two numbers count the same; years only compare with years."""
        if other.word == figure.word:
            return False
        if FREE in (other.word, figure.word):
            one = figure if other.word == FREE else other
            return one.counted in self._relations.currencies
        if other.counted != figure.counted:
            return False
        numbers = (one.word[1:] for one in (other, figure))
        return len({number.isdecimal() and int(number) in YEARS for number in numbers}) == 1

    @cached_property
    def _known(self) -> dict[tuple[str, str], list[_Figure]]:
        """Number and what it counts → its places on the pages."""
        places_of: dict[tuple[str, str], list[_Figure]] = defaultdict(list)
        for side in self._pages:
            for figure in _all_figures(side, self._relations.free):
                places = places_of[figure.word, figure.counted]
                if len(places) < MAX_FIGURES:
                    places.append(figure)
        return places_of


_FIGURES: Final = WeakKeyDictionary[Side, list["_Figure"]]()
"""The numbers of each page, cached with the page."""


def _all_figures(page: Side, free: Collection[str]) -> list[_Figure]:
    """Return the `_figures` of a page from the cache."""
    known = _FIGURES.get(page)
    if known is None:
        known = _FIGURES[page] = list(_figures(page, slice(0, len(page.ids)), free))
    return known


@dataclass(frozen=True, slots=True)
class _Figure:
    """A number with what it counts and the words around it.

    Attributes:
        span: Plain start and end of both.
        word: The number, with its sign.
        counted: What it counts: the sign before it or the word after it.
        around: The content words near it in its sentence.
    """

    span: Span
    word: str
    counted: str
    around: frozenset[str]


def _figures(side: Side, stretch: slice, free: Collection[str]) -> Iterator[_Figure]:
    """Yield the numbers that count something, and what is free, among some words of a text."""
    numbers = side.flags[stretch, _NUMBER].tolist()
    for at, number in enumerate(side.ids[stretch].tolist(), stretch.start):
        word = side.words[number]
        is_free = word in free and not _is_attribute(side, at)
        is_number = numbers[at - stretch.start] and word[0] == LITERAL_SIGNS[0] and "-" not in word
        if not (is_free or is_number):
            continue
        near = [
            n
            for n in range(max(0, at - AROUND), min(len(side.ids), at + AROUND + 1))
            if side.sentences[n] == side.sentences[at] and not side.flags[n, _STOP]
        ]
        is_sign = at - 1 in near and side.ends[at - 1] - side.starts[at - 1] == 1
        unit = at - 1 if is_sign else next((n for n in near if at < n <= at + 2), None)
        if is_free:
            word, unit = FREE, at
        if unit is None or side.words[side.ids[unit]][0] == LITERAL_SIGNS[0]:
            continue
        counted = side.words[side.ids[unit]]
        around = {side.words[side.ids[n]] for n in near} - {counted}
        span = int(side.starts[min(at, unit)]), int(side.ends[max(at, unit)])
        yield _Figure(span, word, counted, frozenset(w for w in around if w[0] != LITERAL_SIGNS[0]))


def _is_attribute(side: Side, at: int) -> bool:
    """Return whether a word belongs to the next one: "free delivery"."""
    after = at + 1
    is_beside = after < len(side.ids) and side.starts[after] == side.ends[at] + 1
    return bool(is_beside and not side.flags[after, _STOP])
