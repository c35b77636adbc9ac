"""Measure turns of which some, or some features, are read in translation."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

import regex

from klopt import lexicons
from klopt._internal.cached import Recent
from klopt.errors import TranslationError
from klopt.heuristics import Material
from klopt.scoring.explanation import Refusal
from klopt.scoring.measuring import Measuring
from klopt.scoring.notes import LostPart, Scope, TranslationNote
from klopt.scoring.reading import Case, NotScorableError, other_language, read_pages, read_turn
from klopt.scoring.setup import Setup
from klopt.text.plain import PlainText, Span
from klopt.text.reader import Reading, split_sentences
from klopt.translation.text import CachedTranslator, SourceText, TranslatedTexts
from klopt.types import Turn
from klopt.verification import Context, PageIndex, index_page
from klopt.verification.language import PAGE_CACHE, PAGE_CACHE_CHARS

MIN_NAME_CHARS: Final = 3  # shorter page names need markup to be found

_PATTERN: Final = r"(?<!\w)\L<names>(?!\w)"


@dataclass(frozen=True, slots=True)
class Translate:
    """How a scorer reads translations, as ``Scorer.load(translate=...)``.

    Attributes:
        translator: Translates the sentences.
        scope: ``marked``: the features that the paper marks (𝔄) read the translation, the others
            the original; ``whole``: all features read it, as they do for a language that the
            profile does not have.
        required: Whether a turn that cannot be translated is refused.

    >>> import tempfile
    >>> from klopt import Scorer, Turn
    >>> from klopt.translation import CachedTranslator, TranslationCache
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with TranslationCache(f"{folder}/cache.sqlite", create=True) as cache:
    ...         scorer = Scorer.load(translate=Translate(CachedTranslator(cache)))
    ...         turn = Turn("Wie schließe ich es?", "Mit Alt+F8.", ["Mit Alt+F7."], language="de")
    ...         scorer.score(turn).translation.reason_code
    'not_in_cache'
    """

    translator: CachedTranslator
    scope: Scope = "marked"
    required: bool = False

    @property
    def target(self) -> str:
        """The language that texts are translated to."""
        return self.translator.target

    def measuring(self, setup: Setup) -> TranslatedMeasuring:
        """Return what measures the turns of a scorer that translates."""
        return TranslatedMeasuring(setup, self)


class TranslatedMeasuring(Measuring):
    """Measures turns of which some, or some features, are read in translation."""

    reads_any_language = True

    def __init__(self, setup: Setup, translate: Translate) -> None:
        super().__init__(setup)
        self._translate, self._target = translate, translate.target
        setup.check_language(self._target)
        self._language = self.languages[self._target]
        self._pages: Recent[tuple[str, str, str], PageIndex] = Recent(PAGE_CACHE, PAGE_CACHE_CHARS)

    def route(self, case: Case, texts: Sequence[PlainText]) -> str:
        """Route the turn by its language, and decide which features read the translation."""
        language = super().route(case, texts)
        if language != self._target:
            case.has_tables = language in self.profile.languages
            case.scope = self._translate.scope if case.has_tables else "whole"
            case.own = language if case.has_tables else self._target
        return language

    def question(self, case: Case, question: PlainText) -> Reading:
        """Read the question that the message type is decided from, or raise `TranslationError`."""
        reading = super().question(case, question)
        if case.scope == "whole" and case.language is not None:
            try:
                texts = self._translate.translator.translate([source_text(reading)], case.language)
                return self._language.reader.read_plain(texts.texts[0])
            except TranslationError:
                if self._is_needed(case):
                    raise
        return reading

    def material(self, turn: Turn) -> Material | None:
        """Return what features read of a turn; None for a turn that is translated."""
        case = Case(turn)
        self.route(case, read_turn(turn, case.deadline))
        return None if case.scope else super().material(turn)

    def read(
        self, case: Case, language: str, question: PlainText, answer: PlainText
    ) -> tuple[Material, Material]:
        """Read the turn for the other features, and for those that the paper marks."""
        if case.scope == "whole":
            tables = self.languages[case.own]
            pages = read_pages(case.turn.pages, tables, case.deadline)
            if not self._usable(pages, language):
                raise other_language(pages, language)
            read = tables.reader.read_plain
            own = Material(read(question), read(answer), pages, tables)
            whole = self._in_target(case, language, own, "whole")
            if whole is not None:
                self.admit(case, whole.question, self.types)
                return whole, whole
        own, _ = super().read(case, language, question, answer)
        marked = self._in_target(case, language, own, "marked") if case.scope == "marked" else None
        return own, marked or own

    def _is_needed(self, case: Case) -> bool:
        """Return whether a turn is not scored without a translation."""
        return self._translate.required or not case.has_tables

    def _in_target(
        self, case: Case, language: str, material: Material, scope: Scope
    ) -> Material | None:
        """Return the turn in the target language, or None to score the original."""
        note = TranslationNote(language, self._target, scope, "translated")
        try:
            translated, translation, lost = self._translated(case, language, material)
        except TranslationError as error:
            code, reason = error.reason_code, error.message
            case.note = replace(note, status="failed", reason_code=code, reason=reason)
            if self._is_needed(case):
                refusal = Refusal("not_translated", reason, wanted=self._target)
                raise NotScorableError(refusal, is_error=True) from None
            return None
        case.note = replace(note, unmasked_count=translation.unmasked_count, lost=lost)
        case.translator = f"{scope}:{translation.signature}"
        return translated

    def _translated(
        self, case: Case, source: str, turn: Material
    ) -> tuple[Material, TranslatedTexts, tuple[LostPart, ...]]:
        """Return a turn in the target language, its translation, and the sentences with losses."""
        contexts = self._usable(turn.contexts, source)
        foreign = [one for one in contexts if self._is_foreign(one.index.reading, source)]
        pages = {_key(one): one.index.reading for one in foreign}
        # In a language without lexicons, a name that a page sets apart is a name everywhere.
        names = frozenset[str]() if case.has_tables else page_names(contexts)
        own = (turn.question, turn.answer)
        texts = [source_text(one, named_in(one.plain, names)) for one in own]
        texts += map(source_text, pages.values())
        translation = self._translate.translator.translate(texts, source)
        question, answer = map(self._language.reader.read_plain, translation.texts[:2])
        read = [self._indexed(source, text) for text in translation.texts[2:]]
        indexed = dict(zip(pages, read, strict=True))
        translated = tuple(
            replace(one, index=indexed.get(_key(one)) or self._own(one.index)) for one in contexts
        )
        others = (*turn.others, *(one for one in turn.contexts if one not in contexts))
        made = Material(question, answer, translated, self._language, others)
        on_pages = dict(zip(pages, translation.lost[2:], strict=True))
        lost = [part for parts in translation.lost[:2] for part in parts]
        for one in foreign:
            lost += (replace(part, page=one.page) for part in on_pages[_key(one)])
        return made, translation, tuple(lost)

    def _usable(self, contexts: Sequence[Context], source: str) -> tuple[Context, ...]:
        """Return the pages in the turn's language, the target language or an unknown one."""

        def is_usable(own: Reading) -> bool:
            return self._is_foreign(own, source) or own.vote.language == self._target

        return tuple(one for one in contexts if is_usable(one.index.reading))

    def _is_foreign(self, reading: Reading, source: str) -> bool:
        """Return whether a page must be translated: the turn's language, or an unknown one."""
        votes = reading.vote
        own = votes.language or votes.other or source
        return own == source != self._target

    def _own(self, index: PageIndex) -> PageIndex:
        """Return a page in the target language, read with the lexicons of that language."""
        if index.reading.language == self._target:
            return index
        return self._indexed(self._target, index.reading.plain)

    def _indexed(self, source: str, plain: PlainText) -> PageIndex:
        """Return the index of a page that was translated, read once for each translation."""
        key = source, plain.source, plain.text
        known = self._pages.get(key)
        if known is not None:
            return known
        index = index_page(self._language.reader.read_plain(plain), self._language.lexicons)
        return self._pages.put(key, index, sum(map(len, key)))


