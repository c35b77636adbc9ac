"""What a memory has for sentences, as the rest reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from klopt.reading.plain import read_plain
from klopt.translation.memory import Memory

_PLAIN: Final = re.compile(r"[!-~⟦⟧]+(?: [!-~⟦⟧]+)*")


def look_up(
    memory: Memory, keys: Sequence[str], source: str, target: str, providers: Sequence[str]
) -> dict[str, str]:
    """What the memory has for texts, on one line each; an empty translation is none.

    Args:
        memory: The memory.
        keys: Texts with marks, or as they stand.
        source: Their language.
        target: The language to come.
        providers: Whose translations are wanted; the first goes first.

    Raises:
        InputError: The memory cannot be read.
    """
    keys = list(dict.fromkeys(keys))
    if not keys or not providers:
        return {}
    found = memory.find(keys, source, target, providers)
    return {
        key: text
        for key, one in zip(keys, found, strict=True)
        if one is not None and (text := tidy(one.target))
    }


def tidy(text: str) -> str:
    r"""A translation as a reader gives texts: NFC, on one line, without zero-width characters.

    >>> tidy("Click \n on\u200b **Save**.")
    'Click on **Save**.'
    """
    if _PLAIN.fullmatch(text):
        return text
    return " ".join(read_plain(text).text.split())
