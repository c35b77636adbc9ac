"""Assessments, scored tables and evaluations as a notebook shows them: HTML without style sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final

from klopt.report.evidence import DIFFERS, Piece, Sentence, shown
from klopt.report.wording import brief
from klopt.scoring.explanation import text_language

if TYPE_CHECKING:
    from klopt.evaluation.evaluation import Evaluation
    from klopt.evaluation.features import Disagreement
    from klopt.report.scored import ScoredRow
    from klopt.scoring.assessment import Assessment

_MAX_SENTENCES: Final = 30
_MAX_DISAGREEMENTS: Final = 5
_EXPLANATION_CHARS: Final = 1000
_SIGNS: Final = {"supported": "✓", "fault": "✗", "unconfirmed": "?", "": "·"}
# Transparent backgrounds work in light and dark mode.
_CELL: Final = "text-align:left;vertical-align:top;padding:.2em .7em .2em 0"
_ANSWER_MARK: Final = "background:rgba(214,84,30,.3);color:inherit;font-weight:bold"
_PAGE_MARK: Final = "background:rgba(20,150,120,.3);color:inherit"
_CARD: Final = (
    "border:1px solid rgba(128,128,128,.5);border-radius:.4em;padding:0 .8em;margin:.4em 0"
)


def assessment_html(found: Assessment | ScoredRow | Disagreement, answer: str = "") -> str:
    """Return explanation and sentences of an answer beside passages, escaped and cut."""
    language = text_language(found.language)
    rating = getattr(found, "rating", None)
    name = f"<b>{_safe(brief(found.id))}</b>" if found.id else ""
    rated = "" if rating is None else f" (★ {rating:g})"
    head = f"{name}{rated}".strip()
    text = _safe(found.explanation[:_EXPLANATION_CHARS])
    head = f'<p dir="auto" lang="{language}">{": ".join(filter(None, (head, text)))}</p>'
    sentences = shown(found, answer).sentences[:_MAX_SENTENCES]
    rows = "".join(map(_sentence, sentences))
    return f'<div style="{_CARD}">{head}{f"<table>{rows}</table>" if rows else ""}</div>'


def rows_html(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the answers of a table from `klopt.score_frame`, or raise RecordError."""
    from klopt.report.scored import ScoredRow

    return "".join(assessment_html(ScoredRow.from_mapping(row)) for row in rows)


def evaluation_html(found: Evaluation) -> str:
    """Return the figures of each profile, and the worst disagreements of the first."""
    heads = ("profile", "n", "spearman", "auc", "send_from", "caught", "held_back")
    rows: list[Sequence[object]] = []
    for profile in found.profiles:
        overall, at = profile.agreement[0], profile.costs.at[0]
        n, threshold = max(overall.spearman.n, overall.auc.n), f"{profile.send_from:g}"
        figures = (overall.spearman, overall.auc, threshold, at.caught, at.held_back)
        rows.append((profile.name, n, *figures))
    worst = found.profiles[0].disagreements[:_MAX_DISAGREEMENTS]
    return table(heads, rows) + "".join(assessment_html(one, one.answer) for one in worst)


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table of escaped texts.

    >>> table(["n"], [["<5"]]).count("&lt;5")
    1
    """
    lines = [_row("th", map(_safe, heads)), *(_row("td", map(_safe, row)) for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def _sentence(one: Sentence) -> str:
    beside = ""
    if one.passage:
        beside = f"“{_pieces(one.passage, _PAGE_MARK)}”<br><small>{_safe(one.where)}</small>"
    elif one.note:
        beside = f"<small>{_safe(one.note)}</small>"
    lead = f"{_safe(one.lead)} " if one.lead else ""
    return _row("td", (_SIGNS[one.kind], lead + _pieces(one.words, _ANSWER_MARK), beside))


def _row(kind: str, cells: Iterable[str]) -> str:
    made = (f'<{kind} dir="auto" style="{_CELL}">{cell}</{kind}>' for cell in cells)
    return f"<tr>{''.join(made)}</tr>"


def _pieces(pieces: Iterable[Piece], style: str) -> str:
    texts = ((piece.kind == DIFFERS, _safe(piece.text)) for piece in pieces)
    return "".join(
        f'<mark style="{style}">{own}</mark>' if marked else own for marked, own in texts
    )


def _safe(value: object) -> str:
    text = "".join(
        each if each.isprintable() or each in "\n\t" else "\ufffd" for each in str(value)
    )
    return escape(text)
