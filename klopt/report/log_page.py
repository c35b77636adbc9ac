"""The report of a scored log as one HTML page, in Dutch or English."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any, Final

from klopt._internal import shipped
from klopt.report import drawn
from klopt.report.evidence import ANSWER_CHARS, QUESTION_CHARS, counter_evidence, shown, stated
from klopt.report.log_figures import FIRST, SHOWN, WELL_RATED, WHYS, LogFigures, by_size, most
from klopt.report.page_counts import VERDICTS, behind_untrue
from klopt.report.templating import Markup, digest, environment
from klopt.report.untrue import LEAST, Calibration
from klopt.report.wording import LANGUAGES, Wording, brief
from klopt.report.wording import log_texts as texts
from klopt.scoring.explanation import capitalised, decimal, whole
from klopt.version import VERSION

__all__ = ["LANGUAGES", "day_in_words", "parts", "render", "texts"]

_REASONS: Final = 8
_PIECES: Final = 1000
_QUOTED_CHARS: Final = 160  # of claim and passage, so that the summary fits on one page


def render(
    figures: LogFigures, language: str, file: str | None, commands: Sequence[str] = ()
) -> Iterator[str]:
    """Yield the page piece by piece, the same bytes for the same figures.

    ``file`` is None for the demo company's log; ``commands`` rate answers of the log, and are shown
    while it has few ratings. Texts of the log are escaped and cut; control and direction characters
    become U+FFFD. A Content Security Policy allows the page's own style sheet and script only;
    without the script the page is complete, but unfiltered.
    """
    css, script = (shipped.text("klopt.report", name) for name in ("style.css", "log.js"))
    css += shipped.text("klopt.report", "log.css")
    words = texts(language)
    pieces = (
        environment()
        .get_template("log.html")
        .stream(
            texts=words,
            wording=Wording(language),
            drawn=drawn,
            pictures=figures.pictures(),
            css=Markup(css),
            script=Markup(script),
            style_digest=digest(css),
            script_digest=digest(script),
            source=words["page"]["source"].format(
                file=words["page"]["demo"] if file is None else brief(file), version=VERSION
            ),
            figures=figures,
            verdicts=VERDICTS,
            lead=_lead(figures, language),
            basis=_basis(figures, language),
            commands=() if figures.is_rated else commands,
            number=lambda own, count: own["one" if count == 1 else "many"].format(
                count=whole(count, language)
            ),
            counter_evidence=partial(counter_evidence, limit_chars=_QUOTED_CHARS),
            stated=partial(stated, limit_chars=_QUOTED_CHARS),
            first=FIRST,
            well_rated=WELL_RATED,
            behind=[page for page in behind_untrue(figures.pages) if page.is_behind_untrue],
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
        )
    )
    pieces.enable_buffering(_PIECES)
    yield from pieces


def _lead(figures: LogFigures, language: str) -> str:
    """Return how many answers are probably untrue; without an estimate, the verdicts."""
    words, wording = texts(language), Wording(language)
    guess = figures.untrue()
    if guess is None:
        shares = {
            verdict: f"{wording.whole(count)} ({wording.percent(count / figures.total)})"
            for verdict in (VERDICTS if figures.total else ())
            for count in (figures.verdicts[verdict],)
        }
        lead: str = words["page"]["lead"]
        return lead.format(total=wording.whole(figures.total), **shares)
    count = round(guess.count)
    key = "untrue_one" if count == 1 else "untrue"
    if guess.rated_count >= figures.scored_count:
        key = "untrue_rated"
    sentence: str = words["summary"][key]
    return sentence.format(
        count=wording.whole(count),
        total=wording.whole(figures.scored_count),
        low=wording.whole(math.floor(guess.low)),
        high=wording.whole(math.ceil(guess.high)),
    )


def _basis(figures: LogFigures, language: str) -> list[str]:
    """Return what the estimate rests on, or why there is none."""
    words, guess = texts(language)["summary"], figures.untrue()
    if guess is None:
        return [words["other"].format(least=LEAST)] if figures.scored_count else []
    key = "rated" if guess.rated_count else "unrated"
    answers = whole(Calibration.load().answers, language)
    return [words[key].format(answers=answers, count=whole(guess.rated_count, language))]


def _reasons(figures: LogFigures, language: str) -> str:
    """Return why answers have no score, in a sentence."""
    words, other = texts(language)["reasons"], texts(language)["page"]["unknown"]
    reasons = (
        f"{words.get(code, other)}: {whole(count, language)}"
        for code, count in figures.reasons.most_common(_REASONS)
    )
    return "; ".join(reasons) or "–"


def day_in_words(words: Mapping[str, Any], day: date, unit: str = "day") -> str:
    """Return a day, month or year in words.

    >>> day_in_words(texts("nl"), date(2026, 11, 2), "month")
    'nov. 2026'
    """
    month = f"{words['months']['names'][day.month - 1]} {day.year}"
    return {"month": month, "year": str(day.year)}.get(unit, f"{day.day} {month}")


def parts(verdicts: Mapping[str, int], of: int) -> Iterator[tuple[str, float, float]]:
    """Yield the verdicts as parts of a bar for ``of`` answers: start and length in percent.

    >>> list(parts({"send": 1, "review": 0, "block": 1, "unscored": 0}, 4))[1]
    ('block', 25.0, 25.0)
    """
    start = 0.0
    for verdict in VERDICTS:
        if count := verdicts[verdict]:
            length = 100 * count / of
            yield verdict, start, length
            start += length
