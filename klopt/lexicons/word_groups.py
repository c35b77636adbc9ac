"""Lexicons of words that mean the same, exclude one another, or stand for a number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Pair", "joined_groups"]

Group = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides that contradict each other when said of the same thing.

    Attributes:
        one: Words of the first side, sorted.
        other: Words of the second side, sorted; none is in the first.
    """

    one: Group
    other: Group


def joined_groups(own: Iterable[Group], added: Iterable[Group]) -> tuple[Group, ...]:
    """Both sets of groups as one; groups that share a word become one group.

    >>> joined_groups([("afdrukken", "printen"), ("map",)], [("printen", "uitdraaien")])
    (('afdrukken', 'printen', 'uitdraaien'), ('map',))
    """
    groups: list[set[str]] = []
    for group in (*own, *added):
        words = set(group)
        apart: list[set[str]] = []
        for known in groups:
            if known & words:
                words |= known
            else:
                apart.append(known)
        groups = [*apart, words]
    return tuple(sorted(tuple(sorted(words)) for words in groups))
