"""Serialise a page that was read: one string and one array of integers.

Nothing in a record is executed. For any bytes, reading takes time and memory linear in their
number, and returns a page whose numbers all point inside it, or raises `BadRecordError`.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt.lexicons import Lexicons
from klopt.text.components import Component
from klopt.text.guides import Guide, Step
from klopt.text.language import LanguageVote
from klopt.text.plain import Block, Mark, PlainText, Span
from klopt.text.reader import Reading
from klopt.text.tokens import Tokens
from klopt.text.values import Kind
from klopt.types import Page, PageFormat
from klopt.verification.units import Integers, Units
from klopt.verification.words import FLAGS, PreparedPage, Side

_Columns: TypeAlias = Sequence[Sequence[int] | Integers]

_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "jumps": ("text", "any"),
    "blocks": ("strings", "text", "text", "any", "flag", *("any",) * 7),
    "marks": ("strings", "text", "text"),
    "sentences": ("text", "text"),
    "components": ("strings", "text", "text", "strings", "strings"),
    "guides": ("text", "text", "any"),
    "steps": ("text", "text", "any"),
    "step_keys": ("strings",),
    "fillers": ("text", "text"),
    "tokens": ("strings", "text", "text", "kinds", "flag", "flags", "sentences"),
    "qualified": ("tokens", "any", "any", "any", "any"),
    "words": ("strings", "any", "any"),
    "units": ("text", "text", "unit_tokens", "flag", "any"),
    "unit_tokens": ("words",),
    "sequence": ("words",),
    "title": ("words",),
    "headings": ("words",),
    "solution": ("words",),
    "paths": ("units",),
}  # The columns of integers, in groups of equal length; each column with its upper bound
_FIXED: Final = {"any": 1 << 32, "flag": 2, "flags": 1 << len(FLAGS), "kinds": len(Kind)}
_BOUNDS: Final = tuple(chain.from_iterable(_GROUPS.values()))
_WIDTHS: Final = np.array([len(bounds) for bounds in _GROUPS.values()])
_PIECES: Final = np.array([0, 16, 32, 48])  # of 16 bits, of `QUALIFIERS`
_TEXTS: Final = 3
_HEAD: Final = 2 + _TEXTS + len(_GROUPS)
_END: Final = "\0"  # Terminates each string; it occurs in no plain text and no pattern
_SURROGATES: Final = "surrogatepass"  # Lone surrogates in a source are kept


class BadRecordError(ValueError):
    """The bytes are not a record of a page."""


def record_of(index: PreparedPage) -> bytes:
    """Return a page as bytes, the same on every machine."""
    reading, units, side = index.reading, index.units, index.side
    plain, tokens = reading.plain, reading.tokens
    strings = {word: number for number, word in enumerate(side.words)}

    def known(texts: Iterable[str]) -> list[int]:
        return [strings.setdefault(text, len(strings)) for text in texts]

    origins = np.array(plain.origins, np.int64)
    steps_on = np.diff(origins, prepend=-1)
    jumps = np.flatnonzero(steps_on != 1)
    steps = [step for guide in reading.guides for step in guide.steps]
    qualified = np.flatnonzero(side.qualifiers)
    groups: dict[str, _Columns] = {
        "jumps": [jumps, steps_on[jumps]],
        "blocks": [
            known(block.kind for block in plain.blocks),
            *np.array(list(map(_block_numbers, plain.blocks)), np.int64).reshape(-1, 11).T,
        ],
        "marks": [known(mark.kind for mark in plain.marks), *_spans(plain.marks)],
        "sentences": _spans(reading.sentences),
        "components": [
            known(one.key for one in reading.components),
            *_spans(reading.components),
            known(one.kind for one in reading.components),
            known(one.entry for one in reading.components),
        ],
        "guides": [*_spans(reading.guides), [len(guide.steps) for guide in reading.guides]],
        "steps": [*_spans(steps), [len(step.components) for step in steps]],
        "step_keys": [known(key for step in steps for key in step.components)],
        "fillers": _spans(reading.fillers),
        "tokens": [
            *(side.ids, tokens.starts, tokens.ends, list(tokens.kinds), list(tokens.stops)),
            (side.flags.astype(np.int64) << np.arange(len(FLAGS))).sum(axis=1),
            side.sentences,
        ],
        "qualified": [qualified, *(side.qualifiers[qualified] >> _PIECES[:, None] & 0xFFFF)],
        "words": [known(units.words), index.counts, index.weights],
        "units": [
            *(units.starts, units.ends, units.offsets, list(units.conditional)),
            list(map(len, index.paths)),
        ],
        "unit_tokens": [units.tokens],
        "sequence": [units.sequence],
        "title": [index.title],
        "headings": [index.headings],
        "solution": [index.solution],
        "paths": [list(chain.from_iterable(index.paths))],
    }
    columns = [np.asarray(column, np.uint32) for group in groups.values() for column in group]
    numbers = np.concatenate(columns)
    size = 2 if numbers.max(initial=0) < 1 << 16 else 4
    vote = reading.vote
    voted = json.dumps([vote.language, vote.shares, vote.reason, vote.other])
    texts = (plain.source, plain.text, voted)
    lengths = [len(group[0]) for group in groups.values()]
    head = np.array([size, len(strings), *map(len, texts), *lengths], "<u4")
    blob = "".join([*texts, *(f"{text}{_END}" for text in strings)])
    return head.tobytes() + numbers.astype(f"<u{size}").tobytes() + blob.encode(errors=_SURROGATES)


def page_of(record: bytes, language: str) -> PreparedPage:
    """Return the page of a record, or raise `BadRecordError`."""
    try:
        return _page(record, language)
    except (ValueError, IndexError, TypeError, OverflowError, RecursionError) as error:
        raise BadRecordError(f"not a page: {error}") from None


def source_of(record: bytes) -> str:
    """Return only the source text of a record's page, or raise `BadRecordError`."""
    try:
        (source, *_), _ = _texts(record, *_head(record)[:2])
    except (ValueError, IndexError) as error:
        raise BadRecordError(f"not a page: {error}") from None
    return source


