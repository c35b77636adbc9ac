"""Figures as the page writes them, in English notation; None becomes a dash with its reason."""

from __future__ import annotations

import math
from typing import Final

from klopt.report.elements import Markup, element, join
from klopt.report.shape import Estimate

DASH: Final = "–"
_MINUS: Final = "\N{MINUS SIGN}"


def decimal(value: float, decimals: int = 2) -> str:
    """A figure with a fixed number of decimals and a real minus sign.

    >>> decimal(-0.4), decimal(-0.001), decimal(1234.5, 1)
    ('−0.40', '0.00', '1,234.5')
    """
    text = f"{value:,.{decimals}f}"
    return text.replace("-", _MINUS if float(text.replace(",", "")) else "")


def score(value: float) -> str:
    """A score from 1 to 5 with one decimal, rounded down: 2.96 is not yet a 3.0.

    >>> score(2.96), score(3.0)
    ('2.9', '3.0')
    """
    return decimal(math.floor(round(value * 10, 6)) / 10, 1)


def rating_text(rating: float) -> str:
    """A person's rating; most are whole.

    >>> rating_text(4.0), rating_text(3.5)
    ('4', '3.5')
    """
    return decimal(rating, 0 if rating.is_integer() else 1)


def percent(value: float) -> str:
    """A share in whole per cents; what is not nothing and not all does not look so.

    >>> percent(0.634), percent(0.001), percent(0.999)
    ('63%', '<1%', '>99%')
    """
    if 0 < value < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= value < 1 else f"{decimal(value * 100, 0)}%"


def chance(value: float) -> str:
    """A p-value.

    >>> chance(0.0001), chance(0.042)
    ('< 0.001', '0.042')
    """
    return "< 0.001" if value < 0.001 else decimal(value, 3)


def whole(count: int) -> str:
    """A count with its thousands apart.

    >>> whole(12345)
    '12,345'
    """
    return f"{count:,}"


def cut(text: str, limit_chars: int) -> str:
    """The text, or its beginning with its full length.

    >>> cut("abcdef", 3)
    'abc… (cut: 6 characters)'
    """
    if len(text) <= limit_chars:
        return text
    return f"{text[:limit_chars]}… (cut: {whole(len(text))} characters)"


def brief(text: str, limit_chars: int) -> str:
    """One line of a text, cut with an ellipsis where the full text is a click away.

    >>> brief("een  twee drie", 9)
    'een twee…'
    """
    line = " ".join(text[: limit_chars * 4].split())
    return line if len(line) <= limit_chars else line[: limit_chars - 1].rstrip() + "…"


def missing(reason: str | None) -> Markup:
    """A dash; the reason is its title, and is read out."""
    why = cut(reason or "no reason was given", 200)
    spoken = element("span", f" ({why})", class_="spoken")
    return element("span", DASH, spoken, class_="missing", title=why)


def interval(estimate: Estimate, *, share: bool = False) -> str | None:
    """The interval in words, ``0.25 to 0.55``, or None."""
    if estimate.low is None or estimate.high is None:
        return None
    write = percent if share else decimal
    return f"{write(estimate.low)} to {write(estimate.high)}"


def figure(estimate: Estimate, *, share: bool = False) -> Markup:
    """The figure, and its interval in small under it."""
    if estimate.value is None:
        return missing(estimate.reason)
    number = (percent if share else decimal)(estimate.value)
    around = interval(estimate, share=share)
    small = missing(estimate.reason) if around is None else element("span", around)
    return join(
        element("span", number, class_="figure"), " ", element("span", small, class_="interval")
    )
