"""A text and its translation, read: which blocks and sentences of them belong together."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final, TypeAlias

from klopt.bilingual.paired_masks import Masked
from klopt.lexicons import Lexicons
from klopt.reading.components import find_components
from klopt.reading.markup import read_text
from klopt.reading.sentences import split_sentences
from klopt.reading.text import PlainText, Span
from klopt.records import PageFormat
from klopt.translation.gale_church import BLOCKS, Group, Piece, align, joined
from klopt.translation.masks import MARKER, Segment, Unit, read_units

__all__ = ["Part", "Side", "Stretch", "Stretches", "find_stretches", "read_side"]

Part: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""Masks of the source and those of the target among which they have their partners."""

MOST_MASKS: Final = 999
"""A segment with more is no sentence, and is left out."""

_CODE: Final = ("key", "code")
_NAME_KINDS: Final = ("name", *_CODE)


@dataclass(frozen=True)
class Side:
    """A text of one language as it is looked up in a memory.

    Attributes:
        plain: The text without its markup.
        units: Its blocks and sentences, masked.
        names: Its components, by their place in plain offsets.
    """

    plain: PlainText
    units: tuple[Unit, ...]
    names: Mapping[Span, Masked]

    def masked(self, segment: Segment) -> tuple[Masked, ...]:
        """What stands at the marks of a segment."""
        return tuple(
            self.names.get(Span(hit.start, hit.end))
            or Masked.literal(hit.kind, self.plain.text[hit.start : hit.end])
            for hit in segment.masks
        )


