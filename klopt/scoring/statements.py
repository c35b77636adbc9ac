"""What the pages say of each statement of an answer, in places of the original texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from klopt.comparing import LABELS, Finding, Says, Statement
from klopt.comparing.findings import Differing, Stretch, differing
from klopt.heuristics import Material
from klopt.matching import Context
from klopt.measurement import Measurement
from klopt.reading.text import PlainText

__all__ = [
    "CheckedStatement",
    "Place",
    "Slot",
    "Words",
    "checked_statements",
    "place_of",
    "slots_in",
    "with_unknown_names",
]

WEAKEST: Final = "weakest_statement"
NEAR_FROM: Final = 0.5
"""A place with less of the words of a statement that no page says is not shown beside it."""


@dataclass(frozen=True, slots=True)
class Words:
    """A stretch of an answer or of a page.

    Attributes:
        text: As it was read: in plain text, and in translation where that was read.
        start: First character in the original, from 0.
        end: Character after the last one in the original.
    """

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Slot:
    """Something that speaks for a statement, or against it.

    Attributes:
        kind: What it is about, such as ``value``, ``key`` or ``negation``.
        side: ``for``, ``against`` or ``open``.
        claim: What the answer says; None when only the page says something.
        page: What the page says there; None when only the answer says something.
    """

    kind: str
    side: str
    claim: Words | None
    page: Words | None


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of an original page.

    Attributes:
        page: The id of the page.
        text: Its words there, without markup.
        start: First character, from 0.
        end: Character after the last one.
        line: The line of the page on which it begins, from 1, as an editor counts.
    """

    page: str
    text: str
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class CheckedStatement:
    """A statement of an answer, held against the pages.

    Attributes:
        text: Its words in the answer, without markup.
        start: First character in the *original* answer, from 0.
        end: Character after the last one in the original answer.
        relation: ``supported``, ``contradicted`` or ``not_stated``: what the pages say of it, as
            far as can be told.
        fault: Whether it is too likely untrue by the profile's line, the option ``fault_below``
            of the heuristic ``weakest_statement``; or, unless the answer is sent, has a name that
            is on no page; or is what held back an answer of that score, since no page states it.
        truth: The chance that it is true, 0 to 1.
        passage: The place of the pages that speaks most for it or against it; None when no page
            says anything near it.
        slots: What speaks for it and against it there.
        differing: Starts and ends in the passage's text of the words that speak against it.
        wrong: Starts and ends in its own text of the words that are wrong by the passage; where
            none are known to be, of those that the passage has nothing of. Neither here nor in
            ``differing`` is a word that stands on both sides.
        rivals: What it says and what the passage says in its place, a few words each.
    """

    text: str
    start: int
    end: int
    relation: Says
    fault: bool
    truth: float
    passage: Place | None
    slots: tuple[Slot, ...]
    differing: tuple[tuple[int, int], ...] = ()
    wrong: tuple[tuple[int, int], ...] = ()
    rivals: tuple[tuple[str, str], ...] = ()


def checked_statements(
    material: Material, fault_below: float, statements: Sequence[Statement] | None = None
) -> tuple[CheckedStatement, ...]:
    """The statements of an answer in their order; none where nothing compares its language.

    Args:
        material: The turn.
        fault_below: The profile's line, an option of ``weakest_statement``.
        statements: Some of the answer's; None for all.
    """
    wanted = material.statements if statements is None else statements
    return tuple(_checked(material, one, is_fault=one.truth < fault_below) for one in wanted or ())


def with_unknown_names(
    statements: Iterable[CheckedStatement], names: Measurement | None
) -> tuple[CheckedStatement, ...]:
    """The statements, those with a name that is on no page at fault: no page states them.

    Args:
        statements: Of an answer that is not sent.
        names: What ``components_defined`` measured of it; None where it did not.
    """
    unknown = [one for one in names.evidence if one.kind == "unsupported"] if names else []
    return tuple(
        replace(
            one,
            relation="not_stated" if one.relation == "supported" else one.relation,
            fault=True,
        )
        if any(one.start <= name.start and name.end <= one.end for name in unknown)
        else one
        for one in statements
    )


def window(text: str, first: int, most: int) -> tuple[int, int]:
    """A stretch of a text of so many characters at most, in which a place lies.

    It begins with a sentence or line where one begins near enough before the place, else with a
    word, and ends with a word where one ends in it behind the place.

    >>> text = "Kies een datum. Wacht negentig dagen."
    >>> text[slice(*window(text, 22, 15))]
    'Wacht negentig'
    """
    stop = text.rfind(". ", 0, first)
    start = max(text.rfind("\n", 0, first) + 1, stop + 2 if stop >= 0 else 0)
    if first - start > most // 2:
        start = text.find(" ", first - most // 2, first) + 1 or first
    end = start + most
    if end >= len(text):
        return start, len(text)
    blank = text.rfind(" ", first, end)
    return start, blank if blank > first else end


def place_of(context: Context, span: tuple[int, int]) -> Place:
    """A stretch of an original page, with its words and its line."""
    page = context.index.reading.plain
    line = page.source.count("\n", 0, span[0]) + 1
    return Place(context.page, page.quoted(*span), *span, line)


def slots_in(findings: Iterable[Finding], claim: PlainText, page: PlainText) -> tuple[Slot, ...]:
    """Findings with their words, each once.

    Args:
        findings: In plain offsets.
        claim: The text of the statement.
        page: The text that it was held against.
    """
    found = (
        Slot(one.kind, one.side, _words(claim, one.claim), _words(page, one.page))
        for one in findings
    )
    return tuple(dict.fromkeys(found))


def _checked(material: Material, one: Statement, *, is_fault: bool) -> CheckedStatement:
    answer = material.answer.plain
    relation = one.says
    passage: Place | None = None
    slots: tuple[Slot, ...] = ()
    found = Differing((), (), ())
    if is_fault and relation == "supported":
        relation = max(LABELS[1:], key=lambda label: one.chances[LABELS.index(label)])
    far = relation == "not_stated" and one.passage and one.passage.share < NEAR_FROM
    if not far and (place := material.place(one)) is not None:
        number, start, end = place
        context = material.contexts[number]
        page = context.index.reading.plain
        span = page.original(start, end)
        passage = place_of(context, span)
        slots = slots_in(one.findings, answer, page)
        claim = Stretch(material.answer, *answer.plain(*answer.original(one.start, one.end)))
        found = differing(
            one.findings,
            claim,
            Stretch(context.index.reading, *page.plain(*span)),
            material.language.relations,
        )
    start, end = answer.original(one.start, one.end)
    text = answer.quoted(start, end)
    return CheckedStatement(
        text,
        start,
        end,
        relation,
        is_fault,
        one.truth,
        passage,
        slots,
        found.page,
        found.claim,
        found.rivals,
    )


def _words(text: PlainText, span: tuple[int, int] | None) -> Words | None:
    if span is None:
        return None
    start, end = text.original(*span)
    return Words(text.quoted(start, end), start, end)
