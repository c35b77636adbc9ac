"""Drawings with coordinates worked out by hand."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from klopt.report.bars import COIN, CORRELATION, around_zero, interval_bar, rating_scale, value_bar
from klopt.report.curve import Point, cost_curve
from klopt.report.shape import Estimate

LABELS = ("Curve", "held back", "caught", "10%")
SHARES = st.floats(allow_nan=False, allow_infinity=False) | st.floats(0, 1)
ESTIMATES = st.builds(Estimate, SHARES, st.none() | SHARES, st.none() | SHARES)


def test_cost_curve():
    """The plot runs from x 50 to 370 and from y 264 (nothing caught) to y 24 (everything)."""
    points = [Point(1.0, 0.0, 0.0), Point(2.0, 0.5, 0.05), Point(3.0, 0.75, 0.25), Point(5.0, 1, 1)]
    drawn = cost_curve(points, [points[2], points[1]], *LABELS).html
    assert '<polyline points="50,264 66,144 130,84 370,24" class="curve">' in drawn
    assert '<rect x="124" y="78" width="12" height="12" class="special">' in drawn
    assert '<rect x="60" y="138" width="12" height="12" class="special">' in drawn
    assert '<line x1="50" y1="264" x2="370" y2="24" class="coin">' in drawn
    assert '<line x1="82" y1="24" x2="82" y2="264" class="limit">' in drawn
    assert '<text x="137" y="96" text-anchor="start" class="label strong">3.0</text>' in drawn
    assert drawn.count('class="point"') == 4
    assert "<title>Curve</title>" in drawn
    assert "Threshold 3.0: 75% and 25%; 2.0: 50% and 5%." in drawn
    assert 'role="img"' in drawn


def test_labels_do_not_cover_one_another():
    points = [Point(step / 10, 0.5 + step / 1000, 0.5) for step in range(10, 51)]
    drawn = cost_curve(points, points[20:21], *LABELS).html
    places = re.findall(
        r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="start" class="label(?: strong)?">\d', drawn
    )
    boxes = [(float(x), float(y)) for x, y in places]
    assert 1 <= len(boxes) < 9
    for x, y in boxes:
        near = [one for one in boxes if abs(one[0] - x) < 21 and abs(one[1] - y) < 13]
        assert near == [(x, y)]


def test_a_curve_without_points():
    assert '<polyline points="" class="curve">' in cost_curve([], [], *LABELS).html


def test_interval_bar():
    """120 wide with 6 free on each side: 0 stands in the middle, 0.5 at 6 + 108 × 0.75."""
    drawn = interval_bar(Estimate(0.5, -0.5, 1.0), CORRELATION, "Spearman")
    assert drawn is not None
    assert '<line x1="60" y1="2" x2="60" y2="14" class="tick">' in drawn.html
    assert '<line x1="33" y1="8" x2="114" y2="8" class="range">' in drawn.html
    assert '<circle cx="87" cy="8" r="4" class="dot">' in drawn.html
    assert "<title>Spearman: 0.50, interval −0.50 to 1.00</title>" in drawn.html


def test_a_bar_without_a_figure_or_an_interval():
    assert interval_bar(Estimate(None, reason="too few"), COIN, "AUC") is None
    drawn = interval_bar(Estimate(0.75), COIN, "AUC")
    assert drawn is not None
    assert "range" not in drawn.html
    assert '<circle cx="87" cy="8" r="4" class="dot">' in drawn.html


def test_value_bar_and_rating_scale():
    drawn = value_bar(0.25, 1.0, "hal").html
    assert '<rect x="6" y="5" width="27" height="6" class="fill">' in drawn
    assert '<line x1="114" y1="1" x2="114" y2="15" class="tick">' in drawn
    scale = rating_scale(1.0, 4.5).html
    assert '<rect x="24" y="23" width="12" height="12" class="person">' in scale
    assert '<circle cx="205" cy="29" r="6" class="dot">' in scale


@given(SHARES, SHARES, ESTIMATES)
def test_nothing_is_drawn_outside(first, second, estimate):
    point = Point(3.0, first, second)
    assert 50 <= point.x <= 370
    assert 24 <= point.y <= 264
    for scale in (CORRELATION, COIN, around_zero([estimate])):
        drawn = interval_bar(estimate, scale, "x")
        assert drawn is not None
        places = re.findall(r' (?:x1|x2|cx)="(-?[\d.]+)"', drawn.html)
        assert all(6 <= float(place) <= 114 for place in places)
