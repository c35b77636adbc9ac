"""What a lexicon file may hold, checked whole: every problem of a file is reported at once."""

from __future__ import annotations

import datetime
import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Final

from klopt.errors import LexiconError
from klopt.lexicons.patterns import Pattern
from klopt.lexicons.word_groups import Pair, check_groups, check_pairs, check_values

HEADER: Final = ("id", "language", "source", "licence", "retrieved", "changes")
_LANGUAGE: Final = re.compile(r"[a-z]{2}")
_BARE_BLANK: Final = re.compile(r"\S(?<!\[) (?!\])\S")
BODIES: Final = {
    "phrases": "lists",
    "patterns": "pattern",
    "groups": "groups",
    "pairs": "pair",
    "values": "values",
}
"""What the part of the file with the entries is called, for each kind of lexicon."""
PATTERN_KEYS: Final = frozenset({"id", "group", "pattern", "weight", "hit", "miss", "case"})


@dataclass(frozen=True, slots=True)
class Shape:
    """What the lexicon with one id holds, from ``schema.toml``."""

    kind: str
    names: frozenset[str]
    labelled: frozenset[str]
    rivals: bool = False


@dataclass(frozen=True, slots=True)
class Content:
    """A lexicon file after all checks; only the field of its own kind is filled."""

    id: str
    language: str
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    patterns: tuple[Pattern, ...] = ()
    word_groups: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    pairs: tuple[Pair, ...] = ()
    values: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@cache
def shapes() -> Mapping[str, Shape]:
    """The known lexicons by id."""
    text = resources.files("klopt.lexicons").joinpath("schema.toml").read_text("utf-8")
    return {
        name: Shape(
            entry["kind"],
            frozenset(entry.get("lists") or entry.get("groups", ())),
            frozenset(entry.get("labelled", ())),
            entry.get("rivals", False),
        )
        for name, entry in tomllib.loads(text).items()
    }


