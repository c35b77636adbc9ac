"""Denied Names: does the answer keep to names that the company wants in answers?"""

from __future__ import annotations

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.measurement import Evidence, Measurement


def measure(material: Material, options: Options) -> Measurement:
    """Whether the answer has no name that the company's list denies.

    A product that is no more sold, an old name of a screen, a rival: the pages may still have
    them, and an answer must not.

    Args:
        material: Reads the answer; needs the list ``denied`` of the lexicon ``product_names``.
        options: None.

    Returns:
        1 when the answer has none of the names, as whole words in any case, else 0. None without
        a list. Evidence: each place of one, ``unsupported``.

    Source:
        klopt's own.

    Differs:
        From Components Defined, which asks whether the pages have a name: here they do not count.
    """
    lexicon = material.lexicons.get("product_names")
    if lexicon is None or not lexicon.lists["denied"]:
        return Measurement.missing("the company denies no names")
    found: list[Evidence] = [
        material.evidence("unsupported", *match.span(), entry=match[0])
        for match in lexicon.phrases["denied"].finditer(material.answer.plain.text)
    ]
    return Measurement(float(not found), evidence=tuple(found))


HEURISTIC = Heuristic(
    name="denied_names",
    symbol="",
    reads=frozenset({"answer"}),
    needs=frozenset(),
    measure=measure,
)
