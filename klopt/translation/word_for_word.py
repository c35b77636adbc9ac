"""Texts read word for word, by tables that come with klopt: no memory, no translator, no network.

The words stay in their order, so that each leads back to the word it stands for. What comes out is
no English that anybody would write; it is enough to be held against pages word by word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Final

import regex
import Stemmer

from klopt import shipped
from klopt.errors import TranslationError
from klopt.reading.text import PlainText, Span
from klopt.scoring.interpretation import Foreign, Interpretation, Translate
from klopt.translation.aligned import AlignedText, AlignedTextBuilder, Translated
from klopt.translation.identification import identified
from klopt.translation.masks import Restored, Segment, read_units

__all__ = ["SOURCES", "TARGET", "WordInterpreter", "WordTable", "word_for_word"]

TARGET: Final = "en"
SOURCES: Final = {"de": "german", "fr": "french", "nl": "dutch"}
"""Language → the name of its Snowball stemmer."""

MOST_KNOWN: Final = 16_384
"""So many words of a language are remembered with what they stand for."""
LONGEST_CHARS: Final = 60
"""A longer word stands for itself."""
SHORTEST_PART: Final = 4
"""Of a compound that is taken apart."""
COMPOUNDING: Final = frozenset({"de", "nl"})
"""Languages that write compounds as one word."""

_WORD: Final = r"\p{L}+(?:[-'’]\p{L}+)*"
_WORDS_OF: Final = {"fr": r"\p{L}+(?:-\p{L}+)*"}
_ELISION: Final = str.maketrans("'’", "  ")


class WordTable:
    """What each word of a language stands for in English.

    A function word is found as it is written, any other by its stem; what our own tables lack is
    looked up among the words that an encoder finds most alike, as a whole or in two parts.

    Args:
        language: One of `SOURCES`, or another, whose words stand for themselves.
        function: English → the words that stand for it, apart by blanks.
        content: The same, of words that are found by their stem.
        alike: The same, of words in small letters that are found as they are written.
        phrases: English → sentences in small letters that mean it.

    >>> german = WordTable.load("de")
    >>> german.of("Einstellungen"), german.of("nicht"), german.of("Kundenrechnung")
    ('setting', 'not', 'customer invoice')
    """

    def __init__(
        self,
        language: str,
        function: Mapping[str, str],
        content: Mapping[str, str],
        alike: Mapping[str, str],
        phrases: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.language = language
        self._phrases = {one: english for english, some in (phrases or {}).items() for one in some}
        word = _WORDS_OF.get(language, _WORD)
        written = sorted({form for one in self._phrases for form in (one, one.replace("'", "’"))})
        phrases_first = "|".join(map(regex.escape, sorted(written, key=len, reverse=True)))
        before = rf"(?i:{phrases_first})(?!\p{{L}})|" if written else ""
        self.word = regex.compile(before + word)
        stemmer = SOURCES.get(language)
        self._stem: Callable[[str], str] = Stemmer.Stemmer(stemmer).stemWord if stemmer else str
        self._written = _by_word(content) | _by_word(function)
        self._stems: dict[str, str] = {}
        for word, english in _by_word(content).items():
            self._stems.setdefault(self._stem(word), english)
        self._alike = _by_word(alike)
        self.of = lru_cache(MOST_KNOWN)(self._of)

    @classmethod
    @cache
    def load(cls, language: str) -> WordTable:
        """The table that comes with klopt.

        Raises:
            TranslationError: There is none of the language.
        """
        if language not in SOURCES:
            known = ", ".join(sorted(SOURCES))
            reason = f"there are no words of {language}, but of {known}"
            raise TranslationError("unsupported", reason)
        table = shipped.table("klopt.translation", "words", f"{language}.toml")
        alike = shipped.table("klopt.translation", "words", f"{language}.alike.toml")
        return cls(language, table["function"], table["content"], alike, table.get("phrases"))

    def knows(self, text: str) -> bool:
        """Whether a text has words, and all of them stand in our own tables."""
        words = self.word.findall(text.lower())
        return bool(words) and all(self._ours(word) for word in words)

    def reads(self, text: str) -> str:
        """A text with each word in English.

        >>> WordTable.load("nl").reads("Hoe wijzig ik de factuur?")
        'how change I the invoice?'
        """
        return self.word.sub(lambda word: self.of(word.group()), text)

    def _of(self, word: str) -> str:
        """English for a word; the word itself where nothing is known of it."""
        if len(word) > LONGEST_CHARS:
            return word
        small = word.lower().replace("’", "'")
        if small in self._phrases:
            return self._phrases[small]
        ours = self._ours(small) or self._compound(small, self._ours)
        return ours or self._any(small) or self._compound(small, self._any) or word

    def _ours(self, word: str) -> str | None:
        return self._written.get(word) or self._stems.get(self._stem(word))

    def _any(self, word: str) -> str | None:
        return self._ours(word) or self._alike.get(word)

    def _compound(self, word: str, known: Callable[[str], str | None]) -> str | None:
        """The parts of a word where each is known, the first as long as it can be."""
        if "-" in word:
            parts = [known(part) for part in word.split("-")]
            return " ".join(part for part in parts if part) if all(parts) else None
        if self.language not in COMPOUNDING:
            return None
        for place in range(len(word) - SHORTEST_PART, SHORTEST_PART - 1, -1):
            last, first = known(word[place:]), word[:place]
            # With or without what joins it to the next one.
            joined = (first, first.removesuffix("s"), first.removesuffix("n"))
            forms = (*joined, first + "e", first + "en") if last else ()
            found = next((one for form in forms if (one := known(form))), None)
            if found:
                return f"{found} {last}"
        return None


class WordInterpreter:
    """Reads texts word for word in English.

    Safe to use from several threads. Numbers, codes and keys stay as they are, and names of
    screens that have a word which our tables lack: those may be English already.

    Args:
        any_language: Texts of a language without a table stand as they are. They can be held
            against pages in that language: words that are the same, numbers, names, steps.

    Attributes:
        target: ``en``.
        gist_of: The languages of our tables.
    """

    target: str = TARGET
    gist_of: frozenset[str] = frozenset(SOURCES)

    def __init__(self, *, any_language: bool = False) -> None:
        self._any_language = any_language

    def edition(self, source: str) -> str:
        """Always the same: the tables come with klopt."""
        words = f"{TARGET}:words" if source in SOURCES else f"{source}:as it stands"
        return f"{words} and meaning" if self._any_language else words

    def language_of(self, texts: Sequence[str]) -> str | None:
        """Of texts whose language klopt's own vote does not tell: by a library, or None."""
        return identified(texts) if self._any_language else None

    def interpret(self, texts: Sequence[Foreign], source: str) -> Interpretation:
        """The texts in English, word for word, or as they stand.

        Raises:
            TranslationError: There are no words of the language, and not any will do.
        """
        read = tuple(_read(text, self._table(text.language)) for text in texts)
        return Interpretation(read, (0,) * len(read), self.edition(source))

    def _table(self, language: str) -> WordTable:
        if self._any_language and language not in SOURCES:
            return WordTable(language, {}, {}, {})
        return WordTable.load(language)


