"""What may be shown on a terminal: logs, pages and profiles are other people's text."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def clean(text: str) -> str:
    """The text without control and direction characters, which could rewrite the screen.

    >>> clean("goed" + chr(27) + "[8m")
    'goed�[8m'
    """
    return "".join(c if c.isprintable() or c == "\n" else REPLACEMENT for c in text)


def shown(text: str, style: str = "") -> Text:
    """The same as a rich text, in which markup and emoji codes are only characters."""
    return Text(clean(text), style=style)


def has_colour(console: Console) -> bool:
    """Whether the console shows colour: a terminal that can, and no ``NO_COLOR``."""
    return console.color_system is not None and not console.no_color
