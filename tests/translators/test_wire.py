from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.translators.batches import from_wire, to_wire


@pytest.mark.parametrize(
    ("text", "wired"),
    [
        ("Klik op ⟦1⟧ en ⟦12⟧.", "Klik op [X1X] en [X12X]."),
        ("⟦1⟧⟦2⟧", "[X1X][X2X]"),
        ("Geen merk.", "Geen merk."),
        ("Lijst [1] en [X].", "Lijst [1] en [X]."),
        ("Lijst [X1X]: ⟦1⟧", "Lijst [X1X]: [XX1XX]"),
        ("Lijst ［ x １ x ］: ⟦1⟧", "Lijst ［ x １ x ］: [XX1XX]"),
        ("Lijst [x1x] [xx1xx]: ⟦1⟧", "Lijst [x1x] [xx1xx]: [XXX1XXX]"),
        ("⟦01⟧ ⟦0⟧ ⟦١⟧", "⟦01⟧ ⟦0⟧ ⟦١⟧"),
        ("half \ud800 teken", "half \ufffd teken"),
    ],
)
def test_what_travels(text, wired):
    assert to_wire(text)[0] == wired


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("Click [X1X].", "Click ⟦1⟧."),
        ("Click [x1x].", "Click ⟦1⟧."),
        ("Click [ X 1 X ].", "Click ⟦1⟧."),
        ("Click [X1X ].", "Click ⟦1⟧."),
        ("Click ［Ｘ１Ｘ］.", "Click ⟦1⟧."),
        ("Click[X1X]or[X2X]", "Click⟦1⟧or⟦2⟧"),
        ("Click [X1X] and [X1X].", "Click ⟦1⟧ and ⟦1⟧."),
        ("Click X1X.", "Click X1X."),
        ("Click [1].", "Click [1]."),
        ("Click [X1].", "Click [X1]."),
        ("Click [Y1Y].", "Click [Y1Y]."),
        ("Click (X1X).", "Click (X1X)."),
        ("Click [X1X.", "Click [X1X."),
        ("Click [X\n1X].", "Click [X\n1X]."),
        ("Click [X12345X].", "Click [X12345X]."),
    ],
)
def test_what_is_read(reply, read):
    assert from_wire(reply, 1) == read


@given(st.text(st.sampled_from("[]［］XxＸ １12⟦⟧ a\n\ud800"), max_size=30))
def test_nothing_but_marks_is_changed(text):
    wired, letters_count = to_wire(text)
    assert from_wire(wired, letters_count) == text.replace("\ud800", "\ufffd")
