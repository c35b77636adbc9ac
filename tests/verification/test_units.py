"""Units of a text: the words of its sentences, and which sentences are conditional."""

import pytest

from klopt.verification import Language, Units, units_of


def units(language: Language, text: str) -> Units:
    return units_of(language.reader.read(text), language.lexicons)


def words(language: Language, found: Units) -> list[tuple[str, ...]]:
    return [tuple(found.words[word] for word in found.of(one)) for one in range(len(found))]


def keys(language: Language, *given: str) -> tuple[str, ...]:
    return tuple(map(language.reader.tokenizer.key, given))


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
    assert words(nl, units(nl, text)) == [keys(nl, *expected)]


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
