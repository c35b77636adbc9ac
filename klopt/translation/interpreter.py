"""Texts in another language: from the memory, and what it lacks from a translator."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from klopt import lexicons
from klopt.errors import InputError, TranslationError
from klopt.reading.text import PlainText
from klopt.scoring.interpretation import Foreign, Interpretation
from klopt.translation.aligned import AlignedText, AlignedTextBuilder, block_sentences
from klopt.translation.asking import Asker, excerpt, look_up, other_language
from klopt.translation.masks import (
    Restored,
    Unit,
    find_again,
    read_units,
    restore,
    written_out,
)
from klopt.translation.memory import TRUSTED, Memory
from klopt.translation.translator import Translator

_DIGITS: Final = 8


_Text: TypeAlias = tuple[PlainText, tuple[Unit, ...]]
"""A text and its blocks."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What there is of the translations that texts need.

    Attributes:
        blocks: Masked block, or block as it stands → translation.
        sentences: Masked sentence, or sentence as it stands where marks got lost → translation.
        missing: Masked sentence → the sentences as they stand, of what there is not.
        wanted_count: Masked sentences that are needed.
    """

    blocks: Mapping[str, str]
    sentences: Mapping[str, str]
    missing: Mapping[str, Sequence[str]]
    wanted_count: int


class MemoryInterpreter:
    """Translates by a memory, and asks a translator for what it lacks.

    Safe to use from several threads.

    Args:
        memory: What was translated before; what the translator gives is added to it.
        target: The language to read in.
        translator: Whoever is asked for what the memory lacks; None asks nobody.
        provider: Whose translations of the memory are used beside the trusted ones; by default
            the translator's, or without one all of them.

    Attributes:
        target: The language to read in.

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
        self.target = target
        self._asker = None if translator is None else Asker(translator, memory, target)
        self._provider = translator.name if translator is not None else provider
        self._abbreviations = lexicons.load(target)["abbreviations"].words
        self._others: dict[str, tuple[str, ...]] = {}

    def providers(self, source: str) -> tuple[str, ...]:
        """Whose translations are used, the first goes first: people's, then a translator's.

        Where none is named, those that the memory has when it is first asked for that language.
        """
        if self._provider is not None:
            return (TRUSTED, self._provider)
        if source not in self._others:
            pair = (source, self.target)
            counts = self._memory.counts()
            found = {
                one.provider for one in counts if (one.source_language, one.target_language) == pair
            }
            self._others[source] = (TRUSTED, *sorted(found - {TRUSTED}))
        return self._others[source]

    def edition(self, source: str) -> str:
        """Changes when people's translations do, and where nobody is asked when any others do.

        What a translator is asked is added to the memory, and changes nothing that was there.

        Raises:
            TranslationError: The memory cannot be read.
        """
        with _declared():
            used = (TRUSTED,) if self._asker is not None else self.providers(source)
            return self._memory.digest(source, self.target, used)

    def interpret(self, texts: Sequence[Foreign], source: str) -> Interpretation:
        """The texts in the target language, all of them.

        Returns:
            The texts, with the target, the provider and the digest of the memory's translations
            from their language as the signature.

        Raises:
            TranslationError: One of them could not be translated; nothing is half translated.
            PatternTimeoutError: A rule for what is masked took too long.
        """
        read = _read(texts)
        with _declared():
            found = self._find(read, source)
            digest = self._memory.digest(source, self.target, self.providers(source))
        made = [_assembled(plain, units, found, self._abbreviations) for plain, units in read]
        for text, _ in made:
            who = self._provider or "the memory"
            if error := other_language(who, text.running_text, self.target):
                raise error
        return Interpretation(
            tuple(text for text, _ in made),
            tuple(count for _, count in made),
            f"{self.target}:{self._provider or 'memory'}@{digest[:_DIGITS]}",
        )

    def missing(self, texts: Sequence[Foreign], source: str) -> tuple[str, ...]:
        """The sentences of the texts that the memory lacks, masked, in order, each once.

        Raises:
            PatternTimeoutError: A rule for what is masked took too long.
            InputError: The memory cannot be read.
        """
        return tuple(self._look_up(_read(texts), source).missing)

    def _find(self, texts: Sequence[_Text], source: str) -> _Found:
        """Every translation that the texts need."""
        found = self._look_up(texts, source)
        if not found.missing:
            return found
        if self._asker is None:
            first = next(iter(found.missing.values()))[0]
            raise TranslationError(
                "not_in_memory",
                f"{len(found.missing)} of {found.wanted_count} sentences are not in the memory; "
                f"the first is “{excerpt(first)}”",
            )
        asked = self._asker.ask(found.missing, source)
        return dataclasses.replace(found, sentences={**found.sentences, **asked}, missing={})

    def _look_up(self, texts: Sequence[_Text], source: str) -> _Found:
        """What the memory has of what the texts need."""
        known = partial(look_up, self._memory, source=source, target=self.target)
        providers = self.providers(source)
        wholes = [
            key
            for plain, units in texts
            for unit in units
            if len(unit.sentences) > 1 and unit.whole.has_words
            for key in (unit.whole.text, written_out(unit.whole, plain))
        ]
        blocks = known(wholes, providers=(TRUSTED,))
        wanted: dict[str, list[str]] = {}
        for plain, units in texts:
            for unit in units:
                if _block(unit, plain, blocks) is None:
                    for one in unit.sentences:
                        if one.has_words:
                            wanted.setdefault(one.text, []).append(written_out(one, plain))
        sentences = known(list(wanted), providers=providers)
        lacking = {key: own for key, own in wanted.items() if key not in sentences}
        masked = [one for key, own in lacking.items() for one in own if one != key]
        unmasked = known(masked, providers=providers)
        missing = {key: own for key, own in lacking.items() if not unmasked.keys() >= {*own}}
        return _Found(blocks, sentences | unmasked, missing, len(wanted))


