"""Reads texts of one language: plain text, sentences, components, guides, and the parse."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from klopt import pipelines
from klopt.lexicons import Lexicons
from klopt.reading.components import Component, FoldedText, find_components, fold
from klopt.reading.guides import Guide, find_guides
from klopt.reading.language import LanguageVote, vote
from klopt.reading.markup import read_text
from klopt.reading.parse import Parse, parse_texts
from klopt.reading.recent import Recent
from klopt.reading.sentences import split_sentences
from klopt.reading.text import PlainText, Span
from klopt.records import Page, PageFormat

if TYPE_CHECKING:
    from spacy.language import Language

ANSWER_LIMIT_CHARS: Final = 20_000
"""A question or answer longer than this is not scorable: no reader takes it for an answer."""

PAGE_LIMIT_CHARS: Final = 200_000
"""A single page longer than this is not scorable: give the bot's passages, not the book."""

CONTEXTS_LIMIT_CHARS: Final = 500_000
"""All pages of one turn together; at about 60 ms per 250 words this bounds a turn's time."""

CLOSINGS: Final = "closings"
"""The list of fillers that take the rest of their sentence along ("Let me know if it fails")."""

PAGE_CACHE: Final = 512
"""Readings kept in memory, the least recently used goes first. About 100 kB for 250 words."""


@dataclass(frozen=True)
class Reading:
    """One text, read.

    Attributes:
        plain: The plain text with its way back to the original.
        language: The language whose tables and pipeline were used.
        sentences: In plain offsets, in order.
        components: What it names of the product's screens, in order.
        guides: Its step-by-step guides, in order.
        fillers: The sentences that say nothing of the product, such as greetings.
    """

    plain: PlainText
    language: str
    sentences: tuple[Span, ...]
    components: tuple[Component, ...]
    guides: tuple[Guide, ...]
    fillers: tuple[Span, ...]

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
    """Reads and parses texts of one language, and remembers pages.

    Safe to use from several threads; the pipeline parses for one of them at a time.

    Args:
        lexicons: The tables of the language.
        pipeline: ``klopt`` for the bundled pipeline, or the name of an installed one.
        page_cache: How many readings and parses of pages to remember.

    >>> from klopt import lexicons
    >>> reader = Reader(lexicons.load("nl"))
    >>> [c.text for c in reader.read("Klik op **Opslaan**.").components]
    ['Opslaan']
    """

    def __init__(
        self, lexicons: Lexicons, *, pipeline: str = "klopt", page_cache: int = PAGE_CACHE
    ) -> None:
        self.lexicons = lexicons
        self.language = lexicons.language
        self.pipeline = pipeline
        self._abbreviations = lexicons["abbreviations"].words
        self._stop_words = lexicons["stop_words"].words
        self._readings: Recent[bytes, Reading] = Recent(page_cache)
        self._parses: Recent[bytes, Parse] = Recent(page_cache)
        self._lock = threading.RLock()

    def read(self, source: str, page_format: PageFormat = "auto") -> Reading:
        """A text as it is stored → its reading."""
        return self.read_plain(read_text(source, page_format))

    def read_plain(self, plain: PlainText) -> Reading:
        """A plain text → its reading."""
        sentences = split_sentences(plain.text, self._abbreviations)
        components = find_components(plain, self.lexicons)
        guides = find_guides(plain, sentences, components, self.lexicons)
        fillers = tuple(one for one in sentences if self._is_filler(plain.text, one))
        return Reading(plain, self.language, sentences, components, guides, fillers)

    def _is_filler(self, text: str, sentence: Span) -> bool:
        """Whether a filler is at least half of the sentence, or a closing begins it."""
        return any(
            2 * len(match[0]) >= sentence.end - sentence.start
            or (name == CLOSINGS and match.start() == sentence.start)
            for name, phrases in self.lexicons["fillers"].phrases.items()
            if (match := phrases.search(text, sentence.start, sentence.end)) is not None
        )

    def read_page(self, page: Page) -> Reading:
        """A page → its reading, once for each content and format."""
        key = _key(page.format, page.text)
        with self._lock:
            reading = self._readings.get(key)
        if reading is None:
            reading = self.read(page.text, page.format)
            with self._lock:
                self._readings.put(key, reading)
        return reading

    def parse(self, *readings: Reading) -> tuple[Parse, ...]:
        """Parses readings in one batch; those that are remembered are not parsed again."""
        keys = [_key("parse", reading.plain.text) for reading in readings]
        with self._lock:
            found = {key: parse for key in keys if (parse := self._parses.get(key)) is not None}
            missing = {
                key: reading
                for key, reading in zip(keys, readings, strict=True)
                if key not in found
            }
            if missing:
                for key, parse in zip(missing, self._parse(tuple(missing.values())), strict=True):
                    self._parses.put(key, parse)
                    found[key] = parse
        return tuple(found[key] for key in keys)

    def _parse(self, readings: Sequence[Reading]) -> list[Parse]:
        texts = [(reading.plain.text, reading.sentences) for reading in readings]
        return parse_texts(self._nlp, texts, self._stop_words)

    @cached_property
    def _nlp(self) -> Language:
        nlp = pipelines.load(self.language, self.pipeline)
        # What is tokenized outside a memory zone stays known: half of any text is stop words.
        for word in self._stop_words:
            nlp.make_doc(word)
            nlp.make_doc(word.capitalize())
        return nlp


def _key(kind: str, text: str) -> bytes:
    content = f"{kind}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=16).digest()
