"""Checks against references: a table of what to look at, counts, and agreement with people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from statistics import fmean
from typing import Final

from rich.console import Console
from rich.table import Column
from rich.text import Text

from klopt.batch.checking import CheckedRow
from klopt.batch.figures import by_reason
from klopt.checking import Error, ReferenceCheck
from klopt.cli.fields import is_missing, value_at
from klopt.cli.terminal import counted, ids, table
from klopt.errors import ExtraMissingError
from klopt.evaluation.agreement import auc, pearson
from klopt.evaluation.estimate import Estimate, Resampling, stats
from klopt.evaluation.rated import apart, is_rated, truth
from klopt.records import Turn
from klopt.report.view import clean
from klopt.report.wording import brief

_GOOD: Final = 0.75
"""From here on an answer without an error needs no second look."""
_POOR: Final = 0.5

_MOST_BESIDE: Final = 3
"""With more figures, what to look at stands below them."""
_MOST_TOLD: Final = 3
_MOST_GROUPS: Final = 20
_KINDS: Final = {
    "step_missing": "steps are missing in {}",
    "key_term_mismatch": "key terms differ in {}",
    "step_reversal": "steps are out of order in {}",
}
"""The worst first."""
_WITHOUT_INTERVALS: Final = Resampling(resamples=1)

_Rated = tuple[float, Turn]
"""A score, and the turn with what people said of it."""


def show_checked(rows: Sequence[CheckedRow], console: Console) -> None:
    """One line for each row, and what a person should look at: beside it where there is room."""
    if not rows:
        return
    figures = dict(_columns(rows))
    why = [_why(row) for row in rows]
    columns = [ids(), *(Column(name, justify="right", min_width=4) for name in figures)]
    cells = [[row.row.id, *own] for row, *own in zip(rows, *figures.values(), strict=True)]
    looked_at = Column("what to look at", ratio=1)
    if len(figures) <= _MOST_BESIDE:
        beside = ([*own, words] for own, words in zip(cells, why, strict=True))
        console.print(table([*columns, looked_at], beside))
        return
    console.print(table(columns, cells))
    below = [(row.row.id, words) for row, words in zip(rows, why, strict=True) if words]
    if below:
        console.print()
        console.print(table([ids(), looked_at], below))


def _columns(rows: Sequence[CheckedRow]) -> Iterator[tuple[str, list[Text]]]:
    """Score, figures, and what people said: heading and cells."""
    if any(row.is_checked for row in rows):
        yield "score", [_score(row.check.score if row.check is not None else None) for row in rows]
    for name in dict.fromkeys(name for row in rows for name in row.figures.values):
        values = (row.figures.values.get(name) for row in rows)
        heading = name.replace("_", " ").replace(".", " ")
        yield heading, [Text("–" if one is None else f"{one:.2f}") for one in values]
    if any(by_people := [_by_people(row.row.turn) for row in rows]):
        yield "people", [Text(one) for one in by_people]


def _score(score: float | None) -> Text:
    if score is None:
        return Text("–", style="dim")
    style = "green" if score >= _GOOD else "red" if score < _POOR else "yellow"
    return Text(f"{score:.2f}", style=style)


def _by_people(turn: Turn | None) -> str:
    """The rating, or the label; empty without either."""
    if turn is not None and turn.rating is not None:
        return f"{turn.rating:g}"
    return {True: "right", False: "wrong", None: ""}[None if turn is None else turn.label]


def _why(row: CheckedRow) -> str:
    """What failed; else what is wrong with the answer; else why figures are missing."""
    if row.failures:
        return "; ".join(_failed(row))
    if row.check is None:
        return "; ".join(dict.fromkeys(row.figures.reasons.values()))
    if row.check.status != "scored":
        return row.check.reason or ""
    return "; ".join(_faults(row.check))


def _failed(row: CheckedRow) -> Iterator[str]:
    """What failed: once where several calls failed in the same way; the row's id is known."""
    techniques: dict[str, list[str]] = {}
    for _, text in row.failures:
        technique, _, words = text.removeprefix(f"row {row.row.id!r}, ").partition(": ")
        techniques.setdefault(words, []).append(technique)
    for words, names in techniques.items():
        yield f"{', '.join(names)}: {words}" if words else ", ".join(names)


def _faults(check: ReferenceCheck) -> Iterator[str]:
    """The worst errors; without any, what else lowered the score."""
    gone = {error.step for error in check.errors if error.kind == "step_missing"}
    told = [
        error
        for error in check.errors  # a term is missing with its step
        if error.term is None or error.found or error.step not in gone
    ]
    kinds = list(_KINDS)
    told.sort(key=lambda error: (kinds.index(error.kind), -error.severity))
    yield from map(error_words, told[:_MOST_TOLD])
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
            group = None if self._by is None else value_at(row.row.fields, self._by)
            name = "–" if is_missing(group) else clean(str(group))
            self._rated.setdefault(name, []).append((check.score, turn))

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
        yield from self._agreements()

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
    given = [(score, turn.rating) for score, turn in rated if turn.rating is not None]
    if not given:
        given = [(score, float(turn.label)) for score, turn in rated if turn.label is not None]
    r = pearson(*apart(given), _WITHOUT_INTERVALS)
    return f"{title}: AUC {_value(area)}, Pearson r {_value(r)}."


def _value(estimate: Estimate) -> str:
    return f"– ({estimate.reason})" if estimate.value is None else f"{estimate.value:.4f}"