class MissingSentences(MemoryInterpreter):
    """An interpreter that gives nothing and notes what is lacking.

    With ``Translate(..., required=True)`` a scorer asks it for all texts of a turn, and then does
    not score.

    Args:
        memory: What there is.
        target: The language to read in.

    Attributes:
        found: Language and masked sentence, in the order met, each once.
    """

    def __init__(self, memory: Memory, *, target: str) -> None:
        super().__init__(memory, target=target)
        self.found: dict[tuple[str, str], None] = {}

    def interpret(self, texts: Sequence[Foreign], source: str) -> Interpretation:
        """Notes what is lacking.

        Raises:
            TranslationError: Always.
            PatternTimeoutError: A rule for what is masked took too long.
            InputError: The memory cannot be read.
        """
        lacking = self.missing(texts, source)
        self.found.update(dict.fromkeys((source, sentence) for sentence in lacking))
        raise TranslationError("not_in_memory", f"{len(lacking)} sentences are not in the memory")


def _read(texts: Sequence[Foreign]) -> list[_Text]:
    return [(one.plain, read_units(one.plain, one.sentences, one.names)) for one in texts]


@contextmanager
def _declared() -> Iterator[None]:
    """A memory that fails half way is a reason not to translate, and not the end of the run."""
    try:
        yield
    except InputError as error:
        raise TranslationError("memory", str(error)) from None


def _assembled(
    plain: PlainText, units: Sequence[Unit], found: _Found, abbreviations: frozenset[str]
) -> tuple[AlignedText, int]:
    """The translated text, and how many of its sentences lost their masks."""
    builder, unmasked_count = AlignedTextBuilder(plain), 0
    for unit in units:
        restored = _block(unit, plain, found.blocks)
        if restored is not None:
            unmasked_count += len(restored.places) < len(unit.whole.masks)
            pairs = block_sentences(restored.text, unit.sentences, abbreviations)
            builder.add(restored, unit.whole, pairs)
        elif not unit.sentences:
            builder.copy(unit.whole.start, unit.whole.end)
        else:
            for one in unit.sentences:
                if not one.has_words:
                    builder.copy(one.start, one.end)
                elif one.text in found.sentences:
                    builder.add(restore(found.sentences[one.text], one, plain), one)
                else:
                    as_it_stands = found.sentences[written_out(one, plain)]
                    builder.add(find_again(as_it_stands, one, plain), one)
                    unmasked_count += 1
        builder.end_unit(unit)
    return builder.build(), unmasked_count


def _block(unit: Unit, plain: PlainText, blocks: Mapping[str, str]) -> Restored | None:
    """A block of several sentences that people translated as a whole, or None.

    With its marks; or, where they translated names or numbers along, only as it stands.
    """
    if len(unit.sentences) < 2:
        return None
    if unit.whole.text in blocks:
        return restore(blocks[unit.whole.text], unit.whole, plain)
    as_it_stands = blocks.get(written_out(unit.whole, plain))
    return None if as_it_stands is None else find_again(as_it_stands, unit.whole, plain)
