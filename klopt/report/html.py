"""An evaluation as one HTML page: no script, no network, nothing from outside."""

from __future__ import annotations

from typing import Any

from klopt import shipped
from klopt.evaluation import Evaluation
from klopt.report import drawn, worded, wording
from klopt.report.templating import Markup, digest, environment


def render(evaluation: Evaluation) -> str:
    """The page for a support lead: the outcome in words, the worst answers, the tables.

    Every text of the evaluation is other people's: it is escaped wherever it stands, control and
    direction characters become U+FFFD, long texts are cut with their length said. A Content
    Security Policy in the page lets in its own style sheet and nothing else.
    """
    css = shipped.text("klopt.report", "style.css")
    page = environment().get_template("page.html")
    return page.render(css=Markup(css), digest=digest(css), **given(evaluation))


def given(evaluation: Evaluation) -> dict[str, Any]:
    """What the templates read: the figures, and the modules that say and draw them."""
    return {
        "evaluation": evaluation,
        "texts": wording.texts(),
        "people": worded.people(evaluation),
        "drawn": drawn,
        "wording": wording,
        "worded": worded,
    }
