"""Texts in another language: from the memory, and what it lacks from a translator."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from klopt.errors import TranslationError
from klopt.reading.language import vote
from klopt.reading.text import PlainText
from klopt.scoring.interpretation import Foreign, Interpretation
from klopt.translation.aligned import AlignedText, AlignedTextBuilder
from klopt.translation.blocks import block_sentences
from klopt.translation.masks import MARKER, Restored, Segment, faults, restore
from klopt.translation.memory import TRUSTED, Entry, Memory
from klopt.translation.translator import Translator
from klopt.translation.units import Unit, read_units
from klopt.translation.unmasked import find_again, written_out

_LOG: Final = logging.getLogger("klopt")
_DIGITS: Final = 8
FEWEST_WORDS: Final = 4
"""A translated sentence of fewer words says nothing of its language."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A text and its blocks."""

    plain: PlainText
    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """Translations by masked text; those of whole blocks and those of sentences."""

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

    @property
    def target(self) -> str:
        """The language to read in."""
        return self._target

    def providers(self, source: str) -> tuple[str, ...]:
        """Whose translations are used, the first goes first: people's, then a translator's."""
        if self._provider is not None:
            return (TRUSTED, self._provider)
        others = {
            count.provider
            for count in self._memory.counts()
            if (count.source_language, count.target_language) == (source, self._target)
        }
        return (TRUSTED, *sorted(others - {TRUSTED}))

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
        made = [_assembled(text, found) for text in read]
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
        wanted: dict[str, str] = {}
        for text in texts:
            for unit in text.units:
                if unit.whole.text not in blocks or len(unit.sentences) < 2:
                    for one in unit.sentences:
                        if one.has_words:
                            wanted.setdefault(one.text, written_out(one, text.plain))
        providers = self.providers(source)
        sentences = self._known(list(wanted), source, providers)
        lacking = {key: plain for key, plain in wanted.items() if key not in sentences}
        masked = {key: plain for key, plain in lacking.items() if plain != key}
        unmasked = self._known(list(masked.values()), source, providers[1:])
        unmasked = {key: unmasked[plain] for key, plain in masked.items() if plain in unmasked}
        missing = [key for key in lacking if key not in unmasked]
        if missing:
            asked, again = self._ask(missing, lacking, source, len(wanted))
            sentences.update(asked)
            unmasked.update(again)
        return _Found(blocks, sentences, unmasked)

    def _known(self, keys: Sequence[str], source: str, providers: Sequence[str]) -> dict[str, str]:
        keys = list(dict.fromkeys(keys))
        if not keys or not providers:
            return {}
        found = self._memory.find(keys, source, self._target, providers)
        return {key: one.target for key, one in zip(keys, found, strict=True) if one is not None}

    def _ask(
        self, keys: Sequence[str], plain: Mapping[str, str], source: str, wanted_count: int
    ) -> tuple[dict[str, str], dict[str, str]]:
        """What the translator makes of sentences; with marks, and where they got lost without."""
        if self._translator is None:
            raise TranslationError(
                "not_in_memory",
                f"{len(keys)} of {wanted_count} sentences are not in the memory",
            )
        good, bad = dict[str, str](), list[str]()
        for key, text in zip(keys, self._translations(keys, source), strict=True):
            wrong = faults(text, len(MARKER.findall(key)))
            if wrong is None:
                good[key] = text
            else:
                bad.append(key)
                _LOG.info("%s: %s in a sentence", self._translator.name, wrong)
        again = dict[str, str]()
        if bad:
            again = dict(
                zip(bad, self._translations([plain[key] for key in bad], source), strict=True)
            )
        for translated in (*good.items(), *again.items()):
            self._check_sentence(*translated, source)
        name = self._translator.name
        self._memory.add(
            Entry(source, self._target, name, key, text)
            for key, text in (
                *good.items(),
                *((plain[key], text) for key, text in again.items()),
            )
        )
        return good, again

    def _translations(self, texts: Sequence[str], source: str) -> list[str]:
        assert self._translator is not None
        found = [
            " ".join(text.split())
            for text in self._translator.translate(texts, source, self._target)
        ]
        name = self._translator.name
        if len(found) != len(texts):
            raise TranslationError("bad_reply", f"{name} gave {len(found)} texts for {len(texts)}")
        empty = sum(not text for text in found)
        if empty:
            raise TranslationError(
                "empty", f"{name} gave nothing for {empty} of {len(texts)} sentences"
            )
        return found

    def _check_sentence(self, key: str, text: str, source: str) -> None:
        """Stops at a sentence that came back in the language that it was sent in."""
        words = MARKER.sub(" ", text)
        if len(words.split()) < FEWEST_WORDS:
            return
        found = vote([words])
        if source in (found.language, found.other) or (
            MARKER.sub("", key) == MARKER.sub("", text) and found.language != self._target
        ):
            raise self._wrong_language(source)

    def _check_language(self, texts: Sequence[AlignedText], source: str) -> None:
        """Stops at a text that is in another language than was asked for."""
        for text in texts:
            found = vote([text.running_text])
            language = found.language or found.other
            if language is not None and language != self._target:
                raise self._wrong_language(language)

    def _wrong_language(self, language: str) -> TranslationError:
        who = self._translator.name if self._translator is not None else "the memory"
        return TranslationError(
            "wrong_language", f'{who} gave "{language}" where "{self._target}" was asked for'
        )

    def _digest(self, source: str, providers: Sequence[str]) -> str:
        return self._memory.digest(source, self._target, providers)


def _assembled(text: _Text, found: _Found) -> tuple[AlignedText, int]:
    """The translated text, and how many of its sentences lost their masks."""
    builder, unmasked_count = AlignedTextBuilder(text.plain), 0
    for unit in text.units:
        block = found.blocks.get(unit.whole.text) if len(unit.sentences) > 1 else None
        if block is not None:
            restored = restore(block, unit.whole, text.plain)
            builder.add(restored, unit.whole, block_sentences(restored.text, unit.sentences))
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
    again: Restored = find_again(found.unmasked[sentence.text], sentence, plain)
    builder.add(again, sentence)
    return 1
