"""One side of a translated text, read: blocks and sentences with their masks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from klopt import lexicons
from klopt.bilingual.paired_masks import Masked
from klopt.lexicons import Lexicons
from klopt.reading.components import find_components
from klopt.reading.markup import read_text
from klopt.reading.sentences import split_sentences
from klopt.reading.text import PlainText, Span
from klopt.translation.masks import Segment, Unit, read_units

_CODE: Final = ("key", "code")


@dataclass(frozen=True, slots=True)
class Name:
    """A component in a text: what is masked, and what it is compared by.

    Attributes:
        span: In plain offsets.
        key: Of `component_key`.
        kind: ``name``, ``key`` or ``code``.
    """

    span: Span
    key: str
    kind: str


@dataclass(frozen=True)
class Side:
    """A text of one language as it is looked up in a memory.

    Attributes:
        plain: The text without its markup.
        units: Its blocks and sentences, masked.
        names: Its components, by their place.
    """

    plain: PlainText
    units: tuple[Unit, ...]
    names: dict[Span, Name]

    def masked(self, segment: Segment) -> tuple[Masked, ...]:
        """What stands at the marks of a segment."""
        return tuple(self._masked(hit.start, hit.end, hit.kind) for hit in segment.masks)

    def _masked(self, start: int, end: int, kind: str) -> Masked:
        text = self.plain.text[start:end]
        name = self.names.get(Span(start, end))
        if name is None:
            return Masked.literal(kind, text)
        return Masked(name.kind, text, name.key)


def read_side(text: str, language: str, tables: Lexicons | None = None) -> Side:
    """A text → its blocks and sentences with what is masked in them.

    Sentences and components are those of `klopt.reading.reader.Reader`, so the masked texts are
    what scoring asks the memory for.

    Args:
        text: Markdown or HTML.
        language: Such as ``nl``.
        tables: What it is read with, where that is not klopt's own tables of the language: a
            company's, or those of the other side for a language without tables, as in scoring.

    Raises:
        UnknownLanguageError: There are no tables of the language, and none are given.
        PatternTimeoutError: A rule took too long on this text.

    >>> side = read_side("Klik 2 keer op **Opslaan**. Wacht.", "nl")
    >>> side.units[0].whole.text, [one.text for one in side.units[0].sentences]
    ('Klik ⟦1⟧ keer op ⟦2⟧. Wacht.', ['Klik ⟦1⟧ keer op ⟦2⟧.', 'Wacht.'])
    """
    plain = read_text(text)
    tables = tables or _tables(language)
    sentences = split_sentences(plain.text, tables["abbreviations"].words)
    names = [
        Name(Span(one.start, one.end), one.key, one.kind if one.kind in _CODE else "name")
        for one in find_components(plain, tables)
    ]
    return _side(plain, sentences, names)


@cache
def _tables(language: str) -> Lexicons:
    return lexicons.load(language)


def _side(plain: PlainText, sentences: Sequence[Span], names: Iterable[Name]) -> Side:
    by_place = {name.span: name for name in names}
    return Side(plain, read_units(plain, sentences, by_place), by_place)
