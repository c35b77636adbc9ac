"""Fake translators and cache entries."""

import re
from collections.abc import Callable, Iterable, Sequence

from klopt.translation import CacheEntry
from klopt.translation.masks import MARKER

PIECES = (
    "Klik ", "op ", "**Opslaan** ", "**A. B** ", "5 ", "a. ", "B! ", "`x. Y` ", "\n\n", "\r\n",
    "\n- ", "\n  - ", "\n1. ", "\n# ", "\n```\nx. Y\n```\n", "> ", "<p>", "</p>", "<br>", "⟦1⟧",
    "\n| a | **b** |\n|---|---|\n| 1 | c. D. |\n\n", "<table><tr><td>Ja. Nee.</td></tr>",
    "</table>", "<kbd>F2</kbd>", "&amp;", "&#x27e6;", "\u200b", "e\u0301", "😀", "\ud800",
    "[hulp](x.md) ", "https://wadlinde.example ",
)  # fmt: skip
"""Pieces of Markdown and HTML."""
_PIECE = re.compile(r"⟦\d+⟧|[^\W\d_]+")


def english(text: str) -> str:
    """Text that reads like English and keeps every placeholder, with the words spelled backwards.

    >>> english("Klik op ⟦1⟧.")
    'It is the one: kilks pos ⟦1⟧.'
    """
    return "It is the one: " + _PIECE.sub(lambda match: _turned(match[0]), text)


def turned_around(text: str) -> str:
    """Text that reads like English, with its words in reverse order.

    >>> turned_around("Klik op ⟦1⟧ of ⟦2⟧.")
    'It is that: ⟦2⟧ fos ⟦1⟧ pos kilks.'
    """
    words = [_turned(word) for word in _PIECE.findall(text)]
    return f"It is that: {' '.join(reversed(words))}."


def _turned(word: str) -> str:
    return word if MARKER.fullmatch(word) else f"{word[::-1].lower()}s"


class Fake:
    """A translator that calls a function, and stores the requested batches.

    Args:
        translate: Returns the translation of a text, or raises an error.
        name: The name in the fingerprint.
    """

    destination = "nowhere.example"

    def __init__(self, translate: Callable[[str], str] = english, name: str = "fake") -> None:
        self.name = name
        self.batches: list[list[str]] = []
        self._translate = translate

    @property
    def texts(self) -> list[str]:
        """All requested texts, in order."""
        return [text for batch in self.batches for text in batch]

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        self.batches.append(list(texts))
        return [self._translate(text) for text in texts]


def entries(pairs: Iterable[tuple[str, str]], source: str = "nl") -> list[CacheEntry]:
    """Cache entries of sentences with their English translation."""
    return [CacheEntry(source, "en", *pair) for pair in pairs]
