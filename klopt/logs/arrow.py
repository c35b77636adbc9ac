"""Score Arrow record batches, so that klopt runs on any engine.

>>> SCHEMA.names[:5]
['id', 'score', 'stars', 'verdict', 'status']
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

from klopt._internal.imports import needs
from klopt.errors import ConfigurationError, InputError
from klopt.logs.rows import rows_of, with_warnings
from klopt.logs.scoring import score_rows
from klopt.logs.tables import fields_at
from klopt.retrieval.index_file import Index
from klopt.scoring.assessment import COLUMNS
from klopt.scoring.scorer import Scorer
from klopt.types import Pages, field_names, field_of

with needs("parquet", "Arrow tables need pyarrow"):
    import pyarrow as pa

__all__ = ["SCHEMA", "score_batches", "to_rows"]

ROWS: Final = 1024  # Maximum rows of a batch of results

_LOG: Final = logging.getLogger("klopt")
_PLAIN: Final = {bool: pa.bool_(), float: pa.float64(), int: pa.int64(), str: pa.string()}


def _type(hint: Any) -> pa.DataType:  # noqa: ANN401 - any type hint of a field
    """Return the Arrow type of a field: optional values are nullable, tuples are lists."""
    if is_dataclass(hint):
        return pa.struct({name: _type(kind) for name, kind in get_type_hints(hint).items()})
    parts = get_args(hint)
    if get_origin(hint) is Mapping:  # a list of its values, each with its name
        return pa.list_(pa.struct([("name", pa.string()), *_type(parts[1])]))
    if get_origin(hint) is Annotated:
        return _type(parts[0])
    if get_origin(hint) is tuple:
        return pa.list_(_type(parts[0]))
    if get_origin(hint) is Literal:
        return _type(type(parts[0]))
    return _type(parts[0]) if parts else _PLAIN[hint]


_OPTIONAL: Final = frozenset(column.name for column in COLUMNS if column.is_optional)

SCHEMA: Final = pa.schema([(column.name, _type(column.kind)) for column in COLUMNS])
"""The columns of results, which are the fields of ``klopt score``.

