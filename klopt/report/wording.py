"""The sentences and names of an evaluation, from ``texts.toml``, for page and terminal alike."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

from klopt.report.figures import brief, whole

_MOST_NAMES: Final = 8


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
    return words.get(code or "", brief(code or "–"))


def listed(names: Iterable[str]) -> str:
    """Names in a sentence, the first eight of them.

    >>> listed(["hal", "polarity", "step_order"]), listed("abcdefghij")
    ('hal, polarity and step_order', 'a, b, c, d, e, f, g, h and 2 more')
    """
    every = list(names)
    shown = every[:_MOST_NAMES]
    if len(every) > _MOST_NAMES:
        shown.append(f"{whole(len(every) - _MOST_NAMES)} more")
    *others, last = shown
    return f"{', '.join(others)}{texts()['page']['and']}{last}" if others else last
