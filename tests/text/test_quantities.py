"""Quantities: which are equal, in one language and across two, and which are rivals."""

import pytest

from klopt.text.quantities import Quantity, are_equal, are_rivals, quantities
from klopt.text.values import Kind
from klopt.verification import Language
from tests.growth.growing import assert_linear, shapes
from tests.tables import tables

CASES = tables("text", "quantities")


def read(languages: dict[str, Language], code: str, text: str) -> list[Quantity]:
    reading = languages[code].reader.read(text)
    return quantities(reading.plain.text, reading.tokens, code)


def codes(languages: dict[str, Language], code: str, text: str) -> list[str]:
    tokens = languages[code].reader.read(text).tokens
    return [
        key
        for key, kind in zip(tokens.keys, tokens.kinds, strict=True)
        if kind == Kind.CODE and not key[1:].isdigit()
    ]


def has_equal(languages: dict[str, Language], which: str, one: str, two: str) -> bool:
    first, last = which.split(",")[0], which.split(",")[-1]
    mine, theirs = read(languages, first, one), read(languages, last, two)
    if codes(languages, first, one) != codes(languages, last, two) or len(mine) != len(theirs):
        return False
    for own in mine:
        partner = next((other for other in theirs if are_equal(own, other)), None)
        if partner is None:
            return False
        theirs.remove(partner)
    return True


@pytest.mark.parametrize(("which", "one", "two"), CASES["equal"])
def test_forms_of_one_value_are_equal(languages, which, one, two):
    assert has_equal(languages, which, one, two)
    assert has_equal(languages, ",".join(which.split(",")[::-1]), two, one)


@pytest.mark.parametrize(("which", "one", "two"), CASES["unequal"])
def test_different_values_are_unequal(languages, which, one, two):
    assert not has_equal(languages, which, one, two)


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("nl", "Na 1 maand of 30 dagen.", ["1 maand", "30 dagen"]),
        ("nl", "Dat is € 1.250,- per stuk.", ["€ 1.250"]),
        ("en", "It costs 12.50 dollars, 5% off.", ["12.50 dollars", "5%"]),
        ("nl", "Bel 088 - 555 67 89 van ma–vr.", ["088 - 555 67 89", "ma–vr"]),
        ("nl", "Op 5 maart 2024 om 9.00 uur.", ["5 maart 2024", "9.00 uur"]),
        ("nl", "Zie art. 5 lid 3.", ["art. 5", "lid 3"]),
        ("nl", "Het vriest: −5 graden, morgen -3 graden.", ["−5 graden", "-3 graden"]),
        ("nl", "1. Open A 2. Kies B", []),
        ("nl", "Volgens [1] kan dat.", []),
    ],
)
def test_a_quantity_has_its_unit(languages, code, text, expected):
    plain = languages[code].reader.read(text).plain.text
    assert [plain[one.start : one.end] for one in read(languages, code, text)] == expected


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("14 dagen", "30 dagen", True),
        ("1 maand", "30 dagen", False),
        ("5 werkdagen", "5 dagen", False),
        ("€ 5", "5 dagen", False),
        ("€ 5", "6", False),
        ("3 leden", "4 leden", True),
        ("om 9 uur", "om 10.00 uur", True),
    ],
)
def test_rivals_measure_the_same(languages, one, two, expected):
    (mine,), (theirs,) = read(languages, "nl", one), read(languages, "nl", two)
    assert are_rivals(mine, theirs) is expected


@shapes("quantities")
def test_time_is_linear(languages, shape):
    assert_linear(shape.text, 24_000, read=lambda text: read(languages, "nl", text))
