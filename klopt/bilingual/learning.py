"""What people translated becomes what a memory holds: blocks and sentences with paired masks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from klopt import lexicons
from klopt.bilingual.glossary import Glossary
from klopt.bilingual.lost_marks import mark_lost
from klopt.bilingual.paired_masks import Masked, Pairing, only_names, pair_masks, with_marks
from klopt.bilingual.pairs import Pair
from klopt.bilingual.side import Side, read_side
from klopt.bilingual.stretches import Stretch, find_stretches
from klopt.errors import UnknownLanguageError
from klopt.lexicons import Lexicons
from klopt.translation.masks import MARKER, NO_MARK
from klopt.translation.memory import TRUSTED, Entry

__all__ = ["Learnt", "learn"]


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt from texts that people translated.

    Attributes:
        entries: One for each source text, in the order met, all of provider ``trusted``.
        pairs_count: Pairs of texts read.
        sentences_count: Sentences of the sources that have words outside their masks.
        unpaired_count: Those of them in blocks without a partner: nothing was learnt for them.
        block_only_count: Those that were learnt only as part of their block.
        lost_marks_count: Entries of which the translation lacks a mark of the source: they are
            kept for the source as it stands.
        doubtful_count: Entries with several names paired by their order alone, or with a name
            that has no partner.
        rivals_count: Source texts with several translations, of which the most frequent was kept.
    """

    entries: tuple[Entry, ...]
    pairs_count: int
    sentences_count: int
    unpaired_count: int
    block_only_count: int
    lost_marks_count: int
    doubtful_count: int
    rivals_count: int


def learn(
    pairs: Iterable[Pair],
    source_language: str,
    target_language: str,
    *,
    tables: Mapping[str, Lexicons] | None = None,
    advance: Callable[[], object] | None = None,
) -> Learnt:
    """Memory entries from texts that people translated.

    Both sides are read as scoring reads them, so that it finds the entries again. The blocks of
    the two sides are aligned (`klopt.translation.gale_church.align`), then the sentences of blocks
    that are one for one. A block of several sentences and each sentence that is one for one
    become an entry; so does a block of one sentence, however many its translation has. Segments
    without words outside their masks are left out. The masks of the translation get the numbers
    of the source (`klopt.bilingual.paired_masks.pair_masks`), with a glossary learnt from the
    sentences that have one name on each side. Where a text has several translations, the most
    frequent is kept, and of equally frequent ones the first.

    The same pairs in the same order give the same entries. Texts of 10,000 blocks take seconds:
    the alignment looks at 100,000 places at most.

    Args:
        pairs: The texts; none gives no entries.
        source_language: Such as ``nl``.
        target_language: Such as ``en``.
        tables: Language → tables, where a company has added to those of klopt.
        advance: Called after each pair.

    Raises:
        PatternTimeoutError: A rule took too long on one of the texts.
        UnknownLanguageError: There are no tables for either language; where one side has none,
            it is read with those of the other, as in scoring.

    >>> pair = Pair("Klik op **Opslaan**. Wacht 5 s.", "Click **Save**. Wait 5 s.", "start.md")
    >>> for entry in learn([pair], "nl", "en").entries:
    ...     print(entry.source, "→", entry.target)
    Klik op ⟦1⟧. Wacht ⟦2⟧ s. → Click ⟦1⟧. Wait ⟦2⟧ s.
    Klik op ⟦1⟧. → Click ⟦1⟧.
    Wacht ⟦1⟧ s. → Wait ⟦1⟧ s.
    """
    tables = tables or {}
    read = [
        (pair.origin, find_stretches(*_sides(pair, source_language, target_language, tables)))
        for pair in _told(pairs, advance)
    ]
    glossary = Glossary.learnt(
        names
        for _, stretches in read
        for one in stretches.found
        if one.is_sentence and (names := only_names(one.source_masks, one.target_masks))
    )
    found: dict[str, dict[str, _Translation]] = {}
    for origin, stretches in read:
        for one in stretches.found:
            translation = _translation(one, glossary, origin)
            rivals = found.setdefault(translation.source, {})
            rivals.setdefault(translation.text, translation).count += 1
    kept = {source: max(rivals.values(), key=_count) for source, rivals in found.items()}
    return Learnt(
        entries=tuple(
            Entry(source_language, target_language, TRUSTED, source, one.text, one.origin)
            for source, one in kept.items()
        ),
        pairs_count=len(read),
        sentences_count=sum(one.sentences_count for _, one in read),
        unpaired_count=sum(one.unpaired_count for _, one in read),
        block_only_count=sum(one.block_only_count for _, one in read),
        lost_marks_count=sum(one.lost_count > 0 for one in kept.values()),
        doubtful_count=sum(one.is_doubtful for one in kept.values()),
        rivals_count=sum(len(rivals) > 1 for rivals in found.values()),
    )


@dataclass(slots=True)
class _Translation:
    """A translation with the marks of its source, and how often it was met.

    One that lacks a mark is kept without any, for its source as it stands: a person who wrote
    "half an hour" for 30 minutes says nothing of 60.
    """

    source: str
    text: str
    origin: str
    lost_count: int
    is_doubtful: bool
    count: int = 0


def _count(translation: _Translation) -> int:
    return translation.count


def _told(pairs: Iterable[Pair], advance: Callable[[], object] | None) -> Iterator[Pair]:
    """The pairs, each followed by word that it is done."""
    for pair in pairs:
        yield pair
        if advance is not None:
            advance()


def _sides(
    pair: Pair, source_language: str, target_language: str, tables: Mapping[str, Lexicons]
) -> tuple[Side, Side]:
    source = _tables(source_language, tables) or _tables(target_language, tables)
    target = _tables(target_language, tables) or source
    if source is None or target is None:
        known = ", ".join(lexicons.languages())
        raise UnknownLanguageError(
            f'there are no tables for "{source_language}" nor for "{target_language}"; one side '
            f"is in a language that has them: {known}"
        )
    return (
        read_side(pair.source, source_language, source),
        read_side(pair.target, target_language, target),
    )


def _tables(language: str, tables: Mapping[str, Lexicons]) -> Lexicons | None:
    """A company's tables of a language, or klopt's own, if any."""
    if language in tables:
        return tables[language]
    return lexicons.load(language) if language in lexicons.languages() else None


def _translation(one: Stretch, glossary: Glossary, origin: str) -> _Translation:
    """The translation with the marks of the source, paired part by part."""
    partners: list[int | None] = [None] * len(one.target_masks)
    lost_count, is_doubtful = len(one.source_masks), False
    for own, theirs in one.parts:
        found = pair_masks(
            [one.source_masks[number] for number in own],
            [one.target_masks[number] for number in theirs],
            glossary,
        )
        for number, partner in zip(theirs, found.partners, strict=True):
            if partner is not None:
                partners[number] = own[partner]
                lost_count -= 1
        is_doubtful |= found.is_doubtful
    pairing = Pairing(tuple(partners), lost_count, is_doubtful)
    text = with_marks(one.target, one.target_masks, pairing)
    lost = [
        (number, masked) for number, masked in enumerate(one.source_masks) if number not in partners
    ]
    text, found_count = mark_lost(text, lost, glossary)
    lost_count -= found_count
    source = one.source
    if lost_count:
        source, text = (_written(marked, one.source_masks) for marked in (source, text))
    return _Translation(source, text, origin, lost_count, is_doubtful)


def _written(marked: str, masks: Sequence[Masked]) -> str:
    """A text with what stands at the marks of its source."""
    return MARKER.sub(lambda match: masks[int(match[1]) - 1].text, marked).translate(NO_MARK)