def word_for_word(*, any_language: bool = False) -> Translate:
    """How a scorer reads what it cannot read otherwise: word for word in English.

    Args:
        any_language: Also answers and pages in one same language that klopt has no words of, as
            they stand; the language is told by py3langid, of the extra ``languages``.

    >>> from klopt import Page, Scorer, Turn
    >>> page = Page("Der Code ist 15 Minuten gültig.", id="code.md")
    >>> turn = Turn("Wie lange gilt der Code?", "Der Code ist 30 Minuten gültig.", [page])
    >>> print(Scorer.load(translate=word_for_word()).score(turn).verdict)
    block
    """
    return Translate(WordInterpreter(any_language=any_language), by_meaning=any_language)


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    """Word → English; a hyphen in either stands for a blank."""
    return {
        word.replace("-", " "): english.replace("-", " ")
        for english, words in table.items()
        for word in words.split()
    }


def _read(text: Foreign, table: WordTable) -> AlignedText:
    builder = AlignedTextBuilder(text.plain)
    for unit in read_units(text.plain, text.sentences, text.names):
        builder.add_sentences(unit, partial(_word_for_word, plain=text.plain, table=table))
        builder.end_unit(unit)
    return builder.build()


def _word_for_word(sentence: Segment, plain: PlainText, table: WordTable) -> Translated:
    """A sentence in English, and which of its stretches comes from which of the original's."""
    parts: list[str] = []
    places: list[tuple[int, Span]] = []
    pairs: list[tuple[Span, Span]] = []
    length, place = 0, sentence.start

    def put(english: str, end: int) -> Span:
        nonlocal length, place
        here = Span(length, length + len(english))
        parts.append(english)
        if english:
            pairs.append((here, Span(place, end)))
        length, place = here.end, end
        return here

    def gap(end: int) -> None:
        between = plain.text[place:end]
        put(between.translate(_ELISION) if table.language == "fr" else between, end)

    def words_until(end: int) -> None:
        for word in table.word.finditer(plain.text, place, end):
            gap(word.start())
            english = table.of(word.group())
            if not length and word.group()[0].isupper():
                english = english[0].upper() + english[1:]
            put(english, word.end())
        gap(end)

    for number, mask in enumerate(sentence.masks):
        words_until(mask.start)
        name = plain.text[mask.start : mask.end]
        if mask.kind == "component" and table.knows(name):
            words_until(mask.end)
        else:
            places.append((number, put(name, mask.end)))
    words_until(sentence.end)
    return Restored("".join(parts), tuple(places)), pairs
