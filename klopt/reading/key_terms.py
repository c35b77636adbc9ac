"""Key terms by the rules of ``key_terms.toml``: commands, paths, names, quoted texts."""

from __future__ import annotations

import hashlib
import tomllib
from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from klopt.lexicons.patterns import Pattern

__all__ = ["Hit", "Rule", "find_terms", "longest", "rules", "rules_digest"]

_FILE: Final = "key_terms.toml"


@dataclass(frozen=True, slots=True)
class Example:
    """A text with the terms that a rule must find in it, in order."""

    text: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """One declared rule.

    Attributes:
        kind: ``command``, ``path``, ``url``, ``option``, ``identifier``, ``version``, ``quoted``
            or ``emphasised``.
        pattern: Finds the term as its group ``term``, or as all that it matches.
        hits: Examples of what it finds.
    """

    kind: str
    pattern: Pattern
    hits: tuple[Example, ...]

    def find(self, text: str) -> list[Hit]:
        """What the rule finds, from left to right.

        Raises:
            PatternTimeoutError: The rule took too long on this text.
        """
        group = "term" if "term" in self.pattern.expression.groupindex else 0
        return [Hit(*match.span(group), self.kind) for match in self.pattern.finditer(text)]


@dataclass(frozen=True, slots=True, order=True)
class Hit:
    """A stretch of a reference that a rule found.

    Attributes:
        start: First character, from 0.
        end: Character after the last one.
        kind: Of the rule.
    """

    start: int
    end: int
    kind: str


def find_terms(text: str, more: Iterable[Hit] = ()) -> tuple[Hit, ...]:
    """What the rules find in a reference, from left to right, without overlap.

    Args:
        text: The reference.
        more: Further hits, which go before those of the rules when they are equally long.

    Raises:
        PatternTimeoutError: A rule took too long on this text.

    >>> text = "Edit /etc/orl.conf, then run 'orlinde sync --all'."
    >>> [(text[hit.start : hit.end], hit.kind) for hit in find_terms(text)]
    [('/etc/orl.conf', 'path'), ('orlinde sync --all', 'command')]
    """
    return longest([*more, *(hit for rule in rules() for hit in rule.find(text))])


def longest(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """The hits without those that overlap a longer one, or an equally long one before it.

    >>> longest([Hit(0, 3, "a"), Hit(2, 8, "b"), Hit(8, 9, "c")])
    (Hit(start=2, end=8, kind='b'), Hit(start=8, end=9, kind='c'))
    """
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: hit.start - hit.end):
        place = bisect_left(kept, hit.start, key=lambda other: other.start)
        after = place == len(kept) or hit.end <= kept[place].start
        before = place == 0 or kept[place - 1].end <= hit.start
        if before and after:
            insort(kept, hit)
    return tuple(kept)


@cache
def rules() -> tuple[Rule, ...]:
    """The declared rules, in the order of the file."""
    return tuple(_rule(entry) for entry in tomllib.loads(_source())["rule"])


@cache
def rules_digest() -> str:
    """SHA-256 of the file with the rules, in hexadecimal."""
    return hashlib.sha256(_source().encode()).hexdigest()


def _source() -> str:
    return resources.files("klopt.reading").joinpath(_FILE).read_text("utf-8")


def _rule(entry: dict[str, Any]) -> Rule:
    hits = tuple(Example(example["text"], tuple(example["terms"])) for example in entry["hit"])
    pattern = Pattern(
        entry["id"],
        entry["kind"],
        entry["pattern"],
        entry.get("case", "ignore") == "ignore",
        1.0,
        tuple(example.text for example in hits),
        tuple(entry["miss"]),
    )
    return Rule(entry["kind"], pattern, hits)
