"""Component names and texts in one spelling, so that the one can be looked up in the other.

Folding a text keeps every character in its place, so an offset in the folded text is an offset
in the text: lower case, straight quotes, one kind of dash, plain blanks. What changes the length
("Regio en taal" for "Regio & taal", "Alt + Ctrl + T" for "Ctrl+Alt+T") is left to the search.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Final

import regex

from klopt.reading.text import Span, in_small_letters

MOST_MODIFIERS: Final = 4
"""Key combinations with up to this many keys held down are found in any order."""

_ONE_SPELLING: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("\u00a0\u2007\u2009\u202f\t\n\r\v\f", " "),
        "İ": "I",
    }
)
_AND: Final = regex.compile(r"(?<=\S )(?:en|and)(?= \S)", regex.VERSION1)
_MNEMONIC: Final = regex.compile(r"(?<!\S)[&_](?=\w)", regex.VERSION1)
_AROUND: Final = " \"'…:;,!?.()[]"
_JOINED_KEYS: Final = regex.compile(r"\s*\+\s*|(?<=\w)\s*-\s*(?=\w)", regex.VERSION1)
_CHAIN: Final = regex.compile(r"\w[\w ]*(?:\+[^\s+]+(?: \w+)?)+", regex.VERSION1)


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text in which component names can be looked up.

    Attributes:
        text: The folded text; each character stands where it stood.
    """

    text: str

    def find(self, key: str) -> Span | None:
        """The first place where the name stands as whole words, or None.

        Args:
            key: A name from `component_key`.

        >>> fold("Open Regio en taal.").find(component_key("Regio & Taal…"))
        Span(start=5, end=18)
        >>> fold("Opslaanknop").find("opslaan") is None
        True
        """
        if not key:
            return None
        if "&" in key or "+" in key:
            match = _expression(key).search(self.text)
            return Span(*match.span()) if match else None
        start = self.text.find(key)
        while start >= 0:
            end = start + len(key)
            if self._is_whole(key, start, end):
                return Span(start, end)
            start = self.text.find(key, start + 1)
        return None

    def _is_whole(self, key: str, start: int, end: int) -> bool:
        before, after = self.text[start - 1 : start], self.text[end : end + 1]
        return not (key[0].isalnum() and before.isalnum()) and not (
            key[-1].isalnum() and after.isalnum()
        )


def fold(text: str) -> FoldedText:
    """A text ready to look names up in; offsets stay those of the text.

    >>> fold("Klik op “OPSLAAN”.").find("opslaan")
    Span(start=9, end=16)
    >>> fold("Kies ‘Wi‑Fi’").text
    "kies 'wi-fi'"
    """
    return FoldedText(in_small_letters(text.translate(_ONE_SPELLING)))


def component_key(text: str, *, is_key: bool = False) -> str:
    """A component's name without what two writers may write differently.

    Gone are letter case, kinds of quotes, dashes and blanks, quotes and punctuation around the
    name ("Opslaan als…"), and the mark of a mnemonic ("&Bestand", "_Bestand"). "en" and "and"
    inside a name are "&". In a key combination the keys held down come in alphabetical order.

    Args:
        text: The name as written.
        is_key: Whether it is a key or a key combination.

    >>> component_key("Regio en taal:"), component_key("&Opslaan als…")
    ('regio & taal', 'opslaan als')
    >>> component_key("Shift + Ctrl + T", is_key=True)
    'ctrl+shift+t'
    """
    name = " ".join(fold(unicodedata.normalize("NFC", text)).text.split())
    if is_key:
        *held, last = _JOINED_KEYS.sub("+", name).removesuffix("-toets").split("+")
        return "+".join([*sorted("ctrl" if key == "control" else key for key in held), last])
    name = _MNEMONIC.sub("", name)
    name = name.strip(_AROUND) or name
    return _AND.sub("&", name)


@lru_cache(maxsize=4096)
def _expression(key: str) -> regex.Pattern[str]:
    """What finds a name with "&", or a key combination, in any spelling."""
    if _CHAIN.fullmatch(key):
        *held, last = key.split("+")
        orders = permutations(held) if len(held) <= MOST_MODIFIERS else [tuple(held)]
        body = "|".join(r"\s?[+-]\s?".join(map(_key_name, (*order, last))) for order in orders)
    else:
        words = (r"(?:&|en|and)" if word == "&" else regex.escape(word) for word in key.split(" "))
        body = r"\s+".join(words)
    start = r"(?<!\w)" if key[0].isalnum() else ""
    end = r"(?!\w)" if key[-1].isalnum() else ""
    return regex.compile(f"{start}(?:{body}){end}", regex.VERSION1)


def _key_name(key: str) -> str:
    return "(?:ctrl|control)" if key == "ctrl" else regex.escape(key)
