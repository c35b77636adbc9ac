"""What people translated becomes entries that scoring finds again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import lexicons
from klopt.bilingual.learning import learn
from klopt.bilingual.pairs import Pair
from klopt.bilingual.stretches import read_side
from klopt.reading.reader import Reader
from klopt.reading.text import Span
from klopt.translation.masks import faults, read_units, written_out
from klopt.translation.memory import Entry

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


def entries(source: str, target: str) -> dict[str, str]:
    return {one.source: one.target for one in learn([Pair(source, target)], "nl", "en").entries}


def test_a_page() -> None:
    learnt = learn([Pair(DUTCH, ENGLISH, "verlof.md")], "nl", "en")
    assert {one.source: one.target for one in learnt.entries} == {
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
    assert {one.origin for one in learnt.entries} == {"verlof.md"}
    assert {one.provider for one in learnt.entries} == {"trusted"}
    assert (learnt.pairs_count, learnt.unpaired_count, learnt.doubtful_count) == (1, 0, 1)


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
    learnt = learn([Pair("Klicken Sie auf **Speichern**.", "Click **Save**.", "a")], "de", "en")
    assert learnt.entries == (
        Entry("de", "en", "trusted", "Klicken Sie auf ⟦1⟧.", "Click ⟦1⟧.", "a"),
    )


def test_a_company_adds_to_the_tables() -> None:
    without = Reader(lexicons.load("nl")).lexicons
    silent = lexicons.Lexicons(
        "nl",
        {
            name: one if name != "components" else lexicons.load("en")[name]
            for name, one in without.items()
        },
    )
    pair = Pair("Klik op de knop Opslaan.", "Click Save.")
    (own,) = learn([pair], "nl", "en").entries
    (other,) = learn([pair], "nl", "en", tables={"nl": silent}).entries
    assert own.source == "Klik op de knop ⟦1⟧."
    assert other.source == "Klik op de knop Opslaan."


@pytest.mark.parametrize(
    ("source", "target", "found"),
    [
        ("", "", {}),
        ("Opslaan", "", {}),
        ("", "Save", {}),
        ("`orl.ini`: 5", "`orl.ini`: 5", {}),
        ("Orlinde", "Orlinde", {"Orlinde": "Orlinde"}),
        # one sentence that became two is whole; within a block it is not taken apart
        (
            "Wacht even, want het duurt lang.",
            "Wait a bit. It takes long.",
            {"Wacht even, want het duurt lang.": "Wait a bit. It takes long."},
        ),
        (
            "Wacht even, want het inlezen van dit bestand duurt heel erg lang. Klaar.",
            "Wait a bit, please. Reading this file takes very, very long indeed. Done.",
            {
                "Wacht even, want het inlezen van dit bestand duurt heel erg lang. Klaar.": (
                    "Wait a bit, please. Reading this file takes very, very long indeed. Done."
                ),
                "Klaar.": "Done.",
            },
        ),
        # what only the source has is not paired with its neighbour
        (
            "# Verlof\n\nDit geldt alleen voor medewerkers in Nederland.\n\n1. Open het portaal.",
            "# Leave\n\n1. Open the portal.",
            {"Verlof": "Leave", "Open het portaal.": "Open the portal."},
        ),
        # brackets of the text are not marks
        ("Typ ⟦1⟧ nu.", "Type ⟦2⟧ now.", {"Typ [1] nu.": "Type [2] now."}),
        ("Typ dit nu.", "Type ⟦1⟧ now.", {"Typ dit nu.": "Type [1] now."}),
    ],
)
def test_what_is_learnt(source: str, target: str, found: dict[str, str]) -> None:
    assert entries(source, target) == found


def test_counts_what_is_not_learnt() -> None:
    page = "# Verlof\n\nDit geldt alleen voor Nederland. Elders niet.\n\n1. Open het portaal."
    learnt = learn([Pair(page, "# Leave\n\n1. Open the portal.")], "nl", "en")
    assert learnt.unpaired_count == 2
    merged = learn([Pair("Open het portaal. Wacht.", "Open the portal and wait.")], "nl", "en")
    assert merged.unpaired_count == 0
    assert learn([], "nl", "en").entries == ()


def test_the_most_frequent_translation_is_kept() -> None:
    pairs = [
        Pair("Sla op.", target, str(number))
        for number, target in enumerate(["Store.", "Save it.", "Keep.", "Save it.", "Keep."])
    ]
    learnt = learn(pairs, "nl", "en")
    assert learnt.entries == (Entry("nl", "en", "trusted", "Sla op.", "Save it.", "1"),)


def test_the_glossary_orders_what_another_order_mixed_up() -> None:
    both = Pair("Open **Saldo** of **Rooster**.", "Open **Roster** or **Balance**.")
    known = [Pair("Open **Saldo**.", "Open **Balance**.")] * 2
    learnt = learn([both, *known], "nl", "en")
    assert learnt.entries[0].target == "Open ⟦2⟧ or ⟦1⟧."
    assert learnt.doubtful_count == 0
    assert learn([both], "nl", "en").doubtful_count == 1


def test_the_masks_of_a_block_pair_sentence_by_sentence() -> None:
    """A name that only one side sets apart does not move those of the next sentence."""
    found = entries(
        "Ga naar **Rooster**. Klik op **Wijzigen** of **Intrekken**.",
        "Go to the roster. Click **Change** or **Withdraw**.",
    )
    whole = found["Ga naar Rooster. Klik op Wijzigen of Intrekken."]
    assert whole == "Go to the roster. Click Wijzigen or Intrekken."
    assert found["Klik op ⟦1⟧ of ⟦2⟧."] == "Click ⟦1⟧ or ⟦2⟧."
    other = entries("Wacht 5 tellen. Wacht 5 uur.", "Wait five seconds. Wait 5 hours.")
    assert other["Wacht 5 tellen. Wacht 5 uur."] == "Wait five seconds. Wait 5 hours."
    assert other["Wacht ⟦1⟧ uur."] == "Wait ⟦1⟧ hours."


def test_says_when_it_gets_on() -> None:
    told: list[None] = []
    learn([Pair("Ja.", "Yes.")] * 3, "nl", "en", advance=lambda: told.append(None))
    assert len(told) == 3


SENTENCES = st.lists(
    st.sampled_from(
        [
            "Klik op **Opslaan**.",
            "Wacht 5 minuten!",
            "Open `orl.ini` en typ ⟦3⟧.",
            "## Kop\n\n",
            "\n\n- Kies *Saldo* ",
            "Zie https://wadlinde.example/a. ",
            "```\ncode\n```\n",
            "De knop Weer",
        ]
    ),
    max_size=8,
).map(" ".join)


@given(source=SENTENCES, target=SENTENCES)
def test_any_texts(source: str, target: str) -> None:
    learnt = learn([Pair(source, target)], "nl", "en")
    assert learnt == learn([Pair(source, target)], "nl", "en")
    side = read_side(source, lexicons.load("nl"))
    segments = [one for unit in side.units for one in (unit.whole, *unit.sentences)]
    keys = {written_out(one, side.plain): 0 for one in segments}
    keys |= {one.text: len(one.masks) for one in segments}
    assert len({entry.source for entry in learnt.entries}) == len(learnt.entries)
    for entry in learnt.entries:
        assert faults(entry.target, keys[entry.source]) is None


@given(source=SENTENCES)
def test_a_text_and_itself(source: str) -> None:
    """Every sentence with words is found again, as itself."""
    learnt = learn([Pair(source, source)], "nl", "nl")
    found = {one.source: one.target for one in learnt.entries}
    assert all(key == translated for key, translated in found.items())
    for unit in read_side(source, lexicons.load("nl")).units:
        assert all(one.text in found for one in unit.sentences if one.has_words)
