"""Key terms by the rules of ``key_terms.toml``: commands, paths, names, quoted texts."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from klopt._internal import shipped
from klopt.lexicons import Pattern

_FILE: Final = "key_terms.toml"


@dataclass(frozen=True, slots=True, order=True)
class RuleHit:
    """A stretch of a reference that a rule found."""

    start: int
    end: int
    kind: str


def find_hits(rule: Pattern, text: str) -> list[RuleHit]:
    """Return the matches of a rule, from left to right: its group ``term``, or all.

    Raises:
        PatternTimeoutError: The rule took too long on this text.
    """
    return [
        RuleHit(*match.span("term" if "term" in match.re.groupindex else 0), rule.group)
        for match in rule.finditer(text)
    ]


def find_terms(text: str, more: Iterable[RuleHit] = ()) -> tuple[RuleHit, ...]:
    """Return the key terms of a reference, from left to right, without overlap.

    Further hits go before those of the rules when they are equally long.

    Raises:
        PatternTimeoutError: A rule took too long on this text.

    >>> text = "Edit /etc/orl.conf, then run 'orlinde sync --all'."
    >>> [(text[hit.start : hit.end], hit.kind) for hit in find_terms(text)]
    [('/etc/orl.conf', 'path'), ('orlinde sync --all', 'command')]
    """
    return longest([*more, *(hit for rule in rules() for hit in find_hits(rule, text))])


def longest(hits: Iterable[RuleHit]) -> tuple[RuleHit, ...]:
    """Return the hits without those that overlap a longer one, or an equally long one before it.

    >>> longest([RuleHit(0, 3, "a"), RuleHit(2, 8, "b"), RuleHit(8, 9, "c")])
    (RuleHit(start=2, end=8, kind='b'), RuleHit(start=8, end=9, kind='c'))
    """
    kept: list[RuleHit] = []
    for hit in sorted(hits, key=lambda hit: hit.start - hit.end):
        place = bisect_left(kept, hit.start, key=lambda other: other.start)
        after = place == len(kept) or hit.end <= kept[place].start
        before = place == 0 or kept[place - 1].end <= hit.start
        if before and after:
            insort(kept, hit)
    return tuple(kept)


@cache
def rules() -> tuple[Pattern, ...]:
    """The declared rules, in the order of the file.

    Their groups are kinds of terms: ``command``, ``path``, ``url``, ``option``, ``identifier``,
    ``version``, ``quoted`` and ``emphasised``.
    """
    return tuple(
        Pattern.of({**entry, "group": entry["kind"], "hit": [hit["text"] for hit in entry["hit"]]})
        for entry in shipped.table("klopt.text", _FILE)["rule"]
    )


@cache
def rules_digest() -> str:
    """SHA-256 of the file with the rules, in hexadecimal."""
    return shipped.digest("klopt.text", _FILE)
