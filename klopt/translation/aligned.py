"""A translated text that leads back: to the sentence, and to the name, in the original."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final, TypeAlias

from klopt.reading.reader import split_sentences
from klopt.reading.text import Block, Mark, MarkKind, PlainText, Span
from klopt.translation.gale_church import AlignedPiece, align, joined
from klopt.translation.masks import Restored, Segment, Unit

_MARKS: Final[dict[str, MarkKind]] = {"component": "strong", "code": "code", "key": "key"}
"""Kind of a mask → the mark that it gets, so that the reader of the translation sees it too."""

Translated: TypeAlias = tuple[Restored, Sequence[tuple[Span, Span]]]
"""A translation, and which of its stretches come from which of the original; () for all of it."""


@dataclass(frozen=True, slots=True)
class Link:
    """A stretch of the translation and the plain stretch of the original that it comes from."""

    start: int
    end: int
    source_start: int
    source_end: int


@dataclass(frozen=True)
class AlignedText(PlainText):
    """A plain text whose offsets in the original are those of the text it was translated from.

    A stretch within a name, a number or a code leads to that name; any other to the sentences
    that it was translated from, as a whole: a translation has no other order of words.

    Attributes:
        original_text: The text that was translated.
        sentences: The translated sentences, in order, without gaps that hold words.
        copies: What was not translated, in order: masked parts, code, numbers. Each of their
            characters leads back to its own.
    """

    original_text: PlainText
    sentences: tuple[Link, ...]
    copies: tuple[Link, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The original offsets of what a stretch was translated from."""
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
        """The translated sentences that hold the original stretch, the inverse of `original`."""
        first, last = self.original_text.plain(start, end)
        met = [one for one in self.sentences if one.source_start < last and first < one.source_end]
        if not met:
            return super().plain(start, end)
        return met[0].start, met[-1].end

    def as_written(self, spans: Sequence[tuple[int, int]]) -> tuple[str, Sequence[tuple[int, int]]]:
        """The plain text of the original, and where the stretches come from in it."""
        plain = self.original_text.plain
        return self.original_text.text, [plain(*self.original(*span)) for span in spans]

    def quoted(self, start: int, end: int) -> str:
        """The plain text of a stretch of the original, in the language of the original."""
        return self.original_text.quoted(start, end)


class AlignedTextBuilder:
    """Builds the `AlignedText` of an original, block by block."""

    def __init__(self, original: PlainText) -> None:
        self._original = original
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._marks: list[Mark] = []
        self._sentences: list[Link] = []
        self._copies: list[Link] = []
        self._block_start = 0

    def add(
        self,
        restored: Restored,
        segment: Segment,
        sentences: Sequence[tuple[Span, Span]] = (),
    ) -> None:
        """Adds the translation of a segment, with what its sentences come from."""
        at = self._put(restored.text)
        whole = ((Span(0, len(restored.text)), Span(segment.start, segment.end)),)
        for here, there in sentences or whole:
            self._sentences.append(Link(at + here.start, at + here.end, there.start, there.end))
        for number, place in restored.places:
            mask = segment.masks[number]
            start, end = at + place.start, at + place.end
            self._copies.append(Link(start, end, mask.start, mask.end))
            if mask.kind in _MARKS:
                self._marks.append(Mark(_MARKS[mask.kind], start, end))

    def add_sentences(self, unit: Unit, translate: Callable[[Segment], Translated]) -> None:
        """Adds the sentences of a block; what has no words is copied, and so is a block of code."""
        if not unit.sentences:
            self.copy(unit.whole.start, unit.whole.end)
        for sentence in unit.sentences:
            if sentence.has_words:
                restored, pairs = translate(sentence)
                self.add(restored, sentence, pairs)
            else:
                self.copy(sentence.start, sentence.end)

    def copy(self, start: int, end: int) -> None:
        """Adds a stretch of the original as it is to the open block."""
        at = self._put(self._original.text[start:end])
        piece = Link(at, self._length, start, end)
        self._sentences.append(piece)
        self._copies.append(piece)
        self._marks += [
            Mark(mark.kind, at + mark.start - start, at + mark.end - start)
            for mark in self._original.marks
            if start <= mark.start and mark.end <= end
        ]

    def end_unit(self, unit: Unit) -> None:
        """Ends a block that is of the kind and place of the original's, or a cell of a row."""
        if self._length == self._block_start:
            return
        if not unit.ends_block:
            self._parts.append(" |")
            self._length += 2
            self._sentences[-1] = replace(self._sentences[-1], end=self._length)
            return
        self._blocks.append(replace(unit.block, start=self._block_start, end=self._length))
        self._parts.append("\n")
        self._length += 1
        self._block_start = self._length

    def build(self) -> AlignedText:
        """The finished text."""
        text = "".join(self._parts).removesuffix("\n")
        return AlignedText(
            source=self._original.source,
            text=text,
            origins=_origins(self._original, self._sentences, len(text)),
            blocks=tuple(self._blocks),
            marks=tuple(sorted(self._marks, key=lambda mark: (mark.start, -mark.end))),
            original_text=self._original,
            sentences=tuple(self._sentences),
            copies=tuple(sorted(self._copies, key=attrgetter("start"))),
        )

    def _put(self, text: str) -> int:
        """Adds a text to the open block, after a blank where it has any; where it stands."""
        blank = " " * (self._length > self._block_start)
        self._parts += (blank, text)
        self._length += len(blank) + len(text)
        return self._length - len(text)


def _origins(original: PlainText, pieces: Sequence[Link], length: int) -> array[int]:
    """For each character the original offset where its sentence begins; non-decreasing."""
    origins, reached = array("q"), 0
    for piece in pieces:
        origins.extend([reached] * (piece.start - len(origins)))
        reached = max(reached, original.original(piece.source_start, piece.source_end)[0])
        origins.extend([reached] * (piece.end - len(origins)))
    origins.extend([reached] * (length - len(origins)))
    origins.append(len(original.source))
    return origins


def block_sentences(
    translated: str, sentences: Sequence[Segment], abbreviations: frozenset[str]
) -> tuple[tuple[Span, Span], ...]:
    """Stretches of a translated block with the plain stretches that they come from, in order.

    They cover all sentences of both, of which the original has at least one.
    """
    targets = split_sentences(translated, abbreviations)
    groups = align(
        [AlignedPiece(one.end - one.start) for one in sentences],
        [AlignedPiece(one.end - one.start) for one in targets],
    )
    return tuple(
        (
            Span(targets[theirs[0]].start, targets[theirs[-1]].end),
            Span(sentences[own[0]].start, sentences[own[-1]].end),
        )
        for own, theirs in joined(groups)
        if own and theirs
    )
