"""Arrow record batches of turns in, record batches of assessments out: klopt on any engine.

`klopt.batch.spark`, `klopt.batch.ray` and `klopt.score_frame` are this one function on theirs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from klopt.batch.tables import fields_at
from klopt.errors import ConfigurationError, ExtraMissingError, InputError, RecordError
from klopt.indexing.index_file import Index
from klopt.records import Pages, Turn, field_names, field_of, row_id
from klopt.scoring.scorer import Scorer

try:
    import pyarrow as pa
except ImportError:
    raise ExtraMissingError(
        "Arrow tables need pyarrow; install it with: pip install 'klopt[parquet]'"
    ) from None

__all__ = [
    "SCHEMA",
    "Kit",
    "check_columns",
    "schema_with",
    "score_batches",
    "to_batch",
    "to_rows",
]

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
        "retrieved": pa.list_(_TEXT),
    }
)
"""The columns of results: the fields of ``klopt score``, under the same names.

Measurements are a list, each with its ``name``. What a row of ``klopt score`` has not is null.
"""

_OPTIONAL: Final = ("translation", "opinions", "retrieved")
"""Fields that a row has only where something was asked for."""
_ROWS: Final = 1024
"""Rows of a batch of results, at most."""


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
        pages: Pages that contexts may name, such as a `klopt.Index`.
        names: Our field name → the column's, where no alias fits.
        keep: Columns that are carried along untouched, behind those of `SCHEMA`.

    Yields:
        Batches of the columns of `SCHEMA`, a row for each row, of at most 1,024 rows.

    Raises:
        InputError: No column is read as question, or none as answer; or there is none of that name.
        ConfigurationError: A name is none of ours, or a kept column has the name of a result.

    >>> import pyarrow
    >>> from klopt import Scorer
    >>> row = {"id": "7", "question": "Hoe sluit ik af?", "answer": "Sluit af met Alt+F8."}
    >>> log = pyarrow.RecordBatch.from_pylist([{**row, "contexts": ["Sluit af met Alt+F7."]}])
    >>> [scored] = score_batches([log], Scorer.load())
    >>> scored.select(["id", "score", "verdict"]).to_pylist()
    [{'id': '7', 'score': 1.17237, 'verdict': 'block'}]
    """
    number = 0
    for whole in batches:
        check_columns(whole.schema.names, names, keep)
        read = [name for name in whole.schema.names if field_of(name, names) is not None]
        for start in range(0, whole.num_rows, _ROWS):
            batch = whole.slice(start, _ROWS)
            fields = batch.select(read)
            rows = []
            for index in range(batch.num_rows):
                number += 1
                found, _ = fields_at(fields, index)
                rows.append(_scored(found, f"row-{number}", scorer, pages, names))
            results = to_batch(rows)
            yield pa.RecordBatch.from_arrays(
                [*results.columns, *(batch.column(name) for name in keep)],
                schema=schema_with(batch.schema, keep),
            )


@dataclass(frozen=True, slots=True)
class Kit:
    """What a worker makes its scorer of: nothing but names and paths goes to it.

    Attributes:
        profile: A built-in profile, or the path of a company's own.
        index: The path of the index file, by which contexts may name its pages; None for none.
        terms: Paths of company terms.
        all_types: Score every message type, whatever the profile's scope.
        retrieve: How many pages of the index a turn without contexts gets.
        names: Pairs of our field name and the column's.
        keep: Columns that are carried along.
    """

    profile: str = "default"
    index: str | None = None
    terms: tuple[str, ...] = ()
    all_types: bool = False
    retrieve: int = 0
    names: tuple[tuple[str, str], ...] = ()
    keep: tuple[str, ...] = ()

    def score(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """As `score_batches`, by a scorer that is made once in each process."""
        scorer, pages = _made(self)
        names = dict(self.names)
        return score_batches(batches, scorer, pages=pages, names=names, keep=self.keep)


@lru_cache(maxsize=4)
def _made(kit: Kit) -> tuple[Scorer, Index | None]:
    index = None if kit.index is None else Index.open(kit.index)
    scorer = Scorer.load(
        kit.profile,
        all_types=kit.all_types,
        terms=map(Path, kit.terms),
        index=index,
        retrieve=kit.retrieve,
    )
    return scorer, index


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


def schema_with(given: pa.Schema, keep: Sequence[str]) -> pa.Schema:
    """The columns that come out: those of `SCHEMA`, and those of the input that are kept."""
    return pa.schema([*SCHEMA, *(given.field(name) for name in keep)])


def check_columns(
    columns: Sequence[str], names: Mapping[str, str] | None = None, keep: Sequence[str] = ()
) -> None:
    """Stops at a table that cannot be scored, before its first row.

    Raises:
        InputError: No column is read as question, or none as answer; or there is none of that name.
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
    read = {field_of(name, names) for name in columns}
    for ours in ("question", "answer"):
        if ours not in read:
            raise InputError(
                f"no column is read as {ours}; the columns are {shown}, and "
                f'names={{"{ours}": "COLUMN"}} says which it is'
            )


def _scored(
    found: Mapping[str, Any] | str,
    number: str,
    scorer: Scorer,
    pages: Pages | None,
    names: Mapping[str, str] | None,
) -> dict[str, Any]:
    """One row of results."""
    if isinstance(found, str):
        return scorer.refuse(number, found).to_dict()
    name = row_id(found, names) or number
    others = {ours: theirs for ours, theirs in (names or {}).items() if ours != "id"}
    try:
        turn = Turn.from_mapping({**found, "id": name}, pages=pages, names=others)
    except RecordError as error:
        return scorer.refuse(name, str(error)).to_dict()
    return next(scorer.score_many([turn])).to_dict()
