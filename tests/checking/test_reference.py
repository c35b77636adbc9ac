"""A reference: its steps in whatever way it is written, what is bold, and its key terms."""

from __future__ import annotations

import pytest

from klopt.checking.reference import find_bold, read_reference, without_markers

CASES = [
    ("1. Stop it.\n2. Start it.", ["Stop it.", "Start it."]),
    ("1) Stop it.\n2) Start it.", ["Stop it.", "Start it."]),
    ("1. Stop it.\r\n2. Start it.\r\n", ["Stop it.", "Start it."]),
    ("1. Stop it.\r2. Start it.", ["Stop it.", "Start it."]),
    ("Do this:\n\n1. Stop it.\n2. Start it.", ["Stop it.", "Start it."]),
    ("1. Stop.\n   Wait a minute.\n\n2. Start.", ["Stop.", "Start."]),
    ("1. Stop.\nWait a minute.\n2. Start.", ["Stop.", "Start."]),
    ("1. Stop.\n   1. First this.\n   2. Then that.\n2. Start.", ["Stop.", "Start."]),
    ("1. Stop.\n- all of it\n- at once\n2. Start.", ["Stop.", "Start."]),
    ("1. Stop.\n1) all of it\n2) at once\n2. Start.", ["Stop.", "Start."]),
    ("- Stop.\n  1. First this.\n- Start.", ["Stop.", "Start."]),
    (" 9. Stop.\n10. Start.", ["Stop.", "Start."]),
    ("1. Stop.\n1. Start.", ["Stop.", "Start."]),
    ("- Stop.\n- Start.", ["Stop.", "Start."]),
    ("* Stop.\n* Start.", ["Stop.", "Start."]),
    ("• Stop.\n• Start.", ["Stop.", "Start."]),
    ("**1.** Stop.\n**2.** Start.", ["Stop.", "Start."]),
    ("**1. Stop.**\n**2. Start.**", ["Stop.", "Start."]),
    ("**Stop** the\n**orlinde** server.", ["Stop the", "orlinde server."]),
    ("### 1. Stop\nNow.\n### 2. Start", ["Stop", "Start"]),
    ("Step 1: Stop.\nStep 2: Start.", ["Stop.", "Start."]),
    ("Stap 1\nStop.\n\nStap 2\nStart.", ["Stop.", "Start."]),
    ("**Stap 1 - Stop.**\n**Stap 2 - Start.**", ["Stop.", "Start."]),
    ("Stop it.\nStart it.", ["Stop it.", "Start it."]),
    ("Stop it.\n  And wait.\nStart it.", ["Stop it.", "Start it."]),
    ("Stop it. Start it!", ["Stop it.", "Start it!"]),
    ("Stop e.g. the server. Start it.", ["Stop e.g. the server.", "Start it."]),
    ("Kies bijv. Nieuw. Klik dan.", ["Kies bijv. Nieuw.", "Klik dan."]),
    ("Stop the\nserver now.\nStart it.", ["Stop the server now.", "Start it."]),
    ("Stop the\nserver. Start it.", ["Stop the server.", "Start it."]),
    ("Contact support", ["Contact support"]),
    ("Install 9.7. Then wait.", ["Install 9.7.", "Then wait."]),
    ("10.2.1 is needed.", ["10.2.1 is needed."]),
    ("2024. was a year", ["2024. was a year"]),
    ("1. Stop.\n2.\n3. Start.", ["Stop.", "Start."]),
    ("1.\n   Stop.\n2. Start.", ["Stop.", "Start."]),
    ("1. Open **orl.ini** and **save", ["Open orl.ini and **save"]),
    ("1. Open **the\nfile** now.\n2. Save.", ["Open the", "Save."]),
    ("\t1. Stop.\n\t2. Start.", ["Stop.", "Start."]),
    ("", []),
    (" \n\t\r\n", []),
    ("1.", []),
    ("1. \n2. ", []),
]


