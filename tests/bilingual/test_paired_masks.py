"""Which mask of a translation stands for which of its source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.bilingual.learning import learn
from klopt.bilingual.paired_masks import (
    Glossary,
    Masked,
    Pairing,
    mark_lost,
    only_names,
    pair_masks,
    with_marks,
)
from klopt.bilingual.pairs import Pair
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
    ("source", "target", "partners", "is_doubtful"),
    [
        ("", "", (), False),
        ("Opslaan", "Save", (0,), False),
        ("Opslaan #5", "#5 Save", (1, 0), False),
        # numbers in both spellings, and near misses
        ("#2,5", "#2.5", (0,), False),
        ("#10.000", "#10,000", (0,), False),
        ("#10000", "#10,000", (0,), False),
        ("#1.234,5", "#1,234.5", (0,), False),
        ("#50_%", "#50%", (0,), False),
        ("#3.28", "v3.28", (0,), False),
        ("#2,5", "#25", (N,), False),
        ("#10.000", "#10.00", (N,), False),
        ("#5", "#6", (N,), False),
        ("v3.28", "v3.30", (N,), False),
        ("#5 #5 #8", "#8 #5", (2, 0), False),
        ("#5", "#5 #5", (0, N), False),
        # literals: the same first, wherever they stand
        ("$orlsync $orlstart", "$orlstart $orlsync", (1, 0), False),
        ("@https://a.example/nl", "@https://a.example/en", (0,), False),
        ("/orl.ini", "$orlsync", (N,), False),
        ("--a", "--A", (N,), False),
        # keys
        ("`Ctrl+Shift+T", "`Shift+Ctrl+T", (0,), False),
        ("`Super+Spatiebalk Opslaan", "Save `Super+Space", (1, 0), False),
        # a name in the one language that is read as a key in the other
        ("Thuis", "`Home", (0,), False),
        ("Thuis Alle_bestanden", "`Home All_Files", (0, 1), True),
        # several names: in order, which is doubtful
        ("Naam Grootte", "Name Size", (0, 1), True),
        ("Naam Wi-Fi Grootte", "Wi-Fi Name Size", (1, 0, 2), True),
        # another number of names: only what stands between the same pairs
        ("Weergave Naam Grootte", "Name Size", (N, N), True),
        ("Weergave Wi-Fi Grootte", "Wi-Fi Size", (1, 2), True),
        ("Weergave Wi-Fi Grootte Naam", "Wi-Fi Size", (1, N), True),
        ("Opslaan", "", (), True),
        ("", "Save", (N,), True),
        # the glossary
        ("Instellingen Netwerk", "Network Settings", (1, 0), False),
        ("Netwerk Weergave Instellingen", "Settings Network", (2, 0), True),
        ("Instellingen", "Network", (N,), True),
        ("Instellingen", "Preferences", (0,), False),
    ],
)
def test_pairs(
    source: str, target: str, partners: tuple[int | None, ...], is_doubtful: bool
) -> None:
    glossary = Glossary([("instellingen", "settings"), ("netwerk", "network")] * 3)
    own = masks(source)
    assert pair_masks(own, masks(target), glossary) == Pairing(partners, is_doubtful)


@pytest.mark.parametrize(
    ("source", "target", "names"),
    [
        ("Opslaan #5 `F2", "`F3 Save", ("opslaan", "save")),
        ("Wi-Fi Opslaan", "Save Wi-Fi", ("opslaan", "save")),
        ("Wi-Fi", "Wi-Fi", None),
        ("Opslaan Naam", "Save Name", None),
        ("Opslaan", "`F2", None),
        ("", "Save", None),
    ],
)
def test_names_without_doubt(source: str, target: str, names: tuple[str, str] | None) -> None:
    assert only_names(masks(source), masks(target)) == names


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


def test_glossary() -> None:
    glossary = Glossary([("map", "folder")] * 3 + [("map", "directory")] + [("naam", "name")] * 2)
    assert glossary.likeness("map", "folder") == pytest.approx(6 / 7)
    assert glossary.likeness("map", "directory") == pytest.approx(2 / 5)
    assert glossary.likeness("map", "name") == 0.0
    assert not glossary.contradicts("map", "folder")
    assert not glossary.contradicts("map", "name")  # "name" was met twice only
    assert not glossary.contradicts("bestand", "folder")
    known = Glossary([("map", "folder"), ("naam", "name")] * 3)
    assert known.contradicts("map", "name")


WORDS = st.lists(
    st.sampled_from(["Opslaan", "Save", "#5", "#2,5", "#2.5", "`F2", "`Esc", "$orl", "@a", "--b"]),
    max_size=9,
).map(" ".join)


@given(source=WORDS, target=WORDS)
def test_no_mark_twice(source: str, target: str) -> None:
    own, theirs = masks(source), masks(target)
    pairing = pair_masks(own, theirs, Glossary())
    paired = [one for one in pairing.partners if one is not None]
    assert len(pairing.partners) == len(theirs)
    assert len(set(paired)) == len(paired)
    assert all(0 <= one < len(own) for one in paired)
    text = " ".join(f"⟦{number}⟧" for number in range(1, len(theirs) + 1))
    marks = [
        int(match[1]) - 1 for match in MARKER.finditer(with_marks(text, theirs, pairing.partners))
    ]
    assert marks == paired


@given(words=WORDS)
def test_equal_masks_all_pair(words: str) -> None:
    own = masks(words)
    assert pair_masks(own, own, Glossary()) == Pairing(tuple(range(len(own))), False)


# Names of the source that the translation writes as words.

KNOWN = Glossary([("opslaan", "save")] * 3 + [("map", "folder")] * 2)
SAVE, FOLDER = Masked("name", "Opslaan", "opslaan"), Masked("name", "Map", "map")
BLUETOOTH = Masked("name", "Bluetooth", "bluetooth")


@pytest.mark.parametrize(
    ("text", "lost", "wanted"),
    [
        ("Turn on Bluetooth.", [(0, BLUETOOTH)], ("Turn on ⟦1⟧.", 1)),
        ("Then save it.", [(2, SAVE)], ("Then ⟦3⟧ it.", 1)),
        ("Save ⟦1⟧ by Bluetooth.", [(1, SAVE), (2, BLUETOOTH)], ("⟦2⟧ ⟦1⟧ by ⟦3⟧.", 2)),
        # Near misses: twice, within a word, not known well enough, no name, too short.
        ("Save, and save again.", [(0, SAVE)], ("Save, and save again.", 0)),
        ("The saved file.", [(0, SAVE)], ("The saved file.", 0)),
        ("Open the folder.", [(0, FOLDER)], ("Open the folder.", 0)),
        ("Wait 5 seconds.", [(0, Masked.literal("number", "5"))], ("Wait 5 seconds.", 0)),
        ("Press Ok.", [(0, Masked("name", "Ok", "ok"))], ("Press Ok.", 0)),
        ("Press ⟦1⟧.", [(0, Masked("name", "⟦1⟧", "x"))], ("Press ⟦1⟧.", 0)),
    ],
)
def test_mark_lost(text: str, lost: list[tuple[int, Masked]], wanted: tuple[str, int]):
    assert mark_lost(text, lost, KNOWN) == wanted


def test_a_name_that_only_one_side_sets_apart():
    pair = Pair("Zet **Bluetooth** aan.", "Turn Bluetooth on.", "a")
    learnt = learn([pair], "nl", "en")
    assert [one.target for one in learnt.entries] == ["Turn ⟦1⟧ on."]
