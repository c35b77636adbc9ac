"""Checks against references: a table of what to look at, counts, and agreement with people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from statistics import fmean
from typing import Final

from rich.console import Console
from rich.table import Column
from rich.text import Text

from klopt.batch.checking import CheckedRow
from klopt.batch.figures import by_reason
from klopt.checking import Error, ReferenceCheck
from klopt.cli.terminal import counted, ids, table
from klopt.errors import ExtraMissingError
from klopt.evaluation.agreement import auc, pearson
from klopt.evaluation.estimate import Estimate, Resampling, stats
from klopt.evaluation.rated import apart, is_rated, truth
from klopt.records import Turn, clean
from klopt.report.wording import brief

_GOOD: Final = 0.75
"""From here on an answer without an error needs no second look."""
_POOR: Final = 0.5

_MOST_FIGURES: Final = 3
"""The means of all stand below."""
_MOST_TOLD: Final = 3
_KINDS: Final = {
    "step_missing": "steps are missing in {}",
    "key_term_mismatch": "key terms differ in {}",
    "step_reversal": "steps are out of order in {}",
}
"""The worst first."""
_WITHOUT_INTERVALS: Final = Resampling(resamples=1)


def show_checked(rows: Sequence[CheckedRow], console: Console) -> None:
    """One line for each row: score, the first figures, and what a person should look at."""
    every = dict.fromkeys(name for row in rows for name in row.figures.values)
    names = list(every)[:_MOST_FIGURES]
    headings = [name.replace("_", " ").replace(".", " ") for name in names]
    columns = [
        ids(),
        *(Column(heading, justify="right", min_width=4) for heading in ["score", *headings]),
        Column("what to look at", ratio=1),
    ]
    cells: Iterable[list[str | Text]] = (
        [
            row.row.id,
            _score(row.check.score if row.check is not None else None),
            *(_figure(row.figures.values.get(name)) for name in names),
            _why(row),
        ]
        for row in rows
    )
    console.print(table(columns, cells))


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _score(score: float | None) -> Text:
    if score is None:
        return Text("–", style="dim")
    style = "green" if score >= _GOOD else "red" if score < _POOR else "yellow"
    return Text(_figure(score), style=style)


def _why(row: CheckedRow) -> str:
    """What failed; else what is wrong with the answer; else why figures are missing."""
    if row.failures:
        return "; ".join(told for _, told in row.failures)
    if row.check is None:
        return "; ".join(dict.fromkeys(row.figures.reasons.values()))
    if row.check.status != "scored":
        return row.check.reason or ""
    return "; ".join(_faults(row.check))


def _faults(check: ReferenceCheck) -> Iterator[str]:
    """The worst errors, by step; without any, what else lowered the score."""
    gone = {error.step for error in check.errors if error.kind == "step_missing"}
    told = [
        error
        for error in check.errors  # a term is missing with its step
        if error.term is None or error.found or error.step not in gone
    ]
    kinds = list(_KINDS)
    told.sort(key=lambda error: (kinds.index(error.kind), -error.severity))
    yield from map(error_words, sorted(told[:_MOST_TOLD], key=lambda error: error.step))
    if len(told) > _MOST_TOLD:
        yield f"{len(told) - _MOST_TOLD} more"
    if told:
        return
    is_good = check.score is not None and check.score >= _GOOD
    signs = {sign.kind: sign.places for sign in check.signs if sign.value and sign.places}
    for kind, lead in (("contradiction", "against the reference"), ("doubt", "sounds unsure")):
        if kind in signs and not (kind == "doubt" and is_good):
            places = dict.fromkeys(_quoted(place.text) for place in signs[kind])
            yield f"{lead}: {', '.join(islice(places, _MOST_TOLD))}"
            is_good = True
    if not is_good:
        yield "every step is there, some only in part: compare them"


def error_words(error: Error) -> str:
    """One error: what the answer says and what it should say.

    >>> error_words(Error("key_term_mismatch", 0, 0, "httpd.conf", "httpd.cfg", 1.0, 5, 15))
    'says "httpd.cfg", not "httpd.conf"'
    """
    expected = _quoted(error.expected)
    step = f"step {error.step + 1}"
    if error.kind == "step_missing":
        return f"{step} is missing: {expected}"
    if error.kind == "step_reversal":
        return f"{step} is out of order: {expected}"
    if error.found:
        return f"says {_quoted(error.found)}, not {expected}"
    return f"{expected} is missing ({step})"


def _quoted(text: str) -> str:
    return f'"{brief(text)}"'


class CheckTally:
    """Counts checks as they come by, and holds their scores against people's judgements.

    ``names`` are the figures.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._row_count = self._reference_count = 0
        self._is_checked = False
        self._kinds: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._scores: list[float] = []
        self._rated: list[tuple[float, Turn]] = []
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

    def summary(self) -> Iterator[str]:
        """How many were checked, what is wrong with them, and how far people agree."""
        if not self._row_count:
            yield "No rows."
            return
        told = "no score" if self._is_checked else "read"
        if self._scores:
            kinds = [text.format(n) for kind, text in _KINDS.items() if (n := self._kinds[kind])]
            told = f"mean score {fmean(self._scores):.3f}; {', '.join(kinds) or 'no errors'}"
        yield f"{counted(self._row_count, 'answer')}: {told}."
        if self._reasons:
            most = [f"{reason} ({n})" for reason, n in self._reasons.most_common(_MOST_TOLD)]
            yield f"{self._reasons.total():,} without a score: {', '.join(most)}."
            if not self._reference_count:
                yield "Is the reference answer in another field? --reference-field names it."
        if self.failed_count:
            yield f"Failed: {self.failed_count}; the first: {clean(self._first_failure)}"
        yield from self._means()
        yield from self._agreement()

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

    def _agreement(self) -> Iterator[str]:
        """Ratings and labels are never mixed in a correlation, as in `klopt evaluate`."""
        if not self._rated:
            return
        try:
            stats()
        except ExtraMissingError as missing:  # the checks were made, and stand in the output
            yield f"Not held beside people's judgement: {missing}."
            return
        sure = [(score, truth(turn)) for score, turn in self._rated]
        area = auc(*apart([(s, t) for s, t in sure if t is not None]), _WITHOUT_INTERVALS)
        given = [(score, turn.rating) for score, turn in self._rated if turn.rating is not None]
        if not given:
            given = [(score, float(turn.label or 0)) for score, turn in self._rated]
        r = pearson(*apart(given), _WITHOUT_INTERVALS)
        yield (
            f"Beside people's judgement of {len(self._rated)}: AUC {_value(area)}, "
            f"Pearson r {_value(r)}."
        )


def _value(estimate: Estimate) -> str:
    return f"– ({estimate.reason})" if estimate.value is None else f"{estimate.value:.4f}"
