"""Masks: what no translator may touch is a numbered mark while the text is away."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

import regex

from klopt.lexicons.patterns import Pattern
from klopt.reading.key_terms import Hit, longest
from klopt.reading.key_terms import rules as key_term_rules
from klopt.reading.text import PlainText, Span

MARKER: Final = regex.compile(r"⟦(\d{1,4})⟧")
_WHOLE_MARKS: Final = ("code", "key")


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of plain text as it goes to a translator or is looked up in a memory.

    Attributes:
        start: First plain character.
        end: After the last one.
        text: The stretch with its masked parts as ``⟦1⟧``, ``⟦2⟧`` ...
        masks: What stands at the marks, in plain offsets, in order; their kinds are
            ``component``, ``code``, ``key``, a kind of ``key_terms.toml`` or an id of
            ``masks.toml``.
    """

    start: int
    end: int
    text: str
    masks: tuple[Hit, ...]

    @property
    def has_words(self) -> bool:
        """Whether there is a letter outside the masks; without one nothing is to translate."""
        return any(map(str.isalpha, MARKER.sub("", self.text)))


@dataclass(frozen=True, slots=True)
class Restored:
    """A translated text with its masked parts back.

    Attributes:
        text: The text.
        places: For each mask of the segment that is there, its number from 0 and its place.
    """

    text: str
    places: tuple[tuple[int, Span], ...]


def find_masks(plain: PlainText, names: Iterable[Span] = ()) -> tuple[Hit, ...]:
    """What is to be masked in a text, in order, without overlap.

    Args:
        plain: The text.
        names: The components in it, in plain offsets.

    Raises:
        PatternTimeoutError: A rule took too long on this text.

    >>> from klopt.reading.markup import read_text
    >>> plain = read_text("Klik 2 keer op **Opslaan** in `orl.ini`.")
    >>> names = [Span(mark.start, mark.end) for mark in plain.marks if mark.kind == "strong"]
    >>> [(plain.text[hit.start : hit.end], hit.kind) for hit in find_masks(plain, names)]
    [('2', 'number'), ('Opslaan', 'component'), ('orl.ini', 'code')]
    """
    found = [
        Hit(mark.start, mark.end, mark.kind)
        for mark in plain.marks
        if mark.kind in _WHOLE_MARKS and mark.end > mark.start
    ]
    found += [Hit(name.start, name.end, "component") for name in names]
    for kind, pattern, group in _rules():
        found += [Hit(*match.span(group), kind) for match in pattern.finditer(plain.text)]
    return longest(found)


def segment(plain: PlainText, start: int, end: int, masks: Iterable[Hit]) -> Segment:
    """The stretch with its masks as marks; of a mask that reaches over an end, what is inside."""
    own = tuple(
        Hit(max(start, mask.start), min(end, mask.end), mask.kind)
        for mask in masks
        if mask.start < end and start < mask.end
    )
    parts, place = list[str](), start
    for number, mask in enumerate(own, 1):
        parts += (plain.text[place : mask.start], f"⟦{number}⟧")
        place = mask.end
    parts.append(plain.text[place:end])
    return Segment(start, end, "".join(parts), own)


def faults(translated: str, masks_count: int) -> str | None:
    """What is wrong with the marks of a translated text, or None.

    >>> faults("Click ⟦1⟧.", 1), faults("Click ⟦1⟧ and ⟦1⟧.", 2)
    (None, '⟦1⟧ stands twice, ⟦2⟧ is lost')
    """
    numbers = [int(match[1]) for match in MARKER.finditer(translated)]
    wanted = range(1, masks_count + 1)
    said = [f"⟦{number}⟧ stands twice" for number in wanted if numbers.count(number) > 1]
    said += [f"⟦{number}⟧ is lost" for number in wanted if number not in numbers]
    said += [f"⟦{number}⟧ is invented" for number in sorted(set(numbers) - set(wanted))]
    return ", ".join(said) or None


def has_all_marks(translated: str, masks_count: int) -> bool:
    """Whether each mark is there just once; one that was invented is left out by `restore`.

    >>> has_all_marks("Click ⟦1⟧ ⟦7⟧.", 1), has_all_marks("Click.", 1)
    (True, False)
    """
    numbers = [int(match[1]) for match in MARKER.finditer(translated)]
    return all(numbers.count(number) == 1 for number in range(1, masks_count + 1))


def restore(translated: str, source: Segment, plain: PlainText) -> Restored:
    """A translated text with the masked parts back.

    A mark that is lost is simply not there, and one that was invented is left out: whoever must
    know asks `faults` first.

    Args:
        translated: The translated text, with marks.
        source: What was translated.
        plain: The text that it comes from.
    """
    parts, places = list[str](), list[tuple[int, Span]]()
    length, place = 0, 0
    for match in MARKER.finditer(translated):
        before = translated[place : match.start()]
        place = match.end()
        number = int(match[1]) - 1
        own = source.masks[number] if 0 <= number < len(source.masks) else None
        text = plain.text[own.start : own.end] if own is not None else ""
        parts += (before, text)
        if own is not None:
            at = length + len(before)
            places.append((number, Span(at, at + len(text))))
        length += len(before) + len(text)
    parts.append(translated[place:])
    return Restored("".join(parts), tuple(places))


@cache
def _rules() -> tuple[tuple[str, Pattern, int | str], ...]:
    """Kind, pattern and the group that is masked."""
    table = _table()
    kinds = frozenset(table["masks"]["key_term_kinds"])
    found: list[tuple[str, Pattern, int | str]] = []
    for rule in key_term_rules():
        if rule.kind in kinds:
            named = "term" in rule.pattern.expression.groupindex
            found.append((rule.kind, rule.pattern, "term" if named else 0))
    for entry in table["rule"]:
        hits = tuple(example["text"] for example in entry["hit"])
        pattern = Pattern(
            entry["id"], entry["id"], entry["pattern"], True, 1.0, hits, tuple(entry["miss"])
        )
        found.append((entry["id"], pattern, 0))
    return tuple(found)


def _table() -> dict[str, Any]:
    text = resources.files("klopt.translation").joinpath("masks.toml").read_text("utf-8")
    return tomllib.loads(text)
