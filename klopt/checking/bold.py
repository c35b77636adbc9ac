"""Where a reference is bold (``**term**``): what its writer marked as a key term."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import regex

from klopt.reading.text import Span

__all__ = ["Bold", "find_bold", "without_markers"]

_BOLD: Final = regex.compile(
    r"""
    (?P<open> \*\* (?P<third>\*)? ) (?![\s*])
    (?P<text>
        (?: (?!\*\*)[^\r\n]
        | (?:\r\n|\r|\n) (?![ \t]* (?: [\r\n] | \Z | (?:\d{1,3}[.)]|[-+*•])\s ))
        )++)
    (?<!\s) (?P<close> \*\* (?(third)\*?) )
    """,
    regex.VERBOSE | regex.VERSION1,
)


@dataclass(frozen=True, slots=True)
class Bold:
    """One bold text: the asterisks before it, the text, the asterisks behind it."""

    opening: Span
    text: Span
    closing: Span


def find_bold(text: str) -> tuple[Bold, ...]:
    """The bold texts from left to right.

    The text is not blank at either end, has no ``**`` in it (of nested ones the innermost counts)
    and stays within one paragraph and one item of a list. Asterisks without a partner are text.

    >>> [bold.text for bold in find_bold("Open **httpd.conf** and **save")]
    [Span(start=7, end=17)]
    """
    return tuple(
        Bold(*(Span(*match.span(name)) for name in ("open", "text", "close")))
        for match in _BOLD.finditer(text)
    )


def without_markers(text: str, start: int, end: int, bolds: Sequence[Bold]) -> str:
    """The text from ``start`` to ``end`` without the asterisks of the bold texts.

    >>> text = "Open **httpd.conf**."
    >>> without_markers(text, 0, len(text), find_bold(text))
    'Open httpd.conf.'
    """
    pieces = []
    for index in range(bisect_right(bolds, start, key=lambda bold: bold.closing.end), len(bolds)):
        bold = bolds[index]
        if bold.opening.start >= end:
            break
        for marker in (bold.opening, bold.closing):
            if start < marker.end and marker.start < end:
                pieces.append(text[start : max(start, marker.start)])
                start = marker.end
    return "".join([*pieces, text[start:end]])
