"""A Ray data set of turns to a Ray data set of assessments, on all its workers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from klopt.batch.arrow import ROWS, check_columns, schema_with, score_by
from klopt.batch.sources import Sources

if TYPE_CHECKING:
    from pyarrow import Table
    from ray.data import Dataset

__all__ = ["score"]


def score(
    ds: Dataset,
    profile: str | Path = "default",
    index: str | Path | None = None,
    *,
    terms: Iterable[str | Path] = (),
    all_types: bool = False,
    retrieve: int = 0,
    names: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
) -> Dataset:
    """Scores the rows of a data set where they are, by ``Dataset.map_batches``.

    Workers need klopt, pyarrow and the files that are named here, under the same path on each: on
    a shared disk, or in the ``working_dir`` of Ray's runtime environment, and then by their path in
    it. Ray computes lazily, and once more what a worker that was lost had: a row comes out the same
    each time. Blocks come out in the order in which they are done, unless
    ``DataContext.execution_options.preserve_order`` is set. A row without an id is called by its
    place in its batch, so give it one.

    Args:
        ds: With columns as `klopt.batch.arrow.score_batches` takes them.
        profile: As for `klopt.batch.spark.score`, like all that follows.
        index: The file of ``klopt index build``.
        terms: Files of company terms.
        all_types: Score every message type.
        retrieve: A turn without contexts gets so many pages of the index.
        names: Our field name → the column's, where no alias fits.
        keep: Columns that are carried along.

    Returns:
        The columns of `klopt.batch.arrow.SCHEMA`, a row for each row.

    Raises:
        InputError: No column is read as question, or none as answer; or there is none of that
            name. Where Ray does not know the columns yet, the job says so when it runs.
        ConfigurationError: A name is none of ours, or a kept column has the name of a result.

    ::

        scores = ray.score(data.read_parquet("logs/"), index="/shared/help.klopt", keep=["day"])
        scores.write_parquet("scores/")
    """
    known = ds.columns(fetch_if_missing=False)
    if known is not None:
        check_columns(known, names, keep)
    sources = Sources(profile, tuple(terms), all_types, index, retrieve)
    work = partial(_scored, sources, names, keep)
    return ds.map_batches(work, batch_size=ROWS, batch_format="pyarrow", zero_copy_batch=True)


def _scored(
    sources: Sources, names: Mapping[str, str] | None, keep: Sequence[str], table: Table
) -> Table:
    """The rows of a batch, on a worker."""
    from pyarrow import Table

    schema = schema_with(table.schema, keep)
    return Table.from_batches(score_by(sources, table.to_batches(), names, keep), schema)