Measurements are a list of structs with a ``name``; fields that ``klopt score`` omits are null.
"""


def score_batches(
    batches: Iterable[pa.RecordBatch],
    scorer: Scorer,
    *,
    pages: Pages | None = None,
    names: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
) -> Iterator[pa.RecordBatch]:
    """Score the rows of record batches, in order.

    A row that cannot be read gets the status ``error`` and a reason, without the row number of
    ``klopt score``, which would depend on how the rows were divided. A row without an id is named
    ``row-N``, counted from 1 over these batches, so give the rows of a cluster ids. As in
    ``klopt score``, an invalid message type or rating and an unknown page beside known ones are
    ignored, with a warning of the logger ``klopt``.

    Args:
        batches: Batches with our column names or their aliases: ``question``, ``answer``, and
            ``contexts``, a list of texts, of structs or maps (``id``, ``title``, ``text``, ``url``,
            ``format``) or of names of pages; optionally ``id``, ``language`` and ``message_type``.
            Other columns are ignored.
        scorer: The scorer.
        pages: Pages that contexts may name; by default those of the scorer's index.
        names: Our field name → the column's, if no alias fits.
        keep: Columns of the input to append to those of `SCHEMA`.

    Yields:
        Batches with the columns of `SCHEMA`, one row per row, at most 1,024 rows each.

    Raises:
        InputError: No column is read as question or answer, or a named column is missing.
        ConfigurationError: ``names`` has an unknown field, or ``keep`` a column of the results.

    >>> from klopt import Scorer
    >>> row = {"id": "7", "question": "Hoe sluit ik af?", "answer": "Sluit af met Alt+F8."}
    >>> log = pa.RecordBatch.from_pylist([{**row, "contexts": ["Sluit af met Alt+F7."]}])
    >>> [scored] = score_batches([log], Scorer.load())
    >>> scored.select(["id", "verdict"]).to_pylist()
    [{'id': '7', 'verdict': 'block'}]
    """
    index = scorer.setup.index
    known = index if pages is None and isinstance(index, Index) else pages
    number = 1
    for whole in batches:
        check_columns(whole.schema.names, names, keep)
        columns = [name for name in whole.schema.names if field_of(name, names) is not None]
        for start in range(0, whole.num_rows, ROWS):
            batch = whole.slice(start, ROWS)
            given = batch.select(columns)
            fields = ((number + at, *fields_at(given, at)) for at in range(batch.num_rows))
            rows = rows_of(fields, pages=known, names=names, with_place=False, is_lenient=True)
            warned = with_warnings(rows, _LOG.warning)
            results = to_batch([scored.to_dict() for _, scored in score_rows(warned, scorer)])
            number += batch.num_rows
            columns_out = [*results.columns, *map(batch.column, keep)]
            yield pa.RecordBatch.from_arrays(columns_out, schema=schema_with(batch.schema, keep))


def to_batch(rows: Sequence[Mapping[str, Any]]) -> pa.RecordBatch:
    """Convert rows of ``klopt score`` to one batch of `SCHEMA`; lone surrogates become "?"."""

    def listed_in(row: Mapping[str, Any]) -> dict[str, Any]:
        measurements = [{"name": name, **own} for name, own in row["measurements"].items()]
        return {**row, "measurements": measurements}

    listed = [*map(listed_in, rows)]
    try:
        return pa.RecordBatch.from_pylist(listed, schema=SCHEMA)
    except UnicodeEncodeError:
        whole = json.dumps(listed, ensure_ascii=False).encode(errors="replace")
        return pa.RecordBatch.from_pylist(json.loads(whole), schema=SCHEMA)


def to_rows(batch: pa.RecordBatch) -> Iterator[dict[str, Any]]:
    """Yield the rows of a batch of results as ``klopt score`` writes them; inverts `to_batch`.

    >>> from klopt import Scorer
    >>> turn = {"question": "Hoe sluit ik af?", "answer": "Met Alt+F8."}
    >>> log = pa.RecordBatch.from_pylist([turn])
    >>> [row["status"] for scored in score_batches([log], Scorer.load()) for row in to_rows(scored)]
    ['not_scorable']
    """
    for row in batch.select(SCHEMA.names).to_pylist():
        row["measurements"] = {measured.pop("name"): measured for measured in row["measurements"]}
        absent = [name for name in _OPTIONAL if row[name] is None]
        yield {name: value for name, value in row.items() if name not in absent}


def schema_with(given: pa.Schema, keep: Sequence[str]) -> pa.Schema:
    """Return the output columns: those of `SCHEMA`, then the kept columns of the input."""
    return pa.schema([*SCHEMA, *map(given.field, keep)])


def check_columns(
    columns: Sequence[str], names: Mapping[str, str] | None = None, keep: Sequence[str] = ()
) -> None:
    """Check the columns of a table before its rows are read; raises as `score_batches` does."""
    shown = ", ".join(name[:40] for name in columns[:20])
    for ours in names or {}:
        if ours not in field_names():
            allowed = ", ".join(field_names())
            raise ConfigurationError(f'names: there is no field "{ours}"; the fields are {allowed}')
    for name in (*(names or {}).values(), *keep):
        if name not in columns:
            raise InputError(f'there is no column "{name}"; the columns are {shown}')
    for name in keep:
        if name in SCHEMA.names:
            raise ConfigurationError(
                f'keep: "{name}" is a column of the results too; rename it or leave it out'
            )
    for name in columns:
        count = columns.count(name)
        if count > 1 and (name in keep or field_of(name, names) is not None):
            raise InputError(f'there are {count} columns "{name}"; rename all but one')
    read = {field_of(name, names) for name in columns}
    for ours in ("question", "answer"):
        if ours not in read:
            raise InputError(
                f"no column is read as {ours}; the columns are {shown}; "
                f'map one with names={{"{ours}": "COLUMN"}}'
            )
