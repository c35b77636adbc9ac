"""Components Together: does one page name the components that the answer names together?"""

from __future__ import annotations

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.measurement import Measurement


def measure(material: Material, options: Options) -> Measurement:
    """The share of the answer's components that stand on the page which supports it best.

    An answer that mixes two guides names components that all exist, on different pages.

    Args:
        material: Reads the answer and the pages.
        options: None.

    Returns:
        0 to 1: components on the page that covers most of the answer / components named, each
        place counted; of pages that cover as much, the highest. None when the answer names no
        component, or no page has text. Evidence: each component, ``supported`` or
        ``unsupported`` by that page.

    Source:
        Lassche et al., section 4.4.2 (Off-Context), for what Components Defined cannot see.

    Differs:
        From Components Defined, for which any page will do. It works against Context Synthesis
        (two pages rightly joined), which the paper's table 2 holds to be a sign of truth; on
        rated answers mixing is the more frequent case. A name that the company allows is
        everywhere.
    """
    named = tuple(one for one in material.answer.components if one.kind != "code")
    if not named:
        return Measurement.missing("the answer names no component")
    match = material.match
    is_settled = all(len(set(pages)) == 1 for pages in match.named)
    best_pages = [0] if is_settled else match.best_pages
    known = max(([pages[best] for pages in match.named] for best in best_pages), key=sum)
    evidence = tuple(
        material.evidence(
            "supported" if is_known else "unsupported", one.start, one.end, entry=one.entry
        )
        for one, is_known in zip(named, known, strict=True)
    )
    return Measurement(sum(known) / len(known), evidence=evidence)


HEURISTIC = Heuristic(
    name="components_together",
    symbol="",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"match"}),
    measure=measure,
    looks_for_faults=True,
)
