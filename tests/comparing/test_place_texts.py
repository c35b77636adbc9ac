"""A place as a text for who reads it alone."""

from __future__ import annotations

import pytest

from klopt.comparing.passages import MOST_CONTEXT_CHARS, passages_of, places_of, text_of
from klopt.records import Page
from tests.comparing.texts import paired

PAGE = """# Printer

## Papier

Zo vult u papier bij:

1. Open de klep. Wacht even.
2. Sluit de klep

| Code | | Betekenis |
|---|---|---|
| K7 | x | De klep staat open |
| K8 | | Geen papier | z |
"""


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("Open de klep en wacht.",
         "Printer. Papier. Zo vult u papier bij: Open de klep. Wacht even."),
        ("Code K7 is een klep die open staat.",
         "Printer. Papier. Code: K7; x; Betekenis: De klep staat open"),
        ("Bij K8 is er geen papier.", "Printer. Papier. Code: K8; Betekenis: Geen papier"),
    ],
)  # fmt: skip
def test_what_stands_above_goes_first(languages, answer, text):
    match, _ = paired(languages["nl"], answer, [PAGE])
    ((place,),) = passages_of(match, [0])
    assert text_of(match, place) == text


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        ("- rood\n- geel", ["rood", "rood geel", "geel"]),
        ("# Kleur?\n\nRood. Geel.", ["Kleur?", "Kleur? Rood.", "Kleur? Rood. Geel.",
                                    "Kleur? Geel."]),
        ("<table><tr><td>rood<td>warm<tr><td>blauw<td>koud</table>",
         ["rood; warm", "blauw; koud"]),
        ("", []),
    ],
)  # fmt: skip
def test_all_places_of_a_page(languages, page, texts):
    index = languages["nl"].page(Page(page))
    found = list(places_of(index))
    assert [one.text for one in found] == texts
    for one in found:
        assert (one.start, one.end) == (index.units.starts[one.first], index.units.ends[one.last])


def test_what_stands_above_is_short(languages):
    long = "kop " * (MOST_CONTEXT_CHARS // 5)
    page = f"# Ver weg {long}\n\n## Dichtbij {long}\n\nRood is warm."
    last = list(places_of(languages["nl"].page(Page(page))))[-1].text
    assert last.startswith("Dichtbij")
    assert last.endswith(". Rood is warm.")
    assert len(last) <= MOST_CONTEXT_CHARS + len(" . Rood is warm.")
