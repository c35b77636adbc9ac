"""Scored rows of a fictional company, their rows of the log, and figures of them."""

from collections.abc import Sequence
from typing import Any

from klopt.report.log_figures import LogFigures
from klopt.report.scored import LogRow, ScoredRow

PAGE = "kaarten.md"
NO_LOG = LogRow()
QUESTION = "Hoe blokkeer ik mijn pas?"
ANSWER = "Open **Passen**. Kies Blokkeer direct. Dat duurt 60 minuten."


def claim(text: str, relation: str, *, fault: bool = False, **more: Any) -> dict[str, Any]:
    start = ANSWER.replace("**", "").find(text)
    found = {
        "text": text,
        "start": max(start, 0),
        "end": max(start, 0) + len(text),
        "relation": relation,
        "fault": fault,
        "truth": 0.1 if fault else 0.9,
        "passage": place("Blokkeren duurt 30 minuten.") if relation != "not_stated" else None,
        "slots": [],
        "differing": [],
    }
    return {**found, **more}


def place(text: str, page: str = PAGE) -> dict[str, Any]:
    return {"page": page, "text": text, "start": 40, "end": 40 + len(text), "line": 3}


def unsupported(text: str) -> dict[str, Any]:
    start = max(ANSWER.find(text), 0)
    return {"kind": "unsupported", "text": text, "start": start, "end": start + len(text)}


def scored(id: str = "1", **more: Any) -> dict[str, Any]:
    """Return a row of an answer with a fault, as `klopt score` writes it."""
    row = {
        "id": id,
        "score": 1.4,
        "stars": 1,
        "verdict": "block",
        "status": "scored",
        "reason_code": None,
        "reason": None,
        "language": "nl",
        "message_type": "instruction",
        "abstained": False,
        "measurements": {
            "components_defined": {
                "value": 0.5,
                "reason": None,
                "weight": 1.0,
                "evidence": [unsupported("Blokkeer direct")],
            }
        },
        "statements": [
            claim("Open Passen.", "supported"),
            claim("Dat duurt 60 minuten.", "contradicted", fault=True),
        ],
        "explanation": "Score 1,4 van 5: niet versturen. Geen pagina noemt “Blokkeer direct”.",
        "fingerprint": "klopt:1.0|profile:default@0",
    }
    return {**row, **more}


def logged(id: str = "1", **more: Any) -> dict[str, Any]:
    """Return the row of the log with this id."""
    return {"id": id, "question": QUESTION, "answer": ANSWER, "contexts": [], **more}


def naming(*names: str) -> dict[str, Any]:
    """Return the measurements of an answer with names that are on no page."""
    return {"components_defined": {"value": 0.0, "evidence": [unsupported(name) for name in names]}}


def faulty(number: int) -> dict[str, Any]:
    """Return a row of an answer that a page of its own contradicts."""
    text = f"Zin {number}."
    wrong = claim(text, "contradicted", fault=True, passage=place(text, f"p{number}.md"))
    return scored(str(number), claims=[wrong])


def figures_of(
    *rows: dict[str, Any], worst: int = 10, log: LogRow | Sequence[LogRow] = NO_LOG
) -> LogFigures:
    """Return the figures of scored rows, each with its row of the log, or all with the same."""
    figures = LogFigures(worst)
    for number, row in enumerate(rows):
        figures.add(ScoredRow.from_mapping(row), log if isinstance(log, LogRow) else log[number])
    return figures
