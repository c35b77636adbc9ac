"""What people translated becomes what a memory holds: blocks and sentences with paired masks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter

from klopt import lexicons
from klopt.bilingual.paired_masks import Glossary, mark_lost, only_names, pair_masks, with_marks
from klopt.bilingual.pairs import Pair
from klopt.bilingual.stretches import Stretch, Stretches, find_stretches, read_side
from klopt.errors import UnknownLanguageError
from klopt.lexicons import Lexicons
from klopt.translation.memory import TRUSTED, Entry

__all__ = ["Learnt", "learn"]


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt from texts that people translated.

    Attributes:
        entries: One for each source text, in the order met, all of provider ``trusted``.
        pairs_count: Pairs of texts read.
        unpaired_count: Sentences with words in blocks without a partner: nothing was learnt for
            them.
        doubtful_count: Entries with several names paired by their order alone, or with a name
            that has no partner.
    """

    entries: tuple[Entry, ...]
    pairs_count: int
    unpaired_count: int
    doubtful_count: int


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
    source, target = _tables(source_language, target_language, tables or {})
    read: list[tuple[str, Stretches]] = []
    for pair in pairs:
        own = read_side(pair.source, source, pair.formats[0])
        theirs = read_side(pair.target, target, pair.formats[1])
        read.append((pair.origin, find_stretches(own, theirs)))
        if advance is not None:
            advance()
    glossary = Glossary(
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
    kept = {text: max(rivals.values(), key=attrgetter("count")) for text, rivals in found.items()}
    return Learnt(
        entries=tuple(
            Entry(source_language, target_language, TRUSTED, text, one.text, one.origin)
            for text, one in kept.items()
        ),
        pairs_count=len(read),
        unpaired_count=sum(one.unpaired_count for _, one in read),
        doubtful_count=sum(one.is_doubtful for one in kept.values()),
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
    is_doubtful: bool
    count: int = 0


def _tables(
    source_language: str, target_language: str, given: Mapping[str, Lexicons]
) -> tuple[Lexicons, Lexicons]:
    """What each side is read with: a company's tables or klopt's own, or those of the other."""
    source, target = (
        given.get(one) or (lexicons.load(one) if one in lexicons.languages() else None)
        for one in (source_language, target_language)
    )
    source, target = source or target, target or source
    if source is None or target is None:
        known = ", ".join(lexicons.languages())
        raise UnknownLanguageError(
            f'there are no tables for "{source_language}" nor for "{target_language}"; one side '
            f"is in a language that has them: {known}"
        )
    return source, target


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
    text = with_marks(one.target, one.target_masks, partners)
    lost = [
        (number, masked) for number, masked in enumerate(one.source_masks) if number not in partners
    ]
    text, found_count = mark_lost(text, lost, glossary)
    lost_count -= found_count
    source = one.source
    if lost_count:
        every = [None] * len(one.source_masks)
        source, text = (with_marks(own, one.source_masks, every) for own in (source, text))
    return _Translation(source, text, origin, is_doubtful)
