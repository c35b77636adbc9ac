"""The columns of results in Arrow: rows of ``klopt score`` to batches, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from klopt.batch.columns import OPTIONAL
from klopt.errors import ExtraMissingError

try:
    import pyarrow as pa
except ImportError:
    raise ExtraMissingError(
        "Arrow tables need pyarrow; install it with: pip install 'klopt[parquet]'"
    ) from None

__all__ = ["SCHEMA", "beside", "schema_with", "to_batch", "to_rows"]

_TEXT, _WHOLE, _NUMBER, _FLAG = pa.string(), pa.int64(), pa.float64(), pa.bool_()
_SPAN = pa.list_(_WHOLE)
_WORDS = pa.struct({"text": _TEXT, "start": _WHOLE, "end": _WHOLE})
_EVIDENCE = pa.struct(
    {
        "kind": _TEXT,
        "text": _TEXT,
        "start": _WHOLE,
        "end": _WHOLE,
        "page": _TEXT,
        "page_start": _WHOLE,
        "page_end": _WHOLE,
        "entry": _TEXT,
    }
)
_MEASUREMENT = pa.struct(
    {
        "name": _TEXT,
        "value": _NUMBER,
        "reason": _TEXT,
        "weight": _NUMBER,
        "evidence": pa.list_(_EVIDENCE),
    }
)
_VISIT = pa.struct(
    {
        "node": _TEXT,
        "heuristic": _TEXT,
        "value": _NUMBER,
        "condition": _TEXT,
        "decided": _FLAG,
    }
)
_STATEMENT = pa.struct(
    {
        "text": _TEXT,
        "start": _WHOLE,
        "end": _WHOLE,
        "relation": _TEXT,
        "fault": _FLAG,
        "truth": _NUMBER,
        "passage": pa.struct(
            {"page": _TEXT, "text": _TEXT, "start": _WHOLE, "end": _WHOLE, "line": _WHOLE}
        ),
        "slots": pa.list_(
            pa.struct({"kind": _TEXT, "side": _TEXT, "claim": _WORDS, "page": _WORDS})
        ),
        "differing": pa.list_(_SPAN),
        "wrong": pa.list_(_SPAN),
        "rivals": pa.list_(pa.list_(_TEXT)),
    }
)
_TRANSLATION = pa.struct(
    {
        "source": _TEXT,
        "target": _TEXT,
        "scope": _TEXT,
        "status": _TEXT,
        "reason_code": _TEXT,
        "reason": _TEXT,
        "unmasked_count": _WHOLE,
    }
)
_OPINION = pa.struct(
    {
        "who": _TEXT,
        "status": _TEXT,
        "reason_code": _TEXT,
        "reason": _TEXT,
        "truth": _NUMBER,
        "statements": pa.list_(pa.struct({"relation": _TEXT, "probability": _NUMBER})),
        "score_before": _NUMBER,
        "verdict_before": _TEXT,
        "calls": _WHOLE,
        "cost_usd": _NUMBER,
        "seconds": _NUMBER,
        "problems": pa.list_(_TEXT),
    }
)
_CUT_OFF = pa.struct(
    {"budget_ms": _NUMBER, "unread": pa.list_(_TEXT), "unmeasured": pa.list_(_TEXT)}
)
SCHEMA: Final = pa.schema(
    {
        "id": _TEXT,
        "score": _NUMBER,
        "stars": _WHOLE,
        "verdict": _TEXT,
        "status": _TEXT,
        "reason_code": _TEXT,
        "reason": _TEXT,
        "language": _TEXT,
        "message_type": _TEXT,
        "pattern": _TEXT,
        "span": _SPAN,
        "rule": _TEXT,
        "path": pa.list_(_VISIT),
        "abstained": _FLAG,
        "measurements": pa.list_(_MEASUREMENT),
        "statements": pa.list_(_STATEMENT),
        "explanation": _TEXT,
        "fingerprint": _TEXT,
        "translation": _TRANSLATION,
        "opinions": pa.list_(_OPINION),
        "cut_off": _CUT_OFF,
        "retrieved": pa.list_(_TEXT),
    }
)
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
        yield {name: one for name, one in row.items() if name not in OPTIONAL or one is not None}


def beside(results: pa.RecordBatch, given: pa.RecordBatch, keep: Sequence[str]) -> pa.RecordBatch:
    """Results, and beside them the columns of their input that are kept."""
    kept = (given.column(name) for name in keep)
    schema = schema_with(given.schema, keep)
    return pa.RecordBatch.from_arrays([*results.columns, *kept], schema=schema)


def schema_with(given: pa.Schema, keep: Sequence[str]) -> pa.Schema:
    """The columns that come out: those of `SCHEMA`, and those of the input that are kept."""
    return pa.schema([*SCHEMA, *(given.field(name) for name in keep)])
