"""``python -m training.literals``: derive the literals of all bundled patterns.

klopt searches a text for a pattern's literals before it compiles the pattern. Python's parser of
regular expressions reads the pattern; a pattern that it cannot read has no literals.
"""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from klopt import lexicons
from klopt.lexicons.pattern import LITERALS, Literals, lower_case, source_key

FILE: Final = Path(lexicons.__file__).with_name(LITERALS)

Node = Any
"""A node of the syntax tree of ``re``, or its argument."""
Derive = Callable[[Iterable[Node]], list[str] | None]

MAX_LITERALS: Final = 200
"""With more alternatives, the pattern runs as fast as a search for each of them."""
MAX_CHARACTERS: Final = 12
"""Nearly every text has a character of a larger set."""

_UNSUPPORTED: Final = re.compile(r"\[\[|--|&&|\|\||~~|\{[^\d},]|\(\?[|&VR\d]|\\L")
"""Syntax that ``regex`` reads differently from ``re``: nested sets, fuzzy matches, calls, lists."""
_PROPERTY: Final = re.compile(r"(?<!\\)\\(?:[pP]\{[^{}]*\}|[hRX])")
_OTHER_PROPERTY: Final = re.compile(r"\\[PRX]|\\p\{(?![LNPS].?\})|\(\?[a-z]*s")
"""A property or flag that may match the end of a line."""
_SET: Final = re.compile(r"\[(?:\\.|[^\]\\])*\]")
_KEEP: Final = re.compile(r"(?<!\\)\\[KmM]")
_GROUP_NAME: Final = re.compile(r"\(\?<[A-Za-z_]\w*>")
_ONE_CASE_BEFORE: Final = re.compile(r"\(\?<![^()]*\\p\{(?!L\}|N\})")
_REPEATS: Final = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_WITH_LINE_END: Final = ("CATEGORY_SPACE", "CATEGORY_NOT_WORD", "CATEGORY_NOT_DIGIT")
_FLAGS: Final = int(re.VERBOSE | re.MULTILINE)  # the parser tests a number faster than a flag


def literals_of(source: str) -> Literals:
    r"""Return the literals of a pattern in verbose mode.

    >>> literals_of(r"(?:[Zz]et|[Tt]yp)[ ](?<label>\p{Lu}\w+)")
    Literals(required=('zet', 'typ'), initial=('zet', 'typ'), at_word_start=False, by_line=False)
    >>> literals_of(r"\b[Gg]a[ ]?naar[ ]\p{Lu}")
    Literals(required=('naar ',), initial=('ga',), at_word_start=True, by_line=True)
    >>> literals_of(r"\w+ (?:op)?")
    Literals(required=(), initial=(), at_word_start=False, by_line=False)
    """
    nodes = _parsed(source)
    initial = _usable(_initial(nodes))
    if any(len(text) == 1 and text.isalnum() for text in initial):
        initial = []
    required = _distinct(_usable(_required(nodes)), str.__contains__)
    has_more = not all(any(literal in text for literal in required) for text in initial)
    spans_lines = _OTHER_PROPERTY.search(source) is not None or _spans_lines(nodes)
    return Literals(
        required,
        _distinct(initial, str.startswith),
        not _ONE_CASE_BEFORE.search(source) and _is_at_word_start(nodes, initial),
        has_more and not spans_lines,
    )


def _spans_lines(nodes: Iterable[Any]) -> bool:
    """Return whether a match of a sequence may contain the end of a line."""
    for code, argument in nodes:
        name = code.name
        if name == "IN":
            is_negated = argument[0][0].name == "NEGATE"
            if is_negated != any(map(_is_line_end, *zip(*argument, strict=True))):
                return True
        elif name in ("LITERAL", "NOT_LITERAL"):
            if (argument == ord("\n")) == (name == "LITERAL"):
                return True
        elif any(map(_spans_lines, _parts(name, argument))):
            return True
    return False


def _is_line_end(code: Node, argument: Node) -> bool:
    if code.name == "RANGE":
        return bool(argument[0] <= ord("\n") <= argument[1])
    return argument == ord("\n") or str(argument) in _WITH_LINE_END


def _is_at_word_start(nodes: Iterable[Any], initial: Iterable[str]) -> bool:
    r"""Return whether a sequence begins with ``(?<!\w)``, or with ``\b`` before a letter."""
    for code, argument in nodes:
        if code.name == "AT" and argument.name == "AT_BOUNDARY":
            return all(text[0].isalpha() for text in initial)
        if code.name != "ASSERT_NOT":
            return False
        direction, inside = argument
        for name, items in inside if direction < 0 and len(inside) == 1 else ():
            kinds = [str(item) for _, item in items] if name.name == "IN" else []
            if "CATEGORY_WORD" in kinds and "None" not in kinds:
                return True
    return False


