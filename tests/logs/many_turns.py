"""Many turns of the demo company as a table, some of them invalid."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from klopt.cli.scoring import demo_rows
from klopt.logs.rows import rows_of
from klopt.logs.scoring import score_rows
from klopt.scoring.scorer import Scorer
from klopt.types import Pages

COLUMNS = pa.schema(
    {
        "id": pa.string(),
        "user_input": pa.string(),
        "answer": pa.string(),
        "language": pa.string(),
        "contexts": pa.list_(
            pa.struct({"id": pa.string(), "text": pa.string(), "format": pa.string()})
        ),
        "rating": pa.int64(),
        "channel": pa.string(),
    }
)
"""With a column by an alias, and one that klopt does not read."""

BAD = (
    {"answer": None},
    {"contexts": [{"id": "nergens.md"}]},
    {"contexts": [{"text": "Ja.", "format": "word"}]},
    {"language": "klingon"},
    {"user_input": ""},
    {"rating": 7},
)
"""Invalid fields."""


def many(count: int, *, by_name: bool = False) -> pa.Table:
    """Return a table of different turns; every fiftieth is invalid.

    Args:
        count: Number of turns.
        by_name: Every other turn has the names of its pages in an index instead of the pages.
    """
    return pa.Table.from_pylist(list(_rows(count, by_name)), schema=COLUMNS)


def _rows(count: int, by_name: bool) -> Iterator[dict[str, Any]]:
    turns = [row.turn for row in demo_rows() if row.turn is not None]
    for number in range(count):
        turn = turns[number % len(turns)]
        round_number = number // len(turns)
        more = f" ({round_number})" if round_number else ""
        contexts = [
            {"id": f"{turn.language}/{page.id}"}
            if by_name and number % 2
            else {"id": page.id, "text": page.text, "format": page.format}
            for page in turn.pages
        ]
        yield {
            "id": f"{turn.id}-{round_number}",
            "user_input": turn.question + more,
            "answer": turn.answer + more,
            "language": turn.language,
            "contexts": contexts,
            "rating": 3,
            "channel": "web" if number % 3 else "app",
            **(BAD[number // 50 % len(BAD)] if number % 50 == 49 else {}),
        }


def plainly(
    table: pa.Table, scorer: Scorer, pages: Pages | None = None
) -> dict[str, dict[str, Any]]:
    """Return the output of ``klopt score`` by id, without the numbers of invalid rows."""
    found = (
        (number, {name: one for name, one in row.items() if name != "channel"}, None)
        for number, row in enumerate(table.to_pylist(), 1)
    )
    rows = rows_of(found, pages=pages, with_place=False, is_lenient=True)
    return {row.id: one.to_dict() for row, one in score_rows(rows, scorer)}
