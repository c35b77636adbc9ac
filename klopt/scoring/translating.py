"""Reads a turn in another language, through an interpreter; pages once."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from klopt.errors import TranslationError
from klopt.heuristics import Context
from klopt.matching import Synonyms
from klopt.reading.reader import PAGE_CACHE, Reader, Reading
from klopt.reading.recent import Recent
from klopt.reading.text import PlainText
from klopt.scoring.interpretation import Interpreter, foreign, named_in, page_names
from klopt.scoring.measuring import TurnTexts

_SEPARATOR: Final = "\0"

_READINGS: Final = 3
"""So often a turn is read while others change its translations."""


@dataclass(frozen=True, slots=True)
class _Page:
    """A page in the target language, and how many of its sentences lost their masks."""

    reading: Reading
    unmasked_count: int


@dataclass(frozen=True, slots=True)
class TranslatedTurn:
    """A turn in the target language.

    Attributes:
        texts: Its texts.
        unmasked_count: How many of their sentences lost their masks.
        signature: What translated, in a word for the fingerprint.
    """

    texts: TurnTexts
    unmasked_count: int
    signature: str


class TranslatedTurns:
    """Turns in the target language.

    Safe to use from several threads.

    Args:
        interpreter: Gives the translations.
        reader: Reads and parses the target language.
        synonyms: Of the target language.
    """

    def __init__(self, interpreter: Interpreter, reader: Reader, synonyms: Synonyms) -> None:
        self._interpreter = interpreter
        self._reader = reader
        self._synonyms = synonyms
        self._pages: Recent[bytes, _Page] = Recent(PAGE_CACHE)
        self._lock = threading.Lock()

    def read(
        self,
        question: Reading,
        answer: Reading,
        contexts: Sequence[Context],
        source: str,
        *,
        with_page_names: bool,
    ) -> TranslatedTurn:
        """A turn as read in its own language → the turn in the target language.

        Pages that are in the target language already are not translated. All of it is of one
        edition of the translations; when that changes meanwhile, the turn is read again.

        Args:
            question: The question.
            answer: The answer.
            contexts: The pages, of which `readable` ones are read.
            source: The language of the turn.
            with_page_names: Whether names that pages set apart are kept in question and answer
                wherever they stand, as a language without patterns needs.

        Raises:
            TranslationError: Something in it could not be translated.
            PatternTimeoutError: A pattern took too long.
        """
        edition = self._interpreter.edition(source)
        for _ in range(_READINGS):
            before = edition
            found = self._read(question, answer, contexts, source, edition, with_page_names)
            edition = self._interpreter.edition(source)
            if edition == before:
                return found
        raise TranslationError("memory", "the translations change while they are read")

    def _read(
        self,
        question: Reading,
        answer: Reading,
        contexts: Sequence[Context],
        source: str,
        edition: str,
        with_page_names: bool,
    ) -> TranslatedTurn:
        contexts = self.readable(contexts, source)
        own = [one for one in contexts if self._is_foreign(one.reading, source)]
        names = page_names(contexts) if with_page_names else frozenset()
        asked = [
            foreign(one, named_in(one.plain, names) if names else ()) for one in (question, answer)
        ]
        keys = {id(one): _key(source, edition, one.reading.plain) for one in own}
        with self._lock:
            known = {key: page for key in keys.values() if (page := self._pages.get(key))}
        missing = {key: one for one in own if (key := keys[id(one)]) not in known}
        asked += [foreign(context.reading) for context in missing.values()]
        found = self._interpreter.interpret(asked, source)
        readings = [self._reader.read_plain(text) for text in found.texts]
        for key, reading, count in zip(
            missing, readings[2:], found.unmasked_counts[2:], strict=True
        ):
            known[key] = _Page(reading, count)
            with self._lock:
                self._pages.put(key, known[key])
        unmasked = sum(found.unmasked_counts[:2])
        pages: list[Context] = []
        for context in contexts:
            if id(context) in keys:
                page = known[keys[id(context)]]
                unmasked += page.unmasked_count
                pages.append(Context(context.page, page.reading))
            else:
                pages.append(Context(context.page, self._own(context.reading)))
        texts = TurnTexts(readings[0], readings[1], tuple(pages), self._reader, self._synonyms)
        return TranslatedTurn(texts, unmasked, found.signature)

    def readable(self, contexts: Sequence[Context], source: str) -> tuple[Context, ...]:
        """The pages in the turn's language, in the target language, or in nobody knows which."""
        return tuple(
            one
            for one in contexts
            if self._is_foreign(one.reading, source)
            or one.reading.vote.language == self._reader.language
        )

    def question(self, question: Reading, source: str) -> Reading:
        """The question alone in the target language.

        Raises:
            TranslationError: It could not be translated.
            PatternTimeoutError: A pattern took too long.
        """
        found = self._interpreter.interpret([foreign(question)], source)
        return self._reader.read_plain(found.texts[0])

    def _own(self, reading: Reading) -> Reading:
        """A page in the target language, read with the tables of that language."""
        if reading.language == self._reader.language:
            return reading
        key = _key(self._reader.language, "", reading.plain)
        with self._lock:
            page = self._pages.get(key)
        if page is None:
            page = _Page(self._reader.read_plain(reading.plain), 0)
            with self._lock:
                self._pages.put(key, page)
        return page.reading

    def _is_foreign(self, reading: Reading, source: str) -> bool:
        """Whether a page is to be translated: it is in the turn's language, or nobody can tell."""
        vote = reading.vote
        if vote.language is None:
            return vote.other in (None, source)
        return vote.language == source


def _key(source: str, edition: str, plain: PlainText) -> bytes:
    content = _SEPARATOR.join((source, edition, plain.source, plain.text))
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=16).digest()
