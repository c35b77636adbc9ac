"""Many turns of the demo company, in the columns of a table, with rows among them that are bad."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pyarrow as pa

from klopt.batch.rows import Row, rows_of, score_rows
from klopt.cli.demo_log import demo_rows
from klopt.scoring.scorer import Scorer

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
"""With a column by an alias, and one that is nobody's."""

BAD = {
    "answer": {"answer": None},
    "contexts": {"contexts": [{"id": "nergens.md"}]},
    "format": {"contexts": [{"text": "Ja.", "format": "word"}]},
    "language": {"language": "klingon"},
    "question": {"user_input": ""},
    "rating": {"rating": 7},
}
"""What is wrong with a row → the fields that make it so."""


def many(count: int) -> pa.Table:
    """So many turns, each another one; every fiftieth is bad."""
    return pa.Table.from_pylist(list(_rows(count)), schema=COLUMNS)


def _rows(count: int) -> Iterator[dict[str, Any]]:
    turns = [row.turn for row in demo_rows() if row.turn is not None]
    faults = list(BAD.values())
    for number in range(count):
        turn = turns[number % len(turns)]
        round_number = number // len(turns)
        more = f" ({round_number})" if round_number else ""
        contexts = [
            {name: one for name, one in asdict(page).items() if name in ("id", "text", "format")}
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
            **(faults[number // 50 % len(faults)] if number % 50 == 49 else {}),
        }


def plainly(table: pa.Table, scorer: Scorer) -> dict[str, dict[str, Any]]:
    """What ``klopt score`` writes of each row, by id, without the numbers of rows that are bad."""
    found = (
        (number, {name: one for name, one in row.items() if name != "channel"}, None)
        for number, row in enumerate(table.to_pylist(), 1)
    )
    return {
        row.id: _unnumbered(row, one.to_dict())
        for row, one in score_rows(rows_of(found), scorer, lambda _: None)
    }


def _unnumbered(row: Row, result: dict[str, Any]) -> dict[str, Any]:
    if row.turn is None:
        for name in ("reason", "explanation"):
            result[name] = result[name].replace(f"row {row.number}: ", "", 1)
    return result
