"""Texts in another language: from the memory, and what it lacks from a translator."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from klopt import lexicons
from klopt.errors import TranslationError
from klopt.reading.language import vote
from klopt.reading.plain import read_plain
from klopt.reading.recent import Recent
from klopt.reading.text import PlainText
from klopt.scoring.interpretation import Foreign, Interpretation
from klopt.translation.aligned import AlignedText, AlignedTextBuilder
from klopt.translation.blocks import block_sentences
from klopt.translation.masks import MARKER, Restored, Segment, faults, restore
from klopt.translation.memory import TRUSTED, Entry, Memory
from klopt.translation.translator import Translator, UnfinishedError
from klopt.translation.units import Unit, read_units
from klopt.translation.unmasked import find_again, written_out

_LOG: Final = logging.getLogger("klopt")
_DIGITS: Final = 8
EXCERPT_CHARS: Final = 60
REFUSED: Final = 10_000
"""Sentences that came back in a wrong language and are not asked again; so many are remembered."""

BATCH_TEXTS: Final = 100
"""So many sentences are asked at once; what was answered before a run is broken off is kept."""

_PLAIN: Final = re.compile(r"[!-~⟦⟧]+(?: [!-~⟦⟧]+)*")

FEWEST_WORDS: Final = 4
"""A translated sentence of fewer words says nothing of its language."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A text and its blocks."""

    plain: PlainText
    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """Translations of whole blocks and of sentences by masked text, others by the text itself."""

    blocks: Mapping[str, str]
    sentences: Mapping[str, str]
    unmasked: Mapping[str, str]


