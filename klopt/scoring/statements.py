"""The statements of an answer as they come out: at fault or not, beside what the pages say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from klopt.comparing import LABELS, Finding, Statement
from klopt.comparing.findings import NOTHING, Stretch, differing
from klopt.heuristics import Material
from klopt.matching import Context
from klopt.reading.text import PlainText
from klopt.records import Measurement
from klopt.scoring.assessment import CheckedStatement, PagePlace, Quote, Slot

NEAR_FROM: Final = 0.5
"""A place with less of the words of a statement that no page says is not shown beside it."""


def checked_statements(
    material: Material, fault_below: float, statements: Sequence[Statement] | None = None
) -> tuple[CheckedStatement, ...]:
    """The statements of an answer in their order; none where nothing compares its language."""
    checked: list[CheckedStatement] = []
    answer = material.answer.plain
    for one in (material.statements if statements is None else statements) or ():
        relation, passage, is_fault = one.says, None, one.truth < fault_below
        if is_fault and relation == "supported":
            relation = max(LABELS[1:], key=lambda label: one.chances[LABELS.index(label)])
        slots: tuple[Slot, ...] = ()
        differs = NOTHING
        text, start, end = answer.excerpt(one.start, one.end)
        place = material.place(one)
        is_far = relation == "not_stated" and one.passage and one.passage.share < NEAR_FROM
        if place is not None and not is_far:
            context = material.contexts[place[0]]
            there = context.index.reading
            span = there.plain.original(*place[1:])
            passage = place_of(context, span)
            slots = slots_in(one.findings, answer, there.plain)
            claim = Stretch(material.answer, *answer.plain(start, end))
            beside = Stretch(there, *there.plain.plain(*span))
            differs = differing(one.findings, claim, beside, material.language.relations)
        checked.append(
            CheckedStatement(
                text,
                start,
                end,
                relation=relation,
                fault=is_fault,
                truth=one.truth,
                passage=passage,
                slots=slots,
                differing=differs.page,
                wrong=differs.claim,
                rivals=differs.rivals,
            )
        )
    return tuple(checked)


def with_unknown_names(
    statements: Iterable[CheckedStatement], names: Measurement | None
) -> tuple[CheckedStatement, ...]:
    """The statements, those with a name that is on no page at fault: no page states them."""
    unknown = (
        [evidence for evidence in names.evidence if evidence.kind == "unsupported"] if names else []
    )
    marked: list[CheckedStatement] = []
    for statement in statements:
        if any(statement.start <= name.start and name.end <= statement.end for name in unknown):
            relation = "not_stated" if statement.relation == "supported" else statement.relation
            statement = replace(statement, relation=relation, fault=True)
        marked.append(statement)
    return tuple(marked)


def place_of(context: Context, span: tuple[int, int]) -> PagePlace:
    """A stretch of an original page, with its words and its line."""
    page = context.index.reading.plain
    line = page.source.count("\n", 0, span[0]) + 1
    return PagePlace(context.page, page.quoted(*span), *span, line)


def slots_in(findings: Iterable[Finding], claim: PlainText, page: PlainText) -> tuple[Slot, ...]:
    """Findings with their words, each once."""
    slots: dict[Slot, None] = {}
    for finding in findings:
        claimed = None if finding.claim is None else Quote(*claim.excerpt(*finding.claim))
        there = None if finding.page is None else Quote(*page.excerpt(*finding.page))
        slots[Slot(finding.kind, finding.side, claimed, there)] = None
    return tuple(slots)
