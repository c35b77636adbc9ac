"""Words that may stand for each other: those that take one place in otherwise like sentences."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from klopt.company.entries import Entry
from klopt.company.finding.pages import Found, HelpPage
from klopt.company.suggestions import Suggestion
from klopt.comparing.words import WordVectors
from klopt.matching.relations import Relations
from klopt.reading.parse import Parser
from klopt.reading.reader import Reader
from klopt.reading.text import in_small_letters
from klopt.reading.tokens import Kind

LEAST: Final = 4
LEAST_PAGES: Final = 3
WINDOW: Final = 2
"""So many words on either side make a place."""
MOST_IN_A_PLACE: Final = 8
"""Where more different words stand, anything may."""
LEAST_LIKENESS: Final = 0.55
MOST_TOGETHER_SHARE: Final = 0.1
"""Words that stand together in a sentence are told apart there ("klant of leverancier")."""
MOST_SHARED_TAIL: Final = 2
"""Compounds with one last part ("menubalk", "zijbalk") are kinds of it, not one thing."""
LEAST_LETTERS: Final = 4
MOST: Final = 30
MOST_PLACES: Final = 500_000
"""Of a larger help centre the first pages are enough to tell."""

_LISTS: Final = {"NOUN": "nouns", "VERB": "verbs", "ADJ": "adjectives", "ADV": "adverbs"}


@dataclass
class _Word:
    """One stem: its forms, and where it stands."""

    forms: Counter[str] = field(default_factory=Counter)
    sentences: set[int] = field(default_factory=set)
    pages: set[str] = field(default_factory=set)

    @property
    def form(self) -> str:
        return min(self.forms, key=lambda one: (-self.forms[one], one))


def find_synonyms(pages: Sequence[HelpPage], reader: Reader) -> Found:
    """Pairs of words for a person to confirm; none is sure enough to be put in.

    Both stand in one place of otherwise like sentences, are used alike in documentation at large
    (the word space), never stand in a sentence together, and no table says that they exclude
    each other.
    """
    words, places = _places(pages)
    common = {
        stem
        for stem, one in words.items()
        if len(one.sentences) >= LEAST and len(one.pages) >= LEAST_PAGES
    }
    shared: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for place in places.values():
        found = sorted(common & place.keys())
        if 2 <= len(place) <= MOST_IN_A_PLACE:
            for pair in combinations(found, 2):
                shared[pair].append((place[pair[0]], place[pair[1]]))
    relations = Relations(reader.lexicons, reader.tokenizer)
    space = WordVectors.load(reader.language)
    parser = Parser(reader.lexicons)
    suggestions: list[Suggestion] = []
    for (one, other), examples in sorted(shared.items(), key=lambda item: (-len(item[1]), item[0])):
        forms = words[one].form, words[other].form
        together = len(words[one].sentences & words[other].sentences)
        fewest = min(len(words[one].sentences), len(words[other].sentences))
        if (
            together > MOST_TOGETHER_SHARE * fewest
            or _is_one_compound(*forms)
            or relations.has_rival(one)
            or relations.has_rival(other)
            or other in relations.synonyms(one)
            or space.likeness([one], [other])[0, 0] < LEAST_LIKENESS
        ):
            continue
        suggestion = _suggestion(examples, forms, reader, parser)
        if suggestion is not None:
            suggestions.append(suggestion)
        if len(suggestions) == MOST:
            break
    return Found("synonyms", (), tuple(suggestions))


def _places(
    pages: Sequence[HelpPage],
) -> tuple[dict[str, _Word], dict[tuple[str, ...], dict[str, str]]]:
    """Words by their stems, and for each place, by the words around it, who stands there."""
    words: dict[str, _Word] = defaultdict(_Word)
    places: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    sentences: dict[str, int] = {}
    for page in pages:
        tokens = page.reading.tokens
        for span in page.reading.sentences:
            said = page.text[span.start : span.end]
            if said in sentences:
                continue
            number = sentences[said] = len(sentences)
            inside = tokens.between(span.start, span.end)
            keys = [tokens.keys[at] for at in inside]
            for at, token in enumerate(inside):
                stem = keys[at]
                if tokens.stops[token] or tokens.kinds[token] != Kind.WORD:
                    continue
                form = in_small_letters(page.text[tokens.starts[token] : tokens.ends[token]])
                if len(form) < LEAST_LETTERS or not form.isalpha():
                    continue
                word = words[stem]
                word.forms[form] += 1
                word.sentences.add(number)
                word.pages.add(page.name)
                if WINDOW <= at < len(keys) - WINDOW and len(places) < MOST_PLACES:
                    around = (*keys[at - WINDOW : at], "", *keys[at + 1 : at + 1 + WINDOW])
                    example = page.sentence(tokens.starts[token], tokens.ends[token])
                    places[around].setdefault(stem, example)
    return words, places


def _is_one_compound(one: str, other: str) -> bool:
    """Whether one is in the other, or both end alike."""
    if one in other or other in one:
        return True
    return one[-MOST_SHARED_TAIL - 1 :] == other[-MOST_SHARED_TAIL - 1 :]


def _suggestion(
    examples: Sequence[tuple[str, str]], forms: tuple[str, str], reader: Reader, parser: Parser
) -> Suggestion | None:
    """The pair as lemmas, if the parser takes both for one part of speech."""
    lemmas, kinds = [], set[str]()
    for sentence, form in zip(examples[0], forms, strict=True):
        found = list(_read(sentence, form, reader, parser))
        if not found:
            return None
        lemmas.append(found[0][0])
        kinds.add(found[0][1])
    if len(kinds) > 1 or not kinds <= _LISTS.keys() or _is_one_compound(*lemmas):
        return None
    if kinds == {"VERB"} and lemmas[0][:LEAST_LETTERS] == lemmas[1][:LEAST_LETTERS]:
        return None  # two verbs with one particle
    count = len(examples)
    why = (
        f"both stand between the same words, in {count} place{'' if count == 1 else 's'}: "
        "do they mean the same?"
    )
    entry = Entry("synonyms", _LISTS[kinds.pop()], tuple(sorted(lemmas)))
    return Suggestion(reader.language, why, entry, count=count, examples=examples[0])


def _read(sentence: str, form: str, reader: Reader, parser: Parser) -> Iterator[tuple[str, str]]:
    """Lemma and part of speech of a word in a sentence, whatever its form there."""
    parse = parser.parse(reader.read(sentence, "plain"))
    key = reader.tokenizer.key
    for word, lemma, kind in zip(parse.words, parse.lemmas, parse.pos, strict=True):
        if key(word) == key(form):
            yield lemma, kind
