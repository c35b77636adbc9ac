"""A text as a translator sees it: block by block, sentence by sentence, with masks."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from klopt.reading.text import Block, PlainText, Span
from klopt.translation.masks import Segment, find_masks, segment


@dataclass(frozen=True, slots=True)
class Unit:
    """One block of a text.

    Attributes:
        block: The block.
        whole: The whole block as one segment; its marks are numbered through.
        sentences: Its sentences, each a segment with its own numbers; empty for a block of code,
            which is not translated.
    """

    block: Block
    whole: Segment
    sentences: tuple[Segment, ...]


def read_units(
    plain: PlainText, sentences: Sequence[Span], names: Iterable[Span] = ()
) -> tuple[Unit, ...]:
    r"""The blocks of a text with their sentences, masked.

    Args:
        plain: The text.
        sentences: Its sentences, in order; none crosses a block.
        names: The components in it.

    Raises:
        PatternTimeoutError: A rule for what is masked took too long on this text.

    >>> from klopt.reading.markup import read_text
    >>> from klopt.reading.sentences import split_sentences
    >>> plain = read_text("# Opslaan\n\nWacht 5 tellen. Klik dan op `F2`.")
    >>> units = read_units(plain, split_sentences(plain.text, frozenset()))
    >>> [[one.text for one in unit.sentences] for unit in units]
    [['Opslaan'], ['Wacht ⟦1⟧ tellen.', 'Klik dan op ⟦1⟧.']]
    """
    masks = find_masks(plain, names)
    starts, ends = [one.start for one in masks], [one.end for one in masks]
    places = [one.start for one in sentences]

    def masked(start: int, end: int) -> Segment:
        own = masks[bisect_right(ends, start) : bisect_left(starts, end)]
        return segment(plain, start, end, own)

    found: list[Unit] = []
    for block in plain.blocks:
        inside = sentences[bisect_left(places, block.start) : bisect_left(places, block.end)]
        if block.kind == "code":
            inside = ()
        segments = tuple(masked(one.start, one.end) for one in inside)
        found.append(Unit(block, masked(block.start, block.end), segments))
    return tuple(found)