def _key(context: Context) -> tuple[str, str]:
    plain = context.index.reading.plain
    return plain.source, plain.text


def source_text(reading: Reading, more_names: Collection[Span] = ()) -> SourceText:
    """Return what is to be translated of a text.

    Plain names are words like others here, so that one cache serves every profile; the cells of a
    table's row are translated one by one, sentence by sentence.
    """
    abbreviations = lexicons.load(reading.language)["abbreviations"].words
    sentences = split_sentences(reading.plain.text, abbreviations)
    named = (component for component in reading.components if component.kind != "plain_name")
    names = (Span(component.start, component.end) for component in named)
    return SourceText(reading.plain, sentences, (*names, *more_names))


def page_names(contexts: Sequence[Context]) -> frozenset[str]:
    """Return the names that pages set apart and that differ from ordinary words."""
    names = (one.text for context in contexts for one in context.index.reading.components)
    return frozenset(name for name in names if len(name) >= MIN_NAME_CHARS and not name.islower())


def named_in(plain: PlainText, names: Collection[str]) -> tuple[Span, ...]:
    """Return where a text has names of its pages, word for word.

    A language without lexicons has no patterns that find "Klicken Sie auf Speichern"; translated
    to "Save" it would be a name that no page has.

    >>> from klopt.text.building import read_plain
    >>> named_in(read_plain("Klicken Sie auf Speichern."), {"Speichern"})
    (Span(start=16, end=25),)
    """
    if not names:
        return ()
    ordered = sorted(names, key=lambda name: (-len(name), name))
    expression = regex.compile(_PATTERN, regex.VERSION1, names=ordered)
    return tuple(Span(*match.span()) for match in expression.finditer(plain.text))
