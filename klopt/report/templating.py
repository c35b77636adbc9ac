"""The Jinja environment of pages and terminal output, with escaping and cleaning."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Final

from klopt._internal.imports import needs
from klopt.report.evidence import Piece, link
from klopt.report.wording import brief, side, why
from klopt.scoring.explanation import text_language
from klopt.types import clean

with needs("report", "pages need jinja2"):
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, pass_context
    from jinja2.runtime import Context
    from markupsafe import Markup, escape

__all__ = ["Markup", "coordinate", "digest", "environment", "language_code"]

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")


def digest(text: str) -> str:
    """Return the Content Security Policy source of a style sheet or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def coordinate(value: float) -> str:
    """Return a finite number for a drawing, with at most two decimals.

    >>> coordinate(12.0), coordinate(0.125), coordinate(-0.001)
    ('12', '0.12', '0')
    """
    return f"{round(value, 2) + 0.0:g}"


def language_code(language: str | None) -> str:
    """Return a language code for HTML; empty where it is invalid."""
    return language if language and _LANGUAGE.fullmatch(language) else ""


def marked(pieces: Iterable[Piece]) -> Markup:
    """Return pieces of a text as HTML, those with a kind as marks."""
    texts = ((piece.kind, escape(clean(piece.text))) for piece in pieces if piece.text)
    return Markup(
        "".join(f'<mark class="{kind}">{text}</mark>' if kind else text for kind, text in texts)
    )


def _shown(value: object) -> object:
    """Clean the texts in a template; the markup of macros stays as it is."""
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _written(name: str) -> Callable[..., str]:
    @pass_context
    def write(context: Context, *given: object) -> str:
        written: str = getattr(context["wording"], name)(*given)
        return written

    return write


@cache
def environment(medium: str = "html", *packages: str) -> Environment:
    """Return the templates for a page (``html``) or a terminal (``txt``).

    Those of further packages take precedence.
    """
    loaders = [PackageLoader(package, "templates") for package in (*packages, "klopt.report")]
    made = Environment(
        loader=ChoiceLoader(loaders),
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
        "line": lambda text: " ".join(text.split()),
        "link": link,
        "marked": marked,
        "text_language": text_language,
    }
    made.globals |= {"side": side, "cells": f"cells.{medium}"}
    return made
