"""Report of ``klopt judge``: a table of problems, counts, and agreement with people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from statistics import fmean
from typing import Final

from rich.console import Console
from rich.table import Column
from rich.text import Text

from klopt.cli.terminal import counted, ids, table
from klopt.errors import ExtraMissingError
from klopt.evaluation.agreement import auc, pearson
from klopt.evaluation.estimate import Estimate, Resampling, stats
from klopt.evaluation.rated import apart, is_rated, truth
from klopt.logs.checks import CheckedRow, by_reason
from klopt.reference import Error, ReferenceCheck
from klopt.report.wording import brief
from klopt.types import Turn, clean

_GOOD_SCORE: Final = 0.75
_POOR_SCORE: Final = 0.5
_MAX_COLUMNS: Final = 3  # Metrics in the table; the summary has the means of all

_MAX_SHOWN: Final = 3  # Errors shown of a row, and reasons of a summary line

_ERROR_KINDS: Final = {
    "step_missing": "steps are missing in {}",
    "value_mismatch": "values differ in {}",
    "key_term_mismatch": "key terms differ in {}",
    "step_reversal": "steps are out of order in {}",
}  # Kinds of errors, worst first, as the summary counts them

_SIGNS: Final = {"contradiction": "contradicts the reference", "doubt": "sounds unsure"}
_WITHOUT_INTERVALS: Final = Resampling(resamples=1)


def show_checked(rows: Sequence[CheckedRow], console: Console) -> None:
    """Print a table: id, score, the first metrics, and the problems of each row."""
    names = list(dict.fromkeys(name for row in rows for name in row.figures.values))[:_MAX_COLUMNS]
    headings = ["score", *(name.replace("_", " ").replace(".", " ") for name in names)]
    numbers = (Column(heading, justify="right", min_width=4) for heading in headings)

    def cells(row: CheckedRow) -> list[str | Text]:
        figures = (_figure(row.figures.values.get(name)) for name in names)
        score = _score(None if row.check is None else row.check.score)
        return [row.row.id, score, *figures, _problems(row)]

    console.print(table([ids(), *numbers, Column("problems", ratio=1)], map(cells, rows)))


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _score(score: float | None) -> Text:
    if score is None:
        return Text("–", style="dim")
    style = "green" if score >= _GOOD_SCORE else "red" if score < _POOR_SCORE else "yellow"
    return Text(_figure(score), style=style)


def _problems(row: CheckedRow) -> str:
    """Return why the row failed, else the answer's errors, else why metrics are missing."""
    if row.failures:
        return "; ".join(why for _, why in row.failures)
    if row.check is None:
        return "; ".join(dict.fromkeys(row.figures.reasons.values()))
    if row.check.status != "scored":
        return row.check.reason or ""
    return "; ".join(_errors(row.check))


def _errors(check: ReferenceCheck) -> Iterator[str]:
    """Yield the worst errors in the order of the steps; without errors, what lowered the score."""
    missing = {error.step for error in check.errors if error.kind == "step_missing"}
    shown = [
        error
        for error in check.errors  # a missing step implies its missing terms
        if error.term is None or error.found or error.step not in missing
    ]
    kinds = list(_ERROR_KINDS)
    shown.sort(key=lambda error: (kinds.index(error.kind), -error.severity))
    yield from map(error_text, sorted(shown[:_MAX_SHOWN], key=lambda error: error.step))
    if len(shown) > _MAX_SHOWN:
        yield f"{len(shown) - _MAX_SHOWN} more"
    if shown:
        return
    is_explained = is_good = check.score is not None and check.score >= _GOOD_SCORE
    signs = {sign.kind: sign.places for sign in check.signs if sign.value and sign.places}
    for kind, lead in _SIGNS.items():
        if kind in signs and not (kind == "doubt" and is_good):
            places = dict.fromkeys(_quoted(place.text) for place in signs[kind])
            yield f"{lead}: {', '.join(islice(places, _MAX_SHOWN))}"
            is_explained = is_good = True
    if not is_explained:
        yield "every step is present, some only in part"


