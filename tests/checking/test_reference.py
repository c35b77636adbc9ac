"""The key terms of a reference."""

from __future__ import annotations

import pytest

from klopt.checking.reference import KeyTermMode, read_reference


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
def test_terms(text: str, mode: KeyTermMode, terms: list[tuple[str, int, str]]):
    found = read_reference(text, key_terms=mode).terms
    assert [(term.text, term.step, term.kind) for term in found] == terms
    assert [text[term.start : term.end] for term in found] == [term.text for term in found]
