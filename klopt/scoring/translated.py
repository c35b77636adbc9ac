"""Turns read in translation, which stands before the measuring: that knows nothing of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import regex

from klopt import lexicons
from klopt.cached import Recent
from klopt.errors import TranslationError
from klopt.heuristics import Material
from klopt.matching import Context, PageIndex, index_page
from klopt.matching.language import PAGE_CACHE, PAGE_CACHE_CHARS
from klopt.reading.reader import LanguageVote, Reading, split_sentences
from klopt.reading.text import PlainText, Span
from klopt.records import Turn
from klopt.scoring.across import Nearness
from klopt.scoring.explanation import Refusal
from klopt.scoring.interpretation import Foreign, Scope, Translate, TranslationNote
from klopt.scoring.measuring import Case, Measuring
from klopt.scoring.readable import NotScorableError, other_language, read_pages, read_turn
from klopt.scoring.setup import Setup

PAGE_NAME_CHARS: Final = 3
"""A shorter name of a page is not looked for in an answer that does not set it apart."""
_READINGS: Final = 3
"""So often a turn is read while others change its translations."""
_Key: TypeAlias = tuple[str, str, str, str]
_Page: TypeAlias = tuple[PageIndex, int]
"""A page in the target language, and how many of its sentences lost their masks."""
_Read: TypeAlias = tuple[Material, int, str]
"""A turn in the target language, how many of its sentences lost their masks, what translated."""
_PATTERN: Final = r"(?<!\w)\L<names>(?!\w)"


class TranslatedMeasuring(Measuring):
    """Measures turns, of which some, or some heuristics, are read in translation."""

    reads_any_language = True

    def __init__(self, setup: Setup, translate: Translate) -> None:
        super().__init__(setup)
        self._interpreter, self._target = translate.interpreter, translate.interpreter.target
        setup.check_language(self._target)
        self._translate = translate
        self._scope = None if self._interpreter.gist_of else translate.scope
        self._language = self.languages[self._target]
        self._nearness = Nearness() if translate.by_meaning else None
        self._pages: Recent[_Key, _Page] = Recent(PAGE_CACHE, PAGE_CACHE_CHARS)

    def route(self, case: Case, texts: Sequence[PlainText]) -> str:
        """As ever; and what of the turn reads the translation."""
        language = super().route(case, texts)
        if language != self._target:
            case.has_tables = language in self.profile.languages
            case.scope = self._scope if case.has_tables else "whole"
            case.own = language if case.has_tables else self._target
        return language

    def other_language(self, votes: LanguageVote, texts: Sequence[PlainText]) -> str | None:
        """The other language that the vote tells, or whoever translates."""
        return votes.other or self._interpreter.language_of([text.running_text for text in texts])

    def question(self, case: Case, question: PlainText) -> Reading:
        """As ever, or in translation where everything reads it.

        Raises:
            TranslationError: It could not be translated, and the original will not do.
        """
        asked = super().question(case, question)
        if case.scope == "whole" and case.language is not None:
            try:
                asked_for = [foreign(asked, case.language)]
                translation = self._interpreter.interpret(asked_for, case.language)
                return self._language.reader.read_plain(translation.texts[0])
            except TranslationError:
                if self._is_needed(case):
                    raise
        return asked

    def material(self, turn: Turn) -> Material | None:
        """As ever; None when a translation is to be read for it."""
        case = Case(turn)
        self.route(case, read_turn(turn))
        return None if case.scope else super().material(turn)

    def read(
        self, case: Case, language: str, question: PlainText, answer: PlainText
    ) -> tuple[Material, Material]:
        """As ever, but either both, or the second, in translation."""
        if case.scope is None and self._interpreter.gist_of:
            try:
                return super().read(case, language, question, answer)
            except NotScorableError as stop:
                if stop.refusal.code != "context_language":
                    raise
                case.scope, case.own = "whole", self._target
        if case.scope == "whole":
            tables = self.languages[case.own]
            pages = read_pages(case.turn.pages, tables, case.deadline)
            if not self._readable(pages, language):
                raise other_language(pages, language)
            read = tables.reader.read_plain
            whole = self._in_target(
                case, language, Material(read(question), read(answer), pages, tables), "whole"
            )
            if whole is not None:
                self.admit(case, whole.question, self.types)
                return whole, whole
        own, _ = super().read(case, language, question, answer)
        marked = self._in_target(case, language, own, "marked") if case.scope == "marked" else None
        return own, marked or own

    def _is_needed(self, case: Case) -> bool:
        """Whether a turn is not scored without a translation, whether klopt can read it or not."""
        return self._translate.required or not case.has_tables

    def _in_target(
        self, case: Case, language: str, material: Material, scope: Scope
    ) -> Material | None:
        """The turn in the target language, or None when it is to be scored on the original.

        All of it is of one edition of the translations; when that changes meanwhile, the turn is
        read again.

        Raises:
            NotScorableError: It was not translated, and the original will not do.
        """
        note = TranslationNote(language, self._target, scope, "translated")
        try:
            edition = self._interpreter.edition(language)
            for _ in range(_READINGS):
                before = edition
                translated, count, signature = self._translated(case, language, material, edition)
                edition = self._interpreter.edition(language)
                if edition == before:
                    case.note = replace(note, unmasked_count=count)
                    case.translator = f"{scope}:{signature}"
                    case.is_rough = bool(self._interpreter.gist_of)
                    if self._nearness is not None and translated.statements:
                        nearer = self._nearness.statements(translated)
                        translated.__dict__["statements"] = nearer
                    return translated
            raise TranslationError("memory", "the translations change while they are read")
        except TranslationError as error:
            code, reason = error.reason_code, error.message
            case.note = replace(note, status="failed", reason_code=code, reason=reason)
        if self._is_needed(case):
            refusal = Refusal("not_translated", case.note.reason or "", wanted=self._target)
            raise NotScorableError(refusal, is_error=True)
        return None

    def _translated(self, case: Case, source: str, material: Material, edition: str) -> _Read:
        """A turn in the target language; pages that are in it already are not translated.

        Where nothing is known of a language, what its pages set apart is a name wherever it stands.
        """
        contexts = self._readable(material.contexts, source)
        keys = {
            number: _key(source, edition, context.index.reading.plain)
            for number, context in enumerate(contexts)
            if self._is_foreign(context.index.reading, source)
        }
        known = {key: page for key in keys.values() if (page := self._pages.get(key))}
        missing = {
            key: contexts[number].index.reading for number, key in keys.items() if key not in known
        }
        names = frozenset[str]() if case.has_tables else page_names(contexts)
        own = (material.question, material.answer) if source != self._target else ()
        asked = [foreign(one, source, named_in(one.plain, names)) for one in own]
        asked += [foreign(one, _own_language(one) or source) for one in missing.values()]
        translation = self._interpreter.interpret(asked, source)
        readings = [self._language.reader.read_plain(text) for text in translation.texts]
        for key, reading, count in zip(
            missing, readings[len(own) :], translation.unmasked_counts[len(own) :], strict=True
        ):
            known[key] = self._keep(key, reading, count)
        question, answer = readings[:2] if own else (material.question, material.answer)
        pages = [
            known[keys[number]] if number in keys else (self._own(context.index), 0)
            for number, context in enumerate(contexts)
        ]
        unmasked = sum(translation.unmasked_counts[: len(own)]) + sum(count for _, count in pages)
        translated = tuple(
            Context(one.page, index) for one, (index, _) in zip(contexts, pages, strict=True)
        )
        turn = Material(question, answer, translated, self._language)
        return turn, unmasked, translation.signature

    def _readable(self, contexts: Sequence[Context], source: str) -> tuple[Context, ...]:
        """The pages in the turn's language, in the target language, or in nobody knows which.

        A language of which not even the gist is given is held against pages in itself alone.
        """
        has_target = not self._is_as_it_stands(source)
        return tuple(
            context
            for context in contexts
            if self._is_foreign(context.index.reading, source)
            or (has_target and context.index.reading.vote.language == self._target)
        )

    def _is_as_it_stands(self, source: str) -> bool:
        gist_of = self._interpreter.gist_of
        return bool(gist_of) and source not in (*gist_of, self._target)

    def _is_foreign(self, reading: Reading, source: str) -> bool:
        """Whether a page is to be translated: it is in the turn's language, or nobody can tell.

        Of which the gist is given, a page may be in any language of those.
        """
        own = _own_language(reading)
        if own is None:
            return source != self._target
        others = () if self._is_as_it_stands(source) else self._interpreter.gist_of
        return own != self._target and own in (source, *others)

    def _own(self, index: PageIndex) -> PageIndex:
        """A page in the target language, read with the tables of that language."""
        if index.reading.language == self._target:
            return index
        plain = index.reading.plain
        key = _key(self._target, "", plain)
        read = self._language.reader.read_plain
        return (self._pages.get(key) or self._keep(key, read(plain), 0))[0]

    def _keep(self, key: _Key, reading: Reading, unmasked_count: int) -> _Page:
        index = index_page(reading, self._language.lexicons)
        return self._pages.put(key, (index, unmasked_count), sum(map(len, key)))


def foreign(reading: Reading, language: str, more: Collection[Span] = ()) -> Foreign:
    """A text in a language that was read → what is to be translated of it.

    Plain names are words like others here, so that one memory serves every profile; and the cells
    of a table's row are translated one by one, sentence by sentence.
    """
    abbreviations = lexicons.load(reading.language)["abbreviations"].words
    sentences = split_sentences(reading.plain.text, abbreviations)
    names = [
        Span(component.start, component.end)
        for component in reading.components
        if component.kind != "plain_name"
    ]
    return Foreign(language, reading.plain, sentences, (*names, *more))


def page_names(contexts: Sequence[Context]) -> frozenset[str]:
    """The names that pages set apart and that can be told from ordinary words."""
    return frozenset(
        component.text
        for context in contexts
        for component in context.index.reading.components
        if len(component.text) >= PAGE_NAME_CHARS and not component.text.islower()
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


def _own_language(reading: Reading) -> str | None:
    """The language that a text reads like; None where nobody can tell."""
    return reading.vote.language or reading.vote.other


def _key(source: str, edition: str, plain: PlainText) -> _Key:
    return source, edition, plain.source, plain.text
