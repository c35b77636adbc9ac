"""Units of a text: words, conditions, the sentences above them, and rows or tabs beside them."""

import pytest

from klopt.types import Page
from klopt.verification import Language, PageIndex, Units, units_of
from tests.tables import tables


def units(language: Language, text: str) -> Units:
    return units_of(language.reader.read(text), language.lexicons)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("De huurder betaalt het contract.", ("huurder", "betalen", "contract")),
        ("Wacht 30 seconden.", ("wachten", "30", "seconde")),
        ("Dat kost 2,5 euro.", ("kosten", "2,5", "euro")),
        ("Wacht twintig seconden.", ("wachten", "20", "seconde")),
        ("Zet de wifi uit.", ("uitzetten", "wifi")),
        ("Kopen, kopen en nog eens kopen.", ("kopen",)),
    ],
)
def test_words_of_a_sentence(nl, text, expected):
    found = units(nl, text)
    assert len(found) == 1
    words = [found.words[word] for word in found.of(0)]
    assert words == [nl.reader.tokenizer.key(word) for word in expected]


@pytest.mark.parametrize("text", ["", "!", "Dat kan wel."])
def test_a_text_of_stop_words_has_no_units(nl, text):
    found = units(nl, text)
    assert (len(found), found.words, found.conditional) == (0, (), b"")


@pytest.mark.parametrize(
    ("text", "conditional"),
    [
        ("De huurder betaalt.", [0]),
        ("Als de huurder betaalt, wacht de balie.", [1]),
        ("De huurder wacht. Als de huurder betaalt, wacht de balie.", [0, 1]),
    ],
)
def test_conditional_sentences(nl, text, conditional):
    assert list(units(nl, text).conditional) == conditional


PAGES = tables("verification", "layout")["pages"]
STEPS, TABLE, TABS = (PAGES[name] for name in ("steps", "table", "tabs"))


def text_of(index: PageIndex, unit: int) -> str:
    return index.reading.plain.text[index.units.starts[unit] : index.units.ends[unit]]


@pytest.mark.parametrize(
    ("page", "text", "expected"),
    [
        (STEPS, "Open de klep", ["Papier", "Zo vult u papier bij:"]),
        (STEPS, "A3", ["Papier", "Zo vult u papier bij:", "Leg papier in:"]),
        (TABLE, "LN-2047", ["Lampen", "Code | Betekenis"]),
        ("Kies een kleur.\n\n- Rood\n- Geel", "Geel", ["Kies een kleur."]),
        (TABS, "Open het menu", ["Printen", "Laptop"]),
        (TABS, "Kies een lade", ["Printen", "Laptop", "Lade"]),
        (TABS, "Veeg", ["Printen", "Tablet"]),
        # Near misses.
        (TABS, "Haal", ["Printen"]),
        (STEPS, "Klaar", ["Papier"]),
        ("Kies een kleur. Of wacht.\n\n- Rood\n- Geel", "Geel", []),
        ("Kies een kleur:\n\n## Kleuren\n\n- Rood\n- Geel", "Geel", ["Kleuren"]),
        ("| | |\n|---|---|\n| Rood | warm |\n| Blauw | koud |", "Blauw", []),
    ],
)
def test_the_sentences_above_a_sentence(nl, page, text, expected):
    index = nl.page(Page(page))
    unit = next(n for n in range(len(index.units)) if text_of(index, n).startswith(text))
    assert [text_of(index, one) for one in index.layout.above[unit]] == expected


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
def test_rows_beside_a_named_row(nl, texts, others):
    index = nl.page(Page(TABLE))
    found = index.layout.others(*(frozenset(text.split()) for text in texts))
    assert sorted(text_of(index, one).split(" | ")[0] for one in found) == sorted(others)


@pytest.mark.parametrize(
    ("words", "others"),
    [
        ("wa", ["WA+ (klein)", "Rood (druk)", "Rood (blij)"]),
        ("wa+", ["WA", "Rood (druk)", "Rood (blij)"]),
        ("rood", []),  # two rows
        ("rood blij", ["WA", "WA+ (klein)", "Rood (druk)"]),
    ],
)
def test_rows_are_named_without_brackets(nl, words, others):
    rows = ["WA", "WA+ (klein)", "Rood (druk)", "Rood (blij)"]
    table = "\n".join(["| Naam | Prijs |", "|---|---|", *(f"| {row} | 24 |" for row in rows)])
    page, key = nl.page(Page(table)), nl.reader.tokenizer.key
    found = page.layout.others(frozenset(map(key, words.split())))
    assert [text_of(page, one).split(" | ")[0] for one in found] == others


@pytest.mark.parametrize(
    ("words", "others"),
    [
        ("laptop", ["Tablet", "Veeg omhoog."]),
        ("tablet", ["Laptop", "Open het menu.", "Lade", "Kies een lade."]),
        ("printer", []),
        ("laptop tablet", []),
    ],
)
def test_tabs_beside_a_named_tab(nl, words, others):
    page = nl.page(Page(TABS))
    assert [text_of(page, one) for one in page.layout.others(frozenset(words.split()))] == others
