"""Dutch verbs that stand apart: "schakel het geluid uit" for "uitschakelen"."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from klopt.checking.words import MOST_PLACES, Language, Words

__all__ = ["Verbs", "stand_apart", "taken_apart"]

LANGUAGES: Final = frozenset({"nl"})
"""Languages with such verbs. English ones ("turn off") never stand as one word."""
_PARTICLE_CHARS: Final = range(2, 7)
_SHORTEST_VERB_CHARS: Final = 3

Verbs: TypeAlias = Mapping[str, Sequence[tuple[str, str]]]
"""Stem of a verb without its particle → the stems of the particle and of the whole."""


def taken_apart(texts: Iterable[Words], language: Language) -> Verbs:
    """The words of texts that begin with a stop word, such as "uit" in "uitgeschakeld".

    Args:
        texts: Where the verbs stand as one word.
        language: Of the texts; in a language without such verbs nothing is read.

    >>> from klopt.checking.words import language
    >>> dutch = language("nl")
    >>> dict(taken_apart([dutch.read("Is het geluid uitgeschakeld?")], dutch))
    {'schakel': [('uit', 'uitschakel')]}
    """
    found: dict[str, list[tuple[str, str]]] = {}
    if language.code not in LANGUAGES:
        return found
    different = {word.stem: word.text for text in texts for word in text.words}
    for whole, word in different.items():
        for length in _PARTICLE_CHARS:
            particle, rest = word[:length], word[length:]
            if len(rest) >= _SHORTEST_VERB_CHARS and language.is_stop_word(particle):
                pair = (language.stem(particle), whole)
                found.setdefault(language.stem(rest), []).append(pair)
    return found


def stand_apart(words: Words, verbs: Verbs) -> Mapping[str, Sequence[int]]:
    """Where a text has the parts of verbs: the verb, and behind it in its sentence the particle.

    Args:
        words: Of the text.
        verbs: What `taken_apart` found in another text.

    Returns:
        The stem of the whole → the places of the verb.

    >>> from klopt.checking.words import language
    >>> dutch = language("nl")
    >>> verbs = taken_apart([dutch.read("geluid uitschakelen")], dutch)
    >>> stand_apart(dutch.read("Schakel het geluid uit."), verbs)
    {'uitschakel': [0]}
    """
    found: dict[str, list[int]] = {}
    for stem in words.places if verbs else ():
        for particle, whole in verbs.get(stem, ())[:MOST_PLACES]:
            behind = words.places.get(particle, ())
            places = [
                one for one in words.places[stem][:MOST_PLACES] if _follows(words, one, behind)
            ]
            if places:
                found.setdefault(whole, []).extend(places)
    return found


def _follows(words: Words, number: int, others: Sequence[int]) -> bool:
    """Whether one of the others stands behind a word, in its sentence."""
    place = bisect_right(others, number)
    return place < len(others) and words.sentences[others[place]] == words.sentences[number]
