"""Abbreviations: words of the pages whose full stop ends no sentence."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

import regex

from klopt.company.entries import Entry
from klopt.company.finding.pages import Found, HelpPage, Places
from klopt.reading.reader import Reader
from klopt.reading.text import in_small_letters

LEAST: Final = 2
_GOES_ON: Final = regex.compile(
    r"(?<![\p{L}\p{N}.@/_-])(?:\p{L}{1,8}\.){1,4}(?=[ ][\p{Ll}\d(]|[,;)])", regex.VERSION1
)
_BARE: Final = regex.compile(
    r"(?<![\p{L}\p{N}.@/_-])\p{L}{1,8}(?:\.\p{L}{1,8}){0,3}(?![\p{L}\p{N}._-])", regex.VERSION1
)


def find_abbreviations(pages: Sequence[HelpPage], reader: Reader) -> Found:
    """What goes on in small letters behind its full stop, and never stands without one."""
    known = reader.lexicons["abbreviations"].words
    places: dict[str, Places] = defaultdict(Places)
    bare: Counter[str] = Counter()
    for page in pages:
        code = page.code()
        bare.update(map(in_small_letters, _BARE.findall(page.text)))
        for match in _GOES_ON.finditer(page.text):
            if not code[match.start()]:
                places[in_small_letters(match[0])].note(page, page.line(*match.span()))
    return Found(
        "abbreviations",
        tuple(
            Entry("abbreviations", "abbreviations", (word,), about=met.about)
            for word, met in places.items()
            if word not in known and met.is_common(LEAST, 1) and not bare[word.rstrip(".")]
        ),
    )
