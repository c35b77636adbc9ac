"""The cost curve: untrue answers caught against true answers held back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from klopt.report.elements import Markup, coordinate, element
from klopt.report.figures import decimal, percent
from klopt.report.svg import box, circle, drawing, label, line

_LEFT: Final = 50.0
_TOP: Final = 24.0
_WIDE: Final = 320.0
_HIGH: Final = 240.0
_TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_CHARACTER: Final = 7.0
_LINE: Final = 13.0
_AWAY: Final = 7.0
_CORNERS: Final = ((1, 1), (-1, -1), (1, -1), (-1, 1))

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Point:
    """A threshold, and what it costs.

    Attributes:
        threshold: Answers with a lower score are held back.
        caught_share: Of the untrue answers, 0 to 1.
        held_back_share: Of the true answers, 0 to 1.

    >>> Point(3.0, 0.75, 0.25).x, Point(3.0, 0.75, 0.25).y
    (130.0, 84.0)
    """

    threshold: float
    caught_share: float
    held_back_share: float

    @property
    def x(self) -> float:
        """Across: nothing held back on the left, everything on the right."""
        return _LEFT + _WIDE * min(max(self.held_back_share, 0.0), 1.0)

    @property
    def y(self) -> float:
        """Down: everything caught at the top, nothing at the bottom."""
        return _TOP + _HIGH * (1 - min(max(self.caught_share, 0.0), 1.0))


def cost_curve(
    points: Sequence[Point], special: Sequence[Point], title: str, across: str, up: str, limit: str
) -> Markup:
    """The curve with its thresholds marked.

    Args:
        points: In the order of their thresholds.
        special: The points that stand out; their labels are always there, those of the others
            only where there is room.
        title: What the drawing is.
        across: What runs to the right.
        up: What runs upwards.
        limit: What the line at 10% says.
    """
    path = " ".join(f"{coordinate(one.x)},{coordinate(one.y)}" for one in points)
    said = "; ".join(
        f"{decimal(one.threshold, 1)}: {percent(one.caught_share)} and "
        f"{percent(one.held_back_share)}"
        for one in special
    )
    bottom, right, tenth = _TOP + _HIGH, _LEFT + _WIDE, _LEFT + _WIDE / 10
    middle = _TOP + _HIGH / 2
    return drawing(
        390,
        310,
        "plot",
        title,
        f"Up: {up}. Across: {across}. Threshold {said}."
        if said
        else f"Up: {up}. Across: {across}.",
        *(shape for share in _TICKS for shape in _grid(share)),
        line(_LEFT, bottom, right, _TOP, "coin"),
        line(tenth, _TOP, tenth, bottom, "limit"),
        label(tenth, _TOP - 8, limit, "start"),
        element("polyline", points=path, class_="curve"),
        *(circle(one.x, one.y, 2.5, "point") for one in points),
        *(_special(one) for one in special),
        *_labels(points, special),
        label(_LEFT + _WIDE / 2, bottom + 38, f"{across} →", "middle"),
        element(
            "text",
            f"{up} →",
            x=12.0,
            y=middle,
            text_anchor="middle",
            transform=f"rotate(-90 12 {coordinate(middle)})",
            class_="label",
        ),
    )


def _grid(share: float) -> tuple[Markup, ...]:
    x, y = _LEFT + _WIDE * share, _TOP + _HIGH * (1 - share)
    return (
        line(_LEFT, y, _LEFT + _WIDE, y, "grid"),
        line(x, _TOP, x, _TOP + _HIGH, "grid"),
        label(_LEFT - 6, y + 4, percent(share), "end"),
        label(x, _TOP + _HIGH + 18, percent(share), "middle"),
    )


def _special(point: Point) -> Markup:
    return box(point.x - 6, point.y - 6, 12.0, 12.0, "special")


def _labels(points: Sequence[Point], special: Sequence[Point]) -> list[Markup]:
    """The threshold beside each point where it covers nothing, the special ones always."""
    halves = [one for one in points if (one.threshold * 2).is_integer() and one not in special]
    taken: list[Box] = [(one.x - 3, one.y - 3, one.x + 3, one.y + 3) for one in points]
    found = []
    for one in [*special, *halves]:
        words = decimal(one.threshold, 1)
        places = [_place(one, words, across, down) for across, down in _CORNERS]
        free = next((place for place in places if _fits(place, taken)), None)
        chosen = free or (places[0] if one in special else None)
        if chosen is not None:
            taken.append(chosen)
            class_ = "label strong" if one in special else "label"
            found.append(label(chosen[0], chosen[3] - 3, words, "start", class_))
    return found


def _place(point: Point, words: str, across: int, down: int) -> Box:
    """Left, top, right and bottom of a label at one corner of a point."""
    width = _CHARACTER * len(words)
    left = point.x + _AWAY if across > 0 else point.x - _AWAY - width
    top = point.y + 2 if down > 0 else point.y - 2 - _LINE
    return left, top, left + width, top + _LINE


def _fits(place: Box, taken: Iterable[Box]) -> bool:
    left, top, right, bottom = place
    inside = left > _LEFT and right < _LEFT + _WIDE + 18 and top > _TOP and bottom < _TOP + _HIGH
    return inside and not any(
        left < other[2] and other[0] < right and top < other[3] and other[1] < bottom
        for other in taken
    )
