"""The claims of an answer as an assessment lists them: label, fault, passage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from klopt.heuristics import Material
from klopt.scoring.assessment import CheckedClaim, PagePlace, Quote, Slot
from klopt.text.plain import PlainText
from klopt.types import Measurement
from klopt.verification import LABELS, Claim, Context, Finding
from klopt.verification.findings import NOTHING, Stretch, differing

MIN_WORD_SHARE: Final = 0.5
"""Share of a claim's words that a passage must have to be shown for a claim not stated."""


def checked_claims(
    material: Material, fault_below: float, claims: Sequence[Claim] | None = None
) -> tuple[CheckedClaim, ...]:
    """Return the claims of an answer in order; none in a language without a comparator."""
    checked: list[CheckedClaim] = []
    answer = material.answer.plain
    for one in (material.claims if claims is None else claims) or ():
        relation, passage, is_fault = one.label, None, one.truth < fault_below
        if is_fault and relation == "supported":
            relation = max(LABELS[1:], key=lambda label: one.chances[LABELS.index(label)])
        slots: tuple[Slot, ...] = ()
        differs = NOTHING
        text, start, end = answer.excerpt(one.start, one.end)
        place = one.passage
        is_far = relation == "not_stated" and place and place.share < MIN_WORD_SHARE
        if place is not None and not is_far:
            context = material.contexts[place.page]
            page = context.index.reading
            span = page.plain.original(*place.span)
            passage = place_of(context, span)
            slots = slots_in(one.findings, answer, page.plain)
            claim = Stretch(material.answer, *answer.plain(start, end))
            beside = Stretch(page, *page.plain.plain(*span))
            differs = differing(one.findings, claim, beside, material.language.relations)
        checked.append(
            CheckedClaim(
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
    claims: Iterable[CheckedClaim], names: Measurement | None
) -> tuple[CheckedClaim, ...]:
    """Return the claims; those with a name that is on no page are at fault and not stated."""
    marked = list(claims)
    for name in () if names is None else names.evidence:
        if name.kind != "unsupported":
            continue
        for number, claim in enumerate(marked):
            if claim.start <= name.start and name.end <= claim.end:
                relation = "not_stated" if claim.relation == "supported" else claim.relation
                marked[number] = replace(claim, relation=relation, fault=True)
    return tuple(marked)


def place_of(context: Context, span: tuple[int, int]) -> PagePlace:
    """Return a stretch of an original page, with its words and its line."""
    page = context.index.reading.plain
    line = page.source.count("\n", 0, span[0]) + 1
    return PagePlace(context.page, page.quoted(*span), *span, line)


def slots_in(findings: Iterable[Finding], claim: PlainText, page: PlainText) -> tuple[Slot, ...]:
    """Return the findings with their words, each once."""
    slots: dict[Slot, None] = {}
    for finding in findings:
        claimed = None if finding.claim is None else Quote(*claim.excerpt(*finding.claim))
        on_page = None if finding.page is None else Quote(*page.excerpt(*finding.page))
        slots[Slot(finding.kind, finding.side, claimed, on_page)] = None
    return tuple(slots)
