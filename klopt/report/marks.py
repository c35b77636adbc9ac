"""An answer in pieces: which stretch a page has, which none has, which was only noticed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import punctuation, whitespace
from typing import Final

from klopt.report.elements import Markup, element, join
from klopt.report.figures import brief
from klopt.report.shape import Part
from klopt.report.wording import plain, texts

_STRENGTH: Final[Mapping[str, int]] = {"unsupported": 0, "supported": 0, "loose": 1, "found": 2}
_TITLE_CHARS: Final = 80


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the answer with what was seen there.

    Attributes:
        start: First character; may lie outside the answer.
        end: Character after the last one; may lie outside the answer.
        kind: ``supported``, ``unsupported``, ``loose`` or ``found``.
        feature: The measurement that saw it.
        page: The page that has it, or None.
    """

    start: int
    end: int
    kind: str
    feature: str
    page: str | None = None


def kind_of(feature: str, kind: str) -> str:
    """The kind as it is marked: what covers much of any answer is marked more lightly.

    >>> kind_of("hal", "unsupported"), kind_of("components_defined", "unsupported")
    ('loose', 'unsupported')
    >>> kind_of("hal", "something new")
    'found'
    """
    if kind == "unsupported" and feature in texts()["loose"]["features"]:
        return "loose"
    return kind if kind in ("supported", "unsupported") else "found"


def spans(measurements: Sequence[Part]) -> list[Span]:
    """All evidence of the measurements."""
    return [
        Span(
            one.offset("start"),
            one.offset("end"),
            kind_of(measurement.text("name"), one.text("kind")),
            measurement.text("name"),
            one.words("page"),
        )
        for measurement in measurements
        for one in measurement.parts("evidence")
    ]


def pieces(answer: str, marked: Iterable[Span]) -> list[tuple[str, Span | None]]:
    """The answer cut where the mark changes; the pieces together are the answer.

    Where spans overlap the clearer kind wins, then the shorter, then the one that starts first.
    What lies outside the answer is left out.

    >>> long, short = Span(0, 9, "unsupported", "a"), Span(3, 5, "supported", "b")
    >>> [(piece, span and span.kind) for piece, span in pieces("abcdefg", [long, short])]
    [('abc', 'unsupported'), ('de', 'supported'), ('fg', 'unsupported')]
    """
    owners: list[Span | None] = [None] * len(answer)
    for span in sorted(marked, key=_rank, reverse=True):
        for index in range(max(span.start, 0), min(span.end, len(answer))):
            owners[index] = span
    found: list[tuple[str, Span | None]] = []
    start = 0
    for index in range(1, len(answer) + 1):
        if index == len(answer) or owners[index] is not owners[start]:
            found.append((answer[start:index], owners[start]))
            start = index
    return found


def _rank(span: Span) -> tuple[int, int, int, str, str, str]:
    length = span.end - span.start
    return (
        _STRENGTH[span.kind],
        length,
        span.start,
        span.kind,
        span.feature,
        span.page or "",
    )


def marked_answer(answer: str, marked: Iterable[Span]) -> Markup:
    """The answer with its spans as ``<mark>``; the kind is a class, a sign and a title."""
    return join(
        *(piece if span is None else _mark(piece, span) for piece, span in pieces(answer, marked))
    )


def _mark(piece: str, span: Span) -> Markup:
    where = f", {brief(span.page, _TITLE_CHARS)}" if span.page else ""
    feature = plain("features", span.feature)
    title = f"{texts()['kinds'][span.kind]}{where} ({feature})"
    edges = whitespace if span.kind in ("supported", "unsupported") else whitespace + punctuation
    words = piece.strip(edges)
    if not words:
        return join(piece)
    before, _, after = piece.partition(words)
    return join(before, element("mark", words, class_=span.kind, title=title), after)


def legend(kinds: Iterable[str]) -> Markup:
    """What the marks mean, for the kinds that occur."""
    present = set(kinds)
    items = [
        element("li", element("mark", texts()["signs"][kind], class_=f"{kind} bare"), " ", words)
        for kind, words in texts()["kinds"].items()
        if kind in present
    ]
    return element("ul", *items, class_="legend")
