"""An answer in pieces: which stretch a page has, which none has, which was only noticed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from string import punctuation, whitespace
from typing import Final

from klopt.evaluation.disagreements import Weighed
from klopt.report.figures import brief
from klopt.report.view import Piece
from klopt.report.wording import plain, texts

_STRENGTH: Final = {"unsupported": 0, "supported": 0, "loose": 1, "found": 2}
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
    """
    is_loose = kind == "unsupported" and feature in texts()["loose"]["features"]
    return "loose" if is_loose else kind


def spans(measurements: Sequence[Weighed]) -> list[Span]:
    """All evidence of the measurements."""
    return [
        Span(one.start, one.end, kind_of(each.name, one.kind), each.name, one.page)
        for each in measurements
        for one in each.evidence
    ]


def stretches(answer: str, marked: Iterable[Span]) -> list[tuple[str, Span | None]]:
    """The answer cut where the mark changes; the stretches together are the answer.

    Where spans overlap the clearer kind wins, then the shorter, then the one that starts first.
    What lies outside the answer is left out.

    >>> long, short = Span(0, 9, "unsupported", "a"), Span(3, 5, "supported", "b")
    >>> [(text, span and span.kind) for text, span in stretches("abcdefg", [long, short])]
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
    return _STRENGTH[span.kind], length, span.start, span.kind, span.feature, span.page or ""


def marked_answer(answer: str, marked: Iterable[Span]) -> Iterator[Piece]:
    """The answer with its spans marked; space and loose punctuation at their edges is not."""
    for text, span in stretches(answer, marked):
        if span is None:
            yield Piece(text)
            continue
        edges = whitespace + punctuation * (span.kind in ("loose", "found"))
        words = text.strip(edges)
        before, _, after = text.partition(words) if words else (text, "", "")
        yield Piece(before)
        if words:
            where = f", {brief(span.page, _TITLE_CHARS)}" if span.page else ""
            feature = plain("features", span.feature)
            yield Piece(words, span.kind, f"{texts()['kinds'][span.kind]}{where} ({feature})")
        yield Piece(after)


def legend(marked: Iterable[Span]) -> tuple[Piece, ...]:
    """What the marks mean, for the kinds that occur."""
    present = {span.kind for span in marked}
    return tuple(
        Piece(texts()["signs"][kind], kind, words)
        for kind, words in texts()["kinds"].items()
        if kind in present
    )
