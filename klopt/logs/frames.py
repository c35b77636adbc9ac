"""Score the tables of data frame libraries, Spark and Ray."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from klopt._internal.imports import needs
from klopt.errors import InputError, RecordError
from klopt.scoring.scorer import Scorer
from klopt.types import Pages

if TYPE_CHECKING:
    from pyarrow import RecordBatch, Table

Frame = TypeVar("Frame")
Score = Callable[[Iterable["RecordBatch"]], Iterator["RecordBatch"]]
"""`klopt.logs.arrow.score_batches` with all arguments but the batches; sent to workers."""


def score_frame(
    frame: Frame,
    scorer: Scorer | None = None,
    *,
    pages: Pages | None = None,
    names: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
) -> Frame:
    """Score the rows of a table in order; Spark and Ray score on their workers.

    Spark (``mapInArrow``) and Ray (``map_batches``) compute lazily. Each worker makes the scorer
    once; when a worker is lost, the engine repeats its part, with the same result. Workers need
    klopt, pyarrow, and the scorer's index file under the same path; the profile and company terms
    are sent. A row without an id is named after its position in its part, so give rows an id. Ray
    returns blocks as they finish, unless ``preserve_order`` is set.

    Args:
        frame: A table of pandas, polars, pyarrow, PySpark, a data set of Ray, or a relation of
            DuckDB; others that narwhals supports work in memory. Columns are as for
            `klopt.logs.arrow.score_batches`; missing texts are nulls.
        scorer: The scorer; None for the default profile.
        pages: Pages that contexts may name; by default those of the scorer's index.
        names: Our field name → the column's, if no alias fits.
        keep: Columns of the input to append to the results.

    Returns:
        A table of the same library with the columns of `klopt.logs.arrow.SCHEMA`; for DuckDB a
        relation of its default connection.

    Raises:
        InputError: It is not a table, a column has values of several types, no column is read as
            question or answer, or a named column is missing. On a cluster, a missing index fails
            the job when it runs.
        ConfigurationError: ``names`` has an unknown field, or ``keep`` a column of the results.
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
    from klopt.logs.arrow import ROWS, SCHEMA, check_columns, score_batches

    score = partial(
        score_batches, scorer=scorer or Scorer.load(), pages=pages, names=names, keep=keep
    )
    if type(frame).__module__.startswith("ray.data."):
        data: Any = frame
        known = data.columns(fetch_if_missing=False)
        if known is not None:  # otherwise the job checks when it runs
            check_columns(known, names, keep)
        block = partial(_scored, score=score, keep=keep)
        scored = data.map_batches(
            block, batch_size=ROWS, batch_format="pyarrow", zero_copy_batch=True
        )
        return cast(Frame, scored)
    try:
        given: Any = nw.from_native(cast(Any, frame))
    except TypeError:
        raise InputError(
            f"{type(frame).__module__}.{type(frame).__name__} is not a supported table; give "
            "one of pandas, polars, pyarrow, DuckDB, Spark or Ray; klopt.Scorer scores one turn"
        ) from None
    check_columns(given.collect_schema().names(), names, keep)
    if given.implementation.is_pyspark() or given.implementation.is_pyspark_connect():
        from pyspark.sql.pandas.types import from_arrow_schema
        from pyspark.sql.types import StructType

        spark: Any = frame
        fields = [*from_arrow_schema(SCHEMA).fields, *(spark.schema[name] for name in keep)]
        return cast(Frame, spark.mapInArrow(score, StructType(fields)))
    is_lazy = isinstance(given, nw.LazyFrame)
    try:
        table = (given.collect("pyarrow") if is_lazy else given).to_arrow()
    except (pa.ArrowException, UnicodeEncodeError) as error:
        raise InputError(
            f"the table has a column that Arrow cannot store: {error}; all values of a "
            "column must have one type, such as contexts that are all lists of texts"
        ) from None
    result: Any = nw.from_native(_scored(table, score, keep), eager_only=True)
    if is_lazy:
        result = result.lazy(given.implementation)
    else:
        result = nw.from_arrow(result, backend=given.implementation)
    return cast(Frame, result.to_native())


@dataclass(frozen=True, slots=True)
class ShownFrame:
    """Scored answers as HTML for a notebook."""

    html: str

    def _repr_html_(self) -> str:
        return self.html


def show_frame(scores: object, most: int = 20) -> ShownFrame:
    """Show the answers with the lowest scores of a table from `score_frame` in a notebook.

    Each answer comes with its explanation, its claims with marked words, and the page's words.

    Args:
        scores: A table of a library that `score_frame` takes, except Ray.
        most: Maximum number of answers; those without a score come last.

    Raises:
        InputError: It is not a table from `score_frame`.
        ExtraMissingError: narwhals or pyarrow is not installed.

    >>> import klopt, pyarrow
    >>> turn = {"question": ["Hoe?"], "answer": ["Met Alt+F8."], "contexts": [["Met Alt+F7."]]}
    >>> "Score 1,1 van 5" in show_frame(klopt.score_frame(pyarrow.table(turn))).html
    True
    """
    with needs("frames", "tables need narwhals and pyarrow"):
        import narwhals as nw
    from klopt.report.notebook import rows_html

    try:
        given: Any = nw.from_native(cast(Any, scores)).lazy()
        found = given.sort("score", nulls_last=True).head(most).collect("pyarrow").to_arrow()
        return ShownFrame(rows_html(found.to_pylist()))
    except (TypeError, RecordError, nw.exceptions.NarwhalsError) as error:
        raise InputError(f"not a table from klopt.score_frame: {error}") from None


def _scored(table: Table, score: Score, keep: Sequence[str]) -> Table:
    from klopt.logs.arrow import schema_with

    return type(table).from_batches(score(table.to_batches()), schema_with(table.schema, keep))
