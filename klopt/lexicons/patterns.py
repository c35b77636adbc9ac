"""How a pattern is compiled, within bounds; and the words without which it cannot be found."""

from __future__ import annotations

import hashlib
import json
import logging
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

import regex

from klopt.errors import LexiconError

LONGEST_SOURCE_CHARS: Final = 5_000
MOST_REPEATED_CHARS: Final = 200_000
"""Of the shortest text that a pattern could match; each of them is compiled by itself."""

MOST_LITERALS: Final = 200
"""A pattern with more alternatives runs as fast as they are looked for."""

MOST_CHARACTERS: Final = 12
"""Of a larger set of characters one stands in nearly every text."""

_OTHERWISE: Final = re.compile(r"\[\[|--|&&|\|\||~~|\{[^\d},]|\(\?[|&VR\d]|\\L")
"""What ``regex`` reads otherwise than ``re``: sets of sets, near misses, recursion, lists."""

ALIKE: Final = str.maketrans("İıſ", "iis")
"""Letters that ``regex`` takes for others, where case does not count."""

_PROPERTY: Final = re.compile(r"(?<!\\)\\(?:[pP]\{[^{}]*\}|[hRX])")
_IN_SET: Final = re.compile(r"\[(?:\\.|[^\]\\])*\]")
_KEEP: Final = re.compile(r"(?<!\\)\\[KmM]")
_NAME: Final = re.compile(r"\(\?<[A-Za-z_]\w*>")
_FLAGS: Final = int(re.VERBOSE | re.MULTILINE)  # a number: the parser looks at each many times

_UNREADABLE: Final = (RecursionError, MemoryError, OverflowError, ValueError)
_LETTER_BY_LETTER: Final = "(?-f)"

_BLANKS: Final = r"(?:\s|#[^\n]*\n)*+"
_CALL: Final = regex.compile(
    rf"(?s)\\.|(\(\?(?:[R0-9&]|[+-]{_BLANKS}[0-9]|P{_BLANKS}[>&])[^)]{{0,20}}\)?)"
)
_FULL_FOLDING: Final = regex.compile(
    rf"(?s)\\.|(\(\?(?:[a-eg-zA-Z0-9]|{_BLANKS})*+f)(?=[\w\s#:)-])"
)
_COUNT: Final = regex.compile(
    r"(?<one>(?<=[^\s)]))?\{(?<count>(?:[\s0-9,]|#[^\n]*\n)*+)\}", regex.VERSION1
)
"""The least number of times of ``one`` character, or else of a group; also where it is no count."""


def compile_pattern(source: str, *, ignore_case: bool = True) -> regex.Pattern[str]:
    """A compiled expression in verbose mode, where white space and ``#`` comments are ignored.

    Letters are alike one by one: "STRASSE" is not "straße", nor is "ﬁ" two letters. Full case
    folding would make them so, at twice the work for every "ss", "ff" and "st" in a row.

    Raises:
        LexiconError: The expression does not compile, and where; or it is not bounded.
    """
    if (refusal := _refusal(source)) is not None:
        raise LexiconError(refusal)
    flags = regex.VERBOSE | regex.MULTILINE | regex.VERSION1
    try:
        return regex.compile(
            _LETTER_BY_LETTER + source, flags | regex.IGNORECASE if ignore_case else flags
        )
    except regex.error as error:
        met: Any = error  # its attributes are not in the stubs
        place = "" if met.pos is None else f" at position {met.pos - len(_LETTER_BY_LETTER)}"
        raise LexiconError(f"{met.msg}{place}") from None
    except _UNREADABLE:
        raise LexiconError("the expression is too deep or too large to be compiled") from None


def _refusal(source: str) -> str | None:
    """Why an expression could take any time or memory; None if it is bounded."""
    if len(source) > LONGEST_SOURCE_CHARS:
        return (
            f"has {len(source):,} characters, and {LONGEST_SOURCE_CHARS:,} are allowed; "
            "make several patterns of it"
        )
    if (call := _first(_CALL, source)) is not None:
        return f'"{call}" calls a group, which may never end; write out what it stands for'
    if (flags := _first(_FULL_FOLDING, source)) is not None:
        return f'"{flags}" asks for full case folding; leave the f out and write "(?:ß|ss)"'
    chars, times = len(source), 1
    for counted in _COUNT.finditer(source, overlapped=True):
        least = regex.sub(r"#[^\n]*\n|\s", "", counted["count"]).partition(",")[0].lstrip("0")
        count = max(1, int(least[:9] or 0))
        if counted["one"] is not None:
            chars += count
        else:
            times *= count
    if chars * times > MOST_REPEATED_CHARS:
        return (
            f"its counts, one within the other, ask for over {MOST_REPEATED_CHARS:,} characters; "
            "lower them"
        )
    return None


