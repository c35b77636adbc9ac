"""Translate whole texts through the cache, and ask a translator for the sentences it lacks."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Final, Protocol, TypeAlias

from klopt import lexicons
from klopt._internal.cached import Recent
from klopt._internal.fields import shorten
from klopt.errors import InputError, TranslationError
from klopt.scoring.notes import LostPart
from klopt.text.building import read_plain
from klopt.text.language import vote
from klopt.text.plain import Block, Mark, MarkKind, PlainText, Span
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

_MARKS: Final[dict[str, MarkKind]] = {"component": "strong", "code": "code", "key": "key"}
"""Kind of a mask → the mark that it gets, so that the reader of the translation sees it too."""


@dataclass(frozen=True, slots=True)
class Link:
    """A span of the translation and the span of the original that it was translated from."""

    start: int
    end: int
    source_start: int
    source_end: int


@dataclass(frozen=True)
class AlignedText(PlainText):
    """A plain text whose offsets lead to the text that it was translated from.

    A span within a name, number or code leads to that name (``copies``); any other to the whole
    ``sentences`` that it was translated from, because a translation reorders words.
    """

    original_text: PlainText
    sentences: tuple[Link, ...]
    copies: tuple[Link, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the original offsets that a span was translated from."""
        if not self.sentences:
            return 0, 0
        stop = max(end, start + 1)
        place = bisect_right(self.copies, start, key=attrgetter("start")) - 1
        if place >= 0 and stop <= self.copies[place].end:
            at = self.copies[place].source_start + start - self.copies[place].start
            return self.original_text.original(at, at + max(0, end - start))
        first = bisect_right(self.sentences, start, key=attrgetter("end"))
        first = min(first, len(self.sentences) - 1)
        last = bisect_left(self.sentences, stop, key=attrgetter("start"))
        met = self.sentences[first : max(first + 1, last)]
        begin = min(piece.source_start for piece in met)
        stop = max(piece.source_end for piece in met)
        return self.original_text.original(begin, stop if end > start else begin)

    def plain(self, start: int, end: int) -> tuple[int, int]:
        """Return the translated sentences that hold an original span; inverse of `original`."""
        first, last = self.original_text.plain(start, end)
        met = [one for one in self.sentences if one.source_start < last and first < one.source_end]
        if not met:
            return super().plain(start, end)
        return met[0].start, met[-1].end

    def as_written(self, spans: Sequence[tuple[int, int]]) -> tuple[str, Sequence[tuple[int, int]]]:
        """Return the plain text of the original and the spans in it."""
        plain = self.original_text.plain
        return self.original_text.text, [plain(*self.original(*span)) for span in spans]

    def quoted(self, start: int, end: int) -> str:
        """Return the plain text of a span of the original, in its language."""
        return self.original_text.quoted(start, end)


def align(
    original: PlainText, units: Sequence[Unit], translate: Callable[[Segment], Restored]
) -> AlignedText:
    """Return a text with its sentences translated; code and what has no words are copied."""
    parts, blocks, marks = list[str](), list[Block](), list[Mark]()
    sentences, copies = list[Link](), list[Link]()
    length = block_start = 0

    def put(text: str, segment: Span | Segment) -> int:
        """Add a text to the open block, after a space, and return its offset."""
        nonlocal length
        blank = " " * (length > block_start)
        parts.extend((blank, text))
        length += len(blank) + len(text)
        at = length - len(text)
        sentences.append(Link(at, length, segment.start, segment.end))
        return at

    def copy(span: Span | Segment) -> None:
        at = put(original.text[span.start : span.end], span) - span.start
        copies.append(sentences[-1])
        marks.extend(
            Mark(mark.kind, at + mark.start, at + mark.end)
            for mark in original.marks
            if span.start <= mark.start and mark.end <= span.end
        )

    for unit in units:
        if not unit.sentences:
            copy(unit.whole)
        for sentence in unit.sentences:
            if not sentence.has_words:
                copy(sentence)
                continue
            restored = translate(sentence)
            at = put(restored.text, sentence)
            for number, place in restored.places:
                mask, start, end = sentence.masks[number], at + place.start, at + place.end
                copies.append(Link(start, end, mask.start, mask.end))
                if mask.kind in _MARKS:
                    marks.append(Mark(_MARKS[mask.kind], start, end))
        if length == block_start:
            continue
        if unit.ends_block:
            blocks.append(unit.block._replace(start=block_start, end=length))
            block_start = length + 1
        else:
            sentences[-1] = replace(sentences[-1], end=length + 2)
        parts.append("\n" if unit.ends_block else " |")
        length += len(parts[-1])
    text = "".join(parts).removesuffix("\n")
    return AlignedText(
        source=original.source,
        text=text,
        origins=_origins(original, sentences, len(text)),
        blocks=tuple(blocks),
        marks=tuple(sorted(marks, key=lambda mark: (mark.start, -mark.end))),
        original_text=original,
        sentences=tuple(sentences),
        copies=tuple(sorted(copies, key=attrgetter("start"))),
    )


def _origins(original: PlainText, pieces: Sequence[Link], length: int) -> array[int]:
    """Return for each character where its sentence begins in the original; non-decreasing."""
    origins, reached = array("q"), 0
    for piece in pieces:
        origins.extend([reached] * (piece.start - len(origins)))
        reached = max(reached, original.original(piece.source_start, piece.source_end)[0])
        origins.extend([reached] * (piece.end - len(origins)))
    origins.extend([reached] * (length - len(origins)))
    origins.append(len(original.source))
    return origins


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

    Safe to use from several threads. Without a translator nothing leaves the machine.

    Args:
        cache: The cache, open as long as the translator is used.
        target: The language to translate to.
        translator: What translates a sentence that the cache lacks, such as the result of
            `klopt.translation.online_translator`, or any object with a ``name``, a ``destination``
            for people, and a method ``translate(texts, source, target)`` that yields the
            translations in order.

    Raises:
        UnknownLanguageError: The target language has no lexicons.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with TranslationCache(f"{folder}/cache.sqlite", create=True) as cache:
    ...         CachedTranslator(cache, target="nl").target
    'nl'
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
            shown = f"{len(missing)}/{len(wanted)}, “{shorten(first)}”"
            message = f"sentences are not in the translation cache: {shown}"
            raise TranslationError("not_in_cache", message)
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

        def is_known(key: str) -> bool:
            return key in known or known.keys() >= {*wanted[key]}

        return known, {key: own for key, own in wanted.items() if not is_known(key)}

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
                message = f"{translator.name} sent no translation of “{shorten(key)}”"
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
            return self._wrong_language(source, f": “{shorten(key)}”")
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
    found = vote([words]) if len(words.split()) >= MIN_WORDS_FOR_LANGUAGE else None
    return (found.language, found.other) if found else ()


def tidy(text: str) -> str:
    r"""Return a translation in NFC, on one line, without zero-width characters.

    >>> tidy("Click \n on\u200b **Save**.")
    'Click on **Save**.'
    """
    if _ASCII_WORDS.fullmatch(text):
        return text
    return " ".join(read_plain(text).text.split())
