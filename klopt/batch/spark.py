"""A Spark table of turns to a Spark table of assessments, on all its workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from klopt.batch.arrow import SCHEMA, check_columns, score_by
from klopt.batch.sources import Sources

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame

__all__ = ["score"]


def score(
    df: DataFrame,
    profile: str | Path = "default",
    index: str | Path | None = None,
    *,
    terms: Iterable[str | Path] = (),
    all_types: bool = False,
    retrieve: int = 0,
    names: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
) -> DataFrame:
    """Scores the rows of a table where they are, by ``DataFrame.mapInArrow``.

    Workers need klopt, pyarrow and the files that are named here, under the same path on each: on
    a shared disk, or sent with ``SparkContext.addFile``, and then by their bare name. Spark
    computes lazily, and once more what a worker that was lost had: a row comes out the same each
    time.

    Args:
        df: With columns as `klopt.batch.arrow.score_batches` takes them; a row without an id is
            called by its place in its partition, so give it one.
        profile: A built-in profile, or a company's own file.
        index: The file of ``klopt index build``; contexts may name its pages.
        terms: Files of company terms.
        all_types: Score every message type, whatever the profile's scope.
        retrieve: A turn without contexts gets so many pages of the index.
        names: Our field name → the column's, where no alias fits.
        keep: Columns that are carried along untouched, behind those of the results.

    Returns:
        The columns of `klopt.batch.arrow.SCHEMA`, a row for each row. What a worker cannot do
        without, such as an index that is not there, fails the job when it runs.

    Raises:
        InputError: No column is read as question, or none as answer; or there is none of that name.
        ConfigurationError: A name is none of ours, or a kept column has the name of a result.

    ::

        scores = spark.score(logs, index="/shared/help.klopt", keep=["day"])
        scores.write.parquet("scores/")
    """
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import StructType

    check_columns(df.columns, names, keep)
    sources = Sources(profile, tuple(terms), all_types, index, retrieve)
    kept = [df.schema[name] for name in keep]
    schema = StructType([*from_arrow_schema(SCHEMA).fields, *kept])
    return df.mapInArrow(partial(_scored, sources, names, keep), schema)


def _scored(
    sources: Sources,
    names: Mapping[str, str] | None,
    keep: Sequence[str],
    batches: Iterable[RecordBatch],
) -> Iterator[RecordBatch]:
    """The rows of a partition, on a worker."""
    here = replace(
        sources,
        profile=_here(sources.profile),
        index=sources.index and _here(sources.index),
        terms=tuple(map(_here, sources.terms)),
    )
    return score_by(here, batches, names, keep)


def _here(path: str | Path) -> str:
    """Where a file is on this worker: at its path, or where Spark put what it was sent."""
    from pyspark import SparkFiles

    sent = SparkFiles.get(str(path))
    return sent if not Path(path).exists() and Path(sent).exists() else str(path)
