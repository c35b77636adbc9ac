"""Which mask of a translation stands for which of its source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.bilingual.pairing import Masked, pair_masks, with_marks
from klopt.reading.components import component_key
from klopt.translation.masks import MARKER
from tests.tables import tables

KINDS = {"#": "number", "v": "version", "$": "command", "/": "path", "@": "url", "-": "option"}


def masks(text: str) -> list[Masked]:
    """Masks from words such as ``Opslaan #5 `F2``: names bare, keys after a backtick."""
    return [_masked(word.replace("_", " ")) for word in text.split()]


def _masked(word: str) -> Masked:
    if word[0] == "`":
        return Masked("key", word[1:], component_key(word[1:], is_key=True))
    if word[0] in KINDS:
        return Masked.literal(KINDS[word[0]], word[1:])
    return Masked("name", word, component_key(word))


CASES = tables("bilingual", "pairing")


@pytest.mark.parametrize(("source", "target", "partners"), CASES["pairs"])
def test_pairs(source, target, partners):
    found = pair_masks(masks(source), masks(target))
    assert ["-" if place is None else str(place) for place in found] == partners.split()


@pytest.mark.parametrize(
    ("text", "masked", "partners", "written"),
    [
        ("Click ⟦1⟧ in ⟦2⟧.", "Save Files", (1, 0), "Click ⟦2⟧ in ⟦1⟧."),
        ("Click ⟦1⟧ in ⟦2⟧.", "Save Files", (None, 0), "Click Save in ⟦1⟧."),
        ("Wait ⟦1⟧ s.", "#5", (None,), "Wait 5 s."),
        ("Type ⟦1⟧.", "$⟦1⟧", (None,), "Type [1]."),
        ("Wait.", "", (), "Wait."),
    ],
)
def test_written(text: str, masked: str, partners: tuple[int | None, ...], written: str) -> None:
    assert with_marks(text, masks(masked), partners) == written


WORDS = st.lists(
    st.sampled_from(["Opslaan", "Save", "#5", "#2,5", "#2.5", "`F2", "`Esc", "$orl", "@a", "--b"]),
    max_size=9,
).map(" ".join)


@given(source=WORDS, target=WORDS)
def test_no_mark_twice(source: str, target: str) -> None:
    own, theirs = masks(source), masks(target)
    partners = pair_masks(own, theirs)
    paired = [place for place in partners if place is not None]
    assert len(partners) == len(theirs)
    assert len(set(paired)) == len(paired)
    assert all(0 <= place < len(own) for place in paired)
    text = " ".join(f"⟦{number}⟧" for number in range(1, len(theirs) + 1))
    marks = [int(match[1]) - 1 for match in MARKER.finditer(with_marks(text, theirs, partners))]
    assert marks == paired


@given(words=WORDS)
def test_equal_masks_all_pair(words: str) -> None:
    own = masks(words)
    assert pair_masks(own, own) == list(range(len(own)))
