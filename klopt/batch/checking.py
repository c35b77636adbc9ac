"""Rows to checks against their references, in input order, none lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from klopt.batch.figures import GOLD_FIELD, Figures, RowFigures
from klopt.batch.rows import Row, told
from klopt.checking import Checker, ReferenceCheck
from klopt.models.calls import Usage
from klopt.models.in_order import in_order


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """What was found of one row; ``settings`` say what each figure depends on."""

    row: Row
    check: ReferenceCheck | None
    figures: RowFigures
    is_checked: bool
    settings: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def failures(self) -> tuple[tuple[str, str], ...]:
        """Code and words of what failed; there being nothing to compare is no failure."""
        if self.row.problem is not None:
            return (("row", self.row.problem),)
        check, figures = self.check, self.figures
        judges = ((code, figures.reasons[name]) for name, code in figures.failures.items())
        if check is not None and check.status == "error":
            return ((check.reason_code or "", check.reason or ""), *judges)
        return tuple(judges)

    @property
    def usage(self) -> Usage:
        """What calls to a model cost, for the check and the judges."""
        checked = self.check.usage if self.check is not None else Usage()
        return checked + self.figures.usage

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON, ``id`` first, in a fixed order; figures to six decimals.

        The status, and the reason for it, are those of the check. Without a checker there is no
        score, and the status is ``measured``, or ``error`` when a figure failed.
        """
        row = {"id": self.row.id, **self._check_fields()}
        figures = self.figures
        if figures.values:
            row["metrics"] = {
                name: None if value is None else round(value, 6)
                for name, value in figures.values.items()
            }
        for name, texts in (
            ("metric_reasons", figures.reasons),
            ("metric_feedback", figures.feedback),
            ("metric_settings", self.settings),
        ):
            if texts:
                row[name] = dict(texts)
        if figures.notes:
            row["notes"] = [*row.get("notes", ()), *figures.notes]
        if figures.usage.calls or "usage" in row:
            row["usage"] = asdict(self.usage)
        return row

    def _check_fields(self) -> dict[str, Any]:
        if self.check is not None:
            return self.check.to_dict()
        nothing: dict[str, Any] = {"score": None, "errors": []} if self.is_checked else {}
        code, reason = self.failures[0] if self.failures else (None, None)
        status = "measured" if code is None else "error"
        return {**nothing, "status": status, "reason_code": code, "reason": reason}


def check_rows(
    rows: Iterable[Row],
    checker: Checker | None,
    figures: Figures,
    warn: Callable[[str], None],
    *,
    gold_field: str = GOLD_FIELD,
    at_once: int = 1,
    one_each: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Iterator[CheckedRow]:
    """Checks rows one by one, or ``at_once`` several where a model is waited for.

    ``warn`` and ``one_each`` are as for `klopt.batch.rows.told`. ``progress`` is told how many
    rows are done, after each, in whatever order they are done; in the thread that iterates.
    """

    def checked(row: Row) -> CheckedRow:
        is_checked = checker is not None
        if row.turn is None:
            problem = row.problem or "the row cannot be read"
            return CheckedRow(replace(row, problem=problem), None, RowFigures(), is_checked)
        row_figures = figures.of(row.turn, row.fields.get(gold_field))
        check = None if checker is None else checker.check(row.turn)
        return CheckedRow(row, check, row_figures, is_checked, figures.settings)

    return in_order(checked, told(rows, warn, one_each=one_each), at_once, progress)
