"""A page that was read as bytes, and back: one string, and one row of whole numbers.

Nothing in it is executed. Whatever its bytes say, reading takes time and memory in proportion to
their number, and gives a page of which no number points outside it, or a `ValueError`.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.words import FLAGS, PreparedPage, Side
from klopt.matching.units import Integers, Units
from klopt.reading.components import Component
from klopt.reading.guides import Guide, Step
from klopt.reading.reader import LanguageVote, Reading
from klopt.reading.text import Block, Mark, PlainText, Span
from klopt.reading.tokens import Kind, Tokens

_Columns: TypeAlias = Sequence[Sequence[int] | Integers]

_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "jumps": ("text", "any"),
    "blocks": ("strings", "text", "text", "any", "flag", "any", "any", "any", "any", "any"),
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
}
"""The columns of numbers, in groups of one length; each with what bounds it from above."""
_OF_BLOCKS: Final = (
    *(("list_number", 1), ("ordered", 0), ("item_number", 1), ("depth", 0), ("level", 0)),
    *(("table", 1), ("row", 1)),
)
"""The numbers of a block in its own order, each with what makes it 0 or more."""
_FIXED: Final = {"any": 1 << 32, "flag": 2, "flags": 1 << len(FLAGS), "kinds": len(Kind)}
_BOUNDS: Final = tuple(chain.from_iterable(_GROUPS.values()))
_WIDTHS: Final = np.array([len(bounds) for bounds in _GROUPS.values()])
_PIECES: Final = np.array([0, 16, 32, 48])
"""Where the bits of `klopt.comparing.words.QUALIFIERS` are cut, so that they fit in 16."""
_TEXTS: Final = 3
_HEAD: Final = 2 + _TEXTS + len(_GROUPS)
_END: Final = "\0"
"""Ends each string; no plain text has it, and no pattern."""
_SURROGATES: Final = "surrogatepass"
"""Half of a character that a source may have is kept as it is."""


class BadRecordError(ValueError):
    """The bytes are no page."""


def record_of(index: PreparedPage) -> bytes:
    """A page as bytes, the same on every machine."""
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
            *_spans(plain.blocks),
            *([getattr(block, name) + more for block in plain.blocks] for name, more in _OF_BLOCKS),
        ],
        "marks": [known(mark.kind for mark in plain.marks), *_spans(plain.marks)],
        "sentences": _spans(reading.sentences),
        "components": [
            known(component.key for component in reading.components),
            *_spans(reading.components),
            known(component.kind for component in reading.components),
            known(component.entry for component in reading.components),
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
    texts = (
        plain.source,
        plain.text,
        json.dumps([vote.language, vote.shares, vote.reason, vote.other]),
    )
    lengths = [len(group[0]) for group in groups.values()]
    head = np.array([size, len(strings), *map(len, texts), *lengths], "<u4")
    blob = "".join([*texts, *(f"{text}{_END}" for text in strings)])
    return b"".join(
        (head.tobytes(), numbers.astype(f"<u{size}").tobytes(), blob.encode(errors=_SURROGATES))
    )


def page_of(record: bytes, language: str) -> PreparedPage:
    """The page of a record."""
    try:
        return _page(record, language)
    except (ValueError, IndexError, TypeError, OverflowError, RecursionError) as error:
        raise BadRecordError(f"not a page: {error}") from None


def source_of(record: bytes) -> str:
    """The text of a record's page as it came in, and nothing else."""
    try:
        (source, *_), _ = _texts(record, *_head(record)[:2])
    except (ValueError, IndexError) as error:
        raise BadRecordError(f"not a page: {error}") from None
    return source


def _head(record: bytes) -> tuple[Integers, int, NDArray[Any]]:
    """The lengths, where the numbers end, and the numbers."""
    head = np.frombuffer(record, "<u4", _HEAD).astype(np.int64)
    count, size = int(head[2 + _TEXTS :] @ _WIDTHS), int(head[0])
    if size not in (2, 4) or count * size > len(record):
        raise ValueError("it has fewer numbers than it says")
    return head, 4 * _HEAD + count * size, np.frombuffer(record, f"<u{size}", count, 4 * _HEAD)


