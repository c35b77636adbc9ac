"""The curve of few ratings as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

COUNTS: Final = (25, 50, 100, 200)
DUTCH: Final = ("bc nl", "hr nl", "fin nl")
LABELLED: Final = "techqa en"
"""Labels, right or wrong, of another kind of answers; nothing was learnt from them."""
WAYS: Final = {
    "default": "`default`",
    "from_scratch": "ratings alone",
    "from_default": "from `default`",
    "where_better": "that, where it is better held out",
}
"""Way of learning → its heading."""

LINES: Final = {
    "default": "`default`, its own line",
    "line": "`default`, a line by the ratings",
    "fit_and_line": "fitted, a line by the ratings",
}
SENT: Final = ("untrue_of_sent", "sent_of_true")

Curve = Mapping[str, Any]
"""Place → way → count of ratings, as text → figures."""


def shown(found: Curve) -> str:
    """Spearman by count of ratings, over the Dutch centres and for each place; then the lines."""
    named = {"Three Dutch centres": DUTCH, **{name: (name,) for name in found}}
    parts = [f"{name}\n\n{table(found, places)}\n" for name, places in named.items()]
    centres = [name for name in found if name != LABELLED]
    return "\n".join([*parts, lines_table(found, centres)])


def table(found: Curve, places: Sequence[str]) -> str:
    """The mean Spearman over places as Markdown: a row a count, a column a way of learning."""
    rows = [
        [str(count), *(_cell(spearman(found, places, way, count)) for way in WAYS)]
        for count in COUNTS
        if spearman(found, places, "line", count) is not None
    ]
    return _markdown([["ratings", *WAYS.values()], *rows])


def lines_table(found: Curve, places: Sequence[str]) -> str:
    """What is sent by a line that was drawn so that 10% of it is untrue, as Markdown."""
    rows = [["ratings", "by", "of it untrue", "of the true sent"]]
    for count in COUNTS:
        for way, said in LINES.items():
            if all(
                any(_figures(found, one, each, count) for one in places) for each in ("line", way)
            ):
                shares = (sent(found, places, way, count, key) for key in SENT)
                rows.append([str(count), said, *(f"{one:.0%}" for one in shares)])
    return _markdown(rows)


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    head, *others = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|---" * len(rows[0]) + "|", *others])


def _cell(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def spearman(found: Curve, places: Sequence[str], way: str, count: int) -> float | None:
    """The mean over places; None where one of them has no such figure."""
    every = [_figures(found, place, way, count) for place in places]
    values = [one["spearman"][0] for one in every if one is not None]
    return round(sum(values) / len(values), 3) if len(values) == len(places) else None


def sent(found: Curve, places: Sequence[str], way: str, count: int, key: str) -> float:
    """A share of counts over the places that have that many ratings."""
    some = [one for one in places if _figures(found, one, "line", count) is not None]
    every = [one[key] for place in some if (one := _figures(found, place, way, count)) is not None]
    counted, of = (sum(one[at] for one in every) for at in (0, 1))
    return float(counted / of) if of else 0.0


def _figures(found: Curve, place: str, way: str, count: int) -> Mapping[str, Any] | None:
    one: Mapping[str, Any] | None = found[place].get(way, {}).get(_key(way, count))
    return one


def _key(way: str, count: int) -> str:
    return "0" if way == "default" else str(count)