def _first(sought: regex.Pattern[str], source: str) -> str | None:
    """The first place that is not behind a backslash."""
    return next((place[1] for place in sought.finditer(source) if place[1]), None)


AHEAD: Final = "patterns.json"
"""What `training.patterns` worked out of our own lexicons: the literals and the beginnings of each
expression, and, by the version of ``regex``, each as it is compiled. Of any other version it is
compiled here."""


_DIGEST: Final = re.compile(rb'{"sha256": "([0-9a-f]{64})", ')


@cache
def _ahead() -> tuple[dict[str, list[list[str]]], dict[str, list[Any]]]:
    """The literals and the compiled expressions; none of a file that is damaged or not there.

    Compiled code runs unchecked: of a single byte that was changed the process would die.
    """
    try:
        content = resources.files("klopt.lexicons").joinpath(AHEAD).read_bytes()
    except OSError:
        content = b""
    head = _DIGEST.match(content)
    rest = content[head.end() :] if head else b""
    if head is None or hashlib.sha256(rest).hexdigest().encode() != head[1]:
        logging.getLogger("klopt").warning(
            "klopt/lexicons/%s is damaged, so patterns are compiled anew, which takes longer; "
            "install klopt again, or run `make patterns` in a checkout",
            AHEAD,
        )
        return {}, {}
    known = json.loads(content)
    return known["literals"], known["compiled"] if known["regex"] == regex.__version__ else {}


def ahead_text(known: Mapping[str, Any]) -> str:
    """What the file holds: ``regex``, ``literals`` and ``compiled``, after a digest of the rest."""
    rest = json.dumps(known, ensure_ascii=False, sort_keys=True)[1:] + "\n"
    return f'{{"sha256": "{hashlib.sha256(rest.encode()).hexdigest()}", {rest}'


def literals_ahead(source: str) -> tuple[str, ...] | None:
    """What `required_literals` gives of an expression that comes with klopt; None of any other."""
    known = _ahead()[0].get(source)
    return None if known is None else tuple(known[0])


def beginnings_ahead(source: str) -> tuple[str, ...]:
    """What `beginnings` gives of an expression that comes with klopt; none of any other."""
    return tuple(_ahead()[0].get(source, [(), ()])[1])


def compiled_ahead(source: str, *, ignore_case: bool = True) -> regex.Pattern[str] | None:
    """What `compile_pattern` gives, or `compile_phrases` of phrases by lines; None if unknown."""
    known = _ahead()[1].get(key_ahead(source, ignore_case=ignore_case))
    return None if known is None else _made(known)


def made_of(pattern: regex.Pattern[str]) -> list[Any]:
    """What a compiled expression is made of, as JSON has it; ``regex`` has it ready for copies.

    >>> _made(json.loads(json.dumps(made_of(compile_phrases(["bij"]))))).findall("Bij de bijlage")
    ['Bij']
    """
    source, flags, code, groups, _, lists, indexes, *rest = pattern._pickled_data  # type: ignore[attr-defined]
    named = {name: sorted(words) for name, words in lists.items()}
    return [
        source,
        flags,
        b64encode(code).decode(),
        groups,
        named,
        list(map(sorted, indexes)),
        rest,
    ]


def _made(parts: Sequence[Any]) -> regex.Pattern[str]:
    source, flags, code, groups, named, indexes, rest = parts
    names = {number: name for name, number in groups.items()}
    lists = {name: frozenset(words) for name, words in named.items()}
    offset, chars, char_flags, count = rest
    expression: regex.Pattern[str] = regex._main._regex.compile(  # type: ignore[attr-defined]
        *(source, flags, b64decode(code), groups, names, lists, list(map(frozenset, indexes))),
        *(offset, tuple(chars), char_flags, count),
    )
    return expression


def key_ahead(source: str, *, ignore_case: bool) -> str:
    """Under what an expression is known ahead."""
    return source if ignore_case else f"{source}\0"


def compile_phrases(phrases: Iterable[str]) -> regex.Pattern[str]:
    """One expression that finds any of the phrases as whole words, in any case, longest first.

    >>> compile_phrases(["bij", "bijvoorbeeld"]).findall("Bijvoorbeeld bij de bijlage")
    ['Bijvoorbeeld', 'bij']
    """
    alternatives = longest_first(phrases)
    return compiled_ahead("\n".join(alternatives)) or regex.compile(
        r"(?-f:(?<!\w)\L<phrases>(?!\w))", regex.IGNORECASE | regex.VERSION1, phrases=alternatives
    )


