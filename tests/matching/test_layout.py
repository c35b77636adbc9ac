"""How the sentences of a page stand together."""

from __future__ import annotations

import pytest

from klopt.matching import Language, PageIndex
from klopt.matching.units import LONGEST
from klopt.records import Page

STEPS = """# Papier

Zo vult u papier bij:

1. Open de klep. Wacht even.
2. Leg papier in:
   - A4 in lade 1
   - A3 in lade 2

Klaar is het papier.
"""
TABLE = """# Lampen

Kijk naar de lamp. Ze knippert.

| Code | Betekenis |
|---|---|
| LN-2041 | De klep staat open. Sluit hem. |
| LN-2047 | Het papier is op |
| Geen code | Alles werkt |
"""


def said(index: PageIndex, unit: int) -> str:
    return index.reading.plain.text[index.units.starts[unit] : index.units.ends[unit]]


def above(index: PageIndex, text: str) -> list[str]:
    unit = next(n for n in range(len(index.units)) if said(index, n).startswith(text))
    return [said(index, one) for one in index.layout.above[unit]]


def places(index: PageIndex) -> list[str]:
    text, units = index.reading.plain.text, index.units
    return [
        text[units.starts[first] : units.ends[last]]
        for first, last in zip(*index.layout.places, strict=True)
    ]


@pytest.mark.parametrize(
    ("page", "text", "expected"),
    [
        (STEPS, "Open de klep", ["Papier", "Zo vult u papier bij:"]),
        (STEPS, "A3", ["Papier", "Zo vult u papier bij:", "Leg papier in:"]),
        (TABLE, "LN-2047", ["Lampen", "Code | Betekenis"]),
        ("Kies een kleur.\n\n- Rood\n- Geel", "Geel", ["Kies een kleur."]),
        # What does not lead in to it.
        (STEPS, "Klaar", ["Papier"]),
        ("Kies een kleur. Of wacht.\n\n- Rood\n- Geel", "Geel", []),
        ("Kies een kleur:\n\n## Kleuren\n\n- Rood\n- Geel", "Geel", ["Kleuren"]),
        ("| | |\n|---|---|\n| Rood | warm |\n| Blauw | koud |", "Blauw", []),
    ],
)
def test_what_a_sentence_is_read_with(
    nl: Language, page: str, text: str, expected: list[str]
) -> None:
    assert above(nl.page(Page(page)), text) == expected


def test_a_place_does_not_run_on_into_what_is_of_another_kind(nl: Language) -> None:
    assert places(nl.page(Page(STEPS))) == [
        "Papier",
        "Zo vult u papier bij:",
        "Open de klep.",
        "Open de klep. Wacht even.",
        "Open de klep. Wacht even.\nLeg papier in:",
        "Wacht even.",
        "Wacht even.\nLeg papier in:",
        "Leg papier in:",
        "A4 in lade 1",
        "A4 in lade 1\nA3 in lade 2",
        "A3 in lade 2",
        "Klaar is het papier.",
    ]
    assert places(nl.page(Page(TABLE))) == [
        "Lampen",
        "Kijk naar de lamp.",
        "Kijk naar de lamp. Ze knippert.",
        "Ze knippert.",
        "Code | Betekenis",
        "LN-2041 | De klep staat open. Sluit hem.",
        "LN-2047 | Het papier is op",
        "Geen code | Alles werkt",
    ]


def test_a_place_has_few_sentences(nl: Language) -> None:
    found = places(nl.page(Page("De maan is rond. " * 6)))
    assert max(one.count("maan") for one in found) == LONGEST == 3
    assert len(found) == 6 + 5 + 4


def test_no_sentence_no_place(nl: Language) -> None:
    assert places(nl.page(Page(""))) == []


@pytest.mark.parametrize(
    ("texts", "others"),
    [
        (["@ln-2041 lamp"], ["LN-2047", "Geen code"]),
        (["lamp", "@ln-2047"], ["LN-2041", "Geen code"]),
        (["@ln-2041", "@ln-2047"], ["LN-2047", "Geen code"]),
        (["@ln-2041 @ln-2047"], ["Geen code"]),
        (["@ln-2042"], []),
        (["lamp geen code"], []),
        ([], []),
    ],
)
def test_rows_beside_the_one_that_is_named(
    nl: Language, texts: list[str], others: list[str]
) -> None:
    index = nl.page(Page(TABLE))
    found = index.layout.others(*(frozenset(text.split()) for text in texts))
    assert sorted(said(index, one).split(" | ")[0] for one in found) == sorted(others)


def test_the_name_of_a_column_begins_no_part_of_the_page(nl: Language) -> None:
    table = "# Codes\n\n| Code | Oplossing |\n|---|---|\n| K1 | Sluit de klep |\n\nBel ons."
    assert not len(nl.page(Page(table)).solution)
    assert len(nl.page(Page(f"{table}\n\n## Oplossing\n\nWacht even.")).solution)