class MemoryInterpreter:
    """Translates by a memory, and asks a translator for what it lacks.

    Safe to use from several threads.

    Args:
        memory: What was translated before; what the translator gives is added to it.
        target: The language to read in.
        translator: Whoever is asked for what the memory lacks; None asks nobody.
        provider: Whose translations of the memory are used beside the trusted ones; by default
            the translator's, or without one all of them.

    Raises:
        UnknownLanguageError: There are no tables of the target.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        target: str = "en",
        translator: Translator | None = None,
        provider: str | None = None,
    ) -> None:
        self._memory = memory
        self._target = target
        self._translator = translator
        self._provider = translator.name if translator is not None else provider
        self._abbreviations = lexicons.load(target)["abbreviations"].words
        self._refused: Recent[str, TranslationError] = Recent(REFUSED)
        self._lock = threading.Lock()
        self._others: dict[str, tuple[str, ...]] = {}

    @property
    def target(self) -> str:
        """The language to read in."""
        return self._target

    def providers(self, source: str) -> tuple[str, ...]:
        """Whose translations are used, the first goes first: people's, then a translator's.

        Where none is named, those that the memory has when it is first asked.
        """
        if self._provider is not None:
            return (TRUSTED, self._provider)
        if source not in self._others:
            pair = (source, self._target)
            counts = self._memory.counts()
            found = {
                one.provider for one in counts if (one.source_language, one.target_language) == pair
            }
            self._others[source] = (TRUSTED, *sorted(found - {TRUSTED}))
        return self._others[source]

    def signature(self, source: str) -> str:
        """Target, translator, and the digest of the memory's translations from a language."""
        name = self._provider or "memory"
        return f"{self._target}:{name}@{self._digest(source, self.providers(source))[:_DIGITS]}"

    def edition(self, source: str) -> str:
        """Changes when people's translations do; a translator's are added and never change."""
        return self._digest(source, (TRUSTED,))

    def interpret(self, texts: Sequence[Foreign], source: str) -> Interpretation:
        """The texts in the target language, all of them.

        Raises:
            TranslationError: One of them could not be translated; nothing is half translated.
            PatternTimeoutError: A rule for what is masked took too long.
            InputError: The memory cannot be read.
        """
        read = [_Text(one.plain, read_units(one.plain, one.sentences, one.names)) for one in texts]
        found = self._find(read, source)
        made = [_assembled(text, found, self._abbreviations) for text in read]
        self._check_language([text for text, _ in made], source)
        return Interpretation(tuple(text for text, _ in made), tuple(count for _, count in made))

    def _find(self, texts: Sequence[_Text], source: str) -> _Found:
        """Every translation that the texts need."""
        blocks = self._known(
            [
                unit.whole.text
                for text in texts
                for unit in text.units
                if len(unit.sentences) > 1 and unit.whole.has_words
            ],
            source,
            (TRUSTED,),
        )
        wanted: dict[str, list[str]] = {}
        for text in texts:
            for unit in text.units:
                if unit.whole.text not in blocks or len(unit.sentences) < 2:
                    for one in unit.sentences:
                        if one.has_words:
                            wanted.setdefault(one.text, []).append(written_out(one, text.plain))
        providers = self.providers(source)
        sentences = self._known(list(wanted), source, providers)
        lacking = {key: texts for key, texts in wanted.items() if key not in sentences}
        masked = [text for key, texts in lacking.items() for text in texts if text != key]
        unmasked = self._known(masked, source, providers[1:])
        missing = {
            key: texts
            for key, texts in lacking.items()
            if not all(text in unmasked for text in texts)
        }
        if missing and self._translator is None:
            first = next(iter(missing.values()))[0]
            raise TranslationError(
                "not_in_memory",
                f"{len(missing)} of {len(wanted)} sentences are not in the memory; the first is "
                f"“{_excerpt(first)}”",
            )
        keys = list(missing)
        for start in range(0, len(keys), BATCH_TEXTS):
            asked, again = self._ask(
                {key: missing[key] for key in keys[start : start + BATCH_TEXTS]}, source
            )
            sentences.update(asked)
            unmasked.update(again)
        return _Found(blocks, sentences, unmasked)

    def _known(self, keys: Sequence[str], source: str, providers: Sequence[str]) -> dict[str, str]:
        """What the memory has, on one line each; an empty translation is none."""
        keys = list(dict.fromkeys(keys))
        if not keys or not providers:
            return {}
        found = self._memory.find(keys, source, self._target, providers)
        return {
            key: text
            for key, one in zip(keys, found, strict=True)
            if one is not None and (text := _tidy(one.target))
        }

    def _ask(
        self, texts: Mapping[str, Sequence[str]], source: str
    ) -> tuple[dict[str, str], dict[str, str]]:
        """What the translator makes of sentences; with marks, and where they got lost without.

        Args:
            texts: Masked sentence → the sentences as they stand that it stands for.
            source: Their language.

        Returns:
            By masked sentence, and by sentence as it stands.
        """
        keys = list(texts)
        self._check_refused(keys)
        good, bad = dict[str, str](), list[str]()
        for key, text in zip(keys, self._translations(keys, source), strict=True):
            wrong = faults(text, len(MARKER.findall(key)))
            if wrong is None:
                good[key] = text
            elif texts[key][0] == key and (bare := _without_marks(text)):
                good[key] = bare
            else:
                bad.append(key)
                _LOG.info("marks of a sentence: %s", wrong)
        kept = self._keep(good, source, {key: texts[key][0] for key in good})
        again = list(dict.fromkeys(text for key in bad for text in texts[key]))
        if not again:
            return kept, {}
        self._check_refused(again)
        found = map(_without_marks, self._translations(again, source))
        translated = dict(zip(again, found, strict=True))
        if not all(translated.values()):
            raise TranslationError("empty", "a sentence came back as marks that it did not have")
        return kept, self._keep(translated, source, {text: text for text in again})

    def _check_refused(self, keys: Sequence[str]) -> None:
        """Stops at a sentence of which the translator gave another language before."""
        with self._lock:
            for key in keys:
                before = self._refused.get(key)
                if before is not None:
                    raise TranslationError(before.reason_code, before.message)

    def _keep(
        self, translated: Mapping[str, str], source: str, plain: Mapping[str, str]
    ) -> dict[str, str]:
        """Remembers what a translator gave, but for sentences in a wrong language.

        Returns:
            What the memory has now: where another thread or process was first, its translation.

        Raises:
            TranslationError: All of it, or one of the sentences, is in a wrong language.
        """
        everything = vote([MARKER.sub(" ", "\n".join(translated.values()))])
        language = everything.language or everything.other
        if language is not None and language != self._target:
            raise self._wrong_language(language)
        wrong = [key for key, text in translated.items() if self._is_wrong(key, text, source)]
        name = self._translator.name if self._translator is not None else ""
        self._memory.add(
            Entry(source, self._target, name, key, text)
            for key, text in translated.items()
            if key not in wrong
        )
        for key in wrong:
            error = self._wrong_language(source, plain[key])
            with self._lock:
                self._refused.put(key, error)
        if wrong:
            raise error
        return {**translated, **self._known(list(translated), source, self.providers(source))}

    def _keep_unfinished(self, translated: Mapping[str, str], source: str) -> None:
        """Remembers what is sound of a batch that was broken off: it is paid for."""
        sound = {
            key: text
            for key, raw in translated.items()
            if (text := _tidy(raw)) and faults(text, len(MARKER.findall(key))) is None
        }
        with suppress(TranslationError):
            self._keep(sound, source, {key: key for key in sound})

    def _translations(self, texts: Sequence[str], source: str) -> list[str]:
        """What the translator makes of texts, on one line each; all of them.

        Raises:
            TranslationError: It failed, or gave too few texts or an empty one.
        """
        translator = self._translator
        if translator is None:
            raise ValueError("there is no translator to ask")
        try:
            raw = translator.translate(texts, source, self._target)
        except UnfinishedError as error:
            self._keep_unfinished(error.done, source)
            raise
        found = [_tidy(text) for text in raw]
        name = translator.name
        if len(found) != len(texts):
            raise TranslationError("bad_reply", f"{name} gave {len(found)} texts for {len(texts)}")
        empty = sum(not text for text in found)
        if empty:
            raise TranslationError(
                "empty", f"{name} gave nothing for {empty} of {len(texts)} sentences"
            )
        return found

    def _is_wrong(self, key: str, text: str, source: str) -> bool:
        """Whether a sentence came back in the language that it was sent in."""
        words = MARKER.sub(" ", text)
        if len(words.split()) < FEWEST_WORDS:
            return False
        found = vote([words])
        is_echo = MARKER.sub("", key) == MARKER.sub("", text) and found.language != self._target
        return is_echo or source in (found.language, found.other)

    def _check_language(self, texts: Sequence[AlignedText], source: str) -> None:
        """Stops at a text that is in another language than was asked for."""
        for text in texts:
            found = vote([text.running_text])
            language = found.language or found.other
            if language is not None and language != self._target:
                raise self._wrong_language(language)

    def _wrong_language(self, language: str, sentence: str | None = None) -> TranslationError:
        who = self._translator.name if self._translator is not None else "the memory"
        about = f": “{_excerpt(sentence)}”" if sentence is not None else ""
        return TranslationError(
            "wrong_language", f'{who} gave "{language}" where "{self._target}" was asked for{about}'
        )

    def _digest(self, source: str, providers: Sequence[str]) -> str:
        return self._memory.digest(source, self._target, providers)


