"""The figures of a scored log as one page, in Dutch or English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from klopt import shipped
from klopt.report import drawn
from klopt.report.log_answers import ANSWER_CHARS, QUESTION_CHARS, shown
from klopt.report.log_figures import SHOWN, VERDICTS, WHYS, LogFigures, by_size, most
from klopt.report.templating import Markup, digest, environment
from klopt.report.wording import LANGUAGES, Wording, brief
from klopt.scoring.explanation import capitalised, decimal, whole
from klopt.version import VERSION

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["LANGUAGES", "day_in_words", "parts", "render", "texts"]

_REASONS: Final = 8
_PIECES: Final = 1000


@cache
def texts(language: str) -> Mapping[str, Any]:
    """The words of a language."""
    return shipped.table("klopt.report", f"log_{language}.toml")


def render(
    figures: LogFigures,
    language: str,
    file: str,
    template: str = "log.html",
    templates: Environment | None = None,
    **more: object,
) -> Iterator[str]:
    """The page, piece by piece: the same bytes for the same figures.

    ``template`` is one of ``templates`` that extends ``log.html``, and reads ``more`` too.

    Every text of the log is other people's: it is escaped wherever it stands, control and direction
    characters become U+FFFD, long texts are cut. A Content Security Policy lets in the page's own
    style sheet and script, and nothing else; without the script everything is there, unfiltered.
    """
    css, script = (shipped.text("klopt.report", name) for name in ("style.css", "log.js"))
    css += shipped.text("klopt.report", "log.css")
    words = texts(language)
    pieces = (
        (templates or environment())
        .get_template(template)
        .stream(
            texts=words,
            wording=Wording(language),
            drawn=drawn,
            pictures=figures.pictures(),
            css=Markup(css),
            script=Markup(script),
            style_digest=digest(css),
            script_digest=digest(script),
            source=words["page"]["source"].format(file=brief(file), version=VERSION),
            figures=figures,
            verdicts=VERDICTS,
            shares=_shares(figures, language),
            reasons=_reasons(figures, language),
            whys=WHYS,
            most_rows=SHOWN,
            answer_chars=ANSWER_CHARS,
            question_chars=QUESTION_CHARS,
            by_size=by_size,
            most=most,
            parts=parts,
            shown=shown,
            capitalised=capitalised,
            whole=partial(whole, language=language),
            score=partial(decimal, language=language),
            day=partial(day_in_words, words),
            **more,
        )
    )
    pieces.enable_buffering(_PIECES)
    yield from pieces


def _shares(figures: LogFigures, language: str) -> dict[str, str]:
    """Verdict → how many answers have it, also as a share of all."""
    counts, words = figures.verdicts, Wording(language)
    return {
        verdict: f"{words.whole(count)} ({words.percent(count / figures.total)})"
        for verdict in (VERDICTS if figures.total else ())
        for count in (counts[verdict],)
    }


def _reasons(figures: LogFigures, language: str) -> str:
    """Why answers have no score, in a sentence."""
    words = texts(language)["reasons"]
    told = (
        f"{words.get(code, brief(code))}: {whole(count, language)}"
        for code, count in figures.reasons.most_common(_REASONS)
    )
    return "; ".join(told) or "–"


def day_in_words(words: Mapping[str, Any], day: date, unit: str = "day") -> str:
    """A day, month or year in words.

    >>> day_in_words(texts("nl"), date(2026, 11, 2), "month")
    'nov. 2026'
    """
    month = f"{words['months']['names'][day.month - 1]} {day.year}"
    return {"month": month, "year": str(day.year)}.get(unit, f"{day.day} {month}")


def parts(verdicts: Mapping[str, int], of: int) -> Iterator[tuple[str, float, float]]:
    """The verdicts as parts of a bar that stands for so many: where each begins, and how long.

    >>> list(parts({"send": 1, "review": 0, "block": 1, "unscored": 0}, 4))[1]
    ('block', 25.0, 25.0)
    """
    start = 0.0
    for verdict in VERDICTS:
        if count := verdicts[verdict]:
            length = 100 * count / of
            yield verdict, start, length
            start += length
