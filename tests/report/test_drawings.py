"""Drawings with coordinates worked out by hand."""

from __future__ import annotations

from klopt.report.html import render
from tests.report.wadlinde import estimate, evaluated, example


def drawn(**costs) -> str:
    """The page of one profile, with other costs."""
    evaluation = example(second=False)
    evaluation["profiles"][0]["costs"] |= costs
    return render(evaluated(evaluation))


def test_cost_curve():
    """The plot runs from x 50 to 370 and from y 264 (nothing caught) to y 24 (everything)."""
    places = [(1.0, 0.0, 0.0), (2.0, 0.5, 0.05), (3.0, 0.75, 0.25), (5.0, 1.0, 1.0)]
    names = ("threshold", "caught_share", "held_back_share")
    at = [
        {"threshold": 3.0, "caught": estimate(0.75), "held_back": estimate(0.25)},
        {"threshold": 2.0, "caught": estimate(0.5), "held_back": estimate(0.05)},
    ]
    page = drawn(points=[dict(zip(names, one, strict=True)) for one in places], at=at)
    page = page[page.index('id="costs"') :]
    assert '<polyline points="50,264 66,144 130,84 370,24" class="curve">' in page
    assert '<rect x="124" y="78" width="12" height="12" class="special">' in page
    assert '<rect x="60" y="138" width="12" height="12" class="special">' in page
    assert '<line x1="50" y1="264" x2="370" y2="24" class="coin">' in page
    assert '<line x1="82" y1="24" x2="82" y2="264" class="limit">' in page
    assert '<text x="137" y="96" text-anchor="start" class="label strong">3.0</text>' in page
    assert page.count('class="point"') == 4
    assert "<title>Cost curve of profile default</title>" in page
    assert "Threshold 3.0: 75% and 25%; 2.0: 50% and 5%." in page


def test_interval_bar():
    """120 wide with 6 free on each side: 0 stands in the middle, 0.5 at 6 + 108 × 0.75."""
    evaluation = example(second=False)
    evaluation["profiles"][0]["agreement"][0]["spearman"] = estimate(0.5, 1.0, least=-0.5)
    page = render(evaluated(evaluation))
    page = page[page.index("<title>Spearman: 0.50, 95% interval −0.50 to 1.00</title>") :]
    bar = page[: page.index("</svg>")]
    assert '<line x1="60" y1="2" x2="60" y2="14" class="tick">' in bar
    assert '<line x1="33" y1="8" x2="114" y2="8" class="range">' in bar
    assert '<circle cx="87" cy="8" r="4" class="dot">' in bar
