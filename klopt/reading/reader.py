"""Reads texts of one language: plain text, words, sentences, components, guides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from klopt.lexicons import Lexicons
from klopt.reading.components import Component, FoldedText, find_components, fold
from klopt.reading.guides import Guide, find_guides
from klopt.reading.language import LanguageVote, vote
from klopt.reading.markup import read_text
from klopt.reading.sentences import split_sentences
from klopt.reading.text import PlainText, Span
from klopt.reading.tokens import Tokenizer, Tokens
from klopt.records import PageFormat

ANSWER_LIMIT_CHARS: Final = 20_000
"""A question or answer longer than this is not scorable: no reader takes it for an answer."""

PAGE_LIMIT_CHARS: Final = 200_000
"""A single page longer than this is not scorable: give the bot's passages, not the book."""

CONTEXTS_LIMIT_CHARS: Final = 500_000
"""All pages of one turn together: this bounds a turn's time."""

CLOSINGS: Final = "closings"
"""The list of fillers that take the rest of their sentence along ("Let me know if it fails")."""


@dataclass(frozen=True, eq=False)
class Reading:
    """One text, read.

    Attributes:
        plain: The plain text with its way back to the original.
        language: The language whose tables were used.
        sentences: In plain offsets, in order.
        components: What it names of the product's screens, in order.
        guides: Its step-by-step guides, in order.
        fillers: The sentences that say nothing of the product, such as greetings.
        tokens: Its words, in order.
    """

    plain: PlainText
    language: str
    sentences: tuple[Span, ...]
    components: tuple[Component, ...]
    guides: tuple[Guide, ...]
    fillers: tuple[Span, ...]
    tokens: Tokens

    @cached_property
    def vote(self) -> LanguageVote:
        """The vote on the language of the text itself, whatever it was read as."""
        return vote([self.plain.running_text])

    @cached_property
    def folded(self) -> FoldedText:
        """The plain text normalised as component names are, for looking them up."""
        return fold(self.plain.text)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The original offsets of a plain stretch."""
        return self.plain.original(start, end)


class Reader:
    """Reads texts of one language. Safe to use from several threads.

    Args:
        lexicons: The tables of the language.
        plain_names: Whether names count as components that only a capital sets apart.

    >>> from klopt import lexicons
    >>> reader = Reader(lexicons.load("nl"))
    >>> [c.text for c in reader.read("Klik op **Opslaan**.").components]
    ['Opslaan']
    """

    def __init__(self, lexicons: Lexicons, *, plain_names: bool = True) -> None:
        self.plain_names = plain_names
        self.lexicons = lexicons
        self.language = lexicons.language
        self.tokenizer = Tokenizer(lexicons)
        self._abbreviations = lexicons["abbreviations"].words

    def read(self, source: str, page_format: PageFormat = "auto") -> Reading:
        """A text as it is stored → its reading."""
        return self.read_plain(read_text(source, page_format))

    def read_plain(self, plain: PlainText) -> Reading:
        """A plain text → its reading."""
        rows = [block for block in plain.blocks if block.kind == "row"]
        sentences = split_sentences(plain.text, self._abbreviations, rows)
        components = find_components(plain, self.lexicons, plain_names=self.plain_names)
        guides = find_guides(plain, sentences, components, self.lexicons)
        fillers = tuple(one for one in sentences if self._is_filler(plain.text, one))
        tokens = self.tokenizer.read(plain.text, components)
        return Reading(plain, self.language, sentences, components, guides, fillers, tokens)

    def _is_filler(self, text: str, sentence: Span) -> bool:
        """Whether a filler is at least half of the sentence, or a closing begins it."""
        return any(
            2 * len(match[0]) >= sentence.end - sentence.start
            or (name == CLOSINGS and match.start() == sentence.start)
            for name, phrases in self.lexicons["fillers"].phrases.items()
            if (match := phrases.search(text, sentence.start, sentence.end)) is not None
        )
