"""Agreement with people by group, and what thresholds cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from klopt.report.bars import COIN, CORRELATION, Scale, interval_bar
from klopt.report.curve import Point, cost_curve
from klopt.report.elements import Child, Markup, element, join
from klopt.report.figures import brief, decimal, figure, percent, whole
from klopt.report.headline import THRESHOLD
from klopt.report.shape import Estimate, Part
from klopt.report.tables import head, intro, row, section, table, words
from klopt.report.wording import say, texts

_NAME_CHARS: Final = 60
_DRAWN: Final = ("spearman", "auc")
_PRINTED: Final = ("kendall", "pearson", "kappa_quadratic", "accuracy_margin_1")


def with_bar(estimate: Estimate, scale: Scale, name: str) -> Markup:
    """A figure, its interval, and both as a small drawing."""
    return join(figure(estimate), interval_bar(estimate, scale, name))


def agreement(profiles: Sequence[Part]) -> Markup | None:
    """A row for each group of answers, and within it one for each profile."""
    if not any(one.has("agreement") for one in profiles):
        return None
    said = texts()["agreement"]
    found = [
        (one.text("slice"), profile.text("name"), one)
        for profile in profiles
        for one in profile.parts("agreement")
    ]
    order = list(dict.fromkeys(name for name, _, _ in found))
    places = {name: index for index, name in enumerate(order)}
    found.sort(key=lambda item: places[item[0]])
    two = len(profiles) > 1
    columns = words("agreement", "slice", *["profile"] * two, "n", *_DRAWN, *_PRINTED)
    rows = [_slice(name, profile if two else None, one) for name, profile, one in found]
    return section(
        "agreement",
        said["heading"],
        intro("agreement"),
        table(said["caption"], head(*columns), rows),
    )


def _slice(name: str, profile: str | None, one: Part) -> Markup:
    said = texts()["agreement"]
    shown = texts()["page"]["no_slice"] if name == "all" else brief(name, _NAME_CHARS)
    scales = (CORRELATION, COIN)
    cells: list[Child] = [
        *([] if profile is None else [element("span", brief(profile, _NAME_CHARS))]),
        whole(one.estimate("spearman").n),
        *(
            with_bar(one.estimate(key), scale, said[key])
            for key, scale in zip(_DRAWN, scales, strict=True)
        ),
        *(figure(one.estimate(key), share=key == "accuracy_margin_1") for key in _PRINTED),
    ]
    return row(shown, *cells)


def costs(profiles: Sequence[Part]) -> Markup | None:
    """A curve for each profile, side by side, with the figures under it."""
    found = [one for one in profiles if one.has("costs")]
    if not found:
        return None
    two = len(profiles) > 1
    figures = [_figure(one, named=two) for one in found]
    return section(
        "costs",
        texts()["costs"]["heading"],
        intro("costs"),
        element("div", *figures, class_="side-by-side"),
    )


def _points(entries: Sequence[Part]) -> list[Point]:
    """The points that have both shares, by threshold."""
    found = [
        _point(*(one.number(key) for key in ("threshold", "caught_share", "held_back_share")))
        for one in entries
    ]
    return sorted((one for one in found if one is not None), key=lambda one: one.threshold)


def _special(entries: Sequence[Part]) -> list[Point]:
    found = [
        _point(
            one.number("threshold"), one.estimate("caught").value, one.estimate("held_back").value
        )
        for one in entries
    ]
    return list(dict.fromkeys(one for one in found if one is not None))


def _point(
    threshold: float | None, caught_share: float | None, held_back_share: float | None
) -> Point | None:
    if threshold is None or caught_share is None or held_back_share is None:
        return None
    return Point(threshold, caught_share, held_back_share)


def _figure(profile: Part, *, named: bool) -> Markup:
    found, said = profile.part("costs"), texts()["costs"]
    name = brief(profile.text("name"), _NAME_CHARS)
    points, special = _points(found.parts("points")), _special(found.parts("at"))
    counts = {
        "untrue": whole(found.count("untrue_count")),
        "true": whole(found.count("true_count")),
    }
    title = element("h3", say("page", "profile", name=name)) if named else None
    numbers = element("p", say("costs", "counts", **counts))
    if not points:
        return element("div", title, numbers, element("p", said["none"]))
    drawing = cost_curve(
        points,
        special,
        say("costs", "title", name=name),
        said["across"],
        said["up"],
        said["limit"],
    )
    columns = words("costs", "threshold", "up", "across")
    rows = [
        row(decimal(one.threshold, 1), percent(one.caught_share), percent(one.held_back_share))
        for one in points
    ]
    return element(
        "div",
        title,
        numbers,
        element("figure", drawing, element("figcaption", _captions(found.parts("at")))),
        element(
            "details",
            element("summary", said["figures"]),
            table(said["caption"], head(*columns), rows),
        ),
    )


def _captions(entries: Sequence[Part]) -> Markup:
    """What each labelled threshold costs, in a sentence."""
    marked = {
        threshold: one for one in entries if (threshold := one.number("threshold")) is not None
    }
    is_both = len(marked) < len(entries)
    items = []
    for threshold, one in marked.items():
        shares = {key: _written(one.estimate(key)) for key in ("caught", "held_back")}
        key = "best" if threshold != THRESHOLD else "both" if is_both else "at"
        items.append(element("li", say("costs", key, threshold=decimal(threshold, 1), **shares)))
    return element("ul", *items)


def _written(estimate: Estimate) -> str:
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return percent(estimate.value)
    return f"{percent(estimate.value)} ({percent(estimate.low)} to {percent(estimate.high)})"
