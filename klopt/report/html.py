"""An evaluation as one HTML page, without script or external files."""

from __future__ import annotations

from typing import Any

from klopt._internal import shipped
from klopt.evaluation import Evaluation
from klopt.report import drawn
from klopt.report.evidence import ANSWER_CHARS
from klopt.report.templating import Markup, digest, environment
from klopt.report.worded import FIGURES, Worded
from klopt.report.wording import MOST_ROWS, Wording


def render(evaluation: Evaluation, language: str = "en") -> str:
    """Return the page in Dutch (``nl``) or English: results in words, worst answers, tables.

    Texts of the evaluation are escaped and cut; control and direction characters become U+FFFD. A
    Content Security Policy allows the page's own style sheet only.
    """
    css = shipped.text("klopt.report", "style.css")
    page = environment().get_template("page.html")
    return page.render(css=Markup(css), digest=digest(css), **given(evaluation, language))


def given(evaluation: Evaluation, language: str) -> dict[str, Any]:
    """Return the variables of the templates."""
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
