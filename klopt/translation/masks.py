"""Masks: what no translator may touch is a numbered mark while the text is away."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Final

import regex

from klopt import shipped
from klopt.lexicons import Pattern
from klopt.reading.key_terms import RuleHit, find_hits, longest
from klopt.reading.key_terms import rules as key_term_rules
from klopt.reading.text import Block, PlainText, Span

MARKER: Final = regex.compile(r"⟦(\d{1,4})⟧")
NO_MARK: Final = str.maketrans("⟦⟧", "[]")
"""Brackets of a text itself, which might read as marks."""

_WHOLE_MARKS: Final = ("code", "key")


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of plain text as it goes to a translator or is looked up in a memory.

    In its text the masked parts are ``⟦1⟧``, ``⟦2⟧`` ...; ``masks`` are what stands there, in plain
    offsets: a ``component``, ``code``, ``key``, a kind of ``key_terms.toml`` or an id of
    ``masks.toml``.
    """

    start: int
    end: int
    text: str
    masks: tuple[RuleHit, ...]

    @property
    def has_words(self) -> bool:
        """Whether there is something to translate."""
        return has_words(self.text)


@dataclass(frozen=True, slots=True)
class Unit:
    """One block of a text, or one cell of a row, of which it may be the last.

    Its sentences have numbers of their own; a block of code, which is not translated, has none.
    """

    block: Block
    whole: Segment
    sentences: tuple[Segment, ...]
    ends_block: bool = True


@dataclass(frozen=True, slots=True)
class Restored:
    """A translated text with its masked parts back: for each, its number from 0 and its place."""

    text: str
    places: tuple[tuple[int, Span], ...]


def has_words(text: str) -> bool:
    """Whether there is a letter outside the marks; without one nothing is to translate."""
    return any(map(str.isalpha, MARKER.sub("", text)))


def find_masks(plain: PlainText, names: Iterable[Span] = ()) -> tuple[RuleHit, ...]:
    """What is to be masked in a text, its components among it, in order, without overlap.

    >>> from klopt.reading.markup import read_text
    >>> plain = read_text("Klik 2 keer op **Opslaan** in `orl.ini`.")
    >>> names = [Span(mark.start, mark.end) for mark in plain.marks if mark.kind == "strong"]
    >>> [(plain.text[hit.start : hit.end], hit.kind) for hit in find_masks(plain, names)]
    [('2', 'number'), ('Opslaan', 'component'), ('orl.ini', 'code')]
    """
    found = [
        RuleHit(mark.start, mark.end, mark.kind)
        for mark in plain.marks
        if mark.kind in _WHOLE_MARKS and mark.end > mark.start
    ]
    found += [RuleHit(name.start, name.end, "component") for name in names]
    for rule in _rules():
        found += find_hits(rule, plain.text)
    return longest(found)


def segment(plain: PlainText, start: int, end: int, masks: Iterable[RuleHit]) -> Segment:
    """The stretch with its masks as marks; of a mask that reaches over an end, what is inside."""
    own = tuple(
        RuleHit(max(start, mask.start), min(end, mask.end), mask.kind)
        for mask in masks
        if mask.start < end and start < mask.end
    )
    parts, place = list[str](), start
    for number, mask in enumerate(own, 1):
        parts += (plain.text[place : mask.start], f"⟦{number}⟧")
        place = mask.end
    parts.append(plain.text[place:end])
    return Segment(start, end, "".join(parts), own)


def read_units(
    plain: PlainText, sentences: Sequence[Span], names: Iterable[Span] = ()
) -> tuple[Unit, ...]:
    """The blocks of a text with their sentences, of which none crosses a block, masked."""
    masks = find_masks(plain, names)

    def masked(span: Span | Block) -> Segment:
        first = bisect_right(masks, span.start, key=attrgetter("end"))
        last = bisect_left(masks, span.end, key=attrgetter("start"))
        return segment(plain, span.start, span.end, masks[first:last])

    starts = [one.start for one in sentences]
    found: list[Unit] = []
    for block in plain.blocks:
        inside = sentences[bisect_left(starts, block.start) : bisect_left(starts, block.end)]
        if block.kind == "row":
            cells = [one for one in plain.cells(block) if one.start < one.end]
            for cell in cells:
                parts = [Span(max(one.start, cell.start), min(one.end, cell.end)) for one in inside]
                own = tuple(masked(one) for one in parts if one.start < one.end)
                found.append(Unit(block, masked(cell), own, cell is cells[-1]))
            continue
        own = () if block.kind == "code" else tuple(map(masked, inside))
        found.append(Unit(block, masked(block), own))
    return tuple(found)


def faults(translated: str, masks_count: int, *, invented_too: bool = True) -> str | None:
    """What is wrong with a translated text that should have so many marks, each once, or None.

    It may have no others, which `restore` would leave out, unless ``invented_too`` is false.
    """
    numbers = Counter(int(match[1]) for match in MARKER.finditer(translated))
    wanted = range(1, masks_count + 1)
    wrong = [f"⟦{number}⟧ stands twice" for number in wanted if numbers[number] > 1]
    wrong += [f"⟦{number}⟧ is lost" for number in wanted if not numbers[number]]
    if invented_too:
        wrong += [f"⟦{number}⟧ is invented" for number in sorted(numbers.keys() - {*wanted})]
    return ", ".join(wrong) or None


def restore(translated: str, source: Segment, plain: PlainText) -> Restored:
    """A translated text with the masked parts of its source back.

    A mark that is lost is simply not there, and one that was invented is left out.
    """
    text, places, place = "", list[tuple[int, Span]](), 0
    for match in MARKER.finditer(translated):
        text += translated[place : match.start()]
        place, number = match.end(), int(match[1]) - 1
        if 0 <= number < len(source.masks):
            mask, at = source.masks[number], len(text)
            text += plain.text[mask.start : mask.end]
            places.append((number, Span(at, len(text))))
    return Restored(text + translated[place:], tuple(places))


def written_out(segment: Segment, plain: PlainText) -> str:
    """The sentence without marks, as it stands; the same as its text when it has none.

    Its own brackets ⟦ ⟧ are written otherwise, or it might read as another one with marks.
    """
    if not segment.masks:
        return segment.text
    return plain.text[segment.start : segment.end].translate(NO_MARK)


def find_again(translated: str, segment: Segment, plain: PlainText) -> Restored:
    """A sentence that was translated without marks, with the masked parts that it kept.

    A part is kept when it stands there once, as in the sentence.
    """
    own, places = plain.text[segment.start : segment.end], list[tuple[int, Span]]()
    for number, mask in enumerate(segment.masks):
        text = plain.text[mask.start : mask.end]
        if own.count(text) == translated.count(text) == 1:
            at = translated.index(text)
            places.append((number, Span(at, at + len(text))))
    return Restored(translated, tuple(places))


@cache
def _rules() -> tuple[Pattern, ...]:
    """What is masked wherever it stands, of the kind that is the pattern's group."""
    table = shipped.table("klopt.translation", "masks.toml")
    return (
        *(rule for rule in key_term_rules() if rule.group in table["masks"]["key_term_kinds"]),
        *(
            Pattern(entry["id"], entry["id"], entry["pattern"], True, 1.0, (), ())
            for entry in table["rule"]
        ),
    )
