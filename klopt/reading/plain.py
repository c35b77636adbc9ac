"""Plain text: lines are blocks."""

from __future__ import annotations

from klopt.reading.builder import PlainTextBuilder
from klopt.reading.text import PlainText


def read_plain(source: str) -> PlainText:
    r"""A text without markup, each of its lines a block.

    >>> read_plain("Ga naar: HRM\n\nKlik op: Nieuw").text
    'Ga naar: HRM\nKlik op: Nieuw'
    """
    builder = PlainTextBuilder(source)
    offset = 0
    for line in source.split("\n"):
        builder.add(line, offset)
        builder.end_block("paragraph")
        offset += len(line) + 1
    return builder.build()
