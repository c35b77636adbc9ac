"""A table of any library to a table of assessments of the same library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from klopt.errors import InputError
from klopt.extras import needs
from klopt.records import Pages
from klopt.scoring.scorer import Scorer

__all__ = ["score_frame"]

Frame = TypeVar("Frame")


def score_frame(
    frame: Frame,
    scorer: Scorer | None = None,
    *,
    pages: Pages | None = None,
    names: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
) -> Frame:
    """Scores the rows of a table in memory, in order, none lost.

    Args:
        frame: Of pandas, polars, pyarrow, or a relation of DuckDB; what else narwhals knows works
            too. Its columns are those that `klopt.batch.arrow.score_batches` takes; missing
            texts are nulls.
        scorer: What scores them; None for the default profile.
        pages: Pages that contexts may name, such as a `klopt.Index`.
        names: Our field name → the column's, where no alias fits.
        keep: Columns that are carried along, behind those of the results.

    Returns:
        A table of the same library with the columns of `klopt.batch.arrow.SCHEMA`; of DuckDB a
        relation of its default connection.

    Raises:
        InputError: It is no table, or has a column with values of several kinds; no column is read
            as question, or none as answer; or there is none of that name.
        ConfigurationError: A name is none of ours, or a kept column has the name of a result.
        ExtraMissingError: narwhals or pyarrow is not installed.

    >>> import duckdb, klopt
    >>> log = duckdb.sql(
    ...     "SELECT 7 AS id, 'Hoe sluit ik af?' AS question, 'Sluit af met Alt+F8.' AS answer, "
    ...     "['Sluit af met Alt+F7.'] AS contexts"
    ... )
    >>> scores = klopt.score_frame(log)
    >>> duckdb.sql("SELECT id, verdict FROM scores").fetchall()
    [('7', 'block')]
    """
    with needs("frames", "tables need narwhals and pyarrow"):
        import narwhals as nw
        import pyarrow as pa
    from klopt.batch.arrow import check_columns, schema_with, score_batches

    try:
        given: Any = nw.from_native(cast(Any, frame))
    except TypeError:
        raise InputError(
            f"{type(frame).__module__}.{type(frame).__name__} is no table that can be read; those "
            "of pandas, polars, pyarrow and DuckDB can. klopt.batch.ray.score takes a data set of "
            "Ray, and klopt.Scorer one turn"
        ) from None
    if given.implementation.is_spark_like():
        raise InputError(
            "a table of Spark would have to fit in the memory of this process; "
            "klopt.batch.spark.score scores it on its workers"
        )
    is_lazy = isinstance(given, nw.LazyFrame)
    check_columns(given.collect_schema().names(), names, keep)
    try:
        table = (given.collect("pyarrow") if is_lazy else given).to_arrow()
    except (pa.ArrowException, UnicodeEncodeError) as error:
        raise InputError(
            f"the table has a column that Arrow cannot hold: {error}; the values of a column are "
            "of one kind, such as contexts that are all lists of texts"
        ) from None
    results = score_batches(
        table.to_batches(), scorer or Scorer.load(), pages=pages, names=names, keep=keep
    )
    scored = pa.Table.from_batches(results, schema_with(table.schema, keep))
    found: Any = nw.from_native(scored, eager_only=True)
    if is_lazy:
        found = found.lazy(given.implementation)
    else:
        found = nw.from_arrow(found, backend=given.implementation)
    return cast(Frame, found.to_native())
