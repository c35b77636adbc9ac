"""Templates that make pages: escaped, cleaned, and under a policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from functools import cache
from typing import Final

from klopt.extras import needs
from klopt.records import clean
from klopt.report.evidence import link
from klopt.report.wording import brief, side, why
from klopt.scoring.explanation import said_in

with needs("report", "pages need jinja2"):
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, pass_context
    from jinja2.runtime import Context
    from markupsafe import Markup

__all__ = ["Markup", "coordinate", "digest", "environment", "language_code"]

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")


def digest(text: str) -> str:
    """What lets only this style sheet or script in, as a source of a policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def coordinate(value: float) -> str:
    """A finite number for a drawing: at most two decimals, no more than needed.

    >>> coordinate(12.0), coordinate(0.125), coordinate(-0.001)
    ('12', '0.12', '0')
    """
    return f"{round(value, 2) + 0.0:g}"


def language_code(language: str | None) -> str:
    """A language as HTML names it; empty where it is none."""
    return language if language and _LANGUAGE.fullmatch(language) else ""


def _shown(value: object) -> object:
    """What stands between braces in a template: texts cleaned, markup of macros as it is."""
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _written(name: str) -> Callable[..., str]:
    """A filter that writes as the page's `Wording` does."""

    @pass_context
    def write(context: Context, *given: object) -> str:
        written: str = getattr(context["wording"], name)(*given)
        return written

    return write


def _one_line(text: str) -> str:
    return " ".join(text.split())


@cache
def environment(medium: str = "html", *rooms: str) -> Environment:
    """The templates for a page (``html``), or for a terminal (``txt``).

    Those of further rooms, such as ``klopt.review``, go before those of the report. On a page
    every text of others is escaped wherever it stands; on both it is cleaned.
    """
    made = Environment(
        loader=ChoiceLoader(
            [PackageLoader(room, "templates") for room in (*rooms, "klopt.report")]
        ),
        autoescape=medium == "html",
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {
        **{name: _written(name) for name in ("score", "short", "percent", "decimal", "cut")},
        "xy": coordinate,
        "why": why,
        "brief": brief,
        "language_code": language_code,
        "line": _one_line,
        "link": link,
        "said_in": said_in,
    }
    made.globals |= {"side": side, "cells": f"cells.{medium}"}
    return made
