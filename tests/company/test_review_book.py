"""A log that is scored in the background."""

from typing import Any

from klopt import Page, Scorer
from klopt.company.review.desk import Book
from klopt.logs.rows import rows_of
from tests.company.reviewed import PAGES, rows

HELP = {name: Page(text, name) for name, text in PAGES.items()}


def read(found: list[dict[str, Any]], **named: Any) -> Book:
    numbered = ((number, row, None) for number, row in enumerate(found, 1))
    names = named.get("names")
    book = Book(rows_of(numbered, pages=HELP, names=names), Scorer.load(), HELP, names)
    book.wait(10_000, 180)
    return book


def test_the_same_row_twice_is_one_and_what_has_no_score_is_counted():
    unknown = {"id": "u", "question": "Hoe?", "answer": "Zo doet u dat.", "contexts": ["weg.md"]}
    bare = {"id": "b", "question": "Hoe doe ik dat?", "answer": "Zo doet u dat."}
    book = read([*rows()[:3], rows()[0], unknown, bare])
    assert len(book.scored) == 3
    assert dict(book.unscored) == {"row": 1, "no_contexts": 1}
