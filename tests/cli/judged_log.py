"""Answers with a reference answer, and a model on loopback that solves and judges them."""

import json
import re
from typing import Any

from tests.llm.server import Received

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
TERMS = re.findall(r"\*\*(.+?)\*\*", REFERENCE)


def reply(received: Received) -> str:
    """Return a good reply to any request of klopt about the rows of this log."""
    prompt = received.body["messages"][0]["content"] + received.user
    if "[RESULT]" in prompt:
        return "Feedback: A step is missing. [RESULT] 4"
    if '"explanation"' in prompt:
        return json.dumps({"explanation": "It says less than it should.", "score": 2})
    if "<BLANK" in received.user:
        wrong = "orlinde" in received.user
        terms = [term.replace("wadlinde", "orlinde") if wrong else term for term in TERMS]
        blanks = [{"blank": n, "content": term} for n, term in enumerate(terms, 1)]
        return json.dumps({"answer": blanks})
    titles = dict(re.findall(r"^([A-Z])\. (.+)$", received.user, re.MULTILINE))
    words = ["Open", "Kies", "Bewaar"]
    letters = sorted(titles, key=lambda letter: words.index(titles[letter].split()[0]))
    return json.dumps({"answer": letters})