def _head(record: bytes) -> tuple[Integers, int, NDArray[Any]]:
    """The lengths of the columns, the position after the integers, and the integers."""
    head = np.frombuffer(record, "<u4", _HEAD).astype(np.int64)
    count, size = int(head[2 + _TEXTS :] @ _WIDTHS), int(head[0])
    if size not in (2, 4) or count * size > len(record):
        raise ValueError("it has fewer integers than its head states")
    return head, 4 * _HEAD + count * size, np.frombuffer(record, f"<u{size}", count, 4 * _HEAD)


def _texts(record: bytes, head: Integers, at: int) -> tuple[list[str], list[str]]:
    text = record[at:].decode(errors=_SURROGATES)
    texts: list[str] = []
    start = 0
    for length in head[2 : 2 + _TEXTS].tolist():
        texts.append(text[start : start + length])
        start += length
    strings = text[start:].split(_END)
    if len(strings) != head[1] + 1 or start > len(text):
        raise ValueError("its texts are truncated")
    return texts, strings


def _page(record: bytes, language: str) -> PreparedPage:
    head, at, numbers = _head(record)
    (source, text, voted), strings = _texts(record, head, at)
    lengths = dict(zip(_GROUPS, head[2 + _TEXTS :].tolist(), strict=True))
    limits = {**lengths, **_FIXED, "source": len(source) + 2, "text": len(text) + 1}
    limits |= {"strings": len(strings) - 1, "sentences": lengths["sentences"] + 1}
    columns = _bounded(numbers, np.repeat(list(lengths.values()), _WIDTHS), limits)
    group = {}
    for name, bounds in _GROUPS.items():
        group[name] = columns[: len(bounds)]
        del columns[: len(bounds)]

    def listed(name: str) -> list[list[int]]:
        return [column.tolist() for column in group[name]]

    def spelled(column: Sequence[int]) -> list[str]:
        return [strings[number] for number in column]

    steps_on = np.ones(len(text) + 1, np.int64)
    jumps, steps = group["jumps"]
    # A step can be negative: a table cell can precede the text read before it.
    steps_on[jumps] = steps.astype(np.uint32).view(np.int32)
    origins = np.cumsum(steps_on) - 1
    if not 0 <= origins.min() <= origins.max() <= len(source):
        raise ValueError("an offset lies outside its source")
    kinds, *others = listed("blocks")
    blocks = tuple(map(_block, spelled(kinds), *others))
    kinds, starts, ends = listed("marks")
    marks = map(Mark, spelled(kinds), starts, ends)  # type: ignore[arg-type]
    plain = PlainText(source, text, array("q", origins.tobytes()), blocks, tuple(marks))
    keys, starts, ends, kinds, entries = listed("components")
    shown = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    found = map(Component, shown, spelled(keys), starts, ends, spelled(kinds), spelled(entries))
    keys, starts, ends, kinds, stops = (column.tolist() for column in group["tokens"][:5])
    tokens = Tokens(tuple(spelled(keys)), tuple(starts), tuple(ends), bytes(kinds), bytes(stops))
    sentences, fillers = (tuple(map(Span, *listed(name))) for name in ("sentences", "fillers"))
    reading = Reading(plain, Lexicons(language, {}), sentences, tuple(found), tokens)
    chosen, shares, reason, other = json.loads(voted)
    reading.__dict__.update(
        vote=LanguageVote(chosen, tuple(map(tuple, shares)), reason, other),
        guides=_guides(text, listed("guides"), listed("steps"), spelled(listed("step_keys")[0])),
        fillers=fillers,
    )
    words, counts, weights = group["words"]
    starts, ends, _, conditional, path_lengths = listed("units")
    unit_tokens, sequence = group["unit_tokens"][0], group["sequence"][0]
    places = tuple(spelled(words.tolist())), tuple(starts), tuple(ends)
    units = Units(*places, unit_tokens, group["units"][2], sequence, bytes(conditional))
    marked = group["title"][0], group["headings"][0], group["solution"][0]
    paths = tuple(map(tuple, _cut(listed("paths")[0], path_lengths)))
    return PreparedPage(reading, units, counts, weights, *marked, paths, _side(strings, group))


