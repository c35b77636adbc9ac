"""What a memory has for sentences, as the rest reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from klopt.reading.language import vote
from klopt.reading.plain import read_plain
from klopt.translation.masks import MARKER, has_all_marks
from klopt.translation.memory import Memory

FEWEST_WORDS: Final = 4
"""A sentence of fewer words says nothing of its language."""

_PLAIN: Final = re.compile(r"[!-~⟦⟧]+(?: [!-~⟦⟧]+)*")


def look_up(
    memory: Memory, keys: Sequence[str], source: str, target: str, providers: Sequence[str]
) -> dict[str, str]:
    """What the memory has for texts, on one line each.

    A translation that says nothing is none, and neither is a sentence that stands there
    untranslated, as catalogues have them: whoever comes next of the providers goes before it.
    Nor is one that lacks a mark of the text, or has it twice: with it "valid for 30 minutes" and
    "valid for 60 minutes" would read alike.

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
    found, lacking = dict[str, str](), list[str]()
    for key, one in zip(keys, memory.find(keys, source, target, providers), strict=True):
        if one is None:
            continue
        text = tidy(one.target)
        is_untranslated = text == key and is_in(source, text)
        is_whole = has_all_marks(text, len(MARKER.findall(key)))
        if says_nothing(text, key) or is_untranslated or not is_whole:
            lacking.append(key)
        else:
            found[key] = text
    return {**found, **look_up(memory, lacking, source, target, providers[1:])}


def says_nothing(text: str, key: str) -> bool:
    """Whether a translation is empty, or of several words only marks and signs are left.

    >>> says_nothing("⟦1⟧ …", "Klik in het scherm op ⟦1⟧."), says_nothing("⟦1⟧", "de ⟦1⟧")
    (True, False)
    """
    if not text:
        return True
    has_words = any(map(str.isalpha, MARKER.sub("", text)))
    return not has_words and len(MARKER.sub(" ", key).split()) >= FEWEST_WORDS


def is_in(language: str, text: str) -> bool:
    """Whether a text with marks is in a language; a short one is in none.

    >>> is_in("nl", "Klik op ⟦1⟧ in het scherm."), is_in("nl", "Klik op ⟦1⟧.")
    (True, False)
    """
    words = MARKER.sub(" ", text)
    if len(words.split()) < FEWEST_WORDS:
        return False
    found = vote([words])
    return language in (found.language, found.other)


def tidy(text: str) -> str:
    r"""A translation as a reader gives texts: NFC, on one line, without zero-width characters.

    >>> tidy("Click \n on\u200b **Save**.")
    'Click on **Save**.'
    """
    if _PLAIN.fullmatch(text):
        return text
    return " ".join(read_plain(text).text.split())
