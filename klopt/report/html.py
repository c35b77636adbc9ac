"""An evaluation as one HTML page: no script, no network, nothing from outside."""

from __future__ import annotations

import base64
import hashlib
import math
from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from klopt.evaluation import Evaluation
from klopt.report import costs, wording
from klopt.report.worded import worded
from klopt.report.wording import clean, say, texts


def render(evaluation: Evaluation) -> str:
    """The page for a support lead: the outcome in words, the worst answers, the tables.

    Every text of the evaluation is other people's: it is escaped wherever it stands, control and
    direction characters become U+FFFD, long texts are cut with their length said. A Content
    Security Policy in the page lets in its own style sheet and nothing else.

    Returns:
        HTML in UTF-8 text; the same bytes for the same evaluation. Sections without data are
        left out.
    """
    css = resources.files("klopt.report").joinpath("style.css").read_text("utf-8")
    return (
        _environment()
        .get_template("page.html")
        .render(view=worded(evaluation), css=style(css), digest=digest(css))
    )


def style(css: str) -> Markup:
    """The style sheet as it may stand in its element.

    Raises:
        ValueError: It would end its own element.

    >>> style("p { margin: 0 }")
    Markup('p { margin: 0 }')
    """
    if "<" in css:
        raise ValueError("the style sheet holds a '<', which could end its element")
    return Markup(css)


def digest(css: str) -> str:
    """What lets only this style sheet in: the source expression of a Content Security Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()}'"


def coordinate(value: float) -> str:
    """A number for a drawing: at most two decimals, no more than needed.

    Raises:
        ValueError: It is not finite.

    >>> coordinate(12.0), coordinate(0.125), coordinate(-0.001)
    ('12', '0.12', '0')
    """
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a number that can be drawn")
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
    }
    environment.globals |= {
        "texts": texts(),
        "say": say,
        "place": costs.place,
        "plot": {"left": costs.LEFT, "top": costs.TOP, "wide": costs.WIDE, "high": costs.HIGH},
    }
    return environment
