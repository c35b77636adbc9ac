"""The sentences and names of the page, from ``texts.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from klopt.report.elements import Markup, element, join
from klopt.report.figures import brief

_NAME_CHARS = 60


@cache
def texts() -> Mapping[str, Any]:
    """The whole table."""
    return tomllib.loads(resources.files("klopt.report").joinpath("texts.toml").read_text("utf-8"))


def say(section: str, key: str, **filled: str) -> str:
    """A sentence with its gaps filled.

    >>> say("page", "more", count="12")
    '12 more are not shown.'
    """
    sentence: str = texts()[section][key]
    return sentence.format(**filled)


def band(name: str, value: float) -> str:
    """What a figure means in words.

    >>> band("agreement", 0.4), band("kappa", 0.9)
    ('moderate', 'almost perfect')
    """
    bands: list[Mapping[str, Any]] = texts()["bands"][name]
    return next(str(one["says"]) for one in bands if value < one.get("below", float("inf")))


def plain(table: str, code: str | None) -> str:
    """The plain words for a code, or the code where there are none.

    >>> plain("verdicts", "block"), plain("verdicts", "new one")
    ('do not send it', 'new one')
    """
    words: Mapping[str, str] = texts()[table]
    return words.get(code or "", brief(code or "–", _NAME_CHARS))


def named(table: str, code: str) -> Markup:
    """The plain words with the code in small after it, or the code alone."""
    words = plain(table, code)
    shown = brief(code, _NAME_CHARS)
    if words == shown:
        return element("span", shown, class_="name")
    return join(words, element("br"), element("code", shown))
