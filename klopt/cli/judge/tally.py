"""What checks against references come to: counts, means, agreement with people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from statistics import fmean
from typing import Final

from klopt.batch.checking import CheckedRow
from klopt.batch.figures import by_reason
from klopt.cli.fields import is_missing, value_at
from klopt.cli.terminal import counted
from klopt.errors import ExtraMissingError
from klopt.evaluation.agreement import auc, pearson
from klopt.evaluation.estimate import Estimate, Resampling, stats
from klopt.evaluation.rated import apart, is_rated, truth
from klopt.records import Turn
from klopt.report.view import clean

_KINDS: Final = {
    "key_term_mismatch": "key terms differ in {}",
    "step_missing": "steps are missing in {}",
    "step_reversal": "steps are out of order in {}",
}
_MOST_GROUPS: Final = 20
_MOST_REASONS: Final = 3
_WITHOUT_INTERVALS: Final = Resampling(resamples=1)


_Rated = tuple[float, Turn]
"""A score, and the turn with what people said of it."""


class CheckTally:
    """Counts checks as they come by, and holds their scores against people's judgements.

    Agreement is also told for each value of the field ``by``; ``names`` are the figures.
    """

    def __init__(self, by: str | None, names: Sequence[str]) -> None:
        self._by = by
        self._row_count = self._reference_count = 0
        self._is_checked = False
        self._kinds: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._scores: list[float] = []
        self._rated: dict[str, list[_Rated]] = {}
        self._figures: dict[str, list[float]] = {name: [] for name in names}
        self._missing: dict[str, str] = {}
        self._first_failure = ""
        self.failed_count = 0

    def count(self, rows: Iterable[CheckedRow]) -> Iterator[CheckedRow]:
        """The same rows, counted on their way through."""
        for row in rows:
            self._count(row)
            yield row

    def _count(self, row: CheckedRow) -> None:
        self._row_count += 1
        self._is_checked |= row.is_checked
        self._missing = {**row.figures.reasons, **self._missing}
        for name, value in row.figures.values.items():
            if value is not None:
                self._figures[name].append(value)
        if row.failures:
            self.failed_count += 1
            self._first_failure = self._first_failure or row.failures[0][1]
        check = row.check
        if check is None:
            return
        self._reference_count += check.reason_code != "no_reference"
        if check.status == "not_scorable":
            self._reasons[check.reason or ""] += 1
        turn = row.row.turn
        if check.score is None or turn is None:
            return
        self._scores.append(check.score)
        self._kinds.update({error.kind for error in check.errors})
        if is_rated(turn):
            group = None if self._by is None else value_at(row.row.fields, self._by)
            name = "–" if is_missing(group) else clean(str(group))
            self._rated.setdefault(name, []).append((check.score, turn))

    def summary(self) -> list[str]:
        """How many were checked, what is wrong with them, and how far people agree."""
        if not self._row_count:
            return ["No rows."]
        lines = [f"{counted(self._row_count, 'answer')}: {self._told()}."]
        if self._reasons:
            lines.append(f"{self._reasons.total():,} without a score: {self._without()}.")
        if self._reasons and not self._reference_count:
            lines.append("Is the reference answer in another field? --reference-field names it.")
        if self.failed_count:
            lines.append(f"Failed: {self.failed_count}; the first: {clean(self._first_failure)}")
        return [*lines, *self._means(), *self._agreements()]

    def _told(self) -> str:
        if not self._scores:
            return "no score" if self._is_checked else "read"
        kinds = [text.format(n) for kind, text in _KINDS.items() if (n := self._kinds[kind])]
        return "; ".join([f"mean score {fmean(self._scores):.3f}", ", ".join(kinds) or "no errors"])

    def _without(self) -> str:
        if len(self._reasons) == 1:
            return next(iter(self._reasons))
        told = [f"{reason} ({n})" for reason, n in self._reasons.most_common(_MOST_REASONS)]
        return ", ".join(told + ["…"] * (len(self._reasons) > _MOST_REASONS))

    def _means(self) -> Iterator[str]:
        means = [
            f"{name} {fmean(values):.3f}"
            + ("" if len(values) == self._row_count else f" (of {len(values)})")
            for name, values in self._figures.items()
            if values
        ]
        if means:
            yield f"Means: {', '.join(means)}."
        without = {name: why for name, why in self._missing.items() if not self._figures[name]}
        for reason, names in by_reason(without).items():
            yield f"No {', '.join(names)} in any row; the first: {clean(reason)}."

    def _agreements(self) -> Iterator[str]:
        if not self._rated:
            return
        try:
            stats()
        except ExtraMissingError as missing:  # the checks were made, and stand in the output
            yield f"Not held beside people's judgement: {missing}."
            return
        every = list(chain.from_iterable(self._rated.values()))
        yield _agreement(f"Beside people's judgement of {len(every)}", every)
        if self._by is None:
            return
        for group, members in islice(self._rated.items(), _MOST_GROUPS):
            yield _agreement(f"  {clean(self._by)} {group}, {len(members)}", members)
        if len(self._rated) > _MOST_GROUPS:
            yield f"  {len(self._rated) - _MOST_GROUPS} more values of {clean(self._by)}."


def _agreement(title: str, rated: Sequence[_Rated]) -> str:
    """Ratings and labels are never mixed in a correlation, as in `klopt evaluate`."""
    sure = [(score, is_true) for score, turn in rated if (is_true := truth(turn)) is not None]
    area = auc(*apart(sure), _WITHOUT_INTERVALS)
    said = [(score, turn.rating) for score, turn in rated if turn.rating is not None]
    if not said:
        said = [(score, float(turn.label)) for score, turn in rated if turn.label is not None]
    r = pearson(*apart(said), _WITHOUT_INTERVALS)
    return f"{title}: AUC {_value(area)}, Pearson r {_value(r)}."


def _value(estimate: Estimate) -> str:
    return f"– ({estimate.reason})" if estimate.value is None else f"{estimate.value:.4f}"
