"""Marks as they travel: ``⟦1⟧`` goes out as ``[X1X]``, which translators leave alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_MARK: Final = re.compile(r"⟦([1-9]\d{0,3})⟧", re.ASCII)
_HALF: Final = re.compile(r"[\ud800-\udfff]")
_FULL_WIDTH: Final = 0xFEE0
"""From a character to its full-width form, for ``!`` to ``~``."""


@dataclass(frozen=True, slots=True)
class Mark:
    """How marks travel: opening, letter, number, letter, closing.

    Attributes:
        opening: One character before, such as ``[``.
        letter: One ASCII letter on both sides of the number.
        closing: One character after.
    """

    opening: str
    letter: str
    closing: str


def to_wire(text: str, mark: Mark) -> tuple[str, Mark]:
    """The text with its marks as they travel, and how they do.

    Where the text itself holds what looks like a mark, the letter is doubled until nothing does.
    Half characters (surrogates), which cannot be sent, are U+FFFD.

    >>> to_wire("Klik op ⟦1⟧.", Mark("[", "X", "]"))
    ('Klik op [X1X].', Mark(opening='[', letter='X', closing=']'))
    >>> to_wire("Klik op ⟦1⟧, niet op [x1x].", Mark("[", "X", "]"))[0]
    'Klik op [XX1XX], niet op [x1x].'
    """
    text, own = _HALF.sub("\ufffd", text), mark
    while True:
        wired = _MARK.sub(rf"{own.opening}{own.letter}\1{own.letter}{own.closing}", text)
        if from_wire(wired, own) == text:
            return wired, own
        own = Mark(mark.opening, own.letter + mark.letter, mark.closing)


def from_wire(text: str, mark: Mark) -> str:
    """The text with its marks as they were.

    Read are: capitals and small letters, blanks inside the brackets, full-width characters. A mark
    without a bracket or a letter is none; nothing is guessed.

    >>> from_wire("Click [x 1X ].", Mark("[", "X", "]"))
    'Click ⟦1⟧.'
    >>> from_wire("Click [1] or (X1X).", Mark("[", "X", "]"))
    'Click [1] or (X1X).'
    """
    word = r"[^\S\n]*".join(map(_forms, mark.letter))
    opening, closing = _forms(mark.opening), _forms(mark.closing)
    blanks = r"[^\S\n]*"
    pattern = rf"{opening}{blanks}{word}{blanks}(\d{{1,4}}){blanks}{word}{blanks}{closing}"
    return re.sub(pattern, lambda match: f"⟦{int(match[1])}⟧", text)


def _forms(character: str) -> str:
    """A class of what a character may come back as."""
    forms = {character.upper(), character.lower()}
    forms |= {chr(ord(one) + _FULL_WIDTH) for one in forms}
    return f"[{''.join(map(re.escape, sorted(forms)))}]"
