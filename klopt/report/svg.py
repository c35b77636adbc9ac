"""The few shapes that the drawings are made of."""

from __future__ import annotations

from klopt.report.elements import Child, Markup, element


def drawing(
    width: float, height: float, class_: str, title: str, description: str, *shapes: Child
) -> Markup:
    """An ``<svg>`` that reads itself out: role, title and description first."""
    return element(
        "svg",
        element("title", title),
        element("desc", description),
        *shapes,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=width,
        height=height,
        role="img",
        class_=class_,
    )


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def circle(x: float, y: float, radius: float, class_: str) -> Markup:
    """A dot."""
    return element("circle", cx=x, cy=y, r=radius, class_=class_)


def box(x: float, y: float, width: float, height: float, class_: str) -> Markup:
    """A rectangle."""
    return element("rect", x=x, y=y, width=width, height=height, class_=class_)


def label(x: float, y: float, words: str, anchor: str, class_: str = "label") -> Markup:
    """A text; ``anchor`` is ``start``, ``middle`` or ``end``."""
    return element("text", words, x=x, y=y, text_anchor=anchor, class_=class_)
