"""A translated text whose offsets lead back to sentences and names of the original."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final

from klopt.text.plain import Block, Mark, MarkKind, PlainText, Span
from klopt.translation.masks import Restored, Segment, Unit

_MARKS: Final[dict[str, MarkKind]] = {"component": "strong", "code": "code", "key": "key"}
"""Kind of a mask → the mark that it gets, so that the reader of the translation sees it too."""


@dataclass(frozen=True, slots=True)
class Link:
    """A span of the translation and the span of the original that it was translated from."""

    start: int
    end: int
    source_start: int
    source_end: int


@dataclass(frozen=True)
class AlignedText(PlainText):
    """A plain text whose offsets lead to the text that it was translated from.

    A span within a name, number or code leads to that name (``copies``); any other to the whole
    ``sentences`` that it was translated from, because a translation reorders words.
    """

    original_text: PlainText
    sentences: tuple[Link, ...]
    copies: tuple[Link, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the original offsets that a span was translated from."""
        if not self.sentences:
            return 0, 0
        stop = max(end, start + 1)
        place = bisect_right(self.copies, start, key=attrgetter("start")) - 1
        if place >= 0 and stop <= self.copies[place].end:
            at = self.copies[place].source_start + start - self.copies[place].start
            return self.original_text.original(at, at + max(0, end - start))
        first = bisect_right(self.sentences, start, key=attrgetter("end"))
        first = min(first, len(self.sentences) - 1)
        last = bisect_left(self.sentences, stop, key=attrgetter("start"))
        met = self.sentences[first : max(first + 1, last)]
        begin = min(piece.source_start for piece in met)
        stop = max(piece.source_end for piece in met)
        return self.original_text.original(begin, stop if end > start else begin)

    def plain(self, start: int, end: int) -> tuple[int, int]:
        """Return the translated sentences that hold an original span; inverse of `original`."""
        first, last = self.original_text.plain(start, end)
        met = [one for one in self.sentences if one.source_start < last and first < one.source_end]
        if not met:
            return super().plain(start, end)
        return met[0].start, met[-1].end

    def as_written(self, spans: Sequence[tuple[int, int]]) -> tuple[str, Sequence[tuple[int, int]]]:
        """Return the plain text of the original and the spans in it."""
        plain = self.original_text.plain
        return self.original_text.text, [plain(*self.original(*span)) for span in spans]

    def quoted(self, start: int, end: int) -> str:
        """Return the plain text of a span of the original, in its language."""
        return self.original_text.quoted(start, end)


def align(
    original: PlainText, units: Sequence[Unit], translate: Callable[[Segment], Restored]
) -> AlignedText:
    """Return a text with its sentences translated; code and what has no words are copied."""
    parts, blocks, marks = list[str](), list[Block](), list[Mark]()
    sentences, copies = list[Link](), list[Link]()
    length = block_start = 0

    def put(text: str, segment: Span | Segment) -> int:
        """Add a text to the open block, after a space, and return its offset."""
        nonlocal length
        blank = " " * (length > block_start)
        parts.extend((blank, text))
        length += len(blank) + len(text)
        at = length - len(text)
        sentences.append(Link(at, length, segment.start, segment.end))
        return at

    def copy(span: Span | Segment) -> None:
        at = put(original.text[span.start : span.end], span) - span.start
        copies.append(sentences[-1])
        marks.extend(
            Mark(mark.kind, at + mark.start, at + mark.end)
            for mark in original.marks
            if span.start <= mark.start and mark.end <= span.end
        )

    for unit in units:
        if not unit.sentences:
            copy(unit.whole)
        for sentence in unit.sentences:
            if not sentence.has_words:
                copy(sentence)
                continue
            restored = translate(sentence)
            at = put(restored.text, sentence)
            for number, place in restored.places:
                mask, start, end = sentence.masks[number], at + place.start, at + place.end
                copies.append(Link(start, end, mask.start, mask.end))
                if mask.kind in _MARKS:
                    marks.append(Mark(_MARKS[mask.kind], start, end))
        if length == block_start:
            continue
        if unit.ends_block:
            blocks.append(unit.block._replace(start=block_start, end=length))
            block_start = length + 1
        else:
            sentences[-1] = replace(sentences[-1], end=length + 2)
        parts.append("\n" if unit.ends_block else " |")
        length += len(parts[-1])
    text = "".join(parts).removesuffix("\n")
    return AlignedText(
        source=original.source,
        text=text,
        origins=_origins(original, sentences, len(text)),
        blocks=tuple(blocks),
        marks=tuple(sorted(marks, key=lambda mark: (mark.start, -mark.end))),
        original_text=original,
        sentences=tuple(sentences),
        copies=tuple(sorted(copies, key=attrgetter("start"))),
    )


def _origins(original: PlainText, pieces: Sequence[Link], length: int) -> array[int]:
    """Return for each character where its sentence begins in the original; non-decreasing."""
    origins, reached = array("q"), 0
    for piece in pieces:
        origins.extend([reached] * (piece.start - len(origins)))
        reached = max(reached, original.original(piece.source_start, piece.source_end)[0])
        origins.extend([reached] * (piece.end - len(origins)))
    origins.extend([reached] * (length - len(origins)))
    origins.append(len(original.source))
    return origins
