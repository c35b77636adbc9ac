"""Turns of the demo, of help centres and of TechQA; corpora of software documentation."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from klopt import Turn
from klopt.cli.scoring import demo_rows
from klopt.logs.pages import read_pages
from klopt.logs.rows import read_rows


@dataclass(frozen=True, slots=True)
class Centre:
    """Rated turns about a company's help pages: their file, and the folder of the pages."""

    company: str
    language: str
    turns: str
    pages: str

    @property
    def name(self) -> str:
        """Return company and language."""
        return f"{self.company} {self.language}"

    def load(self, data: Path) -> list[Turn]:
        """Read the turns."""
        pages = read_pages(data / "help" / self.pages)
        rows = read_rows(str(data / self.turns), pages=pages)
        return [row.turn for row in rows if row.turn is not None]


CENTRES: Final = (
    Centre("gnome", "nl", "turns-nl/dev.jsonl", "nl"),
    Centre("bc", "nl", "turns-nl/bc.jsonl", "bc-nl"),
    Centre("hr", "nl", "turns-nl/hr.jsonl", "hr-nl"),
    Centre("fin", "nl", "turns-nl/fin.jsonl", "fin-nl"),
    Centre("bc", "en", "turns-en/bc.jsonl", "bc-en"),
    Centre("sp", "en", "turns-en/sp.jsonl", "sp-en"),
)
"""The help centres whose turns were written in their own language."""


def rows_of(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file of JSON lines."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def corpus(data: Path, language: str) -> Iterator[str]:
    """Yield the Dutch or English sentences of software documentation."""
    with gzip.open(data / "corpus" / f"{language}.txt.gz", "rt", encoding="utf-8") as lines:
        yield from lines


def demo_turns() -> list[Turn]:
    """Return the demo company's chat log."""
    return [row.turn for row in demo_rows() if row.turn is not None]


def techqa_turns(data: Path) -> list[Turn]:
    """Return the labelled TechQA answers with their reference document.

    ``meta`` has the system and the question: three systems answer the same questions.
    """
    return [
        Turn.from_mapping(
            {**row, "meta": {"system": row["system"], "question": row["question_id"]}}
        )
        for row in rows_of(data / "techqa" / "dev.jsonl")
    ]
