"""The parts of an answer in original offsets, and its blocks without some of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import regex

from klopt.text.inline import WORD, PartKind
from klopt.text.plain import Block, PlainText, Span

_BEFORE: Final = regex.compile(r"[*_~`\[]{1,3}+\Z", regex.VERSION1)
_AFTER: Final = regex.compile(r"(?:[*_~`]++|\](?:\([^()\s]{0,2000}+\))?+)++", regex.VERSION1)
"""Markup directly before or after the words of a part."""
_RUNS_ON: Final = regex.compile(r"\d[.]\W*\Z", regex.VERSION1)
"""What a lower-case sentence would continue."""


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A stretch of an answer.

    Attributes:
        kind: See `KINDS`.
        start: First character in the original answer, from 0.
        end: Character after the last one.
    """

    kind: PartKind
    start: int
    end: int


@dataclass(slots=True)
class PartSpan:
    """A stretch of plain text; ``group`` names the patterns that matched it."""

    kind: PartKind
    start: int
    end: int
    block: int
    group: str = ""


def parts_of(
    answer: PlainText,
    text: PlainText,
    pieces: Sequence[PartSpan],
    sources: Sequence[Span],
    markers: Mapping[int, int],
) -> Iterator[AnswerPart]:
    """Yield the parts in original offsets; a claim with a citation inside is several."""
    cited = [AnswerPart("source", *answer.original(one.start, one.end)) for one in sources]
    found = [*cited]
    starts, at = [part.start for part in cited], 0
    for piece in pieces:
        start, end = text.original(piece.start, piece.end)
        if start in markers:
            start = markers[start]
        at = bisect_left(starts, start)
        for part in cited[at : bisect_left(starts, end)]:
            if WORD.search(answer.source, start, part.start):
                found.append(AnswerPart(piece.kind, start, part.start))
            start = part.end
        if WORD.search(answer.source, start, end):
            found.append(AnswerPart(piece.kind, start, end))
    last = 0
    for part in sorted(found, key=lambda one: (one.start, one.end)):
        if part.end > last:
            start = max(part.start, last)
            words = answer.source[start : part.end]
            start += len(words) - len(words.lstrip())
            end = start + len(words.strip())
            if markup := _BEFORE.search(answer.source, max(last, start - 3), start):
                start = markup.start()
            if markup := _AFTER.match(answer.source, end):
                end = markup.end()
            yield replace(part, start=start, end=end)
            last = end


def blocks_without(text: PlainText, cuts: Sequence[Span]) -> list[Block]:
    """The blocks of a text; a paragraph is two where its halves would read as one sentence.

    "It costs £8. Note: a report is free" without the label: "£8. a report" is not two sentences.
    """
    blocks: list[Block] = []
    joins = [cut for cut in cuts if _RUNS_ON.search(text.text, max(0, cut.start - 9), cut.start)]
    starts = [cut.start for cut in joins]
    for block in text.blocks:
        own = joins[bisect_right(starts, block.start) : bisect_left(starts, block.end)]
        own = own if block.kind == "paragraph" else []
        ends = [*(cut.start for cut in own), block.end]
        for start, end in zip((block.start, *(cut.end for cut in own)), ends, strict=True):
            words = text.text[start:end].rstrip()
            blocks.append(block._replace(start=start, end=start + len(words)))
    return blocks