def check(text: str, *, where: str, try_out: bool = True) -> Content:
    """The content of a lexicon file.

    Args:
        text: The TOML source.
        where: The file's name, for the message.
        try_out: Also compile each pattern and try it on its own hits and misses. klopt's own
            files are tried out by its tests, not again each time that it starts.

    Raises:
        LexiconError: With every problem, one a line: what, where in the file, what is allowed.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LexiconError(f"{where}: not TOML: {error}") from None
    problems: list[str] = []
    header = table.get("lexicon")
    if not isinstance(header, dict):
        raise LexiconError(f"{where}: the [lexicon] header is missing")
    _check_header(header, problems)
    shape = shapes().get(str(header.get("id")))
    content: dict[str, Any] = {}
    if shape is None:
        problems.append(f'id "{header.get("id")}" is not one of {", ".join(sorted(shapes()))}')
    else:
        body = BODIES[shape.kind]
        for key in sorted(set(table) - {"lexicon", body}):
            problems.append(f'unknown key "{key}"; allowed are lexicon, {body}')
        content = _body(table.get(body), shape, problems, try_out=try_out)
    if problems:
        raise LexiconError("\n".join(f"{where}: {problem}" for problem in problems))
    return Content(header["id"], header["language"], **content)


def _body(value: object, shape: Shape, problems: list[str], *, try_out: bool) -> dict[str, Any]:
    match shape.kind:
        case "phrases":
            return {"lists": _check_lists(value, shape, problems)}
        case "patterns":
            return {"patterns": tuple(_check_patterns(value, shape, problems, try_out=try_out))}
        case "groups":
            groups = check_groups(value, shape.names, problems, rivals=shape.rivals)
            return {"word_groups": groups}
        case "pairs":
            return {"pairs": check_pairs(value, problems)}
        case _:
            return {"values": check_values(value, shape.names, problems)}


def _check_header(header: Mapping[str, Any], problems: list[str]) -> None:
    for key in HEADER:
        value = header.get(key)
        if key == "retrieved":
            if not isinstance(value, datetime.date):
                problems.append("[lexicon] retrieved is not a date such as 2026-11-22")
        elif not isinstance(value, str) or not value.strip():
            problems.append(f"[lexicon] {key} is missing or not text")
    language = header.get("language")
    if isinstance(language, str) and language.strip() and not _LANGUAGE.fullmatch(language):
        problems.append(f'[lexicon] language "{language}" is not a code of two letters, such as nl')
    for key in sorted(set(header) - set(HEADER)):
        problems.append(f'[lexicon] unknown key "{key}"; allowed are {", ".join(HEADER)}')


def _check_lists(value: object, shape: Shape, problems: list[str]) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        problems.append("the [lists] table is missing")
        return {}
    for name in sorted(shape.names - set(value)):
        problems.append(f'[lists] "{name}" is missing')
    for name in sorted(set(value) - shape.names):
        allowed = ", ".join(sorted(shape.names))
        problems.append(f'[lists] unknown list "{name}"; allowed are {allowed}')
    checked: dict[str, tuple[str, ...]] = {}
    for name, entries in value.items():
        if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
            problems.append(f"{name} is not a list of texts")
            continue
        _check_entries(name, entries, problems)
        checked[name] = tuple(entries)
    return checked


def _check_entries(name: str, entries: list[str], problems: list[str]) -> None:
    previous: str | None = None
    for number, entry in enumerate(entries, 1):
        where = f'{name} entry {number} "{entry}"'
        if not entry.strip() or entry != unicodedata.normalize("NFC", entry):
            problems.append(f"{where}: empty, or not in Unicode NFC")
        if previous is not None and entry == previous:
            problems.append(f"{where}: stands twice")
        elif previous is not None and entry < previous:
            problems.append(f'{where}: not sorted, it comes before "{previous}"')
        previous = entry


def _check_patterns(
    value: object, shape: Shape, problems: list[str], *, try_out: bool
) -> list[Pattern]:
    if not isinstance(value, list) or not value:
        problems.append("there is no [[pattern]]")
        return []
    patterns: list[Pattern] = []
    seen: set[str] = set()
    for number, entry in enumerate(value, 1):
        if not isinstance(entry, dict):
            problems.append(f"pattern {number} is not a [[pattern]] table")
            continue
        found: list[str] = []
        pattern = _check_pattern(entry, shape, found)
        if pattern is not None and try_out:
            found += _try(pattern, shape)
        name = str(entry.get("id", ""))
        where = f'pattern {number} "{name}"'
        if name in seen:
            found.append("the id stands twice")
        seen.add(name)
        problems.extend(f"{where}: {problem}" for problem in found)
        if pattern is not None:
            patterns.append(pattern)
    return patterns


def _check_pattern(entry: dict[str, Any], shape: Shape, found: list[str]) -> Pattern | None:
    for key in sorted(set(entry) - PATTERN_KEYS):
        found.append(f'unknown key "{key}"; allowed are {", ".join(sorted(PATTERN_KEYS))}')
    for key in ("id", "group", "pattern"):
        if not isinstance(entry.get(key), str) or not entry[key].strip():
            found.append(f"{key} is missing or not text")
    if isinstance(entry.get("group"), str) and entry["group"] not in shape.names:
        found.append(f'group "{entry["group"]}" is not one of {", ".join(sorted(shape.names))}')
    weight = entry.get("weight", 1.0)
    if isinstance(weight, bool) or not isinstance(weight, int | float):
        found.append(f"weight is {weight!r}, not a number")
    case = entry.get("case", "ignore")
    if case not in ("ignore", "exact"):
        found.append(f'case is "{case}", not "ignore" or "exact"')
    hit, miss = _examples(entry, "hit", found), _examples(entry, "miss", found)
    if found:
        return None
    source, ignore_case = entry["pattern"], case == "ignore"
    return Pattern(entry["id"], entry["group"], source, ignore_case, float(weight), hit, miss)


def _try(pattern: Pattern, shape: Shape) -> list[str]:
    try:
        pattern.expression  # noqa: B018 - compiles it
    except LexiconError as error:
        return [str(error)]
    found: list[str] = []
    if pattern.group in shape.labelled and "label" not in pattern.expression.groupindex:
        found.append("has no group (?<label>…) around the component's name")
    blank = "; a blank is written [ ] or \\s" if _BARE_BLANK.search(pattern.source) else ""
    for text in pattern.hit:
        if pattern.search(text) is None:
            found.append(f'does not find its own hit "{text}"{blank}')
    for text in pattern.miss:
        if pattern.search(text) is not None:
            found.append(f'finds its own miss "{text}"')
    return found


def _examples(entry: Mapping[str, Any], key: str, found: list[str]) -> tuple[str, ...]:
    value = entry.get(key)
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        found.append(f"{key} is missing: give a text or a list of texts")
        return ()
    return tuple(texts)
