"""What people translated becomes what a memory holds: blocks and sentences with paired masks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from klopt import lexicons
from klopt.bilingual.pairing import Masked, pair_masks, with_marks
from klopt.bilingual.pairs import TextPair
from klopt.errors import UnknownLanguageError
from klopt.lexicons import Lexicons
from klopt.reading.components import find_components
from klopt.reading.markup import read_text
from klopt.reading.reader import split_sentences
from klopt.reading.text import PlainText, Span
from klopt.records import PageFormat
from klopt.translation.gale_church import BLOCKS, AlignedPiece, align
from klopt.translation.masks import Segment, Unit, read_units
from klopt.translation.memory import TRUSTED, Entry

MOST_MASKS: Final = 999
"""A segment with more is no sentence, and is left out."""

_CODE: Final = ("key", "code")
_NAME_KINDS: Final = ("name", *_CODE)


@dataclass(frozen=True, slots=True)
class LearntEntries:
    """Entries, one for each source text, and how many sentences had no partner."""

    entries: tuple[Entry, ...]
    unpaired_count: int


def learn(
    pairs: Iterable[TextPair],
    source_language: str,
    target_language: str,
    *,
    advance: Callable[[], object] | None = None,
) -> LearntEntries:
    """Memory entries from texts that people translated.

    Both sides are read as scoring reads them, so that it finds the entries again; a side without
    tables is read with those of the other. Blocks are aligned, then the sentences of blocks that
    are one for one. A block of several sentences and each sentence that is one for one become an
    entry; so does a block of one sentence, however many its translation has. Segments without words
    outside their masks are left out. A translation that lacks a mark of its source is kept for the
    sentence as it stands. Of several translations of a text the most frequent is kept, else the
    first.

    >>> pair = TextPair("Klik op **Opslaan**. Wacht 5 s.", "Click **Save**. Wait 5 s.", "start.md")
    >>> for entry in learn([pair], "nl", "en").entries:
    ...     print(entry.source, "→", entry.target)
    Klik op ⟦1⟧. Wacht ⟦2⟧ s. → Click ⟦1⟧. Wait ⟦2⟧ s.
    Klik op ⟦1⟧. → Click ⟦1⟧.
    Wacht ⟦1⟧ s. → Wait ⟦1⟧ s.
    """
    source, target = _tables(source_language, target_language)
    stretches: list[tuple[str, tuple[str, str]]] = []
    unpaired_count = 0
    for pair in pairs:
        own = read_side(pair.source, source, pair.formats[0])
        theirs = read_side(pair.target, target, pair.formats[1])
        together, left_count = _together(own, theirs)
        stretches += ((pair.origin, stretch) for stretch in together)
        unpaired_count += left_count
        if advance is not None:
            advance()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    origins: dict[tuple[str, str], str] = {}
    for origin, (text, translation) in stretches:
        counts[text][translation] += 1
        origins.setdefault((text, translation), origin)
    entries = (
        Entry(source_language, target_language, TRUSTED, text, kept, origins[text, kept])
        for text, rivals in counts.items()
        for kept, _ in rivals.most_common(1)
    )
    return LearntEntries(tuple(entries), unpaired_count)


def _tables(*languages: str) -> tuple[Lexicons, Lexicons]:
    """What each side is read with: the tables of its language, or those of the other."""
    known = lexicons.languages()
    read_with = [language for language in languages if language in known]
    if not read_with:
        raise UnknownLanguageError(
            f'there are no tables for "{languages[0]}" nor for "{languages[1]}"; one side is in a '
            f"language that has them: {', '.join(known)}"
        )
    return lexicons.load(read_with[0]), lexicons.load(read_with[-1])


@dataclass(frozen=True)
class MemorySide:
    """A text of one language as a memory knows it, and its components by their plain offsets."""

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

    def piece(self, segment: Segment, kind: str = "") -> AlignedPiece:
        """A segment as it is aligned."""
        masks = self.masked(segment)
        signs = frozenset(mask.key for mask in masks if mask.kind not in _NAME_KINDS)
        names = sum(mask.kind in _NAME_KINDS for mask in masks)
        return AlignedPiece(segment.end - segment.start, kind, signs, names)


def read_side(text: str, tables: Lexicons, page_format: PageFormat = "auto") -> MemorySide:
    """A text → its blocks and sentences with what is masked in them.

    Sentences and components are those of `klopt.reading.reader.Reader`, whatever the profile,
    without plain names.
    """
    plain = read_text(text, page_format)
    names: dict[Span, Masked] = {}
    for component in find_components(plain, tables["components"], plain_names=False):
        place = Span(component.start, component.end)
        kind = component.kind if component.kind in _CODE else "name"
        names[place] = Masked(kind, plain.text[place.start : place.end], component.key)
    sentences = split_sentences(plain.text, tables["abbreviations"].words)
    return MemorySide(plain, read_units(plain, sentences, names), names)


def _together(source: MemorySide, target: MemorySide) -> tuple[list[tuple[str, str]], int]:
    """What belongs together, blocks before their sentences; how many sentences have no partner."""
    stretches: list[tuple[str, str]] = []
    unpaired_count = 0

    def add(own: Segment, theirs: Segment) -> None:
        if _is_usable(own) and _is_usable(theirs):
            stretches.append(_translation(own, source.masked(own), theirs, target.masked(theirs)))

    blocks, others = (
        [side.piece(unit.whole, unit.block.kind) for unit in side.units]
        for side in (source, target)
    )
    for group, partners in align(blocks, others, BLOCKS):
        units = [source.units[number] for number in group]
        if len(units) != 1 or len(partners) != 1:
            unpaired_count += sum(own.has_words for unit in units for own in unit.sentences)
            continue
        unit, partner = units[0], target.units[partners[0]]
        if len(unit.sentences) == 1 and partner.sentences:
            add(unit.sentences[0], partner.whole)
        elif unit.sentences and partner.sentences:
            add(unit.whole, partner.whole)
            for own, theirs in align(
                list(map(source.piece, unit.sentences)),
                list(map(target.piece, partner.sentences)),
            ):
                if len(own) == len(theirs) == 1:
                    add(unit.sentences[own[0]], partner.sentences[theirs[0]])
    return stretches, unpaired_count


def _is_usable(segment: Segment) -> bool:
    """Whether there is something to translate, with no more marks than a sentence has."""
    return segment.has_words and len(segment.masks) <= MOST_MASKS


def _translation(
    own: Segment, masks: Sequence[Masked], theirs: Segment, their_masks: Sequence[Masked]
) -> tuple[str, str]:
    """A text and its translation, with the marks of the text; without any where one is lost.

    A person who wrote "half an hour" for 30 minutes says nothing of 60.
    """
    partners = pair_masks(masks, their_masks)
    text = with_marks(theirs.text, their_masks, partners)
    if {*range(len(masks))} <= {*partners}:
        return own.text, text
    bare: list[int | None] = [None] * len(masks)
    written, text = (with_marks(side, masks, bare) for side in (own.text, text))
    return written, text
