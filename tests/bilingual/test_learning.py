"""What people translated becomes entries that scoring finds again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import lexicons
from klopt.bilingual.learning import learn, read_side
from klopt.bilingual.pairs import TextPair
from klopt.errors import UnknownLanguageError
from klopt.reading.reader import Reader
from klopt.reading.text import Span
from klopt.translation.masks import faults, read_units, written_out
from klopt.translation.memory import Entry
from tests.tables import tables

CASES = tables("bilingual", "learning")

DUTCH = """# Verlof aanvragen

Vraag verlof aan in het **Orlinde Portaal**. Je saldo staat rechtsboven.

1. Open **Mijn verlof**.
2. Kies **Nieuwe aanvraag** en vul 2,5 uur in.
3. Klik op **Opslaan** en daarna op **Versturen**.

```
orlinde sync
```

Na 5 werkdagen zonder antwoord krijg je bericht. Bel dan je manager.
"""
ENGLISH = """# Request leave

Request leave in the **Orlinde Portal**. Your balance is at the top right.

1. Open **My leave**.
2. Choose **New request** and enter 2.5 hours.
3. Click **Save** and then **Submit**.

```
orlinde sync
```

After five working days without an answer you get a message. Then call your manager.
"""


def entries(source: str, target: str, own: str = "nl", other: str = "en") -> dict[str, str]:
    learnt = learn([TextPair(source, target)], own, other)
    return {entry.source: entry.target for entry in learnt.entries}


def test_a_page() -> None:
    learnt = learn([TextPair(DUTCH, ENGLISH, "verlof.md")], "nl", "en")
    assert {entry.source: entry.target for entry in learnt.entries} == {
        "Verlof aanvragen": "Request leave",
        "Vraag verlof aan in het ⟦1⟧. Je saldo staat rechtsboven.": (
            "Request leave in the ⟦1⟧. Your balance is at the top right."
        ),
        "Vraag verlof aan in het ⟦1⟧.": "Request leave in the ⟦1⟧.",
        "Je saldo staat rechtsboven.": "Your balance is at the top right.",
        "Open ⟦1⟧.": "Open ⟦1⟧.",
        "Kies ⟦1⟧ en vul ⟦2⟧ uur in.": "Choose ⟦1⟧ and enter ⟦2⟧ hours.",
        "Klik op ⟦1⟧ en daarna op ⟦2⟧.": "Click ⟦1⟧ and then ⟦2⟧.",
        # A person wrote "five": that is a translation of 5 alone, so it has no mark.
        "Na 5 werkdagen zonder antwoord krijg je bericht. Bel dan je manager.": (
            "After five working days without an answer you get a message. Then call your manager."
        ),
        "Na 5 werkdagen zonder antwoord krijg je bericht.": (
            "After five working days without an answer you get a message."
        ),
        "Bel dan je manager.": "Then call your manager.",
    }
    kinds = {(entry.provider, entry.origin) for entry in learnt.entries}
    assert (kinds, learnt.unpaired_count) == ({("trusted", "verlof.md")}, 0)


def test_the_keys_are_those_of_the_reader() -> None:
    reading = Reader(lexicons.load("nl")).read(DUTCH)
    names = [Span(one.start, one.end) for one in reading.components]
    assert read_side(DUTCH, lexicons.load("nl")).units == read_units(
        reading.plain, reading.sentences, names
    )


def test_a_language_without_tables() -> None:
    page = "Klicken Sie auf **Speichern**. **Warten Sie dann bitte kurz.** Nehmen Sie **A**!"
    (unit,) = read_side(page, lexicons.load("en")).units
    assert [one.text for one in unit.sentences] == [
        "Klicken Sie auf ⟦1⟧.",
        "Warten Sie dann bitte kurz.",
        "Nehmen Sie A!",
    ]
    learnt = learn([TextPair("Klicken Sie auf **Speichern**.", "Click **Save**.", "a")], "de", "en")
    assert learnt.entries == (
        Entry("de", "en", "trusted", "Klicken Sie auf ⟦1⟧.", "Click ⟦1⟧.", "a"),
    )


@pytest.mark.parametrize(("source", "target", "found"), CASES["learnt"])
def test_what_is_learnt(source: str, target: str, found: dict[str, str]) -> None:
    assert entries(source, target) == found


def test_two_languages_without_tables() -> None:
    with pytest.raises(UnknownLanguageError, match='no tables for "de" nor for "fr"; one side is'):
        learn([], "de", "fr")


def test_counts_what_is_not_learnt() -> None:
    page = "# Verlof\n\nDit geldt alleen voor Nederland. Elders niet.\n\n1. Open het portaal."
    learnt = learn([TextPair(page, "# Leave\n\n1. Open the portal.")], "nl", "en")
    assert learnt.unpaired_count == 2
    merged = learn([TextPair("Open het portaal. Wacht.", "Open the portal and wait.")], "nl", "en")
    assert merged.unpaired_count == 0
    assert learn([], "nl", "en").entries == ()


def test_the_most_frequent_translation_is_kept() -> None:
    targets = enumerate(["Store.", "Save it.", "Keep.", "Save it.", "Keep."])
    pairs = [TextPair("Sla op.", target, str(number)) for number, target in targets]
    kept = Entry("nl", "en", "trusted", "Sla op.", "Save it.", "1")
    assert learn(pairs, "nl", "en").entries == (kept,)


@pytest.mark.parametrize(("source", "target", "found"), CASES["lacks_a_mark"])
def test_a_block_that_lacks_a_mark_does_not_spoil_its_sentences(source, target, found):
    assert found.items() <= entries(source, target).items()


PIECES = (
    *("Klik op **Opslaan**.", "Wacht 5 minuten!", "Open `orl.ini` en typ ⟦3⟧.", "## Kop\n\n"),
    *("\n\n- Kies *Saldo* ", "Zie https://wadlinde.example/a. ", "```\ncode\n```\n"),
    "De knop Weer",
)
SENTENCES = st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join)


@given(source=SENTENCES, target=SENTENCES)
def test_any_texts(source: str, target: str) -> None:
    learnt = learn([TextPair(source, target)], "nl", "en")
    assert learnt == learn([TextPair(source, target)], "nl", "en")
    side = read_side(source, lexicons.load("nl"))
    segments = [part for unit in side.units for part in (unit.whole, *unit.sentences)]
    keys = {written_out(part, side.plain): 0 for part in segments}
    keys |= {part.text: len(part.masks) for part in segments}
    assert len({entry.source for entry in learnt.entries}) == len(learnt.entries)
    for entry in learnt.entries:
        assert faults(entry.target, keys[entry.source]) is None


@given(source=SENTENCES)
def test_a_text_and_itself(source: str) -> None:
    """Every sentence with words is found again, as itself."""
    found = entries(source, source, "nl", "nl")
    assert all(key == translated for key, translated in found.items())
    for unit in read_side(source, lexicons.load("nl")).units:
        assert all(part.text in found for part in unit.sentences if part.has_words)
