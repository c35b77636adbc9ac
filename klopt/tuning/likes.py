"""Words that may be put for one another: those that say the same, the contrary, or a rival."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Final

from klopt.lexicons import Lexicons
from klopt.tuning.wording import Pairs, Wording, recased

__all__ = ["TIMES", "contraries", "rivals", "same_words", "with_others"]

TIMES: Final = ("months", "weekdays", "parts_of_day", "relative_days", "seasons")
"""The sets of the lexicon ``contrasts`` that say when."""
PLACES: Final = ("colours", "corners", "file_types", "operating_systems", "browsers", "compass")
"""The sets of the lexicon ``contrasts`` that say which or where."""

_UNINFLECTED: Final = ("adverbs",)
"""Of the lexicon ``synonyms``, what may be replaced without a look at the grammar."""
_CLEAR_CHARS: Final = 6
"""Shorter words of the lexicons ("too", "uit") have more than one sense."""


def same_words(lexicons: Lexicons, wording: Wording) -> Pairs:
    """The words that may be put for another: our own pairs, and the adverbs of ``synonyms``.

    Nouns and verbs of the lexicon are left out: they are lemmas, and would need another article
    or another form.
    """
    others = dict(wording.exchanges.others)
    for name in _UNINFLECTED:
        for group in _groups(lexicons, "synonyms").get(name, ()):
            clear = [w for w in _clear(group) if w not in wording.lists["ambiguous"]]
            for word in clear:
                if len(clear) > 1:
                    others.setdefault(word, tuple(other for other in clear if other != word))
    return Pairs(others)


def contraries(lexicons: Lexicons, wording: Wording) -> Pairs:
    """The words of the lexicon ``antonyms`` with those of the other side, and rivals in space."""
    others = dict(rivals(lexicons, wording, PLACES).others)
    lexicon = lexicons.get("antonyms")
    for pair in lexicon.pairs if lexicon else ():
        one, other = _clear(pair.one), _clear(pair.other)
        for side, contrary in ((one, other), (other, one)):
            for word in side if contrary else ():
                others.setdefault(word, contrary)
    return Pairs(others)


def rivals(lexicons: Lexicons, wording: Wording, names: Iterable[str]) -> Pairs:
    """For each word of sets of the lexicon ``contrasts``, the first words of the other groups."""
    others: dict[str, tuple[str, ...]] = {}
    ambiguous = wording.lists["ambiguous"]
    for name in names:
        groups = _groups(lexicons, "contrasts").get(name, ())
        for group in groups:
            rest = tuple(one[-1] for one in groups if one != group)
            for word in group if rest else ():
                if word not in ambiguous and len(word) > 2:
                    others.setdefault(word, rest)
    return Pairs(others)


def with_others(text: str, pairs: Pairs, rng: random.Random) -> str | None:
    """The text with one word replaced by its like, or None when there is none in it.

    >>> with_others("Klik daarna hier.", Pairs({"daarna": ("dan",)}), random.Random(0))
    'Klik dan hier.'
    """
    matches = list(pairs.expression.finditer(text)) if pairs.others else []
    if not matches:
        return None
    match = rng.choice(matches)
    other = recased(rng.choice(pairs.others[match[0].lower()]), match[0])
    return text[: match.start()] + other + text[match.end() :]


def _groups(lexicons: Lexicons, name: str) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    lexicon = lexicons.get(name)
    return lexicon.word_groups if lexicon else {}


def _clear(group: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in group if len(word) >= _CLEAR_CHARS and " " not in word)
