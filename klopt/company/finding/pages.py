"""Help pages, read once for all that looks through them."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from klopt.company.entries import Entry
from klopt.company.suggestions import Suggestion
from klopt.reading.reader import PAGE_LIMIT_CHARS, Reader, Reading
from klopt.reading.text import Span
from klopt.records import Page

MOST_SENTENCES: Final = 50
HEADING_WORDS: Final = 4

_EXAMPLE_CHARS: Final = 160
_LINE_CHARS: Final = 60
_SET_APART: Final = ("code", "key")


@dataclass(frozen=True, eq=False)
class HelpPage:
    """A page and its reading."""

    name: str
    reading: Reading

    @property
    def text(self) -> str:
        """Its plain text."""
        return self.reading.plain.text

    def sentence(self, start: int, end: int) -> str:
        """The sentence around a stretch, cut to what can be taken in at a glance."""
        low, high = max(0, start - _EXAMPLE_CHARS), end + _EXAMPLE_CHARS
        sentences = self.reading.sentences
        number = bisect_right(sentences, Span(start, sys.maxsize)) - 1
        is_inside = number >= 0 and start < sentences[number].end
        around = sentences[number] if is_inside else Span(start, end)
        first, last = max(around.start, low), min(around.end, high)
        text = self.text[first:last]
        return f"{'…' if first > around.start else ''}{text}{'…' if last < around.end else ''}"

    def line(self, start: int, end: int) -> str:
        """What stands around a stretch on its line, where sentences are not to be trusted."""
        first = self.text.rfind("\n", max(0, start - _LINE_CHARS), start) + 1
        last = self.text.find("\n", end, end + _LINE_CHARS)
        first = first or max(0, start - _LINE_CHARS)
        return self.text[first : last if last >= 0 else end + _LINE_CHARS].strip()

    def code(self) -> bytearray:
        """1 for each character of code and of keys, else 0."""
        taken = bytearray(len(self.text))
        spans = (
            *((one.start, one.end) for one in self.reading.plain.marks if one.kind in _SET_APART),
            *((one.start, one.end) for one in self.reading.plain.blocks if one.kind == "code"),
        )
        for start, end in spans:
            taken[start:end] = b"\1" * (end - start)
        return taken


@dataclass(frozen=True)
class Found:
    """Things of one kind.

    Attributes:
        kind: What they are, such as ``terms``.
        entries: Sure enough to be put into the lexicons.
        suggestions: For a person to decide on.
    """

    kind: str
    entries: tuple[Entry, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()


@dataclass
class Places:
    """Where one thing was met.

    Attributes:
        count: How often.
        pages: On which pages.
        sentences: In which sentences, one that stands on many pages once; the first
            `MOST_SENTENCES`.
    """

    count: int = 0
    pages: set[str] = field(default_factory=set)
    sentences: dict[str, None] = field(default_factory=dict)

    def add(self, page: HelpPage, start: int, end: int) -> None:
        """It was met here."""
        self.note(page, page.sentence(start, end))

    def note(self, page: HelpPage, said: str) -> None:
        """It was met on a page, which says this there."""
        self.count += 1
        self.pages.add(page.name)
        if len(self.sentences) < MOST_SENTENCES:
            self.sentences.setdefault(said)

    def is_common(self, least: int, least_pages: int) -> bool:
        """Whether it was met in enough different sentences, on enough pages."""
        return len(self.sentences) >= least and len(self.pages) >= least_pages

    @property
    def about(self) -> str:
        """How often, and an example.

        >>> Places(2, {"a.md"}, {"Open het saldo.": None}).about
        '2 times on 1 page: “Open het saldo.”'
        """
        pages = f"{len(self.pages)} page{'' if len(self.pages) == 1 else 's'}"
        return f"{self.count} times on {pages}: “{self.example}”"

    @property
    def example(self) -> str:
        """The shortest sentence, rather no heading of a word or two."""
        return min(self.sentences, key=lambda one: (one.count(" ") < HEADING_WORDS, len(one), one))

    @property
    def examples(self) -> tuple[str, ...]:
        """Two sentences."""
        return tuple(self.sentences)[:2]


def read_help(pages: Iterable[Page], reader: Reader) -> Iterator[HelpPage]:
    """Each page, read; one beyond the limit of klopt is left out."""
    for page in pages:
        if len(page.text) <= PAGE_LIMIT_CHARS:
            yield HelpPage(page.id, reader.read(page.text, page.format))
