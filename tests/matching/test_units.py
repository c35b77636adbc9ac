"""Sentences as what can be compared: their words as integers, and what a page says of itself."""

from __future__ import annotations

import numpy as np
import pytest

from klopt.matching import Language, PageIndex, Units, units_of
from klopt.records import Page


def units(language: Language, text: str) -> Units:
    return units_of(language.reader.read(text), language.lexicons)


def words(language: Language, found: Units) -> list[tuple[str, ...]]:
    return [tuple(found.words[word] for word in found.of(one)) for one in range(len(found))]


def keys(language: Language, *given: str) -> tuple[str, ...]:
    return tuple(map(language.reader.tokenizer.key, given))


def named(language: Language, index: PageIndex, numbers: np.ndarray) -> set[str]:
    return {index.units.words[number] for number in numbers.tolist()}


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
def test_words_of_a_sentence(nl: Language, text: str, expected: tuple[str, ...]):
    assert words(nl, units(nl, text)) == [keys(nl, *expected)]


@pytest.mark.parametrize("text", ["", "!", "Dat kan wel."])
def test_a_text_of_stop_words_has_no_units(nl: Language, text: str):
    found = units(nl, text)
    assert (len(found), found.words, found.conditional) == (0, (), b"")


def test_sentences_without_words_are_left_out(nl: Language):
    text = "Dat kan. Zoek de balie. En dan? Bel de balie."
    found = units(nl, text)
    cut = [text[a:b] for a, b in zip(found.starts, found.ends, strict=True)]
    assert cut == ["Zoek de balie.", "Bel de balie."]
    assert words(nl, found) == [keys(nl, "zoek", "balie"), keys(nl, "bel", "balie")]
    assert found.ids == {word: number for number, word in enumerate(found.words)}


def test_words_repeat_in_the_sequence_alone(nl: Language):
    found = units(nl, "Koop, koop! Koop de lamp.")
    assert [found.words[word] for word in found.sequence] == list(
        keys(nl, "koop", "koop", "koop", "lamp")
    )
    assert words(nl, found) == [keys(nl, "koop"), keys(nl, "koop", "lamp")]


def test_words_between_two_places(nl: Language):
    text = "Zoek de balie. Bel de balie. Koop de lamp."
    found = units(nl, text)
    start, end = text.index("Bel"), len(text)
    cut = tuple(found.words[word] for word in found.between(start, end))
    assert cut == keys(nl, "bel", "balie", "koop", "lamp")
    assert found.between(0, 0).tolist() == []


@pytest.mark.parametrize(
    ("text", "conditional"),
    [
        ("De huurder betaalt.", [0]),
        ("Als de huurder betaalt, wacht de balie.", [1]),
        ("De huurder wacht. Als de huurder betaalt, wacht de balie.", [0, 1]),
    ],
)
def test_what_stands_under_a_condition(nl: Language, text: str, conditional: list[int]):
    assert list(units(nl, text).conditional) == conditional


PAGE = """# Sleutels

Zoek de balie. Bel de monteur.

## Kosten

Dat kost geld.

### Korting

Wie wacht, krijgt korting.

## Meer

Bel de huurder.
"""


def test_title_headings_and_paths(nl: Language):
    index = nl.page(Page(PAGE))
    assert named(nl, index, index.title) == set(keys(nl, "sleutels"))
    assert named(nl, index, index.headings) == set(
        keys(nl, "sleutels", "zoek", "balie", "kosten", "korting")
    )
    text = index.reading.plain.text
    paths = {
        text[start:end]: [text[index.units.starts[one] : index.units.ends[one]] for one in path]
        for start, end, path in zip(index.units.starts, index.units.ends, index.paths, strict=True)
    }
    assert paths["Bel de monteur."] == ["Sleutels"]
    assert paths["Wie wacht, krijgt korting."] == ["Sleutels", "Kosten", "Korting"]
    assert paths["Korting"] == ["Sleutels", "Kosten"]


def test_the_solution_ends_where_the_page_goes_on(nl: Language):
    page = "# Lamp\n\nStuk.\n\n## Oplossing\n\nKoop een lamp.\n\n## Zie ook\n\nDe balie.\n"
    index = nl.page(Page(page))
    assert named(nl, index, index.solution) == set(keys(nl, "koop", "lamp"))
    assert nl.page(Page(PAGE)).solution.tolist() == []
