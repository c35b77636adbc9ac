"""What scoring asks of a translation, and turns read in one: texts in, texts that lead back.

`klopt.translation` has what fills this in; a scorer without it never translates.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol, TypeAlias

import regex

from klopt import lexicons
from klopt.errors import TranslationError
from klopt.heuristics import Material
from klopt.matching import Context, Language, PageIndex, index_page
from klopt.matching.language import PAGE_CACHE, PAGE_CACHE_CHARS
from klopt.reading.components import Component
from klopt.reading.reader import Reading
from klopt.reading.recent import Recent
from klopt.reading.sentences import split_sentences
from klopt.reading.text import PlainText, Span

TranslationStatus: TypeAlias = Literal["translated", "failed"]
Scope: TypeAlias = Literal["marked", "whole"]

PAGE_NAME_CHARS: Final = 3
"""A shorter name of a page is not looked for in an answer that does not set it apart."""

_READINGS: Final = 3
"""So often a turn is read while others change its translations."""

_Key: TypeAlias = tuple[str, str, str, str]
_PATTERN: Final = r"(?<!\w)\L<names>(?!\w)"


@dataclass(frozen=True, slots=True)
class Foreign:
    """A text that is to be read in another language.

    Attributes:
        plain: The text.
        sentences: Its sentences, in plain offsets, in order.
        names: What it names of the product's screens, in plain offsets: never translated.
    """

    plain: PlainText
    sentences: tuple[Span, ...]
    names: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """Texts in the other language.

    Attributes:
        texts: As many as were asked for, in order; their offsets lead to the original texts,
            sentence by sentence, and name by name.
        unmasked_counts: For each text, the sentences (or blocks, where people translated a whole
            one) in which names, numbers or codes were translated along: these may have changed.
        signature: What translated, in a word for the fingerprint.
    """

    texts: tuple[PlainText, ...]
    unmasked_counts: tuple[int, ...]
    signature: str


class Interpreter(Protocol):
    """Gives texts in the target language; from a memory, or from a translator."""

    @property
    def target(self) -> str:
        """The language that texts are read in."""
        ...

    def edition(self, source: str) -> str:
        """Changes whenever a text may now be translated otherwise than before.

        Raises:
            TranslationError: It cannot be told.
        """
        ...

    def interpret(self, texts: Sequence[Foreign], source: str) -> Interpretation:
        """The texts in the target language, all of them.

        Raises:
            TranslationError: One of them could not be translated; nothing is half translated.
            PatternTimeoutError: A rule for what is masked took too long.
        """
        ...


@dataclass(frozen=True, slots=True)
class Translate:
    """That a scorer reads a translation, and how.

    Attributes:
        interpreter: Gives the translation.
        scope: ``marked``: the features that the paper marks (𝔄) read it, the others the original;
            ``whole``: everything reads it. A language that the profile does not have is always
            read as a whole.
        required: A turn that cannot be translated is refused rather than scored on the original.
    """

    interpreter: Interpreter
    scope: Scope = "marked"
    required: bool = False


@dataclass(frozen=True, slots=True)
class TranslationNote:
    """What came of the translation of one turn.

    Attributes:
        source: The language of the turn.
        target: The language that it was to be read in.
        scope: Whether the marked features read the translation, or everything.
        status: ``translated`` or ``failed``.
        reason_code: One of `klopt.errors.TranslationReason` when it failed, else None.
        reason: The same in words.
        unmasked_count: Sentences in which names, numbers and codes were translated along.
    """

    source: str
    target: str
    scope: Scope
    status: TranslationStatus
    reason_code: str | None = None
    reason: str | None = None
    unmasked_count: int = 0


def foreign(reading: Reading, more: Collection[Span] = ()) -> Foreign:
    """A text that was read → what is to be translated of it.

    Plain names are words like others here, so that one memory serves every profile; and the cells
    of a table's row are translated one by one, sentence by sentence.
    """
    abbreviations = lexicons.load(reading.language)["abbreviations"].words
    sentences = split_sentences(reading.plain.text, abbreviations)
    names = [Span(one.start, one.end) for one in reading.components if one.kind != "plain_name"]
    return Foreign(reading.plain, sentences, (*names, *more))


def page_names(contexts: Sequence[Context]) -> frozenset[str]:
    """The names that pages set apart, as they stand there; for `named_in`."""
    return frozenset(
        component.text
        for context in contexts
        for component in context.index.reading.components
        if _is_telling(component)
    )


def named_in(plain: PlainText, names: Collection[str]) -> tuple[Span, ...]:
    """Where a text has names of its pages, word for word, set apart or not.

    A language without tables has no patterns that find "Klicken Sie auf Speichern"; translated
    to "Save" it would be a name that no page has.

    >>> from klopt.reading.text import read_plain
    >>> named_in(read_plain("Klicken Sie auf Speichern."), {"Speichern"})
    (Span(start=16, end=25),)
    """
    if not names:
        return ()
    ordered = sorted(names, key=lambda name: (-len(name), name))
    expression = regex.compile(_PATTERN, regex.VERSION1, names=ordered)
    return tuple(Span(*match.span()) for match in expression.finditer(plain.text))


def _is_telling(component: Component) -> bool:
    """Whether a name can be told from an ordinary word: long enough, and not in small letters."""
    return len(component.text) >= PAGE_NAME_CHARS and not component.text.islower()


@dataclass(frozen=True, slots=True)
class _Page:
    """A page in the target language, and how many of its sentences lost their masks."""

    index: PageIndex
    unmasked_count: int


@dataclass(frozen=True, slots=True)
class TranslatedTurn:
    """A turn in the target language.

    Attributes:
        material: Its texts.
        unmasked_count: How many of their sentences lost their masks.
        signature: What translated, in a word for the fingerprint.
    """

    material: Material
    unmasked_count: int
    signature: str


class TranslatedTurns:
    """Turns in the target language.

    Safe to use from several threads.

    Args:
        translate: Says how.
        language: Reads the target language.
    """

    def __init__(self, translate: Translate, language: Language) -> None:
        self._interpreter = translate.interpreter
        self._is_required = translate.required
        self._language = language
        self._reader = language.reader
        self._pages: Recent[_Key, _Page] = Recent(PAGE_CACHE, PAGE_CACHE_CHARS)

    def is_needed(self, *, has_tables: bool) -> bool:
        """Whether a turn is not scored without a translation, whether klopt can read it or not."""
        return self._is_required or not has_tables

    def read(
        self, material: Material, source: str, scope: Scope, *, with_page_names: bool
    ) -> tuple[TranslatedTurn | None, TranslationNote]:
        """A turn as read in its own language → the turn in the target language, or why not.

        Pages that are in the target language already are not translated. All of it is of one
        edition of the translations; when that changes meanwhile, the turn is read again.

        Args:
            material: The turn; of its pages `readable` ones are read.
            source: The language of the turn.
            scope: What reads the translation.
            with_page_names: Whether names that pages set apart are kept in question and answer
                wherever they stand, as a language without patterns needs.

        Raises:
            PatternTimeoutError: A pattern took too long.
        """
        note = TranslationNote(source, self._reader.language, scope, "translated")
        try:
            found = self._of_one_edition(material, source, with_page_names)
        except TranslationError as error:
            code, reason = error.reason_code, error.message
            return None, replace(note, status="failed", reason_code=code, reason=reason)
        return found, replace(note, unmasked_count=found.unmasked_count)

    def _of_one_edition(
        self, material: Material, source: str, with_page_names: bool
    ) -> TranslatedTurn:
        edition = self._interpreter.edition(source)
        for _ in range(_READINGS):
            before = edition
            found = self._read(material, source, edition, with_page_names)
            edition = self._interpreter.edition(source)
            if edition == before:
                return found
        raise TranslationError("memory", "the translations change while they are read")

    def _read(
        self, material: Material, source: str, edition: str, with_page_names: bool
    ) -> TranslatedTurn:
        contexts = self.readable(material.contexts, source)
        keys = {
            number: _key(source, edition, one.index.reading.plain)
            for number, one in enumerate(contexts)
            if self._is_foreign(one.index.reading, source)
        }
        known = {key: page for key in keys.values() if (page := self._pages.get(key))}
        missing = {
            key: contexts[number].index.reading for number, key in keys.items() if key not in known
        }
        names = page_names(contexts) if with_page_names else frozenset()
        asked = [
            foreign(one, named_in(one.plain, names)) for one in (material.question, material.answer)
        ]
        asked += [foreign(one) for one in missing.values()]
        found = self._interpreter.interpret(asked, source)
        readings = [self._reader.read_plain(text) for text in found.texts]
        for key, reading, count in zip(
            missing, readings[2:], found.unmasked_counts[2:], strict=True
        ):
            known[key] = self._keep(key, reading, count)
        pages = [
            known[keys[number]] if number in keys else _Page(self._own(one.index), 0)
            for number, one in enumerate(contexts)
        ]
        unmasked = sum(found.unmasked_counts[:2]) + sum(one.unmasked_count for one in pages)
        translated = tuple(
            Context(one.page, page.index) for one, page in zip(contexts, pages, strict=True)
        )
        material = Material(readings[0], readings[1], translated, self._language)
        return TranslatedTurn(material, unmasked, found.signature)

    def readable(self, contexts: Sequence[Context], source: str) -> tuple[Context, ...]:
        """The pages in the turn's language, in the target language, or in nobody knows which."""
        return tuple(
            one
            for one in contexts
            if self._is_foreign(one.index.reading, source)
            or one.index.reading.vote.language == self._reader.language
        )

    def question(self, question: Reading, source: str) -> Reading:
        """The question alone in the target language.

        Raises:
            TranslationError: It could not be translated.
            PatternTimeoutError: A pattern took too long.
        """
        found = self._interpreter.interpret([foreign(question)], source)
        return self._reader.read_plain(found.texts[0])

    def _own(self, index: PageIndex) -> PageIndex:
        """A page in the target language, read with the tables of that language."""
        if index.reading.language == self._reader.language:
            return index
        plain = index.reading.plain
        key = _key(self._reader.language, "", plain)
        page = self._pages.get(key) or self._keep(key, self._reader.read_plain(plain), 0)
        return page.index

    def _keep(self, key: _Key, reading: Reading, unmasked_count: int) -> _Page:
        index = index_page(reading, self._language.lexicons)
        return self._pages.put(key, _Page(index, unmasked_count), sum(map(len, key)))

    def _is_foreign(self, reading: Reading, source: str) -> bool:
        """Whether a page is to be translated: it is in the turn's language, or nobody can tell."""
        vote = reading.vote
        if vote.language is None:
            return vote.other in (None, source)
        return vote.language == source


def _key(source: str, edition: str, plain: PlainText) -> _Key:
    return source, edition, plain.source, plain.text
