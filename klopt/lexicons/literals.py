"""Which words a pattern cannot do without, so that it runs only where one of them stands.

A regular expression is read as the standard library reads it; what that cannot read, and a
pattern that may match without any fixed text, has no such words and always runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

MOST_LITERALS: Final = 200
"""A pattern with more alternatives runs as fast as they are looked for."""

MOST_CHARACTERS: Final = 12
"""Of a larger set of characters one stands in nearly every text."""

_OTHERWISE: Final = re.compile(r"\[\[|--|&&|\|\||~~|\{[^\d},]|\(\?[|&VR\d]|\\L")
"""What ``regex`` reads otherwise than ``re``: sets of sets, near misses, recursion, lists."""

_ALIKE: Final = str.maketrans("İıſ", "iis")

_PROPERTY: Final = re.compile(r"\\[pP]\{[^{}]*\}|\\[hRX]")
_IN_SET: Final = re.compile(r"\[(?:\\.|[^\]\\])*\]")
_KEEP: Final = re.compile(r"\\[KmM]")
_NAME: Final = re.compile(r"\(\?<(?=[A-Za-z_])")


def without_case(text: str) -> str:
    """A text in lower case, with the letters that ``regex`` takes for others as those."""
    return text.translate(_ALIKE).lower()


def required_literals(source: str) -> tuple[str, ...]:
    r"""Texts of which at least one stands in whatever a pattern matches, in lower case.

    Args:
        source: A regular expression of the module ``regex`` in verbose mode.

    Returns:
        None of them, ``()``, when the pattern may match without fixed text, or cannot be read.

    >>> required_literals(r"(?:klik|druk)[ ]op(?<label>[ ]\p{Lu}\w+)")
    ('klik', 'druk')
    >>> required_literals(r"\w+ (?:op)?")
    ()
    """
    if _OTHERWISE.search(_PROPERTY.sub("", source)):
        return ()
    try:
        parser = re._parser  # type: ignore[attr-defined]
        tree = parser.parse(_as_standard(source), re.VERBOSE | re.MULTILINE)
    except (AttributeError, re.error, OverflowError, RecursionError):
        return ()
    found = _required(tree)
    if found is None or len(found) > MOST_LITERALS or min(map(len, found)) == 0:
        return ()
    return tuple(found)


def _as_standard(source: str) -> str:
    """The expression in the words of ``re``; what stands for some character may be any."""
    source = _IN_SET.sub(lambda match: _PROPERTY.sub(r"\\w", match[0]), source)
    return _NAME.sub("(?P<", _KEEP.sub("", _PROPERTY.sub(".", source)))


def _required(nodes: Iterable[Any]) -> list[str] | None:
    """The best set of texts that a sequence requires; None when it requires none."""
    best: list[str] | None = None
    run = ""
    for code, argument in nodes:
        name = str(code)
        if name == "LITERAL":
            run += without_case(chr(argument))
            continue
        if name == "IN":
            characters = _characters(argument)
            if len(characters) == 1:
                run += characters[0]
                continue
            best = _better(best, characters or None)
        best, run = _better(best, [run] if run else None), ""
        best = _better(best, _of_node(name, argument))
    return _better(best, [run] if run else None)


def _characters(items: Iterable[Any]) -> list[str]:
    """The characters of a set, in lower case; none when they are too many to look for."""
    found: dict[str, None] = {}
    for code, argument in items:
        if str(code) == "LITERAL":
            found[without_case(chr(argument))] = None
        elif str(code) == "RANGE" and argument[1] - argument[0] < MOST_CHARACTERS:
            found |= dict.fromkeys(map(without_case, map(chr, range(argument[0], argument[1] + 1))))
        else:
            return []
    return list(found) if len(found) <= MOST_CHARACTERS else []


def _of_node(name: str, argument: Any) -> list[str] | None:  # noqa: ANN401 - a node of any kind
    if name == "SUBPATTERN":
        return _required(argument[3])
    if name == "ATOMIC_GROUP":
        return _required(argument)
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return _required(argument[2]) if argument[0] else None
    if name == "BRANCH":
        parts = [_required(branch) for branch in argument[1]]
        if any(part is None for part in parts):
            return None
        return list(dict.fromkeys(text for part in parts for text in part or ()))
    return None


def _better(one: list[str] | None, other: list[str] | None) -> list[str] | None:
    """The set that rules out more: of longer texts, then of fewer."""
    if one is None or other is None:
        return one or other
    return min(one, other, key=lambda texts: (-min(4, *map(len, texts)), len(texts)))
