"""What a memory has for sentences, and what a translator is asked for and gives."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from klopt.cached import Recent
from klopt.errors import TranslationError
from klopt.reading.reader import vote
from klopt.reading.text import read_plain
from klopt.translation.masks import MARKER, faults, has_words
from klopt.translation.memory import Entry, Memory
from klopt.translation.translator import Translator, UnfinishedError

_LOG: Final = logging.getLogger("klopt")

BATCH_TEXTS: Final = 100
"""So many sentences are asked at once; what was answered before a run is broken off is kept."""

REFUSED: Final = 10_000
"""Sentences that came back in a wrong language and are not asked again; so many are remembered."""

EXCERPT_CHARS: Final = 60

FEWEST_WORDS: Final = 4
"""A sentence of fewer words says nothing of its language."""

_PLAIN: Final = re.compile(r"[!-~⟦⟧]+(?: [!-~⟦⟧]+)*")


class Asker:
    """Asks one translator, from any number of threads, and remembers what is sound."""

    def __init__(self, translator: Translator, memory: Memory, target: str) -> None:
        self._translator = translator
        self._memory = memory
        self._target = target
        self._refused: Recent[str, TranslationError] = Recent(REFUSED)
        self._lock = threading.Lock()

    def ask(self, texts: Mapping[str, Sequence[str]], source: str) -> None:
        """Has masked sentences translated, each given with those that it stands for.

        What loses its marks is asked for as it stands. What came before one that was not
        translated is remembered.
        """
        keys = list(texts)
        for start in range(0, len(keys), BATCH_TEXTS):
            lost = self._ask(keys[start : start + BATCH_TEXTS], source)
            if again := list(dict.fromkeys(text for key in lost for text in texts[key])):
                self._ask(again, source)

    def _ask(self, texts: Sequence[str], source: str) -> list[str]:
        """Has texts translated; those whose marks got lost."""
        with self._lock:
            if before := next(filter(None, map(self._refused.get, texts)), None):
                raise TranslationError(before.reason_code, before.message)
        try:
            answers = self._translator.translate(texts, source, self._target)
        except UnfinishedError as error:
            with suppress(TranslationError):
                self._keep(error.done, source)
            raise
        if len(answers) != len(texts):
            told = f"{self._translator.name} gave {len(answers)} texts for {len(texts)}"
            raise TranslationError("bad_reply", told)
        return self._keep(dict(zip(texts, answers, strict=True)), source)

    def _keep(self, answers: Mapping[str, str], source: str) -> list[str]:
        """Remembers what is sound of answers; the texts whose marks got lost.

        Raises `TranslationError` where an answer says nothing or is in a wrong language.
        """
        name, sound, lost = self._translator.name, dict[str, str](), list[str]()
        for key, answer in answers.items():
            marks_count = len(MARKER.findall(key))
            text = tidy(answer if marks_count else MARKER.sub(" ", answer))
            if says_nothing(text, key):
                continue
            if wrong := faults(text, marks_count):
                lost.append(key)
                _LOG.info("marks of a sentence: %s", wrong)
            else:
                sound[key] = text
        everything = MARKER.sub(" ", "\n".join(sound.values()))
        error = other_language(name, everything, self._target)
        refused = {
            key: error or _wrong_language(name, source, self._target, key)
            for key, text in sound.items()
            if error is not None or self._is_wrong(key, text, source)
        }
        self._memory.add(
            Entry(source, self._target, name, key, text)
            for key, text in sound.items()
            if key not in refused
        )
        with self._lock:
            for key, refusal in refused.items():
                self._refused.put(key, refusal)
        if refused:
            raise next(iter(refused.values()))
        if empty_count := len(answers) - len(sound) - len(lost):
            told = f"{name} gave nothing for {empty_count} of {len(answers)} sentences"
            raise TranslationError("empty", told)
        return lost

    def _is_wrong(self, key: str, text: str, source: str) -> bool:
        """Whether a sentence came back in the language that it was sent in."""
        languages = _languages(text)
        is_echo = MARKER.sub("", key) == MARKER.sub("", text)
        return source in languages or (is_echo and languages != () and languages[0] != self._target)


def other_language(who: str, text: str, target: str) -> TranslationError | None:
    """What to raise where a text reads like another language than was asked for, else None."""
    found = vote([text])
    language = found.language or found.other
    return None if language in (None, target) else _wrong_language(who, str(language), target)


def _wrong_language(
    who: str, language: str, target: str, sentence: str | None = None
) -> TranslationError:
    about = "" if sentence is None else f": “{excerpt(sentence)}”"
    told = f'{who} gave "{language}" where "{target}" was asked for{about}'
    return TranslationError("wrong_language", told)


def excerpt(sentence: str) -> str:
    """The beginning of a sentence, for a message."""
    return sentence if len(sentence) <= EXCERPT_CHARS else f"{sentence[:EXCERPT_CHARS]}…"


def look_up(
    memory: Memory, keys: Sequence[str], source: str, target: str, providers: Sequence[str]
) -> dict[str, str]:
    """What the memory has for texts, with marks or as they stand, on one line each.

    A translation that says nothing is none, and neither is a sentence that stands there
    untranslated, as catalogues have them. Nor is one that lacks a mark of the text, or has it
    twice: with it "valid for 30 minutes" and "valid for 60 minutes" would read alike. The next
    provider is asked instead.
    """
    keys = list(dict.fromkeys(keys))
    if not keys or not providers:
        return {}
    known, lacking = dict[str, str](), list[str]()
    for key, entry in zip(keys, memory.find(keys, source, target, providers), strict=True):
        if entry is None:
            continue
        text = tidy(entry.target)
        is_untranslated = text == key and source in _languages(text)
        wrong = faults(text, len(MARKER.findall(key)), invented_too=False)
        if says_nothing(text, key) or is_untranslated or wrong:
            lacking.append(key)
        else:
            known[key] = text
    return known | look_up(memory, lacking, source, target, providers[1:])


def says_nothing(text: str, key: str) -> bool:
    """Whether a translation is empty, or of several words only marks and signs are left.

    >>> says_nothing("⟦1⟧ …", "Klik in het scherm op ⟦1⟧."), says_nothing("⟦1⟧", "de ⟦1⟧")
    (True, False)
    """
    if not text:
        return True
    return not has_words(text) and len(MARKER.sub(" ", key).split()) >= FEWEST_WORDS


def _languages(text: str) -> tuple[str | None, ...]:
    """The language of a text with marks that has tables, and the one that has none; () if short."""
    words = MARKER.sub(" ", text)
    if len(words.split()) < FEWEST_WORDS:
        return ()
    found = vote([words])
    return found.language, found.other


def tidy(text: str) -> str:
    r"""A translation as a reader gives texts: NFC, on one line, without zero-width characters.

    >>> tidy("Click \n on\u200b **Save**.")
    'Click on **Save**.'
    """
    if _PLAIN.fullmatch(text):
        return text
    return " ".join(read_plain(text).text.split())
