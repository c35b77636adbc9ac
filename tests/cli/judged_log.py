"""Answers with a reference answer: right, a wrong term, a missing step, steps reversed."""

from typing import Any

REFERENCE = (
    "1. Open **Beheer**.\n2. Kies **Exporteren** in het menu.\n3. Bewaar het als **wadlinde.csv**."
)
RIGHT = "1. Open Beheer.\n2. Kies Exporteren in het menu.\n3. Bewaar het als wadlinde.csv."
WRONG_TERM = RIGHT.replace("wadlinde.csv", "orlinde.csv")
STEP_MISSING = "1. Open Beheer.\n2. Bewaar het als wadlinde.csv."
TURNED = "1. Bewaar het als wadlinde.csv.\n2. Kies Exporteren in het menu.\n3. Open Beheer."
QUESTION = "Hoe exporteer ik de klanten?"


def row(name: str, answer: str, **fields: Any) -> dict[str, Any]:
    """Return a row without its fields that are `...`."""
    found = {
        "id": name,
        "question": QUESTION,
        "answer": answer,
        "contexts": ["In Beheer kunt u klanten exporteren."],
        "language": "nl",
        "reference": REFERENCE,
        **fields,
    }
    return {key: value for key, value in found.items() if value is not ...}


ROWS = (
    row("right", RIGHT, label=1, team="a"),
    row("term", WRONG_TERM, label=0, team="a"),
    row("step", STEP_MISSING, label=0, team="b"),
    row("turned", TURNED, label=1, team="b"),
)
