"""Checks against references as a table, with what a person should look at in each answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from klopt.batch.checking import CheckedRow
from klopt.checking import Error, ReferenceCheck, Sign
from klopt.cli.fields import brief
from klopt.cli.terminal import LONGEST_ID, table
from klopt.report.view import clean

_GOOD: Final = 0.75
"""From here on an answer without an error needs no second look."""
_POOR: Final = 0.5

_LONGEST_TERM_CHARS: Final = 40
_LONGEST_FEEDBACK_CHARS: Final = 160
_MOST_TOLD: Final = 3
_NARROWEST_WORDS: Final = 24
_NARROWEST_FIGURE: Final = 4
_GAP: Final = 2


def show_checked(rows: Sequence[CheckedRow], console: Console) -> None:
    """One line for each row, or two tables where the terminal is too narrow for one.

    Where it is too narrow for the figures alone, lines wrap and no figure is cut. Nothing for no
    rows.
    """
    if not rows:
        return
    figures = dict(_columns(rows))
    least = _width(rows) + sum(map(_heading_width, figures))
    width = console.width
    if least + _NARROWEST_WORDS <= width:
        console.print(_table(rows, figures, words=True))
        return
    console.width = max(width, least)
    console.print(_table(rows, figures, words=False))
    console.width = width
    if told := [row for row in rows if _why(row)]:
        console.print()
        console.print(_table(told, {}, words=True))


def _table(
    rows: Sequence[CheckedRow], figures: Mapping[str, Sequence[Text]], *, words: bool
) -> Table:
    columns = [
        Column("id", width=_width(rows), overflow="fold"),
        *(Column(name, justify="right", width=_heading_width(name) - _GAP) for name in figures),
        *([Column("what to look at", ratio=1)] if words else []),
    ]
    cells: Iterable[tuple[str | Text, ...]] = (
        (row.row.id, *(texts[place] for texts in figures.values()), *([_why(row)] if words else []))
        for place, row in enumerate(rows)
    )
    return table(columns, cells)


def _width(rows: Sequence[CheckedRow]) -> int:
    """Of the longest id, or the longest that is shown in one line."""
    return min(LONGEST_ID, max(map(cell_len, ("id", *(clean(row.row.id) for row in rows)))))


def _heading_width(name: str) -> int:
    """Of a column of figures, with the gap before it; its heading may take several lines."""
    return max(_NARROWEST_FIGURE, *map(len, name.split())) + _GAP


def _columns(rows: Sequence[CheckedRow]) -> Iterator[tuple[str, list[Text]]]:
    """Score, figures, and what people said: heading and cells."""
    if any(row.is_checked for row in rows):
        yield "score", [_score(row.check.score if row.check is not None else None) for row in rows]
    for name in dict.fromkeys(name for row in rows for name in row.figures.values):
        heading = name.replace("_", " ").replace(".", " ")
        yield heading, [Text(_figure(row.figures.values.get(name))) for row in rows]
    if any(said := [_said(row) for row in rows]):
        yield "people", [Text(one) for one in said]


def _score(score: float | None) -> Text:
    if score is None:
        return Text("–", style="dim")
    style = "green" if score >= _GOOD else "red" if score < _POOR else "yellow"
    return Text(f"{score:.2f}", style=style)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}".removesuffix(".00")


def _said(row: CheckedRow) -> str:
    """The rating, or the label; empty without either."""
    turn = row.row.turn
    if turn is None:
        return ""
    if turn.rating is not None:
        return f"{turn.rating:g}"
    return {True: "right", False: "wrong", None: ""}[turn.label]


def _why(row: CheckedRow) -> str:
    """What failed; else what is wrong with the answer; else what a judge holds against it."""
    if row.failures:
        return "; ".join(_failed(row))
    if row.check is None:
        return _said_by_judges(row)
    if row.check.status != "scored":
        return row.check.reason or ""
    return "; ".join(_found(row.check))


def _failed(row: CheckedRow) -> Iterator[str]:
    """What failed: once where several calls failed in the same way; the row's id is known."""
    techniques: dict[str, list[str]] = {}
    for _, text in row.failures:
        technique, _, words = text.removeprefix(f"row {row.row.id!r}, ").partition(": ")
        techniques.setdefault(words, []).append(technique)
    for words, names in techniques.items():
        yield f"{', '.join(names)}: {words}" if words else ", ".join(names)


def _found(check: ReferenceCheck) -> Iterator[str]:
    """The worst errors, one of each kind first; then what else lowered the score."""
    errors = _worst_first(check.errors)
    yield from map(error_words, errors[:_MOST_TOLD])
    if (more := len(errors) - _MOST_TOLD) > 0:
        yield f"{more} more"
        return
    is_good = check.score is not None and check.score >= _GOOD
    signs = [text for sign in check.signs if (text := _sign(sign, is_good and not errors))]
    yield from signs
    if not (errors or signs or is_good) and check.score != 1.0:
        yield "every step is there, some only in part: compare them"


def _worst_first(errors: Sequence[Error]) -> list[Error]:
    """Without the terms that are missing because their step is."""
    gone = {error.step for error in errors if error.kind == "step_missing"}
    told = [
        error for error in errors if error.term is None or error.found or error.step not in gone
    ]
    kinds = [
        sorted((one for one in told if one.kind == kind), key=lambda one: -one.severity)
        for kind in ("step_missing", "key_term_mismatch", "step_reversal")
    ]
    first = [members[0] for members in kinds if members]
    return first + [one for members in kinds for one in members[1:]]


def error_words(error: Error) -> str:
    """One error: what the answer says and what it should say.

    >>> error_words(Error("key_term_mismatch", 0, 0, "httpd.conf", "httpd.cfg", 1.0, 5, 15))
    'says "httpd.cfg", not "httpd.conf"'
    """
    expected = f'"{_brief(error.expected)}"'
    step = f"step {error.step + 1}"
    if error.kind == "step_missing":
        return f"{step} is missing: {expected}"
    if error.kind == "step_reversal":
        return f"{step} is out of order: {expected}"
    if error.found:
        return f'says "{_brief(error.found)}", not {expected}'
    return f"{expected} is missing ({step})"


def _sign(sign: Sign, is_good: bool) -> str:
    """A yes for a no; and, in an answer that is not good, doubt."""
    places = list(dict.fromkeys(f'"{_brief(place.text)}"' for place in sign.places))
    if not places or not sign.value:
        return ""
    more = ", …" if len(places) > _MOST_TOLD else ""
    listed = f"{', '.join(places[:_MOST_TOLD])}{more}"
    if sign.kind == "contradiction":
        return f"opens with {listed}, against the reference"
    return f"sounds unsure: {listed}" if sign.kind == "doubt" and not is_good else ""


def _said_by_judges(row: CheckedRow) -> str:
    """Why figures are missing, or what the judge with the lowest score says."""
    figures = row.figures
    if figures.reasons:
        return "; ".join(dict.fromkeys(figures.reasons.values()))
    scores = {name: score for name in figures.feedback if (score := figures.values[name])}
    if not scores:
        return ""
    lowest = min(scores, key=lambda name: scores[name])
    return f"{lowest}: {_brief(figures.feedback[lowest], _LONGEST_FEEDBACK_CHARS)}"


def _brief(text: str, longest: int = _LONGEST_TERM_CHARS) -> str:
    return brief(" ".join(text.split()), longest)