@pytest.mark.parametrize(("text", "titles"), CASES)
def test_titles(text, titles):
    assert [step.title for step in read_reference(text).steps] == titles


def test_details_belong_to_their_step():
    text = "To begin:\n1. Open **orl.ini**.\n   In the map conf.\n\n2. Save.\n\nGood luck!\n"
    first, second = read_reference(text).steps
    assert first.text == "Open orl.ini.\n   In the map conf."
    assert text[first.start : first.end] == "1. Open **orl.ini**.\n   In the map conf."
    assert second.text == "Save.\n\nGood luck!"
    assert second.end == len(text) - 1


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("Open **orl.ini** and **save**.", ["orl.ini", "save"]),
        ("**a****b**", ["a", "b"]),
        ("***both***", ["both"]),
        ("**one * star**", ["one * star"]),
        ("**over\ntwo lines**", ["over\ntwo lines"]),
        ("**over\r\ntwo lines**", ["over\r\ntwo lines"]),
        ("**outer **inner** rest**", ["inner"]),
        ("**x\\y\\**", ["x\\y\\"]),
        ("**unbalanced", []),
        ("unbalanced**", []),
        ("**a** and **b", ["a"]),
        ("2 ** 3 ** 4", []),
        ("**one paragraph\n\nanother**", []),
        ("1. **one step\n2. another**", []),
        ("- **one item\n- another**", []),
        ("****", []),
        ("** **", []),
        ("*emphasis*", []),
        ("", []),
    ],
)
def test_bold(text, texts):
    assert [text[bold.text.start : bold.text.end] for bold in find_bold(text)] == texts


@pytest.mark.parametrize(
    ("text", "start", "end", "shown"),
    [
        ("a **b** c", 0, 9, "a b c"),
        ("a **b** c", 0, 4, "a "),
        ("a **b** c", 4, 9, "b c"),
        ("a **b** c", 3, 6, "b"),
        ("a **b c", 0, 7, "a **b c"),
        ("**a** **b** **c**", 6, 11, "b"),
        ("**a**", 0, 0, ""),
    ],
)
def test_without_markers(text, start, end, shown):
    assert without_markers(text, start, end, find_bold(text)) == shown


@pytest.mark.parametrize(
    ("text", "mode", "terms"),
    [
        ("1. Open **orl.ini**.", "auto", [("orl.ini", 0, "bold")]),
        ("1. Open orl.ini.", "auto", [("orl.ini", 0, "path")]),
        ("1. Open orl.ini.", "bold", []),
        ("1. Open **x** in orl.ini.", "auto", [("x", 0, "bold")]),
        ("1. Open **x** in orl.ini.", "rules", [("x", 0, "bold"), ("orl.ini", 0, "path")]),
        ("1. Open **orl.ini**.", "rules", [("orl.ini", 0, "bold")]),
        ("1. Open **orl.ini**.", "none", []),
        (
            "1. A\n2. **b**\n   **c**\n3. **b**",
            "auto",
            [("b", 1, "bold"), ("c", 1, "bold"), ("b", 2, "bold")],
        ),
        ("Use **x**:\n1. Open **y**.", "auto", [("x", 0, "bold"), ("y", 0, "bold")]),
        ("**1.** Open it.", "auto", []),
        ("**1. Open it.**\n**2. Save**", "auto", [("Open it.", 0, "bold"), ("Save", 1, "bold")]),
        ("1. **—** and **...**", "auto", []),
        ("1. Press **save", "auto", []),
        (
            "1. Klik op 'Instellingen' en *Netwerk*.",
            "auto",
            [("Instellingen", 0, "quoted"), ("Netwerk", 0, "emphasised")],
        ),
        ("1. Contact support.", "auto", []),
        ("", "auto", []),
        (" \n ", "rules", []),
    ],
)
def test_terms(text, mode, terms):
    found = read_reference(text, key_terms=mode).terms
    assert [(term.text, term.step, term.kind) for term in found] == terms
    assert [text[term.start : term.end] for term in found] == [term.text for term in found]
