"""The sentences of a text as what can be compared: their words as integers, and what turns them.

And how those of a page stand together: which may be one place, and what is read along. A row of a
table is read with its heading row, an item of a list with the sentence that leads in to it, all
with the headings above. What is of another kind is another place: a paragraph does not run on into
a table or a list. Steps that follow one another may be one place, for answers tell two or three of
them in one sentence.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt.cached import cached_property
from klopt.lexicons import Lexicons
from klopt.reading.reader import Reading
from klopt.reading.text import Block

__all__ = ["LONGEST", "Integers", "Layout", "Units", "layout_of", "units_of"]

Integers = NDArray[np.int64]

LONGEST: Final = 3
"""A place has at most so many sentences."""
MOST_KEY_WORDS: Final = 3
"""The first cell of a row that has more words is no key."""
_LEADING: Final = ("paragraph", "quote", "item")
"""The kinds of which the last sentence may lead in to a list."""

_Group: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, eq=False)
class Units:
    """The sentences of one text that have words with content, in order.

    Attributes:
        words: The distinct words with content, in order; a word's integer is its place here.
        starts: For each sentence its first plain character, shape ``(n,)``.
        ends: After its last one.
        tokens: The distinct words of each sentence as integers, one sentence after the other.
        offsets: Where the words of each sentence begin in ``tokens``, shape ``(n,)``.
        sequence: All words with content as integers, in the order of the text.
        conditional: 1 where a sentence stands under a condition.
    """

    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    tokens: Integers
    offsets: Integers
    sequence: Integers
    conditional: bytes

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def ids(self) -> dict[str, int]:
        """Word → its integer."""
        return {word: number for number, word in enumerate(self.words)}

    def of(self, unit: int) -> Integers:
        """The distinct words of one sentence."""
        last = self.offsets[unit + 1] if unit + 1 < len(self) else len(self.tokens)
        return self.tokens[self.offsets[unit] : last]

    def numbers(self, start: int, end: int) -> range:
        """The numbers of the sentences that start in a plain stretch."""
        return range(bisect_left(self.starts, start), bisect_left(self.starts, end))

    def between(self, start: int, end: int) -> Integers:
        """The distinct words of the sentences that start in a plain stretch, in order."""
        units = [self.of(unit) for unit in self.numbers(start, end)]
        return distinct(np.concatenate(units)) if units else np.empty(0, np.int64)


def distinct(numbers: Integers) -> Integers:
    """Numbers without repetition, in order of first appearance."""
    return np.fromiter(dict.fromkeys(numbers.tolist()), np.int64)


def units_of(reading: Reading, lexicons: Lexicons) -> Units:
    """The sentences of a text that have words with content.

    >>> from klopt import lexicons
    >>> from klopt.reading.reader import Reader
    >>> reader = Reader(lexicons.load("en"))
    >>> units = units_of(reader.read("Press `Ctrl+S`. Do not wait 30 seconds."), reader.lexicons)
    >>> units.words
    ('press', '@ctrl+s', 'wait', '#30', 'second')
    """
    tokens = reading.tokens
    ids: dict[str, int] = {}
    starts: list[int] = []
    ends: list[int] = []
    flat: list[int] = []
    offsets: list[int] = []
    sequence: list[int] = []
    conditional = bytearray()
    phrases = lexicons["negations"].phrases["conditions"]
    conditions = [match.start() for match in phrases.finditer(reading.plain.text)]
    numbers = tokens.running
    at = 0
    for sentence in reading.sentences:
        own: list[int] = []
        while at < len(numbers) and tokens.starts[numbers[at]] < sentence.end:
            own.append(ids.setdefault(tokens.keys[numbers[at]], len(ids)))
            at += 1
        if own:
            starts.append(sentence.start)
            ends.append(sentence.end)
            offsets.append(len(flat))
            flat.extend(dict.fromkeys(own))
            sequence.extend(own)
            first = bisect_left(conditions, sentence.start)
            conditional.append(first < len(conditions) and conditions[first] < sentence.end)
    return Units(
        tuple(ids),
        tuple(starts),
        tuple(ends),
        np.array(flat, np.int64),
        np.array(offsets, np.int64),
        np.array(sequence, np.int64),
        bytes(conditional),
    )


@dataclass(frozen=True, eq=False)
class Layout:
    """The sentences of one page, by number.

    Attributes:
        groups: For each sentence the number of its group; those of one group follow one another,
            and only they may be one place.
        above: For each sentence those that it is read with: the headings above it, outermost
            first, what leads in to its list, and the heading row of its table.
        headings: Which sentences are headings, those of tables too.
        keys: For each table its rows with the words of their first cells, by which they are named.
    """

    groups: Integers
    above: tuple[tuple[int, ...], ...]
    headings: NDArray[np.bool_]
    keys: tuple[Mapping[int, frozenset[str]], ...]

    @cached_property
    def places(self) -> tuple[Integers, Integers]:
        """First and last sentence of each possible place, by the first and then the last."""
        starts = np.arange(len(self.groups))
        lasts = np.minimum(starts[:, None] + np.arange(LONGEST), len(starts) - 1)
        is_place = self.groups[lasts] == self.groups[:, None]
        is_place[:, 1:] &= lasts[:, 1:] > lasts[:, :-1]
        firsts = np.broadcast_to(starts[:, None], lasts.shape)
        return firsts[is_place], lasts[is_place]

    @cached_property
    def read_with(self) -> tuple[Integers, Integers, Integers]:
        """What sentences are read with, the page's first one among it, each kind of it once.

        Returns:
            The sentences of all of it, one after the other; where each begins; and for each
            sentence of the page which one is its.
        """
        known: dict[tuple[int, ...], int] = {}
        numbers = [known.setdefault((0, *above), len(known)) for above in self.above]
        flat = [unit for above in known for unit in above]
        starts = np.cumsum([0, *map(len, known)])[: len(known)]
        return np.array(flat, np.int64), starts, np.array(numbers, np.int64)

    def others(self, *texts: frozenset[str]) -> list[int]:
        """The rows beside the ones that are named, in tables of which a row is named by its key.

        Args:
            texts: The words of texts; the first one that names a row of a table counts for it.
        """
        other_rows: list[int] = []
        for rows in self.keys:
            for words in texts:
                named = {row for row, key in rows.items() if key <= words}
                if named:
                    other_rows += rows.keys() - named
                    break
        return other_rows


def layout_of(reading: Reading, units: Units, paths: Sequence[tuple[int, ...]]) -> Layout:
    """The layout of a page."""
    above = list(paths)
    groups: list[_Group] = [()] * len(units)
    named = defaultdict[int, dict[int, frozenset[str]]](dict)
    headings: dict[int, int] = {}
    is_heading = np.zeros(len(units), np.bool_)
    leads: dict[int, tuple[int, ...]] = {}
    before: tuple[Block, range] | None = None
    for number, (block, own) in enumerate(_blocks(reading, units)):
        if block.list_number >= 0 and block.list_number not in leads:
            leads[block.list_number] = _lead(reading, units, paths, before, own, leads)
        context = leads.get(block.list_number, ())
        if block.kind == "row" and block.row == 0:
            headings[block.table] = own[0]
        elif block.kind == "row":
            if block.table in headings:
                context = (*context, headings[block.table])
            named[block.table][own[0]] = _key(reading, block)
        is_heading[own.start : own.stop] = block.kind == "heading" or block.row == 0
        for unit in own:
            above[unit] = (*paths[unit], *context)
            groups[unit] = _group(block, number, paths[unit])
        before = block, own
    changes = [group != last for last, group in zip([(), *groups], groups, strict=False)]
    return Layout(
        np.cumsum(np.array(changes, np.int64)),
        tuple(above),
        is_heading,
        tuple(one for one in map(_keyed, named.values()) if one),
    )


def _blocks(reading: Reading, units: Units) -> Iterator[tuple[Block, range]]:
    """The blocks that have sentences with words, each with those."""
    for block in reading.plain.blocks:
        own = units.numbers(block.start, block.end)
        if own:
            yield block, own


def _group(block: Block, number: int, path: tuple[int, ...]) -> _Group:
    """What sentences have in common that may be one place."""
    if block.kind in ("heading", "row"):
        return (number,)
    return block.kind, block.list_number, path


def _lead(
    reading: Reading,
    units: Units,
    paths: Sequence[tuple[int, ...]],
    before: tuple[Block, range] | None,
    own: range,
    leads: Mapping[int, tuple[int, ...]],
) -> tuple[int, ...]:
    """The sentences that lead in to a list which begins here: one, or two for a nested one."""
    if before is None:
        return ()
    block, last = before[0], before[1][-1]
    if block.kind not in _LEADING or paths[last] != paths[own[0]]:
        return ()
    leads_in = reading.plain.text[units.starts[last] : block.end].rstrip().endswith(":")
    if not leads_in and len(before[1]) > 1:
        return ()
    return (*leads.get(block.list_number, ())[-1:], last)


def _key(reading: Reading, row: Block) -> frozenset[str]:
    """The words of a row's first cell where they are few; else none."""
    cell, tokens = reading.plain.cells(row)[0], reading.tokens
    numbers = tokens.content(cell.start, cell.end)
    return frozenset(tokens.keys[number] for number in numbers if len(numbers) <= MOST_KEY_WORDS)


def _keyed(rows: Mapping[int, frozenset[str]]) -> Mapping[int, frozenset[str]]:
    """The rows of a table, if any has a key; those without one are named by nothing."""
    nothing = frozenset({""})
    return {row: key or nothing for row, key in rows.items()} if any(rows.values()) else {}