def read_side(text: str, tables: Lexicons, page_format: PageFormat = "auto") -> Side:
    """A text → its blocks and sentences with what is masked in them.

    Sentences and components are those of `klopt.reading.reader.Reader`, so the masked texts are
    what scoring asks the memory for: whatever the profile, without plain names.

    Args:
        text: The text.
        tables: What it is read with: those of its language, or for a language without tables
            those of the other side, as in scoring.
        page_format: What it is written in.

    Raises:
        PatternTimeoutError: A rule took too long on this text.

    >>> from klopt import lexicons
    >>> side = read_side("Klik 2 keer op **Opslaan**. Wacht.", lexicons.load("nl"))
    >>> side.units[0].whole.text, [one.text for one in side.units[0].sentences]
    ('Klik ⟦1⟧ keer op ⟦2⟧. Wacht.', ['Klik ⟦1⟧ keer op ⟦2⟧.', 'Wacht.'])
    """
    plain = read_text(text, page_format)
    names: dict[Span, Masked] = {}
    for one in find_components(plain, tables, plain_names=False):
        kind = one.kind if one.kind in _CODE else "name"
        names[Span(one.start, one.end)] = Masked(kind, plain.text[one.start : one.end], one.key)
    sentences = split_sentences(plain.text, tables["abbreviations"].words)
    return Side(plain, read_units(plain, sentences, names), names)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A block or sentence and its translation, each with its own marks.

    Attributes:
        source: The masked source.
        target: The masked translation.
        source_masks: What stands at the marks of the source.
        target_masks: What stands at those of the translation.
        parts: For a block, which masks stand in sentences that belong together.
        is_sentence: Whether the source is one sentence.
    """

    source: str
    target: str
    source_masks: tuple[Masked, ...]
    target_masks: tuple[Masked, ...]
    parts: tuple[Part, ...]
    is_sentence: bool


@dataclass(frozen=True, slots=True)
class Stretches:
    """What of two texts belongs together.

    Attributes:
        found: Each block of several sentences, followed by its sentences.
        unpaired_count: Sentences of the source with words outside their masks in nothing found.
    """

    found: tuple[Stretch, ...]
    unpaired_count: int


def find_stretches(source: Side, target: Side) -> Stretches:
    """The blocks and sentences of two texts that translate each other.

    A block that is one for one is found when it has several sentences, a sentence when its block
    is one for one and it is too, or when it is all of its block.

    >>> from klopt import lexicons
    >>> dutch = read_side("Ja. Wacht 5 s.", lexicons.load("nl"))
    >>> english = read_side("Yes. Wait 5 s.", lexicons.load("en"))
    >>> [(one.source, one.target) for one in find_stretches(dutch, english).found[1:]]
    [('Ja.', 'Yes.'), ('Wacht ⟦1⟧ s.', 'Wait ⟦1⟧ s.')]
    """
    found: list[Stretch] = []
    unpaired_count = 0
    blocks, others = (
        [_piece(side, one.whole, one.block.kind) for one in side.units] for side in (source, target)
    )
    for own, theirs in align(blocks, others, BLOCKS):
        block, sentences = None, list[Stretch]()
        if len(own) == len(theirs) == 1:
            pair = source.units[own[0]], target.units[theirs[0]]
            block, sentences = _in_block(source, pair[0], target, pair[1])
        if block is not None:
            found.append(block)
        else:
            every = (one for unit in own for one in source.units[unit].sentences)
            unpaired_count += sum(one.has_words for one in every) - len(sentences)
        found += sentences
    return Stretches(tuple(found), unpaired_count)


def _in_block(
    source: Side, unit: Unit, target: Side, other: Unit
) -> tuple[Stretch | None, list[Stretch]]:
    """The block, if it has several sentences, and its sentences."""
    if not unit.sentences or not other.sentences:
        return None, []
    if len(unit.sentences) == 1:
        alone = _stretch(source, unit.sentences[0], target, other.whole)
        return None, [alone] if alone is not None else []
    groups = align(
        [_piece(source, one) for one in unit.sentences],
        [_piece(target, one) for one in other.sentences],
    )
    sentences = [
        _stretch(source, unit.sentences[own[0]], target, other.sentences[theirs[0]])
        for own, theirs in groups
        if len(own) == len(theirs) == 1
    ]
    block = _stretch(source, unit.whole, target, other.whole, _parts(unit, other, groups))
    return block, [one for one in sentences if one is not None]


def _stretch(
    source: Side,
    segment: Segment,
    target: Side,
    other: Segment,
    parts: tuple[Part, ...] | None = None,
) -> Stretch | None:
    if not _is_usable(segment) or not _is_usable(other):
        return None
    own, theirs = source.masked(segment), target.masked(other)
    whole = ((tuple(range(len(own))), tuple(range(len(theirs)))),)
    return Stretch(segment.text, other.text, own, theirs, parts or whole, parts is None)


def _parts(unit: Unit, other: Unit, groups: Sequence[Group]) -> tuple[Part, ...]:
    """Which masks of two blocks stand in sentences that belong together."""
    return tuple(
        (
            _inside(unit.whole, [unit.sentences[one] for one in own]),
            _inside(other.whole, [other.sentences[one] for one in theirs]),
        )
        for own, theirs in joined(groups)
    )


def _inside(whole: Segment, sentences: Sequence[Segment]) -> tuple[int, ...]:
    """The masks of a block that begin in these sentences, which follow each other."""
    bounds = (sentences[0].start, sentences[-1].end)
    return tuple(range(*(bisect_left(whole.masks, at, key=attrgetter("start")) for at in bounds)))


def _is_usable(segment: Segment) -> bool:
    """Whether there is something to translate, with no marks but those of its masks.

    A mask that reaches over the end of a sentence stands there as text, and might read as a mark.
    """
    marks = [int(match[1]) for match in MARKER.finditer(segment.text)]
    return (
        segment.has_words
        and len(segment.masks) <= MOST_MASKS
        and marks == list(range(1, len(segment.masks) + 1))
    )


def _piece(side: Side, segment: Segment, kind: str = "") -> Piece:
    masks = side.masked(segment)
    signs = frozenset(one.key for one in masks if one.kind not in _NAME_KINDS)
    names = sum(one.kind in _NAME_KINDS for one in masks)
    return Piece(segment.end - segment.start, kind, signs, names)
