"""The sentences of a text as integers, and the layout of a page's sentences.

The layout knows which sentences may form one passage, and the context of each: a table row has its
heading row, a list item the sentence that leads in to the list, and all have the headings above.
A passage does not run from a paragraph into a table or list. Consecutive steps may form one
passage, since answers often give two or three of them in one sentence.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt._internal.cached import cached_property
from klopt.lexicons import Lexicons
from klopt.text.plain import Block, Span
from klopt.text.reader import Reading

Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]
Coordinates = NDArray[np.int8]
"""Word vectors in whole numbers."""
Floats = NDArray[Any]

LONGEST: Final = 3
"""Sentences of a passage, at most."""
MAX_KEY_WORDS: Final = 8
"""Words of a cell that names a row, at most."""
_KEYS: Final = ((0,), (0, 1), (1,))
"""The columns that may name the rows of a table."""
_LEADING: Final = ("paragraph", "quote", "item")
"""The kinds of blocks whose last sentence may lead in to a list."""

_Group: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, eq=False)
class Units:
    """The sentences of one text that have content words.

    Attributes:
        words: The distinct content words; the integer of a word is its index.
        starts: The first plain character of each sentence, shape ``(n,)``.
        ends: The character after the last one of each.
        tokens: The distinct words of all sentences as integers, concatenated.
        offsets: Where the words of each sentence begin in ``tokens``, shape ``(n,)``.
        sequence: All content words as integers, in text order.
        conditional: 1 where a sentence has a condition.
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
        """Return the distinct words of one sentence."""
        ends = self._ends
        return self.tokens[ends[unit - 1] if unit else 0 : ends[unit]]

    @cached_property
    def _ends(self) -> list[int]:
        """Where the words of each sentence end in ``tokens``."""
        return [*self.offsets[1:].tolist(), len(self.tokens)]

    @cached_property
    def by_sentence(self) -> list[Integers]:
        """The distinct words of each sentence, for a text as short as an answer."""
        return [self.of(unit) for unit in range(len(self.starts))]

    def numbers(self, start: int, end: int) -> range:
        """Return the numbers of the sentences that start between two plain characters."""
        return range(bisect_left(self.starts, start), bisect_left(self.starts, end))

    def between(self, start: int, end: int) -> Integers:
        """Return the distinct words of the sentences between two plain characters."""
        units = [self.of(unit) for unit in self.numbers(start, end)]
        return distinct(np.concatenate(units)) if units else np.empty(0, np.int64)


def one_unit(words: Iterable[str], span: Span) -> Units:
    """Return a text of one sentence with the given words."""
    own = tuple(dict.fromkeys(words))
    numbers = np.arange(len(own))
    return Units(own, (span.start,), (span.end,), numbers, np.zeros(1, np.int64), numbers, b"\0")


def distinct(numbers: Integers) -> Integers:
    """Return distinct integers in order of first appearance."""
    return np.fromiter(dict.fromkeys(numbers.tolist()), np.int64)


def units_of(reading: Reading, lexicons: Lexicons) -> Units:
    """Return the sentences of a text that have content words.

    >>> from klopt import lexicons
    >>> from klopt.text.reader import Reader
    >>> reader = Reader(lexicons.load("en"))
    >>> units = units_of(reader.read("Press `Ctrl+S`. Do not wait 30 seconds."), reader.lexicons)
    >>> units.words
    ('press', '@ctrl+s', 'wait', '#30', 'second')
    """
    tokens = reading.tokens
    ids: dict[str, int] = {}
    starts, ends, flat, offsets, sequence = (list[int]() for _ in range(5))
    conditional = bytearray()
    phrases = lexicons["negations"].phrases["conditions"]
    conditions = [match.start() for match in phrases.finditer(reading.plain.text)]
    words = [
        one for one in zip(tokens.starts, tokens.keys, tokens.stops, strict=True) if not one[2]
    ]
    at = 0
    for sentence in reading.sentences:
        own: list[int] = []
        while at < len(words) and words[at][0] < sentence.end:
            own.append(ids.setdefault(words[at][1], len(ids)))
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
class PageTable:
    """A table of a page.

    Attributes:
        headings: The headings of each column, as plain spans.
        rows: Sentence number of each body row → its cells.
        key: The columns whose cells name the rows.
    """

    headings: tuple[tuple[Span, ...], ...]
    rows: Mapping[int, tuple[Span, ...]]
    key: tuple[int, ...]

    def named_by(self, row: int) -> tuple[Span, ...]:
        """Return the cells that name a row."""
        cells = self.rows[row]
        return tuple(cells[column] for column in self.key if column < len(cells))


