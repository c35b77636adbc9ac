"""What a help page gives to make answers from: its guides, statements, lists and error codes.

Sentences keep what the page set apart, in brackets of our own: ``⟦Opslaan⟧`` is a component that
stands in bold, ``⟪HRM⟫`` one that does not, ``⟨Ctrl+S⟩`` a key.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

import regex

from klopt.reading.guides import Guide
from klopt.reading.reader import Reader, Reading
from klopt.reading.text import Block, Span
from klopt.records import Page
from klopt.tuning.wording import Wording, bare

__all__ = ["Claims", "Code", "Excerpts", "Recipe", "Run", "excerpts"]

LONGEST_PAGE_CHARS: Final = 60_000
"""A longer page is a book: it is left out."""
LONGEST_SENTENCE_CHARS: Final = 320
"""A longer sentence, step or claim is not used."""
FEWEST_WORDS: Final = 4
MOST_STEPS: Final = 12
MOST_OF_A_KIND: Final = 40
"""At most so many runs, guides, lists and error codes of a page, and sentences of a run."""

_ODD: Final = regex.compile(r"[⟦⟧⟪⟫⟨⟩*`|\[\]<>_#\\^~{}=]|https?:|\s[.,;]|\(\s*\)", regex.VERSION1)
_QUOTES: Final = "'\"‘’‚“”„«»"
_CODE: Final = regex.compile(r"[A-Z]{1,5}[-_ ]?\d{2,6}", regex.VERSION1)
_SMALL: Final = regex.compile(r"(?<![\w'’-])\p{Ll}[\w'’-]*", regex.VERSION1)
_CLAIM: Final = regex.compile(
    r"(?<label>[^:.!?]{2,60}?)(?<sign>:| –| —| -)[ ](?<claim>\S.{12,240})", regex.VERSION1
)


class Recipe(NamedTuple):
    """A guide: its steps, the sentence that leads to it, and the heading above."""

    lead: str
    heading: str
    steps: tuple[str, ...]


class Run(NamedTuple):
    """Sentences of one paragraph, in order, and the heading above."""

    heading: str
    sentences: tuple[str, ...]


class Claims(NamedTuple):
    """The items of a list that each say something of a name: ``(name, sign, claim)``."""

    heading: str
    items: tuple[tuple[str, str, str], ...]


class Code(NamedTuple):
    """A row of a table: an error code, and what the page says of it."""

    code: str
    claims: tuple[str, ...]


@dataclass(frozen=True)
class Excerpts:
    """What one page gives.

    Attributes:
        page: The page.
        title: Its title or first heading; empty when it has none.
        recipes: Its guides whose steps are plain sentences.
        runs: Its paragraphs.
        claims: Its lists of names and what they stand for.
        codes: Its table of error codes.
        components: The components that it names, once each, as they are written.
        keys: Its key combinations, once each.
        folded: Its text in small letters, for looking things up.
        small: The words that it writes in small letters somewhere.
    """

    page: Page
    title: str
    recipes: Sequence[Recipe]
    runs: Sequence[Run]
    claims: Sequence[Claims]
    codes: Sequence[Code]
    components: Sequence[str]
    keys: Sequence[str]
    folded: str
    small: frozenset[str]


def excerpts(page: Page, reader: Reader, wording: Wording) -> Excerpts | None:
    """What a page gives; None for a page that is empty or too long.

    Raises:
        PatternTimeoutError: A company's own pattern is too slow.
    """
    if len(page.text) > LONGEST_PAGE_CHARS:
        return None
    reading = reader.read(page.text, page.format)
    if not reading.plain.has_words:
        return None
    text = _Text(reading)
    blocks = reading.plain.blocks
    guides = {guide.start: guide for guide in reading.guides}
    recipes: list[Recipe] = []
    runs: list[Run] = []
    claims: list[Claims] = []
    title = heading = lead = ""
    index = 0
    while index < len(blocks):
        block = blocks[index]
        following = index + 1
        if block.kind == "heading":
            heading, lead = text.plain(block), ""
            title = title or heading
        elif (guide := guides.get(block.start)) is not None:
            while following < len(blocks) and blocks[following].start < guide.end:
                following += 1
            if steps := _steps(guide, blocks[index:following], text):
                recipes.append(Recipe(lead, heading, steps))
            lead = ""
        elif block.kind == "item":
            while following < len(blocks) and blocks[following].depth > 0:
                following += 1
            items = tuple(_claims(blocks[index:following], text))
            if len(items) >= 2 and len({b.list_number for b in blocks[index:following]}) == 1:
                claims.append(Claims(heading, items))
            lead = ""
        elif block.kind in ("paragraph", "quote"):
            plain = text.plain(block)
            lead = plain if plain.endswith(":") else ""
            runs += (Run(heading, run) for run in _usable(text.sentences(block), wording))
        index = following
    return Excerpts(
        page,
        page.title or title,
        recipes[:MOST_OF_A_KIND],
        runs[:MOST_OF_A_KIND],
        claims[:MOST_OF_A_KIND],
        list(_codes(blocks, text))[:MOST_OF_A_KIND],
        _names(reading, 2, is_key=False),
        _names(reading, 0, is_key=True),
        reading.folded.text,
        frozenset(_SMALL.findall(reading.plain.text)),
    )


def _names(reading: Reading, fewest_chars: int, *, is_key: bool) -> list[str]:
    """The components that are keys, or are none, once each, as they are written."""
    names = dict.fromkeys(
        one.text
        for one in reading.components
        if one.kind != "code" and (one.kind == "key") is is_key
    )
    return [name for name in names if fewest_chars <= len(name) <= 60 and not _ODD.search(name)]


class _Text:
    """The sentences of a reading, with our brackets."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._text = reading.plain.text
        self._starts = [component.start for component in reading.components]
        self._bold = {
            place
            for mark in reading.plain.marks
            if mark.kind in ("strong", "emphasis")
            for place in range(mark.start, mark.end)
        }

    def plain(self, block: Block | Span) -> str:
        return self._text[block.start : block.end]

    def cells(self, row: Block) -> list[Span]:
        return self._reading.plain.cells(row)

    def sentences(self, block: Block) -> Iterator[str]:
        sentences = self._reading.sentences
        first = bisect_left(sentences, Span(block.start, 0))
        for sentence in sentences[first : bisect_left(sentences, Span(block.end, 0))]:
            yield self.inline(sentence.start, sentence.end)

    def inline(self, start: int, end: int) -> str:
        """A stretch with brackets around its components; empty when it holds odd characters."""
        if end - start > LONGEST_SENTENCE_CHARS or _ODD.search(self._text[start:end]):
            return ""
        pieces: list[str] = []
        place = start
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        for component in self._reading.components[first:last]:
            if component.start < place or component.end > end or component.kind == "code":
                continue
            name = self._text[component.start : component.end]
            if component.kind == "key":
                opening, closing = "⟨⟩"
            elif component.start in self._bold:
                opening, closing = "⟦⟧"
            else:
                opening, closing = "⟪⟫" if name.strip(_QUOTES) == name else ("", "")
            pieces += (self._text[place : component.start], opening, name, closing)
            place = component.end
        return "".join((*pieces, self._text[place:end]))


