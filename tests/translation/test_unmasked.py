"""Sentences that came back without marks: what of them is found again."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.reading.markup import read_text
from klopt.reading.text import PlainText, Span
from klopt.translation.masks import Segment, find_again, find_masks, segment, written_out


def read(text: str) -> tuple[PlainText, Segment]:
    plain = read_text(text)
    names = [Span(one.start, one.end) for one in plain.marks if one.kind == "strong"]
    return plain, segment(plain, 0, len(plain.text), find_masks(plain, names))


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("Klik op **Opslaan**, 3 keer.", "Klik op Opslaan, 3 keer."),
        ("Klik nu.", "Klik nu."),
        ("Klik op ⟦1⟧ en 2.", "Klik op [1] en 2."),
    ],
)
def test_as_it_stands(text: str, sent: str):
    plain, own = read(text)
    assert written_out(own, plain) == sent


@pytest.mark.parametrize(
    ("text", "translated", "kept"),
    [
        ("Klik op **Opslaan**, 3 keer.", "Click Opslaan, 3 times.", ["Opslaan", "3"]),
        ("Klik op **Opslaan**, 3 keer.", "3 times: click Save.", ["3"]),
        ("Klik op **Opslaan**, 3 keer.", "Click save three times.", []),
        ("Kies 3, dan 3.", "Choose 3, then 3.", ["3", "3"]),
        ("Kies 3, dan 3.", "Choose 3 twice.", []),
        ("Kies 3.", "Choose 3, only 3.", []),
        ("Kies **Nieuw** of **Nieuw verlof**.", "Choose Nieuw or Nieuw verlof.", ["Nieuw verlof"]),
        ("Kies 3.", "", []),
    ],
)
def test_what_is_found_again(text: str, translated: str, kept: list[str]):
    plain, own = read(text)
    restored = find_again(translated, own, plain)
    assert restored.text == translated
    assert [translated[place.start : place.end] for _, place in restored.places] == kept
    for number, place in restored.places:
        mask = own.masks[number]
        assert plain.text[mask.start : mask.end] == translated[place.start : place.end]


WORDS = st.lists(st.sampled_from(["Klik", "**A**", "**A B**", "3", "33", "`x`", "op", "⟦"]))


@given(words=WORDS, said=WORDS)
def test_places_never_overlap_nor_does_a_part_have_two(words: list[str], said: list[str]):
    plain, own = read(" ".join(words))
    restored = find_again(" ".join(said).replace("*", ""), own, plain)
    places = sorted(place for _, place in restored.places)
    assert all(a.end <= b.start for a, b in itertools.pairwise(places))
    numbers = [number for number, _ in restored.places]
    assert numbers == sorted(set(numbers))


@given(words=WORDS)
def test_what_comes_back_as_it_was_keeps_every_part_that_stands_in_no_other(words: list[str]):
    plain, own = read(" ".join(words))
    parts = [plain.text[mask.start : mask.end] for mask in own.masks]
    sent = written_out(own, plain)
    kept = {number for number, _ in find_again(sent, own, plain).places}
    for number, part in enumerate(parts):
        if sent.count(part) == parts.count(part):
            assert number in kept
