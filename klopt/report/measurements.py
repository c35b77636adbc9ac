"""The measurements of one answer, with the evidence of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from klopt.report.bars import value_bar
from klopt.report.elements import Child, Markup, element, join
from klopt.report.figures import brief, cut, decimal, missing, rating_text, whole
from klopt.report.marks import kind_of
from klopt.report.shape import Part
from klopt.report.tables import head, row, table, words
from klopt.report.wording import named, say, texts

_EVIDENCE_CHARS: Final = 100
_EVIDENCE_COUNT: Final = 6
_REASON_CHARS: Final = 300


def measured(measurements: Sequence[Part], rating: float | None) -> Markup | None:
    """The table of an answer's measurements, the furthest from the rating first.

    Args:
        measurements: Those of one answer.
        rating: A person's, 1 to 5, or None: then in the order given.
    """
    if not measurements:
        return None
    said = texts()["disagreements"]
    expected = None if rating is None else (min(max(rating, 1.0), 5.0) - 1) / 4
    hint = said["unrated"]
    if rating is not None and expected is not None:
        filled = {"rating": rating_text(rating), "expected": decimal(expected)}
        hint = say("disagreements", "expected", **filled)
    rows = [
        _row(one, expected) for one in sorted(measurements, key=lambda one: -_off(one, expected))
    ]
    columns = words("disagreements", "feature", "value", "off", "evidence", "weight")
    return join(
        table(said["measurements"], head(*columns), rows, "measurements"),
        element("p", hint, class_="intro"),
    )


def _off(one: Part, expected: float | None) -> float:
    """How far a value is from what the rating says; -1 when there is nothing to compare."""
    value = one.number("value")
    return -1.0 if value is None or expected is None else abs(value - expected)


def _row(one: Part, expected: float | None) -> Markup:
    name, value, weight = one.text("name"), one.number("value"), one.number("weight")
    off = _off(one, expected)
    bar: Child = missing(one.words("reason"))
    if value is not None:
        bar = join(
            element("span", decimal(value), class_="figure"), value_bar(value, expected, name)
        )
    return row(
        named("features", name),
        bar,
        missing(one.words("reason")) if off < 0 else decimal(off),
        _evidence(name, one),
        missing(None) if weight is None else decimal(weight, 1),
    )


def _evidence(feature: str, one: Part) -> Child:
    """The first pieces, what no page has before the rest."""
    found = sorted(one.parts("evidence"), key=lambda item: item.text("kind") != "unsupported")
    if not found:
        reason = one.words("reason")
        return texts()["disagreements"]["nothing"] if reason is None else cut(reason, _REASON_CHARS)
    items = [_piece(feature, item) for item in found[:_EVIDENCE_COUNT]]
    if len(found) > _EVIDENCE_COUNT:
        more = say("disagreements", "more", count=whole(len(found) - _EVIDENCE_COUNT))
        items.append(element("li", more))
    return element("ul", *items, class_="evidence")


def _piece(feature: str, item: Part) -> Markup:
    kind = kind_of(feature, item.text("kind"))
    page, entry = item.words("page"), item.words("entry")
    shown = item.text("text")
    pair = entry if entry and item.text("kind") == "unsupported" and " – " in entry else None
    where = (
        None if page is None else say("disagreements", "page", page=brief(page, _EVIDENCE_CHARS))
    )
    return element(
        "li",
        element("mark", brief(pair or shown, _EVIDENCE_CHARS), class_=kind),
        None if where is None else element("small", f" {where}"),
    )