def _usable(sentences: Iterable[str], wording: Wording) -> Iterator[tuple[str, ...]]:
    """Runs of sentences that can stand in an answer; what cannot cuts the run in two."""

    def fits(sentence: str) -> bool:
        return (
            len(sentence.split()) >= FEWEST_WORDS
            and len(sentence) <= LONGEST_SENTENCE_CHARS
            and sentence[-1] in ".!"
            and bare(sentence)[0].isupper()
            and not wording.mentions("references", sentence)
        )

    for usable, run in groupby(sentences, fits):
        if usable:
            yield tuple(run)[:MOST_OF_A_KIND]


def _steps(guide: Guide, blocks: Sequence[Block], text: _Text) -> tuple[str, ...]:
    """The steps, each its own paragraphs without notes; none when one has steps of its own."""
    if not 2 <= len(guide.steps) <= MOST_STEPS:
        return ()
    steps: list[str] = []
    depth = blocks[0].depth
    for step in guide.steps:
        own = [b for b in blocks if b.start < step.end and b.end > step.start and b.kind != "quote"]
        if not own or any(block.depth > depth or block.kind == "code" for block in own):
            return ()
        found = [text.inline(max(block.start, step.start), block.end) for block in own]
        whole = " ".join(found)
        if not all(found) or len(whole) > LONGEST_SENTENCE_CHARS or bare(whole).endswith(":"):
            return ()
        steps.append(whole)
    return tuple(steps)


def _claims(blocks: Sequence[Block], text: _Text) -> Iterator[tuple[str, str, str]]:
    for block in blocks:
        match = _CLAIM.fullmatch(text.inline(block.start, block.end))
        if match is not None and match["label"].count("⟦") == match["label"].count("⟧"):
            yield match["label"], match["sign"], match["claim"]


def _codes(blocks: Sequence[Block], text: _Text) -> Iterator[Code]:
    """The rows of tables whose first column has error codes."""
    for block in blocks:
        if block.kind != "row":
            continue
        first, *others = text.cells(block)
        if 1 <= len(others) <= 3 and _CODE.fullmatch(text.plain(first)):
            claims = [text.inline(cell.start, cell.end) for cell in others]
            if all(claims):
                yield Code(text.plain(first), tuple(claims))
