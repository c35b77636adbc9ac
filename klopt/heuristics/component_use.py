"""Component Use: does a page use each component for what the answer uses it for?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from klopt.alignment import Alignment, Unit
from klopt.alignment.alignment import MOST_PLACES
from klopt.heuristics.declaration import NO_CONTEXT, Heuristic, Material
from klopt.measurement import Evidence, EvidenceKind, Measurement
from klopt.reading.components import Component

_SUPPORTED: Final = 0.5


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
    uses = _Uses(alignment)
    values: list[float] = []
    evidence: list[Evidence] = []
    for unit in alignment.answer.units:
        for component in unit.components:
            use = uses.best(component, unit)
            values.append(use.share)
            kind: EvidenceKind = "unsupported"
            at = None
            if use.unit is not None and use.share >= _SUPPORTED:
                kind = "supported"
                at = (material.contexts[use.page], use.unit.start, use.unit.end)
            evidence.append(
                material.evidence(
                    kind, component.start, component.end, entry=component.entry, at=at
                )
            )
    return Measurement(min(values), evidence=tuple(evidence))


@dataclass(frozen=True, slots=True)
class _Use:
    """How well a page covers the words around a component: share, page number, sentence."""

    share: float
    page: int
    unit: Unit | None


class _Uses:
    """Finds the best use of components, each with the same words around it once."""

    def __init__(self, alignment: Alignment) -> None:
        self._alignment = alignment
        self._naming: dict[tuple[str, int], list[tuple[Unit, frozenset[str]]]] = {}
        self._known: dict[tuple[str, tuple[str, ...]], _Use] = {}

    def best(self, component: Component, unit: Unit) -> _Use:
        own = {f"@{component.key}", *component.key.split()}
        around = tuple(
            token.key
            for token in unit.tokens
            if token.key not in own and not component.start <= token.start < component.end
        )
        use = self._known.get((component.key, around))
        if use is None:
            use = self._known[component.key, around] = self._best(component.key, around)
        return use

    def _best(self, key: str, around: tuple[str, ...]) -> _Use:
        best = _Use(0.0, 0, None)
        for at, page in enumerate(self._alignment.pages):
            for unit, words in self._named(key, at):
                share = self._alignment.coverage(around, page, words) if around else 1.0
                if best.unit is None or share > best.share:
                    best = _Use(share, at, unit)
        return best

    def _named(self, key: str, page: int) -> list[tuple[Unit, frozenset[str]]]:
        """The sentences of a page that name a component, with the words in and beside them."""
        named = self._naming.get((key, page))
        if named is None:
            index = self._alignment.pages[page].index
            named = self._naming[key, page] = [
                (
                    unit,
                    frozenset(
                        word
                        for one in index.units[max(0, unit.number - 1) : unit.number + 2]
                        for word in one.keys
                    ),
                )
                for unit in index.naming(key, MOST_PLACES)
            ]
        return named


HEURISTIC = Heuristic(
    name="component_use",
    symbol="",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"alignment", "components"}),
    lexicons=frozenset({"components", "synonyms"}),
    measure=measure,
    looks_for_faults=True,
    message_types=("reasoning", "binary", "instruction"),
)
