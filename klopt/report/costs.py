"""What thresholds cost: untrue answers caught against true ones held back, as a curve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from klopt.evaluation import Evaluation
from klopt.evaluation.evaluation import ProfileEvaluation
from klopt.report.cells import table
from klopt.report.view import Cell, Group
from klopt.report.wording import brief, percent, say, texts, threshold, whole, with_interval

LEFT, TOP, WIDE, HIGH = 50.0, 24.0, 320.0, 240.0
"""Where the plot lies in its drawing."""
_CHARACTER: Final = 7.0
_LINE: Final = 13.0
_AWAY: Final = 7.0
_CORNERS: Final = ((1, 1), (-1, -1), (1, -1), (-1, 1))
_TERMINAL_STEP: Final = 5

Box = tuple[float, float, float, float]


class Point(NamedTuple):
    """A threshold on the curve: where it lies, from 0 to 1 both ways."""

    threshold: float
    caught_share: float
    held_back_share: float


class Label(NamedTuple):
    """A threshold beside its point, in the drawing's own coordinates."""

    x: float
    y: float
    text: str
    is_special: bool


class Curve(NamedTuple):
    """What thresholds of a profile cost, to be drawn.

    Attributes:
        name: The profile's.
        points: In the order of their thresholds.
        special: The points that stand out; their labels are always there, those of the others
            only where there is room.
    """

    name: str
    points: Sequence[Point]
    special: Sequence[Point]


def costs(one: ProfileEvaluation, evaluation: Evaluation) -> Group:
    """The curve of a profile, with the figures under it."""
    name, found, said = brief(one.name), one.costs, texts()["costs"]
    title = say("page", "profile", name=name) if len(evaluation.profiles) > 1 else ""
    counts = say("costs", "counts", untrue=whole(found.untrue_count), true=whole(found.true_count))
    every = (_point(at.threshold, at.caught_share, at.held_back_share) for at in found.points)
    points = sorted((at for at in every if at is not None), key=lambda at: at.threshold)
    if not points:
        return Group(title, counts, notes=(said["none"], *_captions(one)))
    special = [_point(at.threshold, at.caught.value, at.held_back.value) for at in found.at]
    drawn = Curve(name, points, list(dict.fromkeys(at for at in special if at is not None)))
    rows = [
        (Cell(threshold(at.threshold)), _share(at.caught_share), _share(at.held_back_share))
        for at in found.points
    ]
    caption = say("costs", "caption", name=name)
    figures = table("costs", ("threshold", "up", "across"), rows, caption)
    figures = replace(figures, fold=said["figures"], step=_TERMINAL_STEP)
    return Group(title, counts, (figures,), drawn, tuple(_captions(one)))


def _point(threshold: float, caught: float | None, held_back: float | None) -> Point | None:
    if caught is None or held_back is None:
        return None
    return Point(threshold, *(min(max(share, 0.0), 1.0) for share in (caught, held_back)))


def _share(share: float | None) -> Cell:
    return Cell("" if share is None else percent(share), reason=texts()["costs"]["no_share"])


def _captions(one: ProfileEvaluation) -> Iterator[str]:
    """What each threshold that stands out costs, in a sentence."""
    marked = {at.threshold: at for at in one.costs.at}
    is_both = len(marked) < len(one.costs.at)
    for line, at in marked.items():
        if at.caught.value is not None or at.held_back.value is not None:
            key = "best" if line != one.send_from else "both" if is_both else "at"
            caught, held_back = (with_interval(x, percent) for x in (at.caught, at.held_back))
            yield say("costs", key, threshold=threshold(line), caught=caught, held_back=held_back)


def place(point: Point) -> tuple[float, float]:
    """Across and down in the drawing: nothing held back on the left, all caught at the top.

    >>> place(Point(3.0, 0.75, 0.25))
    (130.0, 84.0)
    """
    return LEFT + WIDE * point.held_back_share, TOP + HIGH * (1 - point.caught_share)


def labels(curve: Curve) -> Iterator[Label]:
    """The threshold beside each point where it covers nothing, the special ones always."""
    _, points, special = curve
    halves = [one for one in points if (one.threshold * 2).is_integer() and one not in special]
    taken: list[Box] = [(x - 3, y - 3, x + 3, y + 3) for x, y in map(place, points)]
    for one in [*special, *halves]:
        words = threshold(one.threshold)
        corners = [_corner(one, words, across, down) for across, down in _CORNERS]
        free = next((corner for corner in corners if _fits(corner, taken)), None)
        chosen = free or (corners[0] if one in special else None)
        if chosen is not None:
            taken.append(chosen)
            yield Label(chosen[0], chosen[3] - 3, words, one in special)


def _corner(point: Point, words: str, across: int, down: int) -> Box:
    """Left, top, right and bottom of a label at one corner of a point."""
    x, y = place(point)
    width = _CHARACTER * len(words)
    left = x + _AWAY if across > 0 else x - _AWAY - width
    top = y + 2 if down > 0 else y - 2 - _LINE
    return left, top, left + width, top + _LINE


def _fits(corner: Box, taken: Iterable[Box]) -> bool:
    left, top, right, bottom = corner
    inside = left > LEFT and right < LEFT + WIDE + 18 and top > TOP and bottom < TOP + HIGH
    return inside and not any(
        left < other[2] and other[0] < right and top < other[3] and other[1] < bottom
        for other in taken
    )