def _tidy(text: str) -> str:
    """A translation as a reader gives texts: NFC, on one line, without zero-width characters."""
    if _PLAIN.fullmatch(text):
        return text
    return " ".join(read_plain(text).text.split())


def _without_marks(text: str) -> str:
    """The translation of a sentence that has no marks without those that were invented."""
    return _tidy(MARKER.sub(" ", text))


def _excerpt(sentence: str) -> str:
    return sentence if len(sentence) <= EXCERPT_CHARS else f"{sentence[:EXCERPT_CHARS]}…"


def _assembled(
    text: _Text, found: _Found, abbreviations: frozenset[str]
) -> tuple[AlignedText, int]:
    """The translated text, and how many of its sentences lost their masks."""
    builder, unmasked_count = AlignedTextBuilder(text.plain), 0
    for unit in text.units:
        block = found.blocks.get(unit.whole.text) if len(unit.sentences) > 1 else None
        if block is not None:
            restored = restore(block, unit.whole, text.plain)
            builder.add(
                restored, unit.whole, block_sentences(restored.text, unit.sentences, abbreviations)
            )
        elif not unit.sentences:
            builder.copy(unit.block.start, unit.block.end)
        else:
            for sentence in unit.sentences:
                unmasked_count += _add_sentence(builder, sentence, text.plain, found)
        builder.end_block(unit.block)
    return builder.build(), unmasked_count


def _add_sentence(
    builder: AlignedTextBuilder, sentence: Segment, plain: PlainText, found: _Found
) -> int:
    """Adds one sentence; 1 when masks of it got lost, else 0."""
    if not sentence.has_words:
        builder.copy(sentence.start, sentence.end)
        return 0
    translated = found.sentences.get(sentence.text)
    if translated is not None:
        builder.add(restore(translated, sentence, plain), sentence)
        return 0
    again: Restored = find_again(found.unmasked[written_out(sentence, plain)], sentence, plain)
    builder.add(again, sentence)
    return 1
