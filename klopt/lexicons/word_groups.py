"""Lexicons of words that mean the same, exclude one another, or stand for a number.

The checks add their findings to ``problems``, so that all of a file's are reported at once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite

__all__ = ["Pair", "check_groups", "check_pairs", "check_values", "joined_groups"]

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


def check_groups(
    value: object, names: frozenset[str], problems: list[str], *, rivals: bool
) -> dict[str, tuple[Group, ...]]:
    """The ``[groups]`` table: for each name, groups of words for the same thing.

    Args:
        value: What stands in the file.
        names: The names that the table may have.
        problems: Gets a line for each problem.
        rivals: The groups of a name exclude one another. Then a group may have only one word,
            and a word may also stand under another name; otherwise it stands once in the file.
    """
    checked: dict[str, tuple[Group, ...]] = {}
    table = _named_tables(value, "groups", "groups", names, problems)
    seen: set[str] = set()
    for name, entries in table.items():
        if not isinstance(entries, list) or not all(_is_words(entry) for entry in entries):
            problems.append(f"{name} is not a list of lists of words")
            continue
        if rivals:
            seen = set()
        for number, group in enumerate(entries, 1):
            where = f"{name} group {number}"
            _check_words(where, group, problems)
            least = 1 if rivals else 2
            if len(group) < least:
                problems.append(
                    f"{where}: the number of words is {len(group)}, not {least} or more"
                )
            for word in sorted(seen & set(group)):
                problems.append(f'{where}: "{word}" is in an earlier group already')
            seen |= set(group)
            if number > 1 and group[:1] < entries[number - 2][:1]:
                problems.append(f"{where}: not sorted by the first word of each group")
        checked[name] = tuple(tuple(group) for group in entries)
    return checked


def check_pairs(value: object, problems: list[str]) -> tuple[Pair, ...]:
    """The ``[[pair]]`` tables: each has the keys ``one`` and ``other``, lists of words."""
    if not isinstance(value, list) or not value:
        problems.append("there is no [[pair]]")
        return ()
    pairs: list[Pair] = []
    for number, entry in enumerate(value, 1):
        where = f"pair {number}"
        if not isinstance(entry, dict) or set(entry) != {"one", "other"}:
            problems.append(f"{where}: has not just the keys one and other")
            continue
        for side in ("one", "other"):
            if not _is_words(entry[side]) or not entry[side]:
                problems.append(f"{where}: {side} is not a list of words")
                break
            _check_words(f"{where} {side}", entry[side], problems)
        else:
            pair = Pair(tuple(entry["one"]), tuple(entry["other"]))
            for word in sorted(set(pair.one) & set(pair.other)):
                problems.append(f'{where}: "{word}" is on both sides')
            if pair in pairs:
                problems.append(f"{where}: stands twice")
            elif pairs and pair.one < pairs[-1].one:
                problems.append(f"{where}: not sorted by the words of one")
            pairs.append(pair)
    return tuple(pairs)


def check_values(
    value: object, names: frozenset[str], problems: list[str]
) -> dict[str, Mapping[str, float]]:
    """The ``[values]`` tables: for each name, words with the number that each stands for."""
    checked: dict[str, Mapping[str, float]] = {}
    for name, entries in _named_tables(value, "values", "table", names, problems).items():
        if not isinstance(entries, dict):
            problems.append(f"{name} is not a table of words and numbers")
            continue
        previous: tuple[float, str] | None = None
        for word, number in entries.items():
            where = f'{name} "{word}"'
            problems.extend(f"{where}: {found}" for found in _word_problems(word))
            if isinstance(number, bool) or not isinstance(number, int | float):
                problems.append(f"{where}: {number!r} is not a number")
                continue
            if not isfinite(number):
                problems.append(f"{where}: {number!r} is not a number")
                continue
            if previous is not None and (number, word) < previous:
                problems.append(f'{where}: not sorted by number, it comes before "{previous[1]}"')
            previous = (number, word)
        checked[name] = dict(entries)
    return checked


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


def _named_tables(
    value: object, key: str, what: str, names: frozenset[str], problems: list[str]
) -> dict[str, object]:
    if not isinstance(value, dict):
        problems.append(f"the [{key}] table is missing")
        return {}
    for name in sorted(set(value) - names):
        allowed = ", ".join(sorted(names))
        problems.append(f'[{key}] unknown {what} "{name}"; allowed are {allowed}')
    return value


def _is_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _check_words(where: str, words: list[str], problems: list[str]) -> None:
    previous: str | None = None
    for word in words:
        problems.extend(f'{where} "{word}": {found}' for found in _word_problems(word))
        if previous is not None and word == previous:
            problems.append(f'{where} "{word}": stands twice')
        elif previous is not None and word < previous:
            problems.append(f'{where} "{word}": not sorted, it comes before "{previous}"')
        previous = word


def _word_problems(word: str) -> list[str]:
    if word.strip() and word == word.strip() == unicodedata.normalize("NFC", word).lower():
        return []
    return ["empty, not in lower case, or not in Unicode NFC"]
