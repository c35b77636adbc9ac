"""The claims of an answer, each compared with the best passage of its pages.

A claim's probability comes from `klopt.verification.networks`; contradictions between claim and
passage limit it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from klopt.text.tokens import LITERAL_SIGNS
from klopt.verification.comparator import DECIMALS, Comparator
from klopt.verification.findings import CERTAIN, Finding
from klopt.verification.language import Language
from klopt.verification.match import Match
from klopt.verification.networks import MAX_LOG_ODDS, NO_PASSAGE, Label
from klopt.verification.number_mismatch import NumberMismatches
from klopt.verification.passages import Passage, best_places
from klopt.verification.reversals import Reversals
from klopt.verification.sequences import steps_out_of_order
from klopt.verification.value_mismatch import ValueMismatches
from klopt.verification.words import FLAGS, Floats, Side, bit_of

__all__ = [
    "HOLDS_FROM",
    "Claim",
    "Label",
    "claims_of",
    "label_of",
    "support_upper_bound",
]

HOLDS_FROM: Final = 0.7
"""The probability from which a claim counts as supported; `training.profile` prints the risk of
sending an answer whose claims all reach it."""
EVEN: Final = 0.5
SETTLED: Final = 0.45
"""The highest probability of a claim with a certain contradiction: never supported."""
UNKNOWN_NAME: Final = 0.65
"""The highest probability of a claim with a name that no page and not the question has."""
_NO_PLACE: Final = (0.0, 0.0, 1.0)
_OPENS: Final = bit_of("yes", "no")
_STOP, _COMPONENT, _CAPITAL = map(FLAGS.index, ("stop", "component", "capital"))


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of an answer, compared with its best passage.

    Attributes:
        unit: The number of its sentence in the answer.
        start: Its first plain character; that of a bare yes or no before the first claim.
        end: The character after its last one.
        truth: The probability that it is true, 0 to 1.
        label: Its label.
        passage: The best passage; None when no page has a word of the claim.
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

    Args:
        findings: The findings for and against the claim.

    >>> support_upper_bound([Finding("figure", "against", (0, 2), (4, 6))])
    0.45
    >>> support_upper_bound([Finding("replaced", "against", (0, 2), (4, 6))])
    1.0
    """
    is_settled = any(one.side == "against" and one.kind in CERTAIN for one in findings)
    return SETTLED if is_settled else 1.0


def label_of(truth: float, chances: Sequence[float], findings: Iterable[Finding]) -> Label:
    """Return the label of a claim, given its probability of being true.

    A likely claim is supported. Another one is contradicted where a certain contradiction is
    found on a page, or where it is likelier untrue than true and a contradiction is the likeliest
    label.
    """
    if truth >= HOLDS_FROM:
        return "supported"
    is_denied = truth < EVEN and chances[1] == max(chances)
    is_found = support_upper_bound(one for one in findings if one.page is not None) < 1
    return "contradicted" if is_denied or is_found else "not_stated"


def claims_of(
    comparator: Comparator,
    match: Match,
    language: Language,
    first: int = 0,
    elsewhere: Mapping[int, Passage] | None = None,
) -> tuple[Claim, ...]:
    """Return the claims of an answer, each compared with the best passage of its pages.

    Args:
        comparator: The comparator of the language.
        match: The answer on its pages.
        language: Its language.
        first: The number of the first claim to compare and return.
        elsewhere: Sentence number → a passage to compare that claim with instead of the best.
    """
    units, ends = match.claims[first:], match.answer.ends
    if not units:
        return ()
    pairing = comparator.pairing(match, language)
    places = best_places(match, units)
    if elsewhere:
        places = [elsewhere.get(unit, place) for unit, place in zip(units, places, strict=True)]
    starts = [first_char(match, unit, pairing.answer) for unit in units]
    beside = [
        (number, pairing.pair((start, ends[unit]), place.page, place.span), place)
        for number, (unit, start, place) in enumerate(zip(units, starts, places, strict=True))
        if place
    ]
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
    misplaced = NumberMismatches(match, pairing.answer, pairing.pages)
    values = ValueMismatches(match)
    reversals = Reversals(match, pairing, language.lexicons)
    out_of_order: dict[int, list[Finding]] = {}
    for finding in steps_out_of_order(match, language.lexicons):
        at = bisect_right(match.answer.starts, finding.claim[0] if finding.claim else -1) - 1
        out_of_order.setdefault(at, []).append(finding)
    for (number, _, place), some in zip(beside, compared.findings, strict=True):
        unit = units[number]
        findings[number] = (
            *some,
            *misplaced.of(unit, place),
            *values.of(unit, place.page),
            *reversals.of(unit, place),
            *(reversals.of_reply(starts[number], place) if unit == match.claims[0] else ()),
            *out_of_order.get(unit, ()),
        )
    has_number, has_name = _unknown(match, units, pairing.answer, language.general_words)
    bounds = np.array([support_upper_bound(some) for some in findings])
    has_value = [any(one.kind == "value" and one.side == "against" for one in f) for f in findings]
    features[:, 4:] -= np.column_stack([has_number, bounds < 1, has_value])
    likely = comparator.learnt.support.probabilities(features)
    bounds = np.minimum(bounds, np.where(has_name, UNKNOWN_NAME, 1.0))
    truths = np.minimum(np.round(likely, DECIMALS), bounds).tolist()
    claims = list[Claim]()
    for number, (unit, start) in enumerate(zip(units, starts, strict=True)):
        words = pairing.answer.between(start, ends[unit])
        supported, contradicted, not_stated = chances[number].tolist()
        there = supported, contradicted, not_stated
        label = label_of(truths[number], there, findings[number])
        claims.append(
            Claim(
                *(unit, start, ends[unit], truths[number], label, places[number], there),
                *(findings[number], words.stop - words.start, tuple(features[number].tolist())),
            )
        )
    return tuple(claims)


def _unknown(
    match: Match, units: Iterable[int], answer: Side, general: Collection[str]
) -> tuple[list[bool], list[bool]]:
    """Return for each claim whether it has a number, and a name, of which no page has the like.

    Nor has the question. A name is a word with a capital that no sentence begins with, or one in
    the name of a component that is not among the ``general`` ones, such as "button".
    """
    unknown: list[bool] = (match.anywhere == 0).tolist()
    for number in match.question_words.tolist():
        unknown[number] = False
    new = {word for word, number in match.words.items() if unknown[number]}
    numbers = {match.words[word] for word in new if word[0] == LITERAL_SIGNS[0]}
    names = new - match.relations.allowed_words - set(general)
    named = (answer.flags[:, _CAPITAL] + answer.flags[:, _COMPONENT] > 0) & (
        answer.flags[:, _STOP] == 0
    )
    has_number, has_name = list[bool](), list[bool]()
    for unit in units:
        has_number.append(not numbers.isdisjoint(match.answer.of(unit).tolist()))
        span = answer.between(match.answer.starts[unit], match.answer.ends[unit])
        words = {answer.words[number] for number in answer.ids[span][named[span]].tolist()}
        has_name.append(not names.isdisjoint(words))
    return has_number, has_name


def first_char(match: Match, unit: int, answer: Side) -> int:
    """Return where a claim begins: the first one at a bare yes or no that opens the answer.

    "Ja, dat kan." can only be verified together with what follows and with the question.

    Args:
        match: The answer on its pages.
        unit: The number of the claim's sentence.
        answer: The words of the answer.
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
