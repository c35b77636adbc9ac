"""Retrieval accuracy: the right page by name or by text, near-duplicates, order and k."""

from __future__ import annotations

import sys

import pytest

from klopt.errors import ExtraMissingError, RecordError
from klopt.evaluation.retrieval import Retrieval, accuracy, is_near, rank, read_gold
from klopt.extras import install
from klopt.records import Page

STEPS = "".join(f"{number}. Open scherm {number} en klik op **Verder**.\n" for number in range(30))
WIFI = Page(f"# Wifi\n\n{STEPS}", id="wifi.md")
SOUND = Page("# Geluid\n\n" + STEPS.replace("Verder", "Harder, en wacht even"), id="geluid.md")
PRINTER = Page(
    "# Printer\n\n" + "Zet de printer aan en wacht tot hij stil is. " * 20, id="print.md"
)


def changed(count: int) -> str:
    """The page about wifi with some characters at its end."""
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
        # Short texts: less than 100 apart whatever they say.
        ("Zet wifi aan.", "Zet wifi uit.", True),
        ("a" * 10, "a" * 10 + "b" * 9, True),
        ("a" * 10, "a" * 10 + "b" * 10, False),
        ("", "Zet wifi aan.", False),
    ],
)
def test_near(one, other, near):
    assert is_near(one, other) is near


def test_two_pages_of_200_000_characters_are_compared_without_a_table_of_all_pairs():
    # A whole table would have 40 billion cells, which no machine fills within a test run.
    one = "abcdefghij" * 20_000
    assert is_near(one, one[:100_000] + "x" * 99 + one[100_000:])
    assert not is_near(one, one[5:] + one[:5][::-1] * 30)
    assert not is_near("a" * 200_000, "b" * 200_000)


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
def test_order_matters_and_k_may_be_larger_than_the_list(gold, place):
    golds = read_gold(gold) if isinstance(gold, str) else (gold,)
    row = Retrieval((WIFI, SOUND, PRINTER), golds)
    assert rank(row) == place
    for found in accuracy([row], (1, 2, 3, 50)):
        is_hit = place is not None and place <= found.k
        assert found.hit_count == is_hit


def test_accuracy():
    gold = read_gold("wifi.md")
    rows = [
        Retrieval((WIFI, SOUND), gold),
        Retrieval((SOUND, WIFI), gold),
        Retrieval((SOUND, PRINTER, WIFI), gold),
        Retrieval((SOUND,), gold),
        Retrieval((), gold),
        Retrieval((WIFI,), ()),
    ]
    found = accuracy(rows)
    hits = [(one.k, one.hit_count, one.n) for one in found]
    assert hits == [(1, 1, 5), (2, 2, 5), (3, 3, 5), (5, 3, 5)]
    assert [one.accuracy.value for one in found] == [0.2, 0.4, 0.6, 0.6]
    assert found[1].accuracy.low < 0.4 < found[1].accuracy.high


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, []),
        ([], []),
        ("wifi.md", [("wifi.md", "")]),
        ("Zet wifi aan.", [("", "Zet wifi aan.")]),
        ("x" * 201, [("", "x" * 201)]),
        ({"id": "wifi.md"}, [("wifi.md", "")]),
        ({"id": "wifi.md", "text": "Zet aan."}, [("wifi.md", "Zet aan.")]),
        (["wifi.md", {"id": "geluid.md"}], [("wifi.md", ""), ("geluid.md", "")]),
    ],
)
def test_read_gold(value, expected):
    assert [(page.id, page.text) for page in read_gold(value)] == expected


def test_a_name_stands_for_the_page_of_the_folder():
    pages = {"wifi.md": WIFI, "wifi": WIFI}
    assert read_gold("wifi", pages=pages) == (WIFI,)
    assert read_gold({"id": "wifi"}, pages=pages) == (WIFI,)
    near = Page(changed(9), id="wifi-2.md")
    assert rank(Retrieval((near,), read_gold("wifi", pages=pages))) == 1


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (7, "a name, a text, an object with id or text, or a list of these, not int"),
        ({}, "an object without a text in id or in text"),
    ],
)
def test_a_right_page_that_cannot_be_read(value, message):
    with pytest.raises(RecordError, match=f"^the right page is {message}$"):
        read_gold(value)


def test_without_the_extra_the_error_names_it_and_names_are_still_compared(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    assert rank(Retrieval((SOUND, WIFI), read_gold("wifi.md"))) == 2
    with pytest.raises(ExtraMissingError) as caught:
        rank(Retrieval((WIFI,), (Page(changed(9)),)))
    needed = "comparing pages by their text needs rapidfuzz; install with:"
    assert str(caught.value) == f"{needed} {install('metrics')}"
