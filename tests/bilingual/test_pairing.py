"""Which mask of a translation stands for which of its source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.bilingual.pairing import Masked, pair_masks, with_marks
from klopt.reading.components import component_key
from klopt.translation.masks import MARKER

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


N = None


@pytest.mark.parametrize(
    ("source", "target", "partners"),
    [
        ("", "", []),
        ("Opslaan", "Save", [0]),
        ("Opslaan #5", "#5 Save", [1, 0]),
        # numbers in both spellings, and near misses
        ("#2,5", "#2.5", [0]),
        ("#10.000", "#10,000", [0]),
        ("#10000", "#10,000", [0]),
        ("#1.234,5", "#1,234.5", [0]),
        ("#50_%", "#50%", [0]),
        ("#3.28", "v3.28", [0]),
        ("#2,5", "#25", [N]),
        ("#10.000", "#10.00", [N]),
        ("#5", "#6", [N]),
        ("v3.28", "v3.30", [N]),
        ("#5 #5 #8", "#8 #5", [2, 0]),
        ("#5", "#5 #5", [0, N]),
        # literals: the same first, wherever they stand
        ("$orlsync $orlstart", "$orlstart $orlsync", [1, 0]),
        ("@https://a.example/nl", "@https://a.example/en", [0]),
        ("/orl.ini", "$orlsync", [N]),
        ("--a", "--A", [N]),
        # keys, and a name in the one language that is read as a key in the other
        ("`Ctrl+Shift+T", "`Shift+Ctrl+T", [0]),
        ("`Super+Spatiebalk Opslaan", "Save `Super+Space", [1, 0]),
        ("Thuis", "`Home", [0]),
        ("Thuis Alle_bestanden", "`Home All_Files", [0, 1]),
        # several names: in order, where there are as many left
        ("Naam Grootte", "Name Size", [0, 1]),
        ("Naam Wi-Fi Grootte", "Wi-Fi Name Size", [1, 0, 2]),
        ("Weergave Naam Grootte", "Name Size", [N, N]),
        ("Weergave Wi-Fi Grootte", "Wi-Fi Size", [1, N]),
        ("Opslaan", "", []),
        ("", "Save", [N]),
    ],
)
def test_pairs(source: str, target: str, partners: list[int | None]) -> None:
    assert pair_masks(masks(source), masks(target)) == partners


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
    paired = [one for one in partners if one is not None]
    assert len(partners) == len(theirs)
    assert len(set(paired)) == len(paired)
    assert all(0 <= one < len(own) for one in paired)
    text = " ".join(f"⟦{number}⟧" for number in range(1, len(theirs) + 1))
    marks = [int(match[1]) - 1 for match in MARKER.finditer(with_marks(text, theirs, partners))]
    assert marks == paired


@given(words=WORDS)
def test_equal_masks_all_pair(words: str) -> None:
    own = masks(words)
    assert pair_masks(own, own) == list(range(len(own)))
