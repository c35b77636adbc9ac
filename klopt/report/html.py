"""An evaluation as one HTML page: no script, no network, nothing from outside."""

from __future__ import annotations

from typing import Any

from klopt import shipped
from klopt.evaluation import Evaluation
from klopt.report import drawn
from klopt.report.templating import Markup, digest, environment
from klopt.report.worded import ANSWER_CHARS, FIGURES, Worded
from klopt.report.wording import MOST_ROWS, Wording


def render(evaluation: Evaluation, language: str = "en") -> str:
    """The page for a support lead: the outcome in words, the worst answers, the tables.

    It is in Dutch (``nl``) or English. Every text of the evaluation is other people's: it is
    escaped wherever it stands, control and direction characters become U+FFFD, long texts are cut
    with their length said. A Content Security Policy in the page lets in its own style sheet and
    nothing else.
    """
    css = shipped.text("klopt.report", "style.css")
    page = environment().get_template("page.html")
    return page.render(css=Markup(css), digest=digest(css), **given(evaluation, language))


def given(evaluation: Evaluation, language: str) -> dict[str, Any]:
    """What the templates read: the figures, and what says and draws them."""
    words = Wording(language)
    return {
        "evaluation": evaluation,
        "texts": words.texts,
        "wording": words,
        "worded": Worded(evaluation, words),
        "drawn": drawn,
        "agreement_figures": FIGURES,
        "answer_chars": ANSWER_CHARS,
        "most": MOST_ROWS,
    }
