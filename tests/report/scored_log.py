"""A scored log of a made-up company, the log itself, and its figures."""

from typing import Any

from klopt.report.log_figures import LogFigures
from klopt.report.scored import LogRow, ScoredRow

PAGE = "kaarten.md"
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
    """A row as `klopt score` writes it, of an answer with a fault."""
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
    """Its row of the log."""
    return {"id": id, "question": QUESTION, "answer": ANSWER, "contexts": [], **more}


def naming(*names: str) -> dict[str, Any]:
    """The measurements of an answer with names that no page has."""
    return {"components_defined": {"value": 0.0, "evidence": [unsupported(name) for name in names]}}


def faulty(number: int) -> dict[str, Any]:
    """An answer with a fault beside a page of its own."""
    text = f"Zin {number}."
    stands = claim(text, "contradicted", fault=True, passage=place(text, f"p{number}.md"))
    return scored(str(number), claims=[stands])


def counted(*rows: dict[str, Any], worst: int = 10, asked: LogRow | None = None) -> LogFigures:
    """The figures of answers, each given to what was asked."""
    figures = LogFigures(worst)
    for row in rows:
        figures.add(ScoredRow.from_mapping(row), asked or LogRow())
    return figures