@dataclass(frozen=True, eq=False)
class Layout:
    """The layout of one page; sentences are given by number.

    Attributes:
        groups: The group of each sentence; only consecutive sentences of one group form a passage.
        above: The context of each sentence: the headings above it, outermost first, the lead-in
            of its list, and the heading row of its table.
        headings: Whether each sentence is a heading, those of tables included.
        keys: For each table its rows with the words that name them; for tabs of one group their
            sentences with the words of the tab's label.
        tables: The tables.
        heading_rows: The sentences that are heading rows.
    """

    groups: Integers
    above: tuple[tuple[int, ...], ...]
    headings: NDArray[np.bool_]
    keys: tuple[Mapping[int, frozenset[str]], ...]
    tables: tuple[PageTable, ...]
    heading_rows: frozenset[int]

    @cached_property
    def rows(self) -> dict[int, tuple[int, PageTable]]:
        """Sentence number of each body row → the number of its table, and the table."""
        return {row: one for one in enumerate(self.tables) for row in one[1].rows}

    @cached_property
    def places(self) -> tuple[Integers, Integers]:
        """First and last sentence of each possible passage, in order."""
        starts = np.arange(len(self.groups))
        lasts = np.minimum(starts[:, None] + np.arange(LONGEST), len(starts) - 1)
        is_place = self.groups[lasts] == self.groups[:, None]
        is_place[:, 1:] &= lasts[:, 1:] > lasts[:, :-1]
        firsts = np.broadcast_to(starts[:, None], lasts.shape)
        return firsts[is_place], lasts[is_place]

    @cached_property
    def read_with(self) -> tuple[Integers, Integers, Integers]:
        """The distinct contexts of sentences, the page's first sentence included.

        Returns:
            The sentences of all contexts, concatenated; where each context begins; and the number
            of each sentence's context.
        """
        known: dict[tuple[int, ...], int] = {}
        numbers = [known.setdefault((0, *above), len(known)) for above in self.above]
        flat = [unit for above in known for unit in above]
        starts = np.cumsum([0, *map(len, known)])[: len(known)]
        return np.array(flat, np.int64), starts, np.array(numbers, np.int64)

    def others(self, *texts: frozenset[str]) -> list[int]:
        """Return the rows and tabs other than the ones that a text, given as its words, names.

        For each table the first text that names a row counts.
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
    """Return the layout of a page."""
    above = list(paths)
    groups: list[_Group] = [()] * len(units)
    rows = defaultdict[int, dict[int, tuple[Span, ...]]](dict)
    columns = defaultdict[int, list[list[Span]]](list)
    headings: dict[int, tuple[int, ...]] = {}
    is_heading = np.zeros(len(units), np.bool_)
    leads: dict[int, tuple[int, ...]] = {}
    before: tuple[Block, range] | None = None
    tabs = defaultdict[int, dict[int, list[range]]](lambda: defaultdict(list))
    for number, (block, own) in enumerate(_blocks(reading, units)):
        if block.tab is not None:
            tabs[block.tab[0]][block.tab[1]].append(own)
        if block.list_number >= 0 and block.list_number not in leads:
            leads[block.list_number] = _lead(reading, units, paths, before, own, leads)
        context = leads.get(block.list_number, ())
        if block.kind == "row" and block.row == 0:
            headings[block.table] = (*headings.get(block.table, ()), own[0])
            columns[block.table].append(reading.plain.cells(block))
        elif block.kind == "row":
            context = (*context, *headings.get(block.table, ()))
            rows[block.table][own[0]] = tuple(reading.plain.cells(block))
        is_heading[own.start : own.stop] = block.kind == "heading" or block.row == 0
        for unit in own:
            above[unit] = (*paths[unit], *context)
            groups[unit] = _group(block, number, paths[unit])
        before = block, own
    tables = [_table(reading, own, columns[number]) for number, own in rows.items()]
    named = [_distinctive(_row_keys(reading, table)) for table in tables]
    named += [_labels(units, own) for own in tabs.values()]
    changes = [group != last for last, group in zip([(), *groups], groups, strict=False)]
    return Layout(
        np.cumsum(np.array(changes, np.int64)),
        tuple(above),
        is_heading,
        tuple(_keyed(rows) for rows in named if any(rows.values())),
        tuple(tables),
        frozenset(unit for own in headings.values() for unit in own),
    )


def _blocks(reading: Reading, units: Units) -> Iterator[tuple[Block, range]]:
    """Yield the blocks with sentences, each with their numbers."""
    for block in reading.plain.blocks:
        own = units.numbers(block.start, block.end)
        if own:
            yield block, own


def _group(block: Block, number: int, path: tuple[int, ...]) -> _Group:
    """Return the group of sentences that may form one passage."""
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
    """Return the sentences that lead in to a list: one, or two for a nested list."""
    if before is None:
        return ()
    block, last = before[0], before[1][-1]
    if block.kind not in _LEADING or paths[last] != paths[own[0]]:
        return ()
    leads_in = reading.plain.text[units.starts[last] : block.end].rstrip().endswith(":")
    if not leads_in and len(before[1]) > 1:
        return ()
    return (*leads.get(block.list_number, ())[-1:], last)


def _table(
    reading: Reading, rows: Mapping[int, tuple[Span, ...]], headings: Sequence[Sequence[Span]]
) -> PageTable:
    """Return a table whose key is the first of `_KEYS` that is distinct in each row."""
    width = max(map(len, (*rows.values(), *headings)))
    above = tuple(
        tuple(
            row[column]
            for row in headings
            if column < len(row) and row[column].start < row[column].end
        )
        for column in range(width)
    )
    keys = (key for key in _KEYS if max(key) < width and _tells_apart(reading, rows, key))
    return PageTable(above, rows, next(keys, _KEYS[0]))


def _tells_apart(
    reading: Reading, rows: Mapping[int, tuple[Span, ...]], columns: tuple[int, ...]
) -> bool:
    """Return whether columns name the rows: distinct, and mostly no bare numbers."""
    cells = [[row[column] for column in columns if column < len(row)] for row in rows.values()]
    keys = [_words(reading, own) for own in cells]
    numbers = (
        sum(all(word[1:].isdigit() for word in _words(reading, own[at : at + 1])) for own in cells)
        for at in range(len(columns))
    )
    return len(set(keys)) == len(keys) and all(2 * count <= len(keys) for count in numbers)


def _row_keys(reading: Reading, table: PageTable) -> dict[int, frozenset[str]]:
    """Return the words that name each row: those outside brackets, where they tell rows apart."""
    cells = {row: table.named_by(row) for row in table.rows}
    keys = {row: _words(reading, own) for row, own in cells.items()}
    short = {row: _words(reading, _outside_brackets(reading, own)) for row, own in cells.items()}
    counts = Counter(short.values())
    return {
        row: short[row] if short[row] and counts[short[row]] == 1 else keys[row] for row in keys
    }


def _outside_brackets(reading: Reading, cells: Iterable[Span]) -> Iterator[Span]:
    """Yield each cell up to its first bracket."""
    for cell in cells:
        bracket = reading.plain.text.find("(", cell.start, cell.end)
        yield Span(cell.start, bracket) if bracket >= 0 else cell


def _words(reading: Reading, cells: Iterable[Span]) -> frozenset[str]:
    """Return the content words of some cells."""
    tokens = reading.tokens
    numbers = (number for cell in cells for number in tokens.content(cell.start, cell.end))
    return frozenset(tokens.keys[number] for number in numbers)


def _labels(units: Units, tabs: Mapping[int, Sequence[range]]) -> dict[int, frozenset[str]]:
    """Return the label's words for each sentence in a tab."""
    labels = _distinctive(
        {
            tab: frozenset(units.words[word] for word in units.of(own[0][0]).tolist())
            for tab, own in tabs.items()
        }
    )
    return {unit: labels[tab] for tab, own in tabs.items() for part in own for unit in part}


def _distinctive(keys: Mapping[int, frozenset[str]]) -> dict[int, frozenset[str]]:
    """Return the distinctive words of each key; none for long keys.

    Words of most keys do not count: "contract" in a table of contracts.
    """
    counts = Counter(word for key in keys.values() for word in key)
    common = {word for word, count in counts.items() if 2 * count > len(keys) > 2}
    return {
        row: (key - common or key) if len(key) <= MAX_KEY_WORDS else frozenset()
        for row, key in keys.items()
    }


def _keyed(rows: Mapping[int, frozenset[str]]) -> Mapping[int, frozenset[str]]:
    """Return the rows of a table with their keys; a row without one has a key that none names."""
    return {row: key or frozenset({""}) for row, key in rows.items()}