def _usable(texts: list[str] | None) -> list[str]:
    if texts is None or len(texts) > MAX_LITERALS or min(map(len, texts)) == 0:
        return []
    return texts


def _distinct(texts: Iterable[str], holds: Callable[[str, str], bool]) -> tuple[str, ...]:
    """Return the texts without those that contain another one, which are redundant."""
    kept: list[str] = []
    for text in sorted(texts, key=len):
        if not any(holds(text, other) for other in kept):
            kept.append(text)
    return tuple(kept)


def _parsed(source: str) -> Iterable[Any]:
    """Return the syntax tree of a pattern; empty if ``re`` cannot read it."""
    if _UNSUPPORTED.search(_KEEP.sub("", _PROPERTY.sub("", source))):
        return ()
    # In the syntax of ``re``; a character property becomes "any character".
    source = _SET.sub(lambda match: _PROPERTY.sub(r"\\w", match[0]), source)
    source = _GROUP_NAME.sub("(", _KEEP.sub("", _PROPERTY.sub(".", source)))
    try:
        nodes: Iterable[Any] = re._parser.parse(source, _FLAGS)  # type: ignore[attr-defined]
    except (AttributeError, re.error, OverflowError, RecursionError):
        return ()
    return nodes


def _required(nodes: Iterable[Any]) -> list[str] | None:
    """Return the most selective set of literals that a sequence requires, or None."""
    best: list[str] | None = None
    run = ""
    for code, argument in nodes:
        name = code.name
        if name == "LITERAL":
            run += lower_case(chr(argument))
            continue
        if name == "IN":
            characters = _characters(argument)
            if len(characters) == 1:
                run += characters[0]
                continue
            best = _more_selective(best, characters or None)
        best, run = _more_selective(best, [run] if run else None), ""
        best = _more_selective(best, _inside(name, argument, _required))
    return _more_selective(best, [run] if run else None)


def _initial(nodes: Iterable[Any]) -> list[str] | None:
    """Return the literals that a sequence can begin with; None if it can begin with anything."""
    run = ""
    for code, argument in nodes:
        name = code.name
        characters = _characters(argument) if name == "IN" else []
        if name == "LITERAL":
            run += lower_case(chr(argument))
        elif len(characters) == 1:
            run += characters[0]
        elif name == "AT" and argument.name == "AT_BEGINNING_STRING":
            return None
        elif name not in ("AT", "ASSERT", "ASSERT_NOT"):
            return [run] if run else characters or _inside(name, argument, _initial)
    return [run] if run else None


def _characters(items: Iterable[Any]) -> list[str]:
    """Return the lower-case characters of a set; none if more than `MAX_CHARACTERS`."""
    characters: dict[str, None] = {}
    for code, argument in items:
        if code.name == "LITERAL":
            characters[lower_case(chr(argument))] = None
        elif code.name == "RANGE" and argument[1] - argument[0] < MAX_CHARACTERS:
            letters = map(chr, range(argument[0], argument[1] + 1))
            characters |= dict.fromkeys(map(lower_case, letters))
        else:
            return []
    return list(characters) if len(characters) <= MAX_CHARACTERS else []


def _inside(name: str, argument: Node, literals: Derive) -> list[str] | None:
    """Return the literals of a group, a repetition or a choice."""
    if name in _REPEATS and not argument[0]:
        return None
    found = [literals(part) for part in _parts(name, argument)]
    if not found or any(part is None for part in found):
        return None
    return list(dict.fromkeys(text for part in found for text in part or ()))


def _parts(name: str, argument: Node) -> Iterable[Iterable[Node]]:
    """Return the sequences in a group, a repetition or a choice."""
    if name == "SUBPATTERN":
        return [argument[3]]
    if name == "ATOMIC_GROUP":
        return [argument]
    if name in _REPEATS:
        return [argument[2]]
    alternatives: Iterable[Iterable[Node]] = argument[1] if name == "BRANCH" else ()
    return alternatives


def _more_selective(one: list[str] | None, other: list[str] | None) -> list[str] | None:
    """Return the set with longer literals (up to four characters), else the smaller one."""
    if one is None or other is None:
        return one or other
    return min(one, other, key=lambda texts: (-min(4, *map(len, texts)), len(texts)))


def derived() -> str:
    """Return the file with the literals of all bundled patterns, by key of their source."""
    patterns = [
        pattern
        for language in lexicons.languages()
        for lexicon in lexicons.load(language).values()
        for pattern in lexicon.patterns
    ]
    table = {source_key(one.source): literals_of(one.source) for one in patterns}
    lines = (
        f"{json.dumps(key)}: {json.dumps(table[key], ensure_ascii=False)}" for key in sorted(table)
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(derived(), "utf-8")
