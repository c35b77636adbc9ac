"""How words of one language stand to one another: synonyms, opposites, rivals, compounds.

Words are the keys of `klopt.reading.tokens`, so what a lexicon says of one form holds for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from klopt.lexicons import Lexicons
from klopt.reading.forms import LONGEST_CHARS, component_key
from klopt.reading.tokens import LITERAL_SIGNS, Tokenizer

__all__ = ["COMPOUND", "SAME", "STEM", "SYNONYM", "Relations"]

SAME: Final = 1000
"""How like a word is to itself; likeness is counted in thousandths, so that sums are exact."""
SYNONYM: Final = 900
COMPOUND: Final = 700
STEM: Final = 600

_RIVAL_PART_CHARS: Final = 3
"""Each part of a compound that has a rival has at least so many characters."""


class Relations:
    """The words of one language that may stand for each other, and those that exclude each other.

    Args:
        lexicons: Its tables: synonyms, antonyms and contrasts, each if there is one.
        tokenizer: Gives the keys of their words.

    Attributes:
        allowed_names: Names, as components are compared, that the company's lexicon
            ``product_names`` allows: they exist, though no page may have them.
        allowed_words: The words of those names.

    >>> from klopt import lexicons
    >>> tables = lexicons.load("nl")
    >>> dutch = Tokenizer(tables)
    >>> relations = Relations(tables, dutch)
    >>> dutch.key("connectie") in relations.synonyms(dutch.key("verbindingen"))
    True
    >>> relations.exclude(dutch.key("groen"), dutch.key("rood")), relations.exclude("#2", "#2")
    (True, False)
    """

    def __init__(self, lexicons: Lexicons, tokenizer: Tokenizer) -> None:
        key = tokenizer.key
        names = lexicons.get("product_names")
        allowed = () if names is None else names.lists["allowed"]
        self.allowed_names = frozenset(map(component_key, allowed))
        self.allowed_words = frozenset(key(word) for name in allowed for word in name.split())
        self._synonyms: dict[str, tuple[str, ...]] = {}
        self._opposites: dict[str, frozenset[str]] = {}
        # As the first part of a word "aan" stands as it is written, though its stem is "an".
        self._heads: dict[str, frozenset[str]] = {}
        self._members: dict[str, tuple[str, int]] = {}
        self._lists: dict[str, list[str]] = {}
        for _, _, group in _groups(lexicons, "synonyms"):
            keys = tuple(dict.fromkeys(map(key, group)))
            for word in keys:
                self._synonyms[word] = tuple(dict.fromkeys((*self._synonyms.get(word, ()), *keys)))
        antonyms = lexicons.get("antonyms")
        for pair in antonyms.pairs if antonyms is not None else ():
            one, other = frozenset(map(key, pair.one)), frozenset(map(key, pair.other))
            for side, against in ((one, other - one), (other, one - other)):
                for word in side:
                    self._opposites[word] = self._opposites.get(word, frozenset()) | against
            first, second = one.union(pair.one), other.union(pair.other)
            for side, against in ((first, second - first), (second, first - second)):
                for word in side:
                    self._heads[word] = self._heads.get(word, frozenset()) | against
        for name, number, group in _groups(lexicons, "contrasts"):
            for word in map(key, group):
                if word not in self._members:
                    self._members[word] = name, number
                    self._lists.setdefault(name, []).append(word)

    def synonyms(self, word: str) -> tuple[str, ...]:
        """The words of its groups, itself included; none when it stands in no group."""
        return self._synonyms.get(word, ())

    def opposites(self, word: str) -> frozenset[str]:
        """The words of which only one is true of a thing, beside the given one."""
        return self._opposites.get(word, frozenset())

    def has_rival(self, word: str) -> bool:
        """Whether there may be words that exclude it."""
        return (
            word[0] in LITERAL_SIGNS
            or word in self._members
            or word in self._opposites
            or any(True for _ in self._parts(word))
        )

    def exclude(self, first: str, second: str) -> bool:
        """Whether two words cannot both be said of one thing.

        So are compounds of which the first parts are antonyms ("inkoopfactuur",
        "verkoopfactuur"), and with them Dutch verbs with a particle ("aanstaan", "uitstaan").
        """
        if first[0] in LITERAL_SIGNS and first[0] == second[0]:
            return first != second
        if second in self.opposites(first):
            return True
        if any(
            second.endswith(tail) and second.removesuffix(tail) in self._heads[head]
            for head, tail in self._parts(first)
        ):
            return True
        mine, theirs = self._members.get(first), self._members.get(second)
        if mine is None or theirs is None:
            return False
        return mine[0] == theirs[0] and mine[1] != theirs[1]

    def rivals(self, word: str) -> Iterator[str]:
        """The words that exclude it, apart from those that are numbers, keys or code."""
        yield from self.opposites(word)
        for head, tail in self._parts(word):
            for other in self._heads[head]:
                yield other + tail
        member = self._members.get(word)
        if member is not None:
            name, number = member
            for other in self._lists[name]:
                if self._members[other][1] != number:
                    yield other

    def _parts(self, word: str) -> Iterator[tuple[str, str]]:
        """The word cut after a first part that has an opposite, such as "inkoop|factuur"."""
        longest = min(len(word) - _RIVAL_PART_CHARS, LONGEST_CHARS)
        for cut in range(_RIVAL_PART_CHARS, longest + 1):
            if word[:cut] in self._heads:
                yield word[:cut], word[cut:]


def _groups(lexicons: Lexicons, name: str) -> Iterable[tuple[str, int, tuple[str, ...]]]:
    """The groups of a lexicon: list, number in the list, words."""
    lexicon = lexicons.get(name)
    named: Mapping[str, tuple[tuple[str, ...], ...]] = lexicon.word_groups if lexicon else {}
    return (
        (one, number, group) for one, groups in named.items() for number, group in enumerate(groups)
    )
