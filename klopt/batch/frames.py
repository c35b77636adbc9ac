"""A table of any library, in memory or on a cluster, to a table of assessments of the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from klopt.errors import InputError
from klopt.extras import needs
from klopt.records import Pages
from klopt.scoring.scorer import Scorer

if TYPE_CHECKING:
    from pyarrow import RecordBatch, Table

Frame = TypeVar("Frame")
Score = Callable[[Iterable["RecordBatch"]], Iterator["RecordBatch"]]
"""`klopt.batch.arrow.score_batches` with all that it is given beside batches; sent to workers."""


def score_frame(
    frame: Frame,
    scorer: Scorer | None = None,
    *,
    pages: Pages | None = None,
    names: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
) -> Frame:
    """Scores the rows of a table, none lost, in order; those of Spark and Ray where they are.

    Spark (``mapInArrow``) and Ray (``map_batches``) compute lazily on their workers, each of which
    makes the scorer once, and compute once more what a worker that was lost had: a row comes out
    the same each time. Workers need klopt, pyarrow, and the file of the scorer's index under the
    same path; the profile and company terms are sent. A row without an id is called by its place in
    its part of the table, so give it one. Ray gives blocks in the order in which they are done,
    unless its ``preserve_order`` is set.

    Args:
        frame: Of pandas, polars, pyarrow, PySpark, a data set of Ray, or a relation of DuckDB; what
            else narwhals knows works too, in memory. Its columns are those that
            `klopt.batch.arrow.score_batches` takes; missing texts are nulls.
        scorer: What scores them; None for the default profile.
        pages: Pages that contexts may name; those of the scorer's index when left out.
        names: Our field name → the column's, where no alias fits.
        keep: Columns that are carried along, behind those of the results.

    Returns:
        A table of the same library with the columns of `klopt.batch.arrow.SCHEMA`; of DuckDB a
        relation of its default connection.

    Raises:
        InputError: It is no table, or has a column with values of several kinds; no column is read
            as question, or none as answer; or there is none of that name. What a worker cannot do
            without, such as an index that is not there, fails the job when it runs.
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
    from klopt.batch.arrow import check_columns, score_batches

    score = partial(
        score_batches, scorer=scorer or Scorer.load(), pages=pages, names=names, keep=keep
    )
    if type(frame).__module__.startswith("ray.data."):
        return cast(Frame, _of_ray(frame, score, names, keep))
    try:
        given: Any = nw.from_native(cast(Any, frame))
    except TypeError:
        raise InputError(
            f"{type(frame).__module__}.{type(frame).__name__} is no table that can be read; those "
            "of pandas, polars, pyarrow, DuckDB, Spark and Ray can. klopt.Scorer takes one turn"
        ) from None
    check_columns(given.collect_schema().names(), names, keep)
    if given.implementation.is_pyspark() or given.implementation.is_pyspark_connect():
        return cast(Frame, _of_spark(frame, score, keep))
    is_lazy = isinstance(given, nw.LazyFrame)
    try:
        table = (given.collect("pyarrow") if is_lazy else given).to_arrow()
    except (pa.ArrowException, UnicodeEncodeError) as error:
        raise InputError(
            f"the table has a column that Arrow cannot hold: {error}; the values of a column are "
            "of one kind, such as contexts that are all lists of texts"
        ) from None
    scored: Any = nw.from_native(_scored(table, score, keep), eager_only=True)
    if is_lazy:
        scored = scored.lazy(given.implementation)
    else:
        scored = nw.from_arrow(scored, backend=given.implementation)
    return cast(Frame, scored.to_native())


@dataclass(frozen=True, slots=True)
class ShownFrame:
    """Scored answers as a notebook shows them."""

    html: str

    def _repr_html_(self) -> str:
        return self.html


def show_frame(scores: object, most: int = 20) -> ShownFrame:
    """What a notebook shows of a table that `score_frame` gave: the answers with the lowest scores.

    Each with why, its statements with marked words, and the page's words beside them.

    Args:
        scores: Of a library that `score_frame` takes, but Ray.
        most: So many at most, those without a score last.

    Raises:
        InputError: It is no table, or none of `score_frame`.
        ExtraMissingError: narwhals or pyarrow is not installed.
    """
    with needs("frames", "tables need narwhals and pyarrow"):
        import narwhals as nw
    from klopt.scoring.notebook import cards

    try:
        given: Any = nw.from_native(cast(Any, scores)).lazy()
        found = given.sort("score", nulls_last=True).head(most).collect("pyarrow").to_arrow()
        return ShownFrame(cards(found.to_pylist()))
    except (TypeError, KeyError, nw.exceptions.NarwhalsError) as error:
        raise InputError(f"this is no table of klopt.score_frame: {error}") from None


def _of_spark(frame: Any, score: Score, keep: Sequence[str]) -> object:  # noqa: ANN401
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import StructType

    from klopt.batch.arrow import SCHEMA

    kept = [frame.schema[name] for name in keep]
    return frame.mapInArrow(score, StructType([*from_arrow_schema(SCHEMA).fields, *kept]))


def _of_ray(
    frame: Any,  # noqa: ANN401
    score: Score,
    names: Mapping[str, str] | None,
    keep: Sequence[str],
) -> object:
    from klopt.batch.arrow import ROWS, check_columns

    known = frame.columns(fetch_if_missing=False)
    if known is not None:  # else the job says so when it runs
        check_columns(known, names, keep)
    block = partial(_scored, score=score, keep=keep)
    return frame.map_batches(block, batch_size=ROWS, batch_format="pyarrow", zero_copy_batch=True)


def _scored(table: Table, score: Score, keep: Sequence[str]) -> Table:
    from klopt.batch.arrow import schema_with

    return type(table).from_batches(score(table.to_batches()), schema_with(table.schema, keep))
