"""The statements of an answer, each held against the best place of its pages.

What the passages say of a statement is one thing; how often such a statement is untrue in answers
is another. So the chances that the network and the families give are read together with what the
statement is like - how much of it stands anywhere on the pages, whether it has numbers and names
of its own, where it stands in the answer - by small trees that were learnt from rated answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.comparator import DECIMALS, Comparator
from klopt.comparing.contradictions import Contradictions
from klopt.comparing.findings import CERTAIN, Finding, tells
from klopt.comparing.learnt import LABELS, Says
from klopt.comparing.passages import Passage, best_places
from klopt.comparing.words import FLAGS, Floats, Side, bit_of
from klopt.matching.index import SAME, WEIGHTS
from klopt.matching.language import Language
from klopt.matching.match import Match
from klopt.reading.reader import Reading
from klopt.reading.tokens import LITERAL_SIGNS

__all__ = [
    "FACTS",
    "HOLDS_FROM",
    "STATED_FROM",
    "Says",
    "Statement",
    "facts_of",
    "most_true",
    "placed",
    "says_of",
    "statements_of",
]

FACTS: Final = (
    *LABELS,
    "share",
    "words",
    "content_words",
    *FLAGS[1:],
    "is_first",
    "opens",
    "place",
    "count",
    "anywhere",
    "new_numbers",
    "new_literals",
    "new_names",
    "rarest_new",
    "two_rarest_new",
    "answer_names",
    "answer_guides",
    "copied",
    "answer_copied",
)
"""What the trees are told of a statement, in this order."""

HOLDS_FROM: Final = 0.65
"""A statement with a lower chance is at fault; `training.statements` prints how many are, of true
and untrue ones."""
STATED_FROM: Final = 0.25
"""A place with a smaller share of a statement's words does not state it. What is far from all pages
is mostly harmless in rated answers, so that the trees call it likely; nonsense is as far."""
DENIED_FROM: Final = 0.8
"""A statement that its place denies at least so likely is no likelier true than that, whatever the
trees say."""
FOUND_FROM: Final = 0.5
"""The same where it is found, too, what is wrong: it is likelier contradicted than not."""
SETTLED: Final = 0.5
"""A statement with a finding that settles it is no likelier true than that."""
SUREST: Final = 30.0
"""Log-odds go no further: a statement may have any number of names that no page has."""
_LEAST: Final = 1e-4
_NO_PLACE: Final = (0.0, 0.0, 1.0)
_NO_ODDS: Final = (0.0,) * len(LABELS)
_OPENS: Final = bit_of("yes", "no")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an answer that says something.

    Attributes:
        unit: Its number among the answer's sentences.
        start: First plain character in the answer; that of a bare yes or no before the first one.
        end: After the last one.
        truth: The chance that it is true, 0 to 1.
        says: What the pages say of it, as far as can be told.
        stands: Whether it is likely true, and a place has enough of its words; not whether that
            place bears it out, which is what it ``says``.
        passage: The place of the pages that speaks most for or against it; None when no page has
            a word of it.
        chances: Of `klopt.comparing.learnt.LABELS`, at that place.
        findings: What speaks for it and against it there.
    """

    unit: int
    start: int
    end: int
    truth: float
    says: Says
    stands: bool
    passage: Passage | None
    chances: tuple[float, float, float]
    findings: tuple[Finding, ...]


def most_true(chances: Sequence[float], findings: Iterable[Finding]) -> float:
    """The chance beyond which a statement is not true, whatever else speaks for it.

    A place that clearly denies it, or likely does and by words that can be named, is not outvoted;
    nor is a finding that settles it.

    Args:
        chances: Of `klopt.comparing.learnt.LABELS` at its place.
        findings: What speaks for it and against it there.

    >>> most_true((0.2, 0.6, 0.2), [Finding("value", "against", (0, 2), (4, 6))])
    0.4
    >>> most_true((0.2, 0.6, 0.2), [])
    1.0
    >>> most_true((0.6, 0.3, 0.1), [Finding("role", "against", (0, 2), (4, 6))])
    0.5
    """
    contradicted = chances[LABELS.index("contradicted")]
    against = [finding for finding in findings if finding.side == "against"]
    line = FOUND_FROM if any(map(tells, against)) else DENIED_FROM
    most = SETTLED if any(finding.kind in CERTAIN for finding in against) else 1.0
    return min(most, 1 - contradicted) if contradicted >= line else most


