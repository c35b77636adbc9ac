"""Synonyms that true answers suggest: a word of the answer where the page has another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from klopt.company.answers import Answer, Answers
from klopt.company.entries import Entry
from klopt.company.suggestions import Suggestion
from klopt.comparing import LANGUAGES, Comparator
from klopt.comparing.word_slots import NEAR
from klopt.matching import Language
from klopt.reading.reader import Reading

_PARTS: Final = {"ADJ": "adjectives", "ADV": "adverbs", "NOUN": "nouns", "VERB": "verbs"}
_FEWEST: Final = 2
_MOST: Final = 60
_MOST_PARSED: Final = 250
"""So many answers are parsed, evenly over all."""
_LONGEST_CHARS: Final = 2_000
_SHOWN: Final = 3


@dataclass(frozen=True)
class _Word:
    """A word with content of its own: how it is compared, its lemma, its part of speech."""

    key: str
    lemma: str
    part: str


def word_pairs(answers: Answers) -> Iterator[Suggestion]:
    """Words of one part of speech and one use, in the same place of statement and page.

    That is in true answers that are not sent, on two pages, where both words stand beside the same
    word: what is found once is no better than chance. Names,
    words that exclude each other and synonyms that are known are no such pairs.
    """
    found: dict[tuple[str, str, tuple[str, str]], dict[int, str]] = defaultdict(dict)
    places = [
        place
        for place, one in enumerate(answers.all)
        if one.truth and not one.is_sent and one.language in LANGUAGES
    ]
    for place in places[:: len(places) // _MOST_PARSED + 1]:
        answer = answers.all[place]
        for part, words, example in _pairs(answers, answer):
            found[answer.language, part, words].setdefault(place, example)
    ranked = sorted(found.items(), key=lambda each: (-len(each[1]), each[0]))
    for (language, part, words), examples in ranked[:_MOST]:
        own = [answers.all[place] for place in examples]
        if len({one.page for one in own}) >= _FEWEST:
            yield Suggestion(
                language,
                f"in {len(own)} true answers that are not sent, the one stands where the page has "
                "the other",
                Entry("synonyms", part, words),
                count=len(own),
                examples=tuple(dict.fromkeys(examples.values()))[:_SHOWN],
                answers=tuple(one.turn.id for one in own),
            )


def _pairs(answers: Answers, answer: Answer) -> Iterator[tuple[str, tuple[str, str], str]]:
    """List of the lexicon, words, both sentences."""
    language = answers.languages[answer.language]
    relations, vectors = language.relations, Comparator.load(answer.language).vectors
    sources = {page.id: page.text for page in answer.turn.pages}
    for one in answer.now.statements:
        if one.passage is None or one.passage.page not in sources:
            continue
        said = answer.turn.answer[one.start : one.end]
        there = sources[one.passage.page][one.passage.start : one.passage.end]
        if max(len(said), len(there)) > _LONGEST_CHARS:
            continue
        mine, theirs = (_words(language, language.reader.read(text)) for text in (said, there))
        for word, other in _beside(mine, theirs):
            if (
                not _is_part(word.lemma, other.lemma)
                and other.key not in relations.synonyms(word.key)
                and not relations.exclude(word.key, other.key)
                and vectors.likeness([word.key], [other.key]).item() >= NEAR
            ):
                lemmas = sorted((word.lemma, other.lemma))
                example = f"“{one.text}” beside “{one.passage.text}”"
                yield _PARTS[word.part], (lemmas[0], lemmas[1]), example


def _is_part(word: str, other: str) -> bool:
    """Whether one word is the other, or a part of it: a compound says more than its part."""
    one, more = sorted((word, other), key=len)
    return more.startswith(one) or more.endswith(one)


def _beside(mine: Sequence[_Word], theirs: Sequence[_Word]) -> Iterator[tuple[_Word, _Word]]:
    """Words that only one side has, of one part of speech, before or after the same word."""
    known, others = ({word.key for word in some} for some in (theirs, mine))
    for at, word in enumerate(mine):
        if word.key in known or word.part not in _PARTS:
            continue
        for there, other in enumerate(theirs):
            is_free = other.key not in others and other.part == word.part
            if is_free and not _around(mine, at).isdisjoint(_around(theirs, there)):
                yield word, other


def _around(words: Sequence[_Word], at: int) -> set[tuple[int, str]]:
    """The word before and the word after, and which of the two each is."""
    return {(step, words[at + step].key) for step in (-1, 1) if 0 <= at + step < len(words)}


def _words(language: Language, reading: Reading) -> list[_Word]:
    """The words with content of a text, those of names left out."""
    parse, key = language.parser.parse(reading), language.reader.tokenizer.key
    names = [(one.start, one.end) for one in reading.components]
    return [
        _Word(key(text), lemma, part)
        for text, lemma, part, span, content in zip(
            parse.words, parse.lemmas, parse.pos, parse.spans, parse.content, strict=True
        )
        if content
        and text.isalpha()
        and key(lemma) == key(text)
        and not any(start < span.end and span.start < end for start, end in names)
    ]
