"""The turns that the benchmarks run on: the demo company's, and the real help centre's."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from klopt import Page, Turn
from klopt.batch.pages import read_pages
from klopt.batch.rows import read_rows
from klopt.cli.demo import demo_folder, demo_rows

STANDARD_ANSWER_WORDS = range(60, 111)
STANDARD_PAGES = 5


def demo_turns() -> list[Turn]:
    """The demo company's chat log."""
    return [row.turn for row in demo_rows() if row.turn is not None]


def standard_turns() -> list[Turn]:
    """What the budgets are for: Dutch answers of about 80 words with five pages of about 250."""
    pages = read_pages(demo_folder() / "pages" / "nl")
    distinct = sorted({page.id: page for page in pages.values()}.items())
    return [
        dataclasses.replace(turn, contexts=_five(turn, [page for _, page in distinct]))
        for turn in demo_turns()
        if turn.language == "nl" and len(turn.answer.split()) in STANDARD_ANSWER_WORDS
    ]


def _five(turn: Turn, pages: list[Page]) -> list[Page]:
    own = list(turn.pages)
    names = {page.id for page in own}
    return (own + [page for page in pages if page.id not in names])[:STANDARD_PAGES]


def real_pages(data: Path, language: str) -> list[Page]:
    """The pages of the real help centre."""
    pages = read_pages(data / "help" / language)
    return list({page.id: page for page in pages.values()}.values())


def real_turns(data: Path) -> list[Turn]:
    """The rated turns over the real Dutch help centre."""
    rows = read_rows(str(data / "turns-nl" / "dev.jsonl"), pages=read_pages(data / "help" / "nl"))
    return [row.turn for row in rows if row.turn is not None]


def english_turns(data: Path) -> list[Turn]:
    """The same turns in translation; a page that has no English version is left out."""
    pages = read_pages(data / "help" / "en")
    turns = []
    for row in _rows(data / "turns-nl" / "dev.jsonl"):
        known = [name for name in row["contexts"] if name in pages]
        fields = {
            "id": row["id"],
            "language": "en",
            "question": row["question_en"],
            "answer": row["answer_en"],
            "message_type": row["message_type"],
            "contexts": known,
            "rating": row["rating"],
        }
        turns.append(Turn.from_mapping(fields, pages=pages))
    return turns


def techqa_turns(data: Path) -> list[Turn]:
    """The labelled TechQA answers with their reference document; ``meta`` has the system."""
    return [
        Turn.from_mapping({**row, "meta": {"system": row["system"]}})
        for row in _rows(data / "techqa" / "dev.jsonl")
    ]


def techqa_questions(data: Path) -> list[str]:
    """The question of each of those answers: three systems answer the same ones."""
    return [row["question_id"] for row in _rows(data / "techqa" / "dev.jsonl")]


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
