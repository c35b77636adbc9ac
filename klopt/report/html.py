"""An evaluation as one HTML page: no script, no network, nothing from outside."""

from __future__ import annotations

import base64
import hashlib
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from klopt import shipped
from klopt.evaluation import Evaluation
from klopt.report import costs, wording
from klopt.report.evidence import link
from klopt.report.view import clean
from klopt.report.worded import worded
from klopt.report.wording import say, texts


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
    page = _environment().get_template("page.html")
    return page.render(view=worded(evaluation), css=Markup(css), digest=digest(css))


def digest(css: str) -> str:
    """What lets only this style sheet in: the source expression of a Content Security Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()}'"


def coordinate(value: float) -> str:
    """A finite number for a drawing: at most two decimals, no more than needed.

    >>> coordinate(12.0), coordinate(0.125), coordinate(-0.001)
    ('12', '0.12', '0')
    """
    figure = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if figure == "-0" else figure


def _shown(value: object) -> object:
    """What stands between braces in a template: texts cleaned, markup of macros as it is."""
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("klopt.report", "templates"),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "xy": coordinate,
        "score": wording.score,
        "short": wording.short,
        "percent": wording.percent,
        "decimal": wording.decimal,
        "link": link,
    }
    environment.globals |= {
        "texts": texts(),
        "say": say,
        "place": costs.place,
        "plot": {"left": costs.LEFT, "top": costs.TOP, "wide": costs.WIDE, "high": costs.HIGH},
    }
    return environment
