"""Component Use: does a page use each component for what the answer uses it for?"""

from __future__ import annotations

from collections.abc import Iterator

from klopt.alignment import AlignedPage, Alignment, Unit
from klopt.heuristics.declaration import NO_CONTEXT, Heuristic, Material
from klopt.measurement import Evidence, Measurement
from klopt.reading.components import Component


def measure(material: Material) -> Measurement:
    """How well the pages support the least supported use of a component.

    "Press Ctrl+P to save" names an existing key; no page uses it to save.

    Args:
        material: Reads the answer and the pages; needs components and the alignment.

    Returns:
        0 to 1: for each component the share of the other words of its sentence that stand in or
        beside a sentence which names it, on the best page; then the lowest. None when the answer
        names no component, or no page has text. Evidence: each component, ``supported`` with the
        sentence of the page when at least half is covered, else ``unsupported``.

    Source:
        Lassche et al., section 5.2 (HAL): "if a word or setting frequently appears together in
        the answer, it should also be close together in the context"; techsupporteval, section 3
        (ClozeFact): a blank is filled from the words around it.

    Differs:
        HAL counts all pairs of words in windows; this looks at what stands around a component,
        and needs no reference as ClozeFact does: the page is the reference.
    """
    if not any(unit.components for unit in material.alignment.answer.units):
        return Measurement.missing("the answer names no component")
    if not material.contexts:
        return Measurement.missing(NO_CONTEXT)
    alignment = material.alignment
    values: list[float] = []
    evidence: list[Evidence] = []
    for unit in alignment.answer.units:
        for component in unit.components:
            share, number, place = _best_use(component, unit, alignment)
            values.append(share)
            if place is not None and share >= 0.5:
                at = (material.contexts[number], place.start, place.end)
                kind_at = material.evidence(
                    "supported", component.start, component.end, entry=component.entry, at=at
                )
            else:
                kind_at = material.evidence(
                    "unsupported", component.start, component.end, entry=component.entry
                )
            evidence.append(kind_at)
    return Measurement(min(values), evidence=tuple(evidence))


def _best_use(
    component: Component, unit: Unit, alignment: Alignment
) -> tuple[float, int, Unit | None]:
    """The coverage of the words around a component, the page's number and its sentence."""
    own = {f"@{component.key}", *component.key.split()}
    around = [
        token.key
        for token in unit.tokens
        if token.key not in own and not component.start <= token.start < component.end
    ]
    best, number, place = 0.0, 0, None
    for at, page in enumerate(alignment.pages):
        for other in _naming(component.key, page):
            near = page.index.units[max(0, other.number - 1) : other.number + 2]
            words = {key for one in near for key in one.keys}
            share = alignment.coverage(around, page, words) if around else 1.0
            if place is None or share > best:
                best, number, place = share, at, other
    return best, number, place


def _naming(key: str, page: AlignedPage) -> Iterator[Unit]:
    """The sentences of a page that name a component, or have its name in their text."""
    text = page.index.reading.folded.text
    for unit in page.index.units:
        if any(one.key == key for one in unit.components) or key in text[unit.start : unit.end]:
            yield unit


HEURISTIC = Heuristic(
    name="component_use",
    symbol="",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"alignment", "components"}),
    lexicons=frozenset({"components", "synonyms"}),
    measure=measure,
    message_types=("reasoning", "binary", "instruction"),
)
