"""Turns read in translation, which stands before the measuring: that knows nothing of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import regex

from klopt import lexicons
from klopt.errors import TranslationError
from klopt.heuristics import Material
from klopt.matching import Context, Language, PageIndex, index_page
from klopt.matching.language import PAGE_CACHE, PAGE_CACHE_CHARS
from klopt.reading.components import Component
from klopt.reading.reader import Reading, split_sentences
from klopt.reading.recent import Recent
from klopt.reading.text import PlainText, Span
from klopt.records import Turn
from klopt.scoring.admission import NotScorableError, other_language, read_pages, read_turn
from klopt.scoring.explanation import Refusal
from klopt.scoring.interpretation import Foreign, Scope, Translate, TranslationNote
from klopt.scoring.measuring import Case, Measuring
from klopt.scoring.setup import Setup

PAGE_NAME_CHARS: Final = 3
"""A shorter name of a page is not looked for in an answer that does not set it apart."""
_READINGS: Final = 3
"""So often a turn is read while others change its translations."""
_Key: TypeAlias = tuple[str, str, str, str]
_PATTERN: Final = r"(?<!\w)\L<names>(?!\w)"


class TranslatedMeasuring(Measuring):
    """Measures turns, of which some, or some heuristics, are read in translation."""

    reads_any_language = True

    def __init__(self, setup: Setup, translate: Translate) -> None:
        super().__init__(setup)
        target = translate.interpreter.target
        setup.check_language(target)
        self._translate = translate
        self._translated = TranslatedTurns(translate, self.languages[target])

    def route(self, case: Case, texts: Sequence[PlainText]) -> str:
        """As ever; and what of the turn reads the translation."""
        language = super().route(case, texts)
        target = self._translate.interpreter.target
        if language != target:
            case.has_tables = language in self.profile.languages
            case.scope = self._translate.scope if case.has_tables else "whole"
            case.own = language if case.has_tables else target
        return language

    def question(self, case: Case, question: PlainText) -> Reading:
        """As ever, or in translation where everything reads it.

        Raises:
            TranslationError: It could not be translated, and the original will not do.
        """
        asked = super().question(case, question)
        if case.scope == "whole" and case.language is not None:
            try:
                return self._translated.question(asked, case.language)
            except TranslationError:
                if self._is_needed(case):
                    raise
        return asked

    def material(self, turn: Turn) -> Material | None:
        """As ever; None when a translation is to be read for it."""
        case = Case(turn)
        self.route(case, read_turn(turn))
        return None if case.scope else super().material(turn)

    def materials(
        self, case: Case, question: PlainText, answer: PlainText
    ) -> tuple[Material, Material]:
        """As ever, but either both, or the second, in translation."""
        language = self.route(case, (question, answer))
        self.find_pages(case, language)
        if case.scope == "whole":
            tables = self.languages[case.own]
            pages = read_pages(case.turn.pages, tables, case.deadline)
            if not self._translated.readable(pages, language):
                raise other_language(pages, language)
            read = tables.reader.read_plain
            read_whole = Material(read(question), read(answer), pages, tables)
            whole = self._material(case, language, read_whole, "whole")
            if whole is not None:
                self.admit(case, whole.question)
                return whole, whole
        own = self.as_it_is(case, question, answer)
        marked = None
        if case.scope == "marked":
            marked = self._material(case, language, own, "marked")
        return own, marked or own

    def _material(
        self, case: Case, language: str, material: Material, scope: Scope
    ) -> Material | None:
        """The turn in the target language, or None when it is to be scored on the original.

        Raises:
            NotScorableError: It was not translated, and the original will not do.
        """
        found, case.note = self._translated.read(
            material, language, scope, with_page_names=not case.has_tables
        )
        if found is not None:
            case.translator = f"{scope}:{found.signature}"
            return found.material
        if self._is_needed(case):
            refusal = Refusal("not_translated", case.note.reason or "", wanted=case.note.target)
            raise NotScorableError(refusal, is_error=True)
        return None

    def _is_needed(self, case: Case) -> bool:
        """Whether a turn is not scored without a translation, whether klopt can read it or not."""
        return self._translate.required or not case.has_tables


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
        self._language = language
        self._reader = language.reader
        self._pages: Recent[_Key, _Page] = Recent(PAGE_CACHE, PAGE_CACHE_CHARS)

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