def error_text(error: Error) -> str:
    """Describe an error: what the answer has and what the reference has.

    >>> error_text(Error("key_term_mismatch", 0, 0, "httpd.conf", "httpd.cfg", 1.0, 5, 15))
    'has "httpd.cfg", not "httpd.conf"'
    """
    expected, step = _quoted(error.expected), f"step {error.step + 1}"
    if error.kind == "step_missing":
        return f"{step} is missing: {expected}"
    if error.kind == "step_reversal":
        return f"{step} is out of order: {expected}"
    if error.found:
        return f"has {_quoted(error.found)}, not {expected}"
    return f"{expected} is missing ({step})"


def _quoted(text: str) -> str:
    return f'"{brief(text)}"'


class Summary:
    """Counts of checked rows, means of metrics, and agreement with ratings or labels."""

    def __init__(self, metrics: Sequence[str]) -> None:
        self.failed_count = 0
        self._row_count = self._reference_count = 0
        self._is_checked = False
        self._kinds, self._reasons = Counter[str](), Counter[str]()
        self._scores: list[float] = []
        self._rated: list[tuple[float, Turn]] = []
        self._figures: dict[str, list[float]] = {name: [] for name in metrics}
        self._missing: dict[str, str] = {}
        self._first_failure = ""

    def count(self, rows: Iterable[CheckedRow]) -> Iterator[CheckedRow]:
        """Yield the rows and count them."""
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
        check, turn = row.check, row.row.turn
        if check is None:
            return
        self._reference_count += check.reason_code != "no_reference"
        if check.status == "not_scorable":
            self._reasons[check.reason or ""] += 1
        if check.score is None or turn is None:
            return
        self._scores.append(check.score)
        self._kinds.update({error.kind for error in check.errors})
        if is_rated(turn):
            self._rated.append((check.score, turn))

    @property
    def has_nothing(self) -> bool:
        """Whether no row has a score or a metric."""
        return not self._scores and not any(self._figures.values())

    def lines(self) -> Iterator[str]:
        """Yield the lines of the summary."""
        if not self._row_count:
            yield "No rows."
            return
        result = "no score" if self._is_checked else "read"
        if self._scores:
            kinds = [
                text.format(n) for kind, text in _ERROR_KINDS.items() if (n := self._kinds[kind])
            ]
            result = f"mean score {fmean(self._scores):.3f}; {', '.join(kinds) or 'no errors'}"
        yield f"{counted(self._row_count, 'answer')}: {result}."
        if self._reasons:
            most = [f"{reason} ({n})" for reason, n in self._reasons.most_common(_MAX_SHOWN)]
            yield f"{self._reasons.total():,} without a score: {', '.join(most)}."
            if not self._reference_count:
                yield "If another field holds the reference, map it with --map reference=FIELD."
        if self.failed_count:
            yield f"Failed: {self.failed_count}; the first: {clean(self._first_failure)}"
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
            yield f"No {', '.join(names)} for any row; the first reason: {clean(reason)}."
        yield from self._agreement()

    def _agreement(self) -> Iterator[str]:
        """Yield AUC and Pearson's r; correlations never mix ratings and labels."""
        if not self._rated:
            return
        try:
            stats()
        except ExtraMissingError as missing:
            yield f"Not compared with people's ratings: {missing}."
            return
        known = [(score, truth(turn)) for score, turn in self._rated]
        area = auc(*apart([(s, t) for s, t in known if t is not None]), _WITHOUT_INTERVALS)
        given = [(score, turn.rating) for score, turn in self._rated if turn.rating is not None]
        if not given:
            given = [(score, float(turn.label or 0)) for score, turn in self._rated]
        r = pearson(*apart(given), _WITHOUT_INTERVALS)
        yield (
            f"Agreement with people on {counted(len(self._rated), 'answer')}: AUC {_value(area)}, "
            f"Pearson r {_value(r)}."
        )


def _value(estimate: Estimate) -> str:
    return f"– ({estimate.reason})" if estimate.value is None else f"{estimate.value:.4f}"