def _texts(record: bytes, head: Integers, at: int) -> tuple[list[str], list[str]]:
    """The long texts, and the strings."""
    text = record[at:].decode(errors=_SURROGATES)
    texts: list[str] = []
    start = 0
    for length in head[2 : 2 + _TEXTS].tolist():
        texts.append(text[start : start + length])
        start += length
    strings = text[start:].split(_END)
    if len(strings) != head[1] + 1 or start > len(text):
        raise ValueError("its texts are cut off")
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
    steps_on[jumps] = steps.astype(np.uint32).view(np.int32)  # a cell may stand before what is read
    origins = np.cumsum(steps_on) - 1
    if not 0 <= origins.min() <= origins.max() <= len(source):
        raise ValueError("it leads back to outside its source")
    kinds, starts, ends, *others = listed("blocks")
    numbers_of = {
        name: [number - more for number in column]
        for (name, more), column in zip(_OF_BLOCKS, others, strict=True)
    }
    numbers_of["ordered"] = list(map(bool, numbers_of["ordered"]))
    blocks = map(Block, spelled(kinds), starts, ends, *numbers_of.values())
    kinds, starts, ends = listed("marks")
    marks = map(Mark, spelled(kinds), starts, ends)  # type: ignore[arg-type]
    plain = PlainText(source, text, array("q", origins.tobytes()), tuple(blocks), tuple(marks))
    keys, starts, ends, kinds, entries = listed("components")
    shown = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    components = map(
        Component, shown, spelled(keys), starts, ends, spelled(kinds), spelled(entries)
    )
    keys, starts, ends, kinds, stops = (column.tolist() for column in group["tokens"][:5])
    tokens = Tokens(tuple(spelled(keys)), tuple(starts), tuple(ends), bytes(kinds), bytes(stops))
    reading = Reading(
        plain,
        language,
        tuple(map(Span, *listed("sentences"))),
        tuple(components),
        _guides(text, listed("guides"), listed("steps"), spelled(listed("step_keys")[0])),
        tuple(map(Span, *listed("fillers"))),
        tokens,
    )
    chosen, shares, reason, other = json.loads(voted)
    reading.__dict__["vote"] = LanguageVote(chosen, tuple(map(tuple, shares)), reason, other)
    words, counts, weights = group["words"]
    starts, ends, _, conditional, path_lengths = listed("units")
    units = Units(
        tuple(spelled(words.tolist())),
        tuple(starts),
        tuple(ends),
        group["unit_tokens"][0],
        group["units"][2],
        group["sequence"][0],
        bytes(conditional),
    )
    return PreparedPage(
        reading,
        units,
        counts,
        weights,
        group["title"][0],
        group["headings"][0],
        group["solution"][0],
        tuple(map(tuple, _cut(listed("paths")[0], path_lengths))),
        _side(strings, group),
    )


def _bounded(numbers: NDArray[Any], lengths: Integers, limits: Mapping[str, int]) -> list[Integers]:
    """The columns, once each number of each is below its limit."""
    ends = np.cumsum(lengths)
    highest = np.maximum.reduceat(np.append(numbers, 0), ends - lengths)
    highest[lengths == 0] = 0
    below = np.array([limits[name] for name in _BOUNDS])
    if ((highest >= below) & (lengths > 0)).any():
        raise ValueError("a number in it points outside")
    wide = numbers.astype(np.int64)
    bounds = zip((ends - lengths).tolist(), ends.tolist(), strict=True)
    return [wide[start:end] for start, end in bounds]


def _side(strings: list[str], group: Mapping[str, list[Integers]]) -> Side:
    ids, starts, ends, _, _, flags, sentences = group["tokens"]
    qualified, *pieces = group["qualified"]
    qualifiers = np.zeros(len(ids), np.int64)
    qualifiers[qualified] = (np.array(pieces) << _PIECES[:, None]).sum(axis=0)
    return Side(
        tuple(strings[: int(ids.max(initial=-1)) + 1]),
        ids,
        (flags[:, None] >> np.arange(len(FLAGS)) & 1).astype(np.float32),
        starts,
        ends,
        sentences,
        qualifiers,
    )


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
    """Items one after the other, so many at a time."""
    pieces, start = [], 0
    for count in counts:
        pieces.append(items[start : start + count])
        start += count
    if start != len(items):
        raise ValueError("what belongs together is cut off")
    return pieces


def _spans(items: Sequence[Any]) -> _Columns:
    return [[item.start for item in items], [item.end for item in items]]
