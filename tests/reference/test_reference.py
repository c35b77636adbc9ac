"""Steps, bold parts and key terms of a reference."""

import pytest

from klopt.reference.reference import find_bold, read_reference, without_markers
from tests.tables import tables

CASES = tables("reference", "reference")


@pytest.mark.parametrize(("text", "titles"), CASES["titles"])
def test_titles(text, titles):
    assert [step.title for step in read_reference(text).steps] == titles


def test_details_belong_to_their_step():
    text = "To begin:\n1. Open **orl.ini**.\n   In the map conf.\n\n2. Save.\n\nGood luck!\n"
    first, second = read_reference(text).steps
    assert first.text == "Open orl.ini.\n   In the map conf."
    assert text[first.start : first.end] == "1. Open **orl.ini**.\n   In the map conf."
    assert second.text == "Save.\n\nGood luck!"
    assert second.end == len(text) - 1


@pytest.mark.parametrize(("text", "texts"), CASES["bold"])
def test_bold(text, texts):
    assert [text[bold.text.start : bold.text.end] for bold in find_bold(text)] == texts


@pytest.mark.parametrize(("text", "start", "end", "shown"), CASES["markers"])
def test_without_markers(text, start, end, shown):
    assert without_markers(text, start, end, find_bold(text)) == shown


@pytest.mark.parametrize(("text", "mode", "terms"), CASES["terms"])
def test_terms(text, mode, terms):
    found = read_reference(text, key_terms=mode).terms
    assert [[term.text, term.step, term.kind] for term in found] == terms
    assert [text[term.start : term.end] for term in found] == [term.text for term in found]
