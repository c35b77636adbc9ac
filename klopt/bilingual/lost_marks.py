"""Names that the one language sets apart and the other only writes: found again by their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import regex

from klopt.bilingual.glossary import Glossary
from klopt.bilingual.paired_masks import Masked
from klopt.translation.masks import MARKER

FEWEST_CHARS: Final = 3
"""A shorter name is too likely to stand in a text as something else."""

_NAMES: Final = frozenset({"name", "code"})


def mark_lost(text: str, lost: Sequence[tuple[int, Masked]], glossary: Glossary) -> tuple[str, int]:
    """A translation with marks where it writes names of its source as words.

    A help page sets **Bluetooth** apart in Dutch and writes it plainly in English. Without a mark
    the name would stand there as a word of the translation, unlike in other sentences.

    Args:
        text: The translation, with the marks that were paired.
        lost: The masks of the source without a mark, each with its number from 0.
        glossary: What is known of names.

    Returns:
        The text, and how many were found: the name itself, or what the glossary knows it as, where
        it stands just once outside the marks.

    >>> glossary = Glossary.learnt([("opslaan", "save")] * 3)
    >>> mark_lost("Then click Save in Wifi.", [(0, Masked("name", "Opslaan", "opslaan"))], glossary)
    ('Then click ⟦1⟧ in Wifi.', 1)
    """
    found_count = 0
    for number, masked in lost:
        if masked.kind not in _NAMES:
            continue
        known = (masked.text, glossary.known(masked.key))
        for words in filter(None, dict.fromkeys(known)):
            place = _only_place(text, words)
            if place is not None:
                text = f"{text[: place[0]]}⟦{number + 1}⟧{text[place[1] :]}"
                found_count += 1
                break
    return text, found_count


def _only_place(text: str, words: str) -> tuple[int, int] | None:
    """Where the words stand, when they do so once; marks are no words."""
    if len(words) < FEWEST_CHARS or MARKER.search(words):
        return None
    pattern = rf"(?<![\w⟦]){regex.escape(words, special_only=True)}(?![\w⟧])"
    spans = [match.span() for match in regex.finditer(pattern, text, regex.IGNORECASE)]
    return spans[0] if len(spans) == 1 else None
