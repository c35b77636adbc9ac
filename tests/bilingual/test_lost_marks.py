"""Names of the source that the translation writes as words."""

from __future__ import annotations

import pytest

from klopt.bilingual.learning import learn
from klopt.bilingual.paired_masks import Glossary, Masked, mark_lost
from klopt.bilingual.pairs import Pair

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
    assert learnt.lost_marks_count == 0
