"""Which judged answers a profile was learnt from, written so that it carries no text."""

from __future__ import annotations

import hashlib
import textwrap
from base64 import b64decode, b64encode
from collections.abc import Iterable
from typing import Final, TypeAlias

__all__ = ["Rows", "packed", "row_of", "unpacked"]

Rows: TypeAlias = frozenset[bytes]

ROW_BYTES: Final = 4
"""Of a hash: of 1,000 rows that a profile never saw one in 4 million is taken for one of 1,000."""

_LINE_CHARS: Final = 96


def row_of(question: str, answer: str) -> bytes:
    """What an answer to a question is recognised by, however its words are spaced.

    >>> row_of("Waar?", "In de map.") == row_of(" Waar? ", "In de  map.")
    True
    >>> row_of("Waar?", "In de map.") == row_of("Wanneer?", "In de map.")
    False
    """
    content = "\0".join(" ".join(text.split()) for text in (question, answer))
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).digest()[:ROW_BYTES]


def packed(rows: Iterable[bytes]) -> str:
    """Rows as lines of base64, about six characters each, in an order that says nothing.

    >>> unpacked(packed({b"abcd", b"efgh"})) == {b"abcd", b"efgh"}
    True
    """
    text = b64encode(b"".join(sorted(rows))).decode("ascii")
    return "\n".join(textwrap.wrap(text, _LINE_CHARS))


def unpacked(text: str) -> Rows:
    """The rows back from `packed`.

    Raises:
        ValueError: It is no base64, or not of whole rows.
    """
    content = b64decode("".join(text.split()), validate=True)
    if len(content) % ROW_BYTES:
        raise ValueError(f"{len(content)} bytes are no rows of {ROW_BYTES}")
    starts = range(0, len(content), ROW_BYTES)
    return frozenset(content[start : start + ROW_BYTES] for start in starts)
