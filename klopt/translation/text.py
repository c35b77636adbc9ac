"""Translate whole texts through the cache, and ask a translator for the sentences it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol, TypeAlias

from klopt import lexicons
from klopt._internal.cached import Recent
from klopt.errors import InputError, TranslationError
from klopt.scoring.notes import LostPart
from klopt.text.building import read_plain
from klopt.text.language import vote
from klopt.text.plain import PlainText, Span
from klopt.translation.aligned import AlignedText, align
from klopt.translation.cache import CacheEntry, TranslationCache
from klopt.translation.masks import (
    MARKER,
    Restored,
    Segment,
    Unit,
    faults,
    find_again,
    has_words,
    lost_part,
    read_units,
    restore,
    written_out,
)

EXCERPT_CHARS: Final = 60  # Characters of a sentence that a message quotes
MIN_WORDS_FOR_LANGUAGE: Final = 4  # Words that a sentence needs before its language can be judged
REMEMBERED_REJECTIONS: Final = 10_000  # sentences that are not requested again

_DIGEST_CHARS: Final = 8
_ASCII_WORDS: Final = re.compile(r"[!-~⟦⟧]+(?: [!-~⟦⟧]+)*")
_Read: TypeAlias = tuple[PlainText, tuple[Unit, ...]]


class Translator(Protocol):
    """Anything that translates sentences; `klopt.translation.online_translator` makes one.

    ``name`` is the service in the fingerprint; ``destination`` is where the texts go, for people.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def destination(self) -> str: ...  # noqa: D102

    def translate(self, texts: Sequence[str], source: str, target: str) -> Iterable[str]:
        """Yield the translations in order, "" for one without; keep the placeholders (⟦1⟧, ⟦2⟧ …).

        A TranslationError ends them; what it yielded before is kept.
        """
        ...


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text to translate, sentence by sentence; ``names`` are the UI names in it."""

    plain: PlainText
    sentences: tuple[Span, ...]
    names: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class TranslatedTexts:
    """Translations of several texts, whose offsets lead back to the originals.

    ``unmasked_count`` sentences went through the translator with their names and numbers; ``lost``
    has for each text its sentences whose translation lacks a part.
    """

    texts: tuple[AlignedText, ...]
    unmasked_count: int
    signature: str
    lost: tuple[tuple[LostPart, ...], ...] = ()


class CachedTranslator:
    """Translates texts through a cache, and optionally asks a translator for missing sentences.

    Safe to use from several threads. Without a translator nothing leaves the machine. Raises
    UnknownLanguageError without lexicons for the target language.
    """

    def __init__(
        self, cache: TranslationCache, *, target: str = "en", translator: Translator | None = None
    ) -> None:
        lexicons.load(target)
        self.target = target
        self._cache = cache
        self._translator = translator
        self._name = "cache" if translator is None else translator.name
        self._rejected: Recent[str, TranslationError] = Recent(REMEMBERED_REJECTIONS)

    def translate(self, texts: Sequence[SourceText], source: str) -> TranslatedTexts:
        """Translate all of the texts, or none, and raise TranslationError."""
        read = [(one.plain, read_units(one.plain, one.sentences, one.names)) for one in texts]
        try:
            known = self._known(read, source)
            digest = self._cache.digest(source, self.target)
        except InputError as error:
            # A cache that fails is a reason not to translate, not the end of the run.
            raise TranslationError("cache", str(error)) from None
        unmasked_count = 0
        lost: list[list[LostPart]] = [[] for _ in read]

        def translate(segment: Segment, plain: PlainText, number: int) -> Restored:
            nonlocal unmasked_count
            if segment.text in known:
                restored = restore(known[segment.text], segment, plain)
            else:
                unmasked_count += 1
                restored = find_again(known[written_out(segment, plain)], segment, plain)
            text = plain.text[segment.start : segment.end]
            if part := lost_part(segment, text, restored.text, source, self.target):
                span = plain.original(segment.start, segment.end)
                lost[number].append(LostPart(text, part, *span))
            return restored

        made = tuple(
            align(plain, units, partial(translate, plain=plain, number=number))
            for number, (plain, units) in enumerate(read)
        )
        for text in made:
            found = vote([text.running_text])
            language = found.language or found.other
            if language not in (None, self.target):
                raise self._wrong_language(str(language))
        signature = f"{self.target}:{self._name}@{digest[:_DIGEST_CHARS]}"
        return TranslatedTexts(made, unmasked_count, signature, tuple(map(tuple, lost)))

    def _known(self, texts: Sequence[_Read], source: str) -> Mapping[str, str]:
        """Return a translation for every sentence, by its masked text or by the sentence itself."""
        wanted: dict[str, list[str]] = {}
        for plain, units in texts:
            for unit in units:
                for sentence in unit.sentences:
                    if sentence.has_words:
                        wanted.setdefault(sentence.text, []).append(written_out(sentence, plain))
        known, missing = self._look_up(wanted, source)
        if missing and self._translator is not None:
            lost = self._request(missing, source, self._translator)
            again = dict.fromkeys(text for key in lost for text in missing[key])
            self._request(again, source, self._translator)
            known, missing = self._look_up(wanted, source)
        if missing:
            first = next(iter(missing.values()))[0]
            raise TranslationError(
                "not_in_cache",
                "sentences are not in the translation cache: "
                f"{len(missing)}/{len(wanted)}, “{_excerpt(first)}”",
            )
        return known

    def _look_up(
        self, wanted: Mapping[str, Sequence[str]], source: str
    ) -> tuple[dict[str, str], dict[str, Sequence[str]]]:
        """Return the usable translations, and the sentences that have none."""
        keys = [*wanted, *(text for own in wanted.values() for text in own)]
        known: dict[str, str] = {}
        for key, translation in self._cache.find(keys, source, self.target).items():
            text = tidy(translation)
            is_untranslated = text == key and source in _languages(text)
            lacks_mark = faults(text, len(MARKER.findall(key)), invented_too=False)
            if not (_is_blank(text, key) or is_untranslated or lacks_mark):
                known[key] = text
        missing = {
            key: own
            for key, own in wanted.items()
            if key not in known and not known.keys() >= {*own}
        }
        return known, missing

    def _request(self, texts: Iterable[str], source: str, translator: Translator) -> list[str]:
        """Cache what a translator gives, and return the texts whose placeholders got lost."""
        keys = list(texts)
        if rejected := next(filter(None, map(self._rejected.get, keys)), None):
            raise TranslationError(rejected.reason_code, rejected.message)
        lost: list[str] = []
        problem: TranslationError | None = None
        replies = iter(translator.translate(keys, source, self.target)) if keys else iter(())
        for key in keys:
            reply = next(replies, None)
            if reply is None:
                raise TranslationError("bad_reply", f"{translator.name} sent too few translations")
            marks_count = len(MARKER.findall(key))
            text = tidy(reply if marks_count else MARKER.sub(" ", reply))
            if _is_blank(text, key):
                message = f"{translator.name} sent no translation of “{_excerpt(key)}”"
                problem = problem or TranslationError("empty", message)
            elif faults(text, marks_count):
                lost.append(key)
            elif error := self._rejection(key, text, source):
                problem = problem or self._rejected.put(key, error)
            else:
                self._cache.add([CacheEntry(source, self.target, key, text)])
        if problem is not None:
            raise problem
        return lost

    def _rejection(self, key: str, text: str, source: str) -> TranslationError | None:
        """Return an error for a sentence that came back in another language than the target."""
        languages = _languages(text)
        is_echo = MARKER.sub("", key) == MARKER.sub("", text)
        if source in languages or (is_echo and languages and languages[0] != self.target):
            return self._wrong_language(source, f": “{_excerpt(key)}”")
        return None

    def _wrong_language(self, language: str, sentence: str = "") -> TranslationError:
        who = "the translation cache" if self._translator is None else self._name
        message = f'{who} gave "{language}" instead of "{self.target}"{sentence}'
        return TranslationError("wrong_language", message)


def _is_blank(text: str, key: str) -> bool:
    """Return whether a translation is empty, or has no word where the sentence has several.

    >>> _is_blank("⟦1⟧ …", "Klik in het scherm op ⟦1⟧."), _is_blank("⟦1⟧", "de ⟦1⟧")
    (True, False)
    """
    words = MARKER.sub(" ", key).split()
    return not text or (not has_words(text) and len(words) >= MIN_WORDS_FOR_LANGUAGE)


def _languages(text: str) -> tuple[str | None, ...]:
    """Return the languages that a sentence reads like; () when it is too short to judge."""
    words = MARKER.sub(" ", text)
    if len(words.split()) < MIN_WORDS_FOR_LANGUAGE:
        return ()
    found = vote([words])
    return found.language, found.other


def tidy(text: str) -> str:
    r"""Return a translation in NFC, on one line, without zero-width characters.

    >>> tidy("Click \n on\u200b **Save**.")
    'Click on **Save**.'
    """
    if _ASCII_WORDS.fullmatch(text):
        return text
    return " ".join(read_plain(text).text.split())


def _excerpt(sentence: str) -> str:
    return sentence if len(sentence) <= EXCERPT_CHARS else f"{sentence[:EXCERPT_CHARS]}…"
