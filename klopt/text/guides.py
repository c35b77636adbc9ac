"""Step-by-step guides in a text.

A guide is two or more steps: the items of a list, numbered lines, or lines that follow one
another and each begin by telling the reader to do something ("Klik op: Nieuw"). Not every list
is one. A numbered list is a guide when at least half of its items tell the reader to do
something, since steps such as "Er wordt een venster geopend" do not; a list of facts, causes or
files is none. A bulleted list and unnumbered lines are one only when every item begins with such
a verb.

Whatever stands under an item (a second paragraph, a nested list, a block of code) belongs to its
step; a guide nested in a list that is no guide itself is found on its own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from klopt.lexicons import Lexicon
from klopt.text.components import Component
from klopt.text.plain import Block, PlainText, Span

FEWEST_STEPS: Final = 2
NUMBERED_ACTION_SHARE: Final = 0.5
"""Share of the items of a numbered list that must be instructions."""
OPENING: Final = "imperative"
"""The pattern of steps that begin with an instruction."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    Attributes:
        start: First plain character, after a number that is part of the text.
        end: After the last plain character, with what is nested in the step.
        text: The plain text between.
        components: The keys of its components, in order; one that is named twice is there twice.
    """

    start: int
    end: int
    text: str
    components: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Guide:
    """Steps that belong together, at least `FEWEST_STEPS`, in order.

    Attributes:
        steps: The steps.
        start: First plain character, with its number if that is part of the text.
        end: After the last plain character.
    """

    steps: tuple[Step, ...]
    start: int
    end: int


@dataclass(slots=True)
class _Item:
    """A step in the making; ``end`` moves on while more belongs to it."""

    start: int  # with a number that is part of the text
    text_start: int  # after that number
    first_end: int  # of the first paragraph, which says whether it is a step
    end: int


def find_guides(
    plain: PlainText,
    sentences: Sequence[Span],
    components: Sequence[Component],
    lexicon: Lexicon,
) -> tuple[Guide, ...]:
    r"""Return the guides of a text, in order, not overlapping.

    Unnumbered lines are steps only when they are one sentence; of the lexicon ``guides``,
    ``numbered_step`` is matched where a line starts and ``step_verb`` against the text of a step.

    >>> from klopt import lexicons
    >>> from klopt.text.building import read_plain
    >>> plain = read_plain("Zo doet u dat:\n1. Open het contract.\n2. Klik op Nieuw.")
    >>> found = find_guides(plain, (), (), lexicons.load("nl")["guides"])
    >>> [step.text for step in found[0].steps]
    ['Open het contract.', 'Klik op Nieuw.']
    """
    starts = [component.start for component in components]
    guides: list[Guide] = []
    end = 0
    for items in _candidates(plain, sentences, lexicon):
        if len(items) < FEWEST_STEPS or items[0].start < end:
            continue
        end = items[-1].end
        steps = []
        for item in items:
            first, last = bisect_left(starts, item.start), bisect_left(starts, item.end)
            keys = tuple(component.key for component in components[first:last])
            text = plain.text[item.text_start : item.end]
            steps.append(Step(item.text_start, item.end, text, keys))
        guides.append(Guide(tuple(steps), items[0].start, end))
    return tuple(guides)


def _candidates(
    plain: PlainText, sentences: Sequence[Span], lexicon: Lexicon
) -> Iterator[list[_Item]]:
    """The lists and runs of lines that are guides by their verbs, in order of their start."""
    lists, list_ends = _lists(plain.blocks)
    seen: set[int] = set()
    index = 0
    while index < len(plain.blocks):
        block = plain.blocks[index]
        if block.list_number >= 0:
            items, is_guide = lists[block.list_number], False
            if block.list_number not in seen:
                seen.add(block.list_number)
                is_guide = _is_guide(plain.text, items, lexicon, is_numbered=block.ordered)
            following = list_ends[block.list_number] if is_guide else index + 1
        else:
            items, following = _numbered_lines(plain, index, lexicon)
            is_guide = _is_guide(plain.text, items, lexicon, is_numbered=True)
            if not is_guide:
                items, following = _lines(plain, index, sentences, lexicon)
                is_guide = bool(items)
        if is_guide:
            yield items
        index = following


def _lists(blocks: Sequence[Block]) -> tuple[Mapping[int, list[_Item]], Mapping[int, int]]:
    """For each list its items with all that is nested in them, and the block after its end."""
    lists: dict[int, list[_Item]] = {}
    ends: dict[int, int] = {}
    numbers: dict[int, int] = {}
    open_lists: list[tuple[int, int]] = []  # (depth, list number), outermost first
    for index, block in enumerate(blocks):
        while open_lists and (
            open_lists[-1][0] > block.depth
            or (open_lists[-1][0] == block.depth and open_lists[-1][1] != block.list_number)
        ):
            open_lists.pop()
        if block.list_number >= 0 and (block.depth, block.list_number) not in open_lists[-1:]:
            open_lists.append((block.depth, block.list_number))
        for _, number in open_lists:
            items = lists.setdefault(number, [])
            ends[number] = index + 1
            if number == block.list_number and numbers.get(number) != block.item_number:
                numbers[number] = block.item_number
                items.append(_Item(block.start, block.start, block.end, block.end))
            elif items:
                items[-1].end = block.end
    return lists, ends


def _is_guide(text: str, items: Sequence[_Item], lexicon: Lexicon, *, is_numbered: bool) -> bool:
    if len(items) < FEWEST_STEPS:
        return False
    if not is_numbered:
        return all(_is_action(text, item, lexicon, only=OPENING) for item in items)
    actions = sum(_is_action(text, item, lexicon) for item in items)
    return actions >= NUMBERED_ACTION_SHARE * len(items)


def _is_action(text: str, item: _Item, lexicon: Lexicon, *, only: str | None = None) -> bool:
    """Whether a step is an instruction."""
    step = text[item.text_start : item.first_end]
    return lexicon.first("step_verb", step, only=only) is not None


def _number(line: str, lexicon: Lexicon) -> tuple[str, int, int] | None:
    """Pattern, number and length of the number at the start of a line."""
    for pattern in lexicon.group("numbered_step"):
        if (match := pattern.match_start(line)) is not None:
            number = match["number"]
            value = int(number) if number.isdecimal() else ord(number.lower()) - ord("a") + 1
            return pattern.id, value, match.end()
    return None


def _numbered_lines(plain: PlainText, index: int, lexicon: Lexicon) -> tuple[list[_Item], int]:
    """Lines numbered 1, 2, 3 ... from a block on; lines between belong to the step before."""
    items: list[_Item] = []
    following, style = index + 1, ""
    for at in range(index, len(plain.blocks)):
        block = plain.blocks[at]
        number = _number(plain.text[block.start : block.end], lexicon)
        if number is None:
            if not items:
                break
            continue
        if number[1] != len(items) + 1 or (items and number[0] != style):
            break
        if items:
            items[-1].end = plain.blocks[at - 1].end
        style = number[0]
        items.append(_Item(block.start, block.start + number[2], block.end, block.end))
        following = at + 1
    return items, following


def _lines(
    plain: PlainText, index: int, sentences: Sequence[Span], lexicon: Lexicon
) -> tuple[list[_Item], int]:
    """Unnumbered lines from a block on, each one sentence that begins with an instruction."""
    items: list[_Item] = []
    for at in range(index, len(plain.blocks)):
        block = plain.blocks[at]
        item = _Item(block.start, block.start, block.end, block.end)
        if (
            block.kind != "paragraph"
            or block.tab != plain.blocks[index].tab
            or not _is_action(plain.text, item, lexicon, only=OPENING)
        ):
            break
        first, last = (bisect_left(sentences, Span(at, 0)) for at in (block.start, block.end))
        if last - first > 1:
            break
        items.append(item)
    if len(items) < FEWEST_STEPS:
        return [], index + 1
    return items, index + len(items)
