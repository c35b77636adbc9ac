"""What the tests of rows share."""

from __future__ import annotations

from pathlib import Path

from klopt.batch.rows import Row, read_rows

PLAIN = {"id": "a", "question": "Kan dat?", "answer": "Ja.", "contexts": ["Dat kan."]}


def rows_of(path: Path, data: bytes | str, **options) -> list[Row]:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return list(read_rows(str(path), **options))


def only(rows: list[Row]) -> Row:
    assert len(rows) == 1
    return rows[0]


# What is understood.