def says_of(truth: float, stands: bool, chances: Sequence[float]) -> Says:
    """What the pages say of a statement, as far as can be told.

    They support it only where it `Statement.stands` and its place is likelier to say so than
    anything else; what may well be true is never told to be contradicted.
    """
    supported, contradicted, not_stated = chances
    if stands and supported >= max(contradicted, not_stated):
        return "supported"
    is_denied = contradicted > not_stated and truth < HOLDS_FROM
    return "contradicted" if is_denied else "not_stated"


@dataclass(frozen=True, eq=False)
class Placed:
    """The statements of an answer beside their places.

    Attributes:
        starts: The first plain character of each.
        places: The best place of each; None when no page has a word of it.
        chances: Of `klopt.comparing.learnt.LABELS` there, shape ``(n, 3)``.
        findings: What speaks for each and against it there.
        facts: What the trees read, shape ``(n, len(FACTS))``.
    """

    starts: Sequence[int]
    places: Sequence[Passage | None]
    chances: Floats
    findings: Sequence[tuple[Finding, ...]]
    facts: Floats


def statements_of(
    comparator: Comparator,
    match: Match,
    question: Reading,
    answer: Reading,
    language: Language,
    first: int = 0,
    elsewhere: Mapping[int, Passage] | None = None,
) -> tuple[Statement, ...]:
    """The statements of an answer, each held against the best place of its pages.

    Args:
        comparator: Of the language.
        match: The answer on its pages.
        question: The question.
        answer: The answer.
        language: Of both.
        first: The number of the first that is wanted.
        elsewhere: Statements, by number of the sentence, that are held against another place.
    """
    beside = placed(comparator, match, question, answer, language, first, elsewhere)
    odds = np.clip(comparator.learnt.boosted(beside.facts).astype(np.float64), -SUREST, SUREST)
    truths = np.round(1 / (1 + np.exp(odds)), DECIMALS).tolist()
    rows = zip(
        *(match.statements, beside.starts, truths, beside.places, beside.chances, beside.findings),
        strict=True,
    )
    return tuple(_statement(match, *one) for one in islice(rows, first, None))


def placed(
    comparator: Comparator,
    match: Match,
    question: Reading,
    answer: Reading,
    language: Language,
    first: int = 0,
    elsewhere: Mapping[int, Passage] | None = None,
) -> Placed:
    """The statements of an answer beside the best place of each, and what the trees read.

    Those before the ``first`` are held beside nothing.
    """
    pairing = comparator.pairing(match, question, answer, language)
    units = match.statements
    places = [None] * min(first, len(units)) + best_places(match, units[first:])
    if elsewhere:
        places = [elsewhere.get(unit, place) for unit, place in zip(units, places, strict=True)]
    starts = [first_char(match, unit, pairing.answer) for unit in units]
    pairs = [
        pairing.pair((start, match.answer.ends[unit]), place.page, place.span)
        for unit, start, place in zip(units, starts, places, strict=True)
        if place
    ]
    chances = np.tile(_NO_PLACE, (len(units), 1))
    findings: list[tuple[Finding, ...]] = [()] * len(units)
    with_place = [number for number, place in enumerate(places) if place]
    network, families, found = comparator.chances(pairing, pairs)
    chances[with_place] = np.round((network + families) / 2, DECIMALS)
    contradictions = Contradictions(match, pairing.answer, pairing.pages)
    for number, some in zip(with_place, found, strict=True):
        place = places[number]
        if place is None:
            continue
        findings[number] = (*some, *contradictions.of(units[number], place))
    facts = facts_of(
        *(match, answer, pairing.answer, pairing.question, pairing.pages),
        *(units, starts, places, chances),
    )
    return Placed(starts, places, chances, findings, facts)


def _statement(
    match: Match,
    unit: int,
    start: int,
    truth: float,
    place: Passage | None,
    chances: Floats,
    findings: tuple[Finding, ...],
) -> Statement:
    there = (float(chances[0]), float(chances[1]), float(chances[2]))
    truth = min(truth, round(most_true(there, findings), DECIMALS))
    is_near = place is not None and place.share >= STATED_FROM
    stands = truth >= HOLDS_FROM and is_near
    return Statement(
        unit,
        start,
        match.answer.ends[unit],
        truth,
        says_of(truth, stands, there),
        stands,
        place,
        there,
        findings,
    )


