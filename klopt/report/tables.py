"""Tables: a caption, headers with their scope, and room to scroll on a small screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from klopt.report.elements import Child, Markup, element, join
from klopt.report.figures import whole
from klopt.report.wording import say, texts

LONGEST: Final = 100
"""Rows that a table shows; what is longer says how many are left out."""


def section(name: str, heading: str, *children: Child) -> Markup:
    """A part of the page, with a heading that names it."""
    title = element("h2", heading, id=f"{name}-title")
    return element("section", title, *children, id=name, aria_labelledby=f"{name}-title")


def intro(table: str, key: str = "intro", **filled: str) -> Markup:
    """A sentence above a table."""
    return element("p", say(table, key, **filled), class_="intro")


def head(*columns: Child) -> Markup:
    """The header of a table."""
    return element("thead", element("tr", *(element("th", one, scope="col") for one in columns)))


def row(name: Child, *cells: Child) -> Markup:
    """A row with its header."""
    return element("tr", element("th", name, scope="row"), *(element("td", one) for one in cells))


def table(caption: str, header: Markup, rows: Sequence[Markup], class_: str = "") -> Markup:
    """A table that scrolls by itself; its first rows when it is very long."""
    left_out = len(rows) - LONGEST
    more = say("page", "more", count=whole(left_out)) if left_out > 0 else None
    inner = element(
        "table",
        element("caption", caption),
        header,
        element("tbody", *rows[:LONGEST]),
        class_=class_ or None,
    )
    box = element("div", inner, class_="scroll", role="region", aria_label=caption, tabindex=0)
    return join(box, None if more is None else element("p", more, class_="intro"))


def words(name: str, *keys: str) -> tuple[str, ...]:
    """Column heads from the texts."""
    return tuple(texts()[name][key] for key in keys)
