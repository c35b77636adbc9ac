"""Offsets in a translated text are mapped to sentences and names of the original."""

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.text.markup import read_text
from klopt.text.plain import Span
from klopt.text.reader import split_sentences
from klopt.translation.masks import read_units, restore
from klopt.translation.text import AlignedText, align
from tests.translation.fakes import PIECES, english, turned_around


def aligned(source: str, translate: Callable[[str], str] = english) -> AlignedText:
    """A text that is translated sentence by sentence."""
    plain = read_text(source)
    names = [Span(one.start, one.end) for one in plain.marks if one.kind == "strong"]
    units = read_units(plain, split_sentences(plain.text, frozenset()), names)
    return align(plain, units, lambda one: restore(translate(one.text), one, plain))


SOURCE = (
    "# Begin\n\nKlik op **Opslaan**, 3 keer. Sluit &amp; *wacht*.\n\n- 5\n\n```\norl go\nb\n```\n"
)


@pytest.mark.parametrize(
    ("part", "original"),
    [
        ("Opslaan", "Opslaan"),
        ("psla", "psla"),
        ("3", "3"),
        ("reeks", "Klik op **Opslaan**, 3 keer."),
        ("3 Opslaan", "Klik op **Opslaan**, 3 keer."),
        ("Opslaan po", "Klik op **Opslaan**, 3 keer."),
        ("thcaws", "Sluit &amp; *wacht*."),
        ("kilks. It", "Klik op **Opslaan**, 3 keer. Sluit &amp; *wacht*."),
        ("nigebs.\nIt is that: reeks", "Begin\n\nKlik op **Opslaan**, 3 keer."),
        ("nigebs", "Begin"),
        ("5", "5"),
        ("rl g", "rl g"),
        ("go\nb", "go\nb"),
    ],
)
def test_the_original_of_a_stretch(part, original):
    text = aligned(SOURCE, turned_around)
    start = text.text.index(part)
    assert text.source[slice(*text.original(start, start + len(part)))] == original


def check(text: AlignedText) -> None:
    """Check the invariants of a translated text."""
    assert len(text.origins) == len(text.text) + 1
    assert list(text.origins) == sorted(text.origins)
    assert 0 <= text.origins[0] <= text.origins[-1] == len(text.source)
    for one in (*text.blocks, *text.marks):
        assert 0 <= one.start < one.end <= len(text.text)
    assert all(a.end < b.start for a, b in itertools.pairwise(text.blocks))
    for apart in (text.sentences, text.copies):
        assert all(a.end <= b.start for a, b in itertools.pairwise(apart))
    own = text.original_text
    for copy in text.copies:
        here, there = (copy.start, copy.end), (copy.source_start, copy.source_end)
        assert text.text[slice(*here)] == own.text[slice(*there)]
        assert text.original(*here) == own.original(*there)
    for place, letter in enumerate(text.text):
        inside = [one for one in text.sentences if one.start <= place < one.end]
        assert letter.isspace() or len(inside) == 1


DROPPED = str.maketrans("", "", "⟦⟧")
TRANSLATORS: dict[str, Callable[[str], str]] = {
    "unchanged": str,
    "english": english,
    "reverse order": turned_around,
    "lost marks": lambda text: text.translate(DROPPED),
    "doubled marks": lambda text: f"{text} {text}",
    "added mark": lambda text: f"{text} ⟦{text.count('⟦') + 1}⟧",
    "invented marks": lambda text: f"⟦77⟧ {text} ⟦0⟧⟦9999⟧",
    "capitals": str.upper,
    "three sentences": lambda text: f"So. {text} Now! And?",
    "sorted characters": lambda text: "".join(sorted(text)),
}


TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(max_size=40)


@given(TEXTS, st.sampled_from(sorted(TRANSLATORS)), st.integers(0, 400), st.integers(0, 60))
def test_any_stretch_of_any_translation_is_mapped_into_the_source(text, name, place, length):
    found = aligned(text, TRANSLATORS[name])
    check(found)
    start, end = (min(at, len(found.text)) for at in (place, place + length))
    first, last = found.original(start, end)
    assert 0 <= first <= last <= len(text)
    if end > start and found.text[start:end].strip():
        assert first < last
        covered = found.plain(first, last)
        assert 0 <= covered[0] <= covered[1] <= len(found.text)
