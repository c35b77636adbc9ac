"""Find what small talk states: "Have a nice day, and remember that a pass is free"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import regex

from klopt._internal.cached import cached_property
from klopt.lexicons import Lexicons

MIN_WORDS: Final = 2
"""Words of a statement that a page has."""
MIN_CHARS: Final = 3
"""Characters of such a word."""
MAX_CHARS: Final = 300
"""Characters of a statement that are looked up."""
_PRICE: Final = regex.compile(
    r"[€$£]\s?(\d[\d.,]*)|(\d[\d.,]*)\s?(?:[€$£%]|euro\b)", regex.IGNORECASE | regex.VERSION1
)
_NUMBER: Final = regex.compile(r"\d(?:[\d.,]*\d)?", regex.VERSION1)
_WORD: Final = regex.compile(r"[\p{L}\p{N}]\w*+", regex.VERSION1)


class Statements:
    """Statements in the greetings, sources, questions and closings of one answer.

    Args:
        text: The plain text of the answer.
        lexicons: Those of its language; without them only prices are found.
        pages: The original texts of its pages.
    """

    def __init__(self, text: str, lexicons: Lexicons | None, pages: Sequence[str]) -> None:
        self._text, self._pages = text, pages
        self._patterns = lexicons["answer_parts"].likely(text, "statement") if lexicons else []
        self._stop_words = lexicons["stop_words"].words if lexicons else frozenset[str]()

    @cached_property
    def _words(self) -> frozenset[str]:
        """The words of the pages."""
        return frozenset(word for page in self._pages for word in _WORD.findall(page.casefold()))

    @cached_property
    def _numbers(self) -> frozenset[str]:
        """The numbers of the pages."""
        return frozenset(number for page in self._pages for number in _NUMBER.findall(page))

    def place(
        self, start: int, end: int, *, is_whole: bool = False, after_comma: bool = False
    ) -> int | None:
        """Return where a stretch begins to state something about a subject of the pages, or None.

        With ``is_whole`` all of it may be a statement; with ``after_comma`` only what is behind
        punctuation: "Sorry to hear that, a pass is free".
        """
        stretch = self._text[start:end].lstrip()
        start = end - len(stretch)
        if stretch.rstrip().endswith("?"):
            return None
        for pattern in self._patterns:
            for match in pattern.finditer(stretch):
                is_punctuated = match[0][:1] in ",;:–—"
                may_begin = is_punctuated or not after_comma
                if is_whole or match.start() == 0:
                    may_begin = is_whole and match.start() == 0
                if may_begin and self._is_on_pages(stretch[match.end() :][:MAX_CHARS]):
                    return start + match.end()
        return None

    def _is_on_pages(self, words: str) -> bool:
        """Return whether words have a price, or enough content words of the pages."""
        if _PRICE.search(words):
            return True
        count = 0
        for match in _WORD.finditer(words):
            word = match[0].casefold()
            is_content = len(word) >= MIN_CHARS and word not in self._stop_words
            count += (is_content or word.isdecimal()) and word in self._words
            if count >= MIN_WORDS:
                return True
        return False

    def has_new_price(self, start: int, end: int) -> bool:
        """Return whether a stretch has a price or percentage that no page has."""
        return any(
            (match[1] or match[2]).rstrip(".,") not in self._numbers
            for match in _PRICE.finditer(self._text, start, end)
        )
