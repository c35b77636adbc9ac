"""Arrow record batches of turns in, record batches of assessments out: klopt on any engine.

`klopt.batch.spark`, `klopt.batch.ray` and `klopt.score_frame` are this one function on theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from klopt.batch.arrow_schema import SCHEMA, beside, schema_with, to_batch, to_rows
from klopt.batch.cores import score_rows
from klopt.batch.rows import rows_of
from klopt.batch.sources import Sources
from klopt.batch.tables import fields_at
from klopt.errors import ConfigurationError, InputError
from klopt.records import Pages, field_names, field_of
from klopt.scoring.scorer import Scorer

if TYPE_CHECKING:
    from pyarrow import RecordBatch

__all__ = [
    "ROWS",
    "SCHEMA",
    "check_columns",
    "schema_with",
    "score_batches",
    "score_by",
    "to_batch",
    "to_rows",
]

ROWS: Final = 1024
"""Rows of a batch of results, at most."""


def score_batches(
    batches: Iterable[RecordBatch],
    scorer: Scorer,
    *,
    pages: Pages | None = None,
    names: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
) -> Iterator[RecordBatch]:
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
    >>> scored.select(["id", "verdict"]).to_pylist()
    [{'id': '7', 'verdict': 'block'}]
    """
    number = 1
    for whole in batches:
        check_columns(whole.schema.names, names, keep)
        read = [name for name in whole.schema.names if field_of(name, names) is not None]
        for start in range(0, whole.num_rows, ROWS):
            batch = whole.slice(start, ROWS)
            fields = batch.select(read)
            found = ((number + at, *fields_at(fields, at)) for at in range(batch.num_rows))
            rows = rows_of(found, pages=pages, names=names, with_place=False)
            scored = [one.to_dict() for _, one in score_rows(rows, scorer)]
            number += batch.num_rows
            yield beside(to_batch(scored), batch, keep)


def score_by(
    sources: Sources,
    batches: Iterable[RecordBatch],
    names: Mapping[str, str] | None,
    keep: Sequence[str],
) -> Iterator[RecordBatch]:
    """As `score_batches`, by a scorer that is made once in each process."""
    scorer, pages = _opened(sources)
    return score_batches(batches, scorer, pages=pages, names=names, keep=keep)


@lru_cache(maxsize=4)
def _opened(sources: Sources) -> tuple[Scorer, Pages | None]:
    return sources.open()


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