def facts_of(
    match: Match,
    reading: Reading,
    answer: Side,
    question: Side,
    pages: Sequence[Side],
    units: Sequence[int],
    starts: Sequence[int],
    places: Sequence[Passage | None],
    chances: Floats,
) -> Floats:
    """What the trees are told, shape ``(n_statements, len(FACTS))``.

    Args:
        match: The answer on its pages.
        reading: The answer.
        answer: Its words.
        question: The question's.
        pages: The pages'.
        units: The statements, by number of the sentence.
        starts: Where each begins, a bare yes or no before the first one included.
        places: The best place of each.
        chances: What it says of each, shape ``(n_statements, 3)``; not read without a place.
    """
    facts = np.zeros((len(units), len(FACTS)), np.float32)
    known = (question.numbers, match.relations.allowed_words, *(page.numbers for page in pages))
    anywhere = np.max([np.zeros(len(match.words), np.int16), *match.likest], axis=0)
    anywhere[match.asked] = SAME
    words = list(match.words)
    copied = _copied(match)
    copied_mean = np.mean([copied[unit] for unit in units]) if units else 0.0
    known_odds = odds_of(chances)
    each = zip(units, starts, places, known_odds, strict=True)
    for row, (unit, start, place, odds) in enumerate(each):
        span = answer.between(match.answer.starts[unit], match.answer.ends[unit])
        opened = answer.between(start, match.answer.ends[unit])
        flags, own = answer.flags[span], match.answer.of(unit)
        lacking = match.weights[own] * (SAME - anywhere[own]) / (SAME * WEIGHTS)
        total = match.weights[own].sum() / WEIGHTS
        lost = [words[number] for number in own[anywhere[own] == 0].tolist()]
        new_names = sum(
            1
            for number in np.flatnonzero(flags[:, 3] + flags[:, 6]).tolist()
            if not any(answer.words[answer.ids[span][number]] in texts for texts in known)
        )
        order = np.sort(lacking)[::-1]
        facts[row] = (
            *(odds if place else _NO_ODDS),
            place.share if place else 0.0,
            min(1.0, len(flags) / 40),
            min(1.0, len(own) / 20),
            *flags[:, 1:].max(axis=0, initial=0),
            row == 0,
            row == 0 and bool((answer.qualifiers[opened][:1] & _OPENS).any()),
            row / max(1, len(units) - 1),
            len(units),
            1 - lacking.sum() / total,
            sum(key[0] == LITERAL_SIGNS[0] for key in lost),
            sum(key[0] == LITERAL_SIGNS[1] for key in lost),
            new_names,
            order[0],
            order[:2].sum(),
            bool(reading.named),
            bool(reading.guides),
            copied[unit],
            copied_mean,
        )
    return facts


def first_char(match: Match, unit: int, answer: Side) -> int:
    """Where a statement begins: the first one at a bare yes or no that opens the answer.

    "Ja, dat kan." says nothing that a page could bear out by itself; with what follows and with the
    question it does.

    Args:
        match: The answer on its pages.
        unit: The number of the statement's sentence.
        answer: The answer's words.
    """
    start = match.answer.starts[unit]
    is_opened = unit == match.statements[0] and (answer.qualifiers[:1] & _OPENS).any()
    return min(start, int(answer.starts[0])) if is_opened else start


def odds_of(chances: Floats) -> NDArray[np.float32]:
    """Chances as log-odds, of the same shape; none is quite 0 or 1."""
    clipped = np.clip(chances, _LEAST, 1 - _LEAST)
    odds: NDArray[np.float32] = np.log(clipped / (1 - clipped))
    return odds


def _copied(match: Match) -> list[float]:
    """For each sentence of the answer the share of its neighbouring words that a page has too."""
    runs = [context.index.runs(2) for context in match.contexts]
    words, shares = match.answer.words, []
    for unit in range(len(match.answer)):
        own = [words[number] for number in match.answer.of(unit).tolist()]
        pairs = list(pairwise(own))
        has = sum(any(pair in some for some in runs) for pair in pairs)
        shares.append(has / len(pairs) if pairs else 0.0)
    return shares
