"""Retrieval accuracy: the right page by name or by text, near-duplicates, order and k."""

import sys

import pytest

from klopt._internal.imports import install
from klopt.errors import ExtraMissingError, RecordError
from klopt.logs.checks import Retrieval, is_near, rank, read_gold
from klopt.types import Page

STEPS = "".join(f"{number}. Open scherm {number} en klik op **Verder**.\n" for number in range(30))
WIFI = Page(f"# Wifi\n\n{STEPS}", id="wifi.md")
SOUND = Page("# Geluid\n\n" + STEPS.replace("Verder", "Harder, en wacht even"), id="geluid.md")
PRINTER = Page(
    "# Printer\n\n" + "Zet de printer aan en wacht tot hij stil is. " * 20, id="print.md"
)


def changed(count: int) -> str:
    """The text about wifi with this number of characters added."""
    return WIFI.text + "x" * count


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        (WIFI.text, WIFI.text, True),
        (WIFI.text, changed(99), True),
        (WIFI.text, changed(100), False),
        (WIFI.text, WIFI.text.replace(" en ", "  en  "), True),
        (WIFI.text, WIFI.text.replace("Verder", "Opslaan"), False),
        (WIFI.text, f"{WIFI.text}\n## Als het niet lukt\n\n{PRINTER.text}", False),
        (WIFI.text, WIFI.text.replace("\n", "\r\n") + "\r\n", True),
        ("één " * 200, "e\u0301e\u0301n " * 200, True),
        # Short texts differ by less than 100 characters.
        ("Zet wifi aan.", "Zet wifi uit.", True),
        ("a" * 10, "a" * 10 + "b" * 9, True),
        ("a" * 10, "a" * 10 + "b" * 10, False),
        ("", "Zet wifi aan.", False),
    ],
)
def test_near_duplicates(one, other, near):
    assert is_near(one, other) is near


@pytest.mark.parametrize(
    ("gold", "place"),
    [
        ("wifi.md", 1),
        ("muis.md", None),
        (Page("", id="geluid.md"), 2),
        (Page(changed(50)), 1),
        (Page("Heel andere tekst. " * 50, id="print.md"), 3),
        (Page(PRINTER.text, id="printer-oud.md"), 3),
        (Page(""), None),
    ],
)
def test_the_rank_of_the_right_page(gold, place):
    golds = read_gold(gold) if isinstance(gold, str) else (gold,)
    row = Retrieval((WIFI, SOUND, PRINTER), golds)
    assert rank(row) == place


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (7, "a name, a text, an object with id or text, or a list of these, not int"),
        ({}, "an object without a text in id or in text"),
    ],
)
def test_an_invalid_right_page(value, message):
    with pytest.raises(RecordError, match=f"^the right page is {message}$"):
        read_gold(value)


def test_a_missing_package_names_the_extra_if_texts_are_compared(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    assert rank(Retrieval((SOUND, WIFI), read_gold("wifi.md"))) == 2
    with pytest.raises(ExtraMissingError) as caught:
        rank(Retrieval((WIFI,), (Page(changed(9)),)))
    needed = "comparing pages by their text needs rapidfuzz; install with:"
    assert str(caught.value) == f"{needed} {install('metrics')}"