def longest_first(phrases: Iterable[str]) -> list[str]:
    """Phrases in the order in which they are looked for."""
    return sorted(phrases, key=lambda phrase: (-len(phrase), phrase))


def without_case(text: str) -> str:
    """A text in lower case, with the letters that ``regex`` takes for others as those."""
    return (text if text.isascii() else text.translate(ALIKE)).lower()


def required_literals(source: str) -> tuple[str, ...]:
    r"""Texts of which at least one stands in whatever a pattern matches, in lower case.

    None of them, ``()``, when the pattern may match without fixed text, or cannot be read.

    >>> required_literals(r"(?:klik|druk)[ ]op(?<label>[ ]\p{Lu}\w+)")
    ('klik', 'druk')
    >>> required_literals(r"\w+ (?:op)?")
    ()
    """
    return _all_known(_required(_nodes_of(source)))


def beginnings(source: str) -> tuple[str, ...]:
    r"""Texts in lower case with one of which whatever a pattern matches begins, as its literals.

    None, ``()``, where looking them up takes longer: of one letter, or only at the text's start.

    >>> beginnings(r"(?<!\w)(?:[Kk]lik|[Dd]ruk)t?[ ]op")
    ('klik', 'druk')
    >>> beginnings(r"\w+ op")
    ()
    """
    texts = _all_known(_first_texts(_nodes_of(source)))
    return () if any(len(text) == 1 and text.isalnum() for text in texts) else texts


def _all_known(texts: list[str] | None) -> tuple[str, ...]:
    """The texts, where none is empty and they are few enough to be looked for."""
    if texts is None or len(texts) > MOST_LITERALS or min(map(len, texts)) == 0:
        return ()
    return tuple(texts)


def _nodes_of(source: str) -> Iterable[Any]:
    """What an expression consists of, by Python's own parser; nothing where it cannot be read."""
    if _OTHERWISE.search(_KEEP.sub("", _PROPERTY.sub("", source))):
        return ()
    try:
        parser = re._parser  # type: ignore[attr-defined]
        nodes: Iterable[Any] = parser.parse(_as_standard(source), _FLAGS)
    except (AttributeError, re.error, OverflowError, RecursionError):
        return ()
    return nodes


def _as_standard(source: str) -> str:
    """The expression in the words of ``re``; what stands for some character may be any."""
    source = _IN_SET.sub(lambda match: _PROPERTY.sub(r"\\w", match[0]), source)
    return _NAME.sub("(", _KEEP.sub("", _PROPERTY.sub(".", source)))


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
        best = _better(best, _of_node(name, argument, _required))
    return _better(best, [run] if run else None)


def _first_texts(nodes: Iterable[Any]) -> list[str] | None:
    """The texts that a sequence may begin with; None when that may be anything."""
    run = ""
    for code, argument in nodes:
        name = str(code)
        characters = _characters(argument) if name == "IN" else []
        if name == "LITERAL":
            run += without_case(chr(argument))
        elif len(characters) == 1:
            run += characters[0]
        elif str(argument) == "AT_BEGINNING_STRING":
            return None
        elif name not in ("AT", "ASSERT", "ASSERT_NOT"):
            return [run] if run else characters or _of_node(name, argument, _first_texts)
    return [run] if run else None


def _characters(items: Iterable[Any]) -> list[str]:
    """The characters of a set, in lower case; none when they are too many to look for."""
    characters: dict[str, None] = {}
    for code, argument in items:
        if str(code) == "LITERAL":
            characters[without_case(chr(argument))] = None
        elif str(code) == "RANGE" and argument[1] - argument[0] < MOST_CHARACTERS:
            characters |= dict.fromkeys(
                map(without_case, map(chr, range(argument[0], argument[1] + 1)))
            )
        else:
            return []
    return list(characters) if len(characters) <= MOST_CHARACTERS else []


def _of_node(
    name: str,
    argument: Any,  # noqa: ANN401 - a node of any kind
    texts_of: Callable[[Iterable[Any]], list[str] | None],
) -> list[str] | None:
    if name == "SUBPATTERN":
        return texts_of(argument[3])
    if name == "ATOMIC_GROUP":
        return texts_of(argument)
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return texts_of(argument[2]) if argument[0] else None
    if name == "BRANCH":
        parts = [texts_of(branch) for branch in argument[1]]
        if any(part is None for part in parts):
            return None
        return list(dict.fromkeys(text for part in parts for text in part or ()))
    return None


def _better(one: list[str] | None, other: list[str] | None) -> list[str] | None:
    """The set that rules out more: of longer texts, then of fewer."""
    if one is None or other is None:
        return one or other
    return min(one, other, key=lambda texts: (-min(4, *map(len, texts)), len(texts)))
