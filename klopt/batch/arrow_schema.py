"""The columns of results in Arrow: rows of ``klopt score`` to batches, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

from klopt.extras import needs
from klopt.scoring.assessment import COLUMNS

with needs("parquet", "Arrow tables need pyarrow"):
    import pyarrow as pa

__all__ = ["SCHEMA", "beside", "schema_with", "to_batch", "to_rows"]

_PLAIN: Final = {bool: pa.bool_(), float: pa.float64(), int: pa.int64(), str: pa.string()}


def _type(hint: Any) -> pa.DataType:  # noqa: ANN401 - of whatever a record declares
    """The type of the values of a field: what may be missing may be null, a tuple is a list."""
    if is_dataclass(hint):
        return pa.struct({name: _type(one) for name, one in get_type_hints(hint).items()})
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


_OPTIONAL: Final = frozenset(one.name for one in COLUMNS if one.is_optional)

SCHEMA: Final = pa.schema([(one.name, _type(one.kind)) for one in COLUMNS])
"""The columns of results: the fields of ``klopt score``, under the same names.

Measurements are a list, each with its ``name``. What a row of ``klopt score`` has not is null.
"""


def to_batch(rows: Sequence[Mapping[str, Any]]) -> pa.RecordBatch:
    """Rows as ``klopt score`` writes them → one batch of `SCHEMA`.

    Half characters (lone surrogates), which Arrow has no place for, become question marks.
    """
    listed = [
        {
            **row,
            "measurements": [{"name": name, **one} for name, one in row["measurements"].items()],
        }
        for row in rows
    ]
    try:
        return pa.RecordBatch.from_pylist(listed, schema=SCHEMA)
    except UnicodeEncodeError:
        whole = json.dumps(listed, ensure_ascii=False).encode(errors="replace")
        return pa.RecordBatch.from_pylist(json.loads(whole), schema=SCHEMA)


def to_rows(batch: pa.RecordBatch) -> Iterator[dict[str, Any]]:
    """The rows of results as ``klopt score`` writes them; the other way than `to_batch`."""
    for row in batch.select(SCHEMA.names).to_pylist():
        row["measurements"] = {one.pop("name"): one for one in row["measurements"]}
        yield {name: one for name, one in row.items() if name not in _OPTIONAL or one is not None}


def beside(results: pa.RecordBatch, given: pa.RecordBatch, keep: Sequence[str]) -> pa.RecordBatch:
    """Results, and beside them the columns of their input that are kept."""
    kept = (given.column(name) for name in keep)
    schema = schema_with(given.schema, keep)
    return pa.RecordBatch.from_arrays([*results.columns, *kept], schema=schema)


def schema_with(given: pa.Schema, keep: Sequence[str]) -> pa.Schema:
    """The columns that come out: those of `SCHEMA`, and those of the input that are kept."""
    return pa.schema([*SCHEMA, *(given.field(name) for name in keep)])