def _block_numbers(block: Block) -> tuple[int, ...]:
    """The fields of a block after its kind, each 0 or more."""
    _, start, end, list_number, ordered, item_number, depth, level, table, row, tab = block
    tabs, number = tab or (-1, -1)
    lists = (list_number + 1, ordered, item_number + 1, depth, level)
    return (start, end, *lists, table + 1, row + 1, tabs + 1, number + 1)


def _block(kind: Any, *numbers: int) -> Block:  # noqa: ANN401 - a text of the record
    start, end, list_number, ordered, item_number, depth, level, table, row, tabs, number = numbers
    lists = (list_number - 1, bool(ordered), item_number - 1, depth, level)
    tab = (tabs - 1, number - 1) if tabs else None
    return Block(kind, start, end, *lists, table - 1, row - 1, tab)


def _bounded(numbers: NDArray[Any], lengths: Integers, limits: Mapping[str, int]) -> list[Integers]:
    """The columns, after a check that every number is below its column's limit."""
    ends = np.cumsum(lengths)
    highest = np.maximum.reduceat(np.append(numbers, 0), ends - lengths)
    highest[lengths == 0] = 0
    below = np.array([limits[name] for name in _BOUNDS])
    if ((highest >= below) & (lengths > 0)).any():
        raise ValueError("a number exceeds its limit")
    wide = numbers.astype(np.int64)
    bounds = zip((ends - lengths).tolist(), ends.tolist(), strict=True)
    return [wide[start:end] for start, end in bounds]


def _side(strings: list[str], group: Mapping[str, list[Integers]]) -> Side:
    ids, starts, ends, _, _, flags, sentences = group["tokens"]
    qualified, *pieces = group["qualified"]
    qualifiers = np.zeros(len(ids), np.int64)
    qualifiers[qualified] = (np.array(pieces) << _PIECES[:, None]).sum(axis=0)
    words = tuple(strings[: int(ids.max(initial=-1)) + 1])
    bits = (flags[:, None] >> np.arange(len(FLAGS)) & 1).astype(np.float32)
    return Side(words, ids, bits, starts, ends, sentences, qualifiers)


def _guides(
    text: str, guides: list[list[int]], steps: list[list[int]], keys: list[str]
) -> tuple[Guide, ...]:
    starts, ends, key_counts = steps
    made = [
        Step(start, end, text[start:end], tuple(own))
        for start, end, own in zip(starts, ends, _cut(keys, key_counts), strict=True)
    ]
    starts, ends, step_counts = guides
    return tuple(map(Guide, map(tuple, _cut(made, step_counts)), starts, ends))


def _cut(items: list[Any], counts: Iterable[int]) -> list[list[Any]]:
    """Split items into consecutive pieces of the given lengths."""
    pieces, start = [], 0
    for count in counts:
        pieces.append(items[start : start + count])
        start += count
    if start != len(items):
        raise ValueError("its pieces do not add up")
    return pieces


def _spans(items: Sequence[Any]) -> _Columns:
    return [[item.start for item in items], [item.end for item in items]]


def digest_of(page: Page) -> str:
    """Return the name of a page's record: a hash of its format and text."""
    whole = f"{page.format}\0{page.text}".encode(errors="surrogatepass")
    return hashlib.blake2b(whole, digest_size=16).hexdigest()


class PageRow(NamedTuple):
    """A page in the directory of an index file, with its language and the name of its record."""

    id: str
    title: str | None
    url: str | None
    format: PageFormat
    language: str
    record: str
    is_searched: bool
    heading: str | None

    def with_text(self, text: str) -> Page:
        """Return the page."""
        return Page(text, self.id, self.title, self.url, self.format)
