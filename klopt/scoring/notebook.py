"""Assessments as a notebook shows them: statements with marked words, the page's words beside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import islice
from typing import Any, Final

from klopt.scoring.explanation import TELLING, said_in, texts, window

_MOST_STATEMENTS: Final = 30
_MOST_CHARS: Final = 300
_EXPLANATION_CHARS: Final = 1000
_SIGNS: Final = {"supported": "✓", "fault": "✗", "unconfirmed": "?", "": "·"}
# See-through grounds do in light and in dark; a notebook may let no style sheet in.
_CELL: Final = "text-align:left;vertical-align:top;padding:.2em .7em .2em 0"
_OURS: Final = "background:rgba(214,84,30,.3);color:inherit;font-weight:bold"
_THEIRS: Final = "background:rgba(20,150,120,.3);color:inherit"
_CARD: Final = (
    "border:1px solid rgba(128,128,128,.5);border-radius:.4em;padding:0 .8em;margin:.4em 0"
)


def cards(rows: Iterable[Mapping[str, Any]]) -> str:
    """HTML without script and style sheet, for rows as `Assessment.to_dict` gives them.

    Every text is escaped, and cut where it is long; characters that are not printed become U+FFFD.
    A ``rating`` is shown where there is one. Measurements may also be a list of records that have
    a ``name``, as in Arrow.

    >>> "<b>7</b>: Goed &amp; wel." in cards([{"id": "7", "explanation": "Goed & wel."}])
    True
    """
    return "".join(map(_card, rows))


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Figures, or whatever else has a line, as HTML; escaped likewise.

    >>> table(["n"], [["<5"]]).count("&lt;5")
    1
    """
    lines = [_row("th", map(_safe, heads)), *(_row("td", map(_safe, row)) for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def _card(row: Mapping[str, Any]) -> str:
    told = _safe(str(row.get("explanation") or row.get("reason") or "")[:_EXPLANATION_CHARS])
    language = said_in(row.get("language"))
    rating = row.get("rating")
    rated = f" (★ {rating:g})" if isinstance(rating, int | float) else ""
    name = f"<b>{_safe(str(row['id'])[:_MOST_CHARS])}</b>" if row.get("id") else ""
    head = ": ".join(filter(None, (f"{name}{rated}".strip(), told)))
    head = f'<p dir="auto" lang="{language}">{head}</p>'
    lines = "".join(islice(_lines(row, language), _MOST_STATEMENTS))
    return f'<div style="{_CARD}">{head}{f"<table>{lines}</table>" if lines else ""}</div>'


def _lines(row: Mapping[str, Any], language: str) -> Iterator[str]:
    is_sent = row.get("verdict") == "send"
    names = () if is_sent else tuple(_names(row.get("measurements") or {}))
    for one in row.get("statements") or ():
        is_fault = bool(one["fault"]) and not is_sent
        found = [(at, at + len(name)) for name in names if (at := one["text"].find(name)) >= 0]
        is_unconfirmed = one["relation"] == "not_stated" and not found
        kind = "supported" if one["relation"] == "supported" else ""
        kind = ("unconfirmed" if is_unconfirmed else "fault") if is_fault else kind
        said = _marked(one["text"], [*one["wrong"], *found] if is_fault else found, _OURS)
        beside, place = "", one["passage"]
        if place:
            words = _marked(place["text"], one["differing"] if is_fault else (), _THEIRS)
            where = texts(language)["explain"]["where"].format(
                page=str(place["page"])[:_MOST_CHARS], line=place["line"]
            )
            beside = f"“{words}”<br><small>{_safe(where)}</small>"
        yield _row("td", (_SIGNS[kind], said, beside))


def _row(kind: str, cells: Iterable[str]) -> str:
    made = (f'<{kind} dir="auto" style="{_CELL}">{cell}</{kind}>' for cell in cells)
    return f"<tr>{''.join(made)}</tr>"


def _names(measured: Mapping[str, Any] | Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """What the answer names and no page has."""
    every = (
        measured.items() if isinstance(measured, Mapping) else ((m["name"], m) for m in measured)
    )
    for name, found in every:
        if name == TELLING:
            kinds = ((each["kind"], each["text"]) for each in found["evidence"])
            yield from (text for kind, text in kinds if kind == "unsupported" and text)


def _marked(text: str, spans: Iterable[Sequence[int]], style: str) -> str:
    """What stands around the first mark, with the marks in it."""
    marks = sorted((start, end) for start, end in spans)
    at, last = window(text, marks[0][0] if marks else 0, _MOST_CHARS)
    pieces = ["… "] if at else []
    for start, end in marks:
        start, end = max(start, at), min(end, last)
        if start < end:
            marked = f'<mark style="{style}">{_safe(text[start:end])}</mark>'
            pieces += [_safe(text[at:start]), marked]
            at = end
    return "".join((*pieces, _safe(text[at:last]), " …" if last < len(text) else ""))


def _safe(value: object) -> str:
    text = "".join(
        each if each.isprintable() or each in "\n\t" else "\ufffd" for each in str(value)
    )
    return escape(text)
