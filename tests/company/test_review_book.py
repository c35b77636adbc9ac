"""A log that is scored in the background."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from klopt import Page, Scorer
from klopt.batch.rows import read_rows, rows_of
from klopt.review import book as book_module
from klopt.review.book import Book
from klopt.review.store import key_of
from tests.company.reviewed import PAGES, rows

HELP = {name: Page(text, name) for name, text in PAGES.items()}


def read(found: list[dict[str, Any]], **named: Any) -> Book:
    numbered = ((number, row, None) for number, row in enumerate(found, 1))
    names = named.get("names")
    book = Book(rows_of(numbered, pages=HELP, names=names), Scorer.load(), HELP, names)
    book.wait(10_000, 60)
    return book


def test_the_same_row_twice_is_one_and_what_has_no_score_is_counted():
    unknown = {"id": "u", "question": "Hoe?", "answer": "Zo doet u dat.", "contexts": ["weg.md"]}
    bare = {"id": "b", "question": "Hoe doe ik dat?", "answer": "Zo doet u dat."}
    book = read([*rows()[:3], rows()[0], unknown, bare])
    assert len(book.scored) == 3
    assert dict(book.unscored) == {"row": 1, "no_contexts": 1}


def test_a_row_comes_back_as_json_whatever_it_held():
    row = {**rows()[0], "cost": float("nan"), "day": date(2026, 11, 23), "odd": "\ud800"}
    book = read([row])
    (one,) = book.scored
    found = book.row(one.key)
    assert (found["cost"], found["day"], found["odd"]) == (None, "2026-11-23", "\ud800")
    json.dumps(found, allow_nan=False)


def test_fields_by_other_names_are_there_by_ours_too(tmp_path: Path):
    names = {"answer": "said", "contexts": "given"}
    one = rows()[0]
    row = {"id": "a", "question": one["question"], "said": one["answer"], "given": one["contexts"]}
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(row), "utf-8")
    book = Book(read_rows(str(log), pages=HELP, names=names), Scorer.load(), HELP, names)
    book.wait(1, 60)
    found = book.row(key_of("a", one["question"], one["answer"]))
    assert (found["answer"], found["contexts"]) == (one["answer"], ["rooster.md"])
    assert len(book.scored) == 1


def test_more_rows_than_are_offered_are_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(book_module, "MOST_ROWS", 2)
    book = read(rows()[:5])
    assert (len(book), book.left_out) == (2, 3)


def test_scoring_anew_keeps_what_there_is_until_it_is_done():
    book = read(rows()[:4])
    before = book.scored
    book.rescore(Scorer.load())
    assert len(book.scored) == 4
    book.wait(10_000, 60)
    assert (book.is_done, sorted(map(repr, book.scored))) == (True, sorted(map(repr, before)))
