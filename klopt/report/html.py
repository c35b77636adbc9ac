"""An evaluation as one HTML page: no script, no network, nothing from outside."""

from __future__ import annotations

from markupsafe import Markup

from klopt import shipped
from klopt.evaluation import Evaluation
from klopt.report import costs
from klopt.report.templating import digest, environment
from klopt.report.worded import worded
from klopt.report.wording import texts


def render(evaluation: Evaluation) -> str:
    """The page for a support lead: the outcome in words, the worst answers, the tables.

    Every text of the evaluation is other people's: it is escaped wherever it stands, control and
    direction characters become U+FFFD, long texts are cut with their length said. A Content
    Security Policy in the page lets in its own style sheet and nothing else.

    Returns:
        HTML in UTF-8 text; the same bytes for the same evaluation. Sections without data are
        left out.
    """
    css = shipped.text("klopt.report", "style.css")
    return (
        environment()
        .get_template("page.html")
        .render(
            view=worded(evaluation),
            css=Markup(css),
            digest=digest(css),
            texts=texts(),
            place=costs.place,
            plot={"left": costs.LEFT, "top": costs.TOP, "wide": costs.WIDE, "high": costs.HIGH},
        )
    )
