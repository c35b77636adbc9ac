"""Rows to assessments, in input order, none lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from klopt.batch.rows import Row
from klopt.scoring.assessment import Assessment
from klopt.scoring.scorer import Scorer


def score_rows(
    rows: Iterable[Row], scorer: Scorer, warn: Callable[[str], None]
) -> Iterator[tuple[Row, Assessment]]:
    """Scores rows one by one.

    Args:
        rows: Read rows, those with a problem included: they get status ``error``.
        scorer: Scores them.
        warn: Takes a sentence about a row that was mended, or whose id stood before.
    """
    seen: dict[str, int] = {}
    for row in rows:
        if row.warning:
            warn(f"row {row.number}: {row.warning}")
        if row.id in seen:
            warn(f'row {row.number}: id "{row.id}" stood in row {seen[row.id]} too; both are kept')
        seen.setdefault(row.id, row.number)
        if row.turn is None:
            yield row, scorer.refuse(row.id, row.problem or "")
        else:
            yield row, next(scorer.score_many([row.turn]))
