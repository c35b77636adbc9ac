"""Texts in another language: from the memory, and what it lacks from a translator."""

from __future__ import annotations

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
    Segment,
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
class _Known:
    """What there is of the translations that texts need, and what not.

    By masked block or sentence; by block or sentence as it stands where marks got lost. What is
    missing has its sentences as they stand.
    """

    translations: Mapping[str, str]
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

    gist_of: frozenset[str] = frozenset()

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
            others = {who for *languages, who in self._memory.counts() if (*languages,) == pair}
            self._others[source] = (TRUSTED, *sorted(others - {TRUSTED}))
        return self._others[source]

    def language_of(self, texts: Sequence[str]) -> None:
        """Only klopt's own vote tells a language here."""

    def edition(self, source: str) -> str:
        """Changes when people's translations do, and where nobody is asked when any others do.

        What a translator is asked is added to the memory, and changes nothing that was there.
        """
        with _declared():
            used = (TRUSTED,) if self._asker is not None else self.providers(source)
            return self._memory.digest(source, self.target, used)

    def interpret(self, texts: Sequence[Foreign], source: str) -> Interpretation:
        """The texts in the target language, all of them, or `TranslationError`.

        The signature is the target, the provider and the digest of the memory's translations.
        """
        read = _read(texts)
        with _declared():
            known = self._find(read, source)
            digest = self._memory.digest(source, self.target, self.providers(source))
        made = [
            _assembled(plain, units, known.translations, self._abbreviations)
            for plain, units in read
        ]
        for text, _ in made:
            who = self._provider or "the memory"
            if error := other_language(who, text.running_text, self.target):
                raise error
        made_texts, unmasked_counts = zip(*made, strict=True) if made else ((), ())
        signature = f"{self.target}:{self._provider or 'memory'}@{digest[:_DIGITS]}"
        return Interpretation(made_texts, unmasked_counts, signature)

    def _find(self, texts: Sequence[_Text], source: str) -> _Known:
        """Every translation that the texts need."""
        known = self._look_up(texts, source)
        if known.missing and self._asker is not None:
            self._asker.ask(known.missing, source)
            known = self._look_up(texts, source)
        if known.missing:
            first = next(iter(known.missing.values()))[0]
            raise TranslationError(
                "not_in_memory",
                f"{len(known.missing)} of {known.wanted_count} sentences are not in the memory; "
                f"the first is “{excerpt(first)}”",
            )
        return known

    def _look_up(self, texts: Sequence[_Text], source: str) -> _Known:
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
                    for sentence in unit.sentences:
                        if sentence.has_words:
                            own = wanted.setdefault(sentence.text, [])
                            own.append(written_out(sentence, plain))
        sentences = known(list(wanted), providers=providers)
        lacking = {key: own for key, own in wanted.items() if key not in sentences}
        as_they_stand = [text for key, own in lacking.items() for text in own if text != key]
        unmasked = known(as_they_stand, providers=providers)
        missing = {key: own for key, own in lacking.items() if not unmasked.keys() >= {*own}}
        return _Known(blocks | sentences | unmasked, missing, len(wanted))


class MissingSentences(MemoryInterpreter):
    """An interpreter that gives nothing and notes what is lacking.

    With ``Translate(..., required=True)`` a scorer asks it for all texts of a turn, and then does
    not score. In ``found`` are language and masked sentence, in the order met, each once.
    """

    def __init__(self, memory: Memory, *, target: str) -> None:
        super().__init__(memory, target=target)
        self.found: dict[tuple[str, str], None] = {}

    def interpret(self, texts: Sequence[Foreign], source: str) -> Interpretation:
        """Notes what is lacking, and raises `TranslationError`."""
        lacking = self._look_up(_read(texts), source).missing
        self.found.update(dict.fromkeys((source, sentence) for sentence in lacking))
        raise TranslationError("not_in_memory", f"{len(lacking)} sentences are not in the memory")


def _read(texts: Sequence[Foreign]) -> list[_Text]:
    return [(text.plain, read_units(text.plain, text.sentences, text.names)) for text in texts]


@contextmanager
def _declared() -> Iterator[None]:
    """A memory that fails half way is a reason not to translate, and not the end of the run."""
    try:
        yield
    except InputError as error:
        raise TranslationError("memory", str(error)) from None


def _assembled(
    plain: PlainText,
    units: Sequence[Unit],
    known: Mapping[str, str],
    abbreviations: frozenset[str],
) -> tuple[AlignedText, int]:
    """The translated text, and how many of its sentences or blocks lost their masks."""
    builder, unmasked_count = AlignedTextBuilder(plain), 0
    for unit in units:
        whole = _block(unit, plain, known)
        if whole is not None:
            unmasked_count += unit.whole.text not in known
            pairs = block_sentences(whole.text, unit.sentences, abbreviations)
            builder.add(whole, unit.whole, pairs)
        else:
            builder.add_sentences(unit, lambda one: (_restored(one, plain, known), ()))
            lost = [one for one in unit.sentences if one.has_words and one.text not in known]
            unmasked_count += len(lost)
        builder.end_unit(unit)
    return builder.build(), unmasked_count


def _block(unit: Unit, plain: PlainText, known: Mapping[str, str]) -> Restored | None:
    """A block of several sentences that people translated as a whole, or None."""
    keys = (unit.whole.text, written_out(unit.whole, plain))
    is_known = len(unit.sentences) > 1 and any(key in known for key in keys)
    return _restored(unit.whole, plain, known) if is_known else None


def _restored(segment: Segment, plain: PlainText, known: Mapping[str, str]) -> Restored:
    """A segment in translation; or as it stands, where names or numbers were translated along."""
    if segment.text in known:
        return restore(known[segment.text], segment, plain)
    return find_again(known[written_out(segment, plain)], segment, plain)
