"""Arrow record batches of turns in, record batches of assessments out: klopt on any engine."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

from klopt.batch.cores import score_rows
from klopt.batch.rows import rows_of
from klopt.batch.tables import fields_at
from klopt.errors import ConfigurationError, InputError
from klopt.extras import needs
from klopt.indexing.index_file import Index
from klopt.records import Pages, field_names, field_of
from klopt.scoring.assessment import COLUMNS
from klopt.scoring.scorer import Scorer

with needs("parquet", "Arrow tables need pyarrow"):
    import pyarrow as pa

ROWS: Final = 1024
"""Rows of a batch of results, at most."""

_PLAIN: Final = {bool: pa.bool_(), float: pa.float64(), int: pa.int64(), str: pa.string()}


def _type(hint: Any) -> pa.DataType:  # noqa: ANN401 - of whatever a record declares
    """The type of the values of a field: what may be missing may be null, a tuple is a list."""
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
"""The columns of results: the fields of ``klopt score``, under the same names.

Measurements are a list, each with its ``name``. What a row of ``klopt score`` has not is null.
"""


def score_batches(
    batches: Iterable[pa.RecordBatch],
    scorer: Scorer,
    *,
    pages: Pages | None = None,
    names: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
) -> Iterator[pa.RecordBatch]:
    """Scores the rows of record batches, in order, none lost.

    A row that cannot be read has the status ``error`` and says why. It does not say which it is
    of how many, as in ``klopt score``: that depends on how the rows were divided. A row without an
    id is called ``row-N``, counted from 1 over these batches, so give the rows of a cluster ids.

    Args:
        batches: With columns by our names or their aliases: ``question``, ``answer``, and
            ``contexts``, a list of texts, of structs or maps (``id``, ``title``, ``text``, ``url``,
            ``format``) or of names of pages; ``id``, ``language`` and ``message_type`` where there
            are any. Others are not read.
        scorer: What scores them.
        pages: Pages that contexts may name; those of the scorer's index when left out.
        names: Our field name → the column's, where no alias fits.
        keep: Columns that are carried along untouched, behind those of `SCHEMA`.

    Yields:
        Batches of the columns of `SCHEMA`, a row for each row, of at most 1,024 rows.

    Raises:
        InputError: No column is read as question, or none as answer; or there is none of that name.
        ConfigurationError: A name is none of ours, or a kept column has the name of a result.

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
            rows = rows_of(fields, pages=known, names=names, with_place=False)
            results = to_batch([scored.to_dict() for _, scored in score_rows(rows, scorer)])
            number += batch.num_rows
            kept = map(batch.column, keep)
            yield pa.RecordBatch.from_arrays(
                [*results.columns, *kept], schema=schema_with(batch.schema, keep)
            )


def to_batch(rows: Sequence[Mapping[str, Any]]) -> pa.RecordBatch:
    """Rows as ``klopt score`` writes them → one batch of `SCHEMA`.

    Half characters (lone surrogates), which Arrow has no place for, become question marks.
    """
    listed = [
        {
            **row,
            "measurements": [{"name": name, **own} for name, own in row["measurements"].items()],
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
        row["measurements"] = {measured.pop("name"): measured for measured in row["measurements"]}
        yield {
            name: value for name, value in row.items() if name not in _OPTIONAL or value is not None
        }


def schema_with(given: pa.Schema, keep: Sequence[str]) -> pa.Schema:
    """The columns that come out: those of `SCHEMA`, and those of the input that are kept."""
    return pa.schema([*SCHEMA, *map(given.field, keep)])


def check_columns(
    columns: Sequence[str], names: Mapping[str, str] | None = None, keep: Sequence[str] = ()
) -> None:
    """Stops at a table that cannot be scored, before its first row.

    Raises:
        InputError: No column is read as question, or none as answer; or there is none of that name,
            or several.
        ConfigurationError: A name is none of ours, or a kept column has the name of a result.

    >>> check_columns(["user_input", "bot_text"], {"answer": "bot_text"})
    >>> check_columns(["user_input", "bot_text"])
    Traceback (most recent call last):
    klopt.errors.InputError: no column is read as answer; the columns are user_input, bot_text, \
and names={"answer": "COLUMN"} says which it is
    """
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
                f'keep: "{name}" is a column of the results too; rename yours, or leave it out'
            )
    for name in columns:
        if columns.count(name) > 1 and (name in keep or field_of(name, names) is not None):
            raise InputError(
                f'there are {columns.count(name)} columns "{name}"; rename all but one'
            )
    read = {field_of(name, names) for name in columns}
    for ours in ("question", "answer"):
        if ours not in read:
            raise InputError(
                f"no column is read as {ours}; the columns are {shown}, and "
                f'names={{"{ours}": "COLUMN"}} says which it is'
            )
