"""What is mended in a company's lexicons without asking: order, duplicates, old origins."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Array

from klopt.batch.output import whole_file
from klopt.lexicons.schema import shapes

_PIECE: Final = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'|#[^\n]*|\n|\[|\]')


def mend(path: Path) -> list[str]:
    """Sorts a lexicon file, drops what stands twice and where gone entries came from.

    Comments go with the entry that they stand above or behind; all else stays as it was.

    Returns:
        What was done, in a few words each; nothing for a file that is well, or that is no lexicon.

    Raises:
        InputError: The file cannot be written.
    """
    try:
        document = tomlkit.parse(path.read_text("utf-8"))
        kind = shapes()[document["lexicon"]["id"]]["kind"]
    except (OSError, UnicodeDecodeError, TOMLKitError, KeyError, TypeError):
        return []  # what is wrong with it is told where it is checked
    done = [*_MENDERS[kind](document)]
    if kind in ("phrases", "groups"):
        done += _abouts(document)
    if done:
        with whole_file(path) as file:
            file.write(tomlkit.dumps(document))
    return done


def stale(document: Mapping[str, Any]) -> list[str]:
    """The names in ``[about]`` of a lexicon of phrases or groups that no entry has any more.

    A group may be named by some of its words, those with which it was put in.

    >>> about = {"a, b": "page 1", "c, d": "page 2"}
    >>> stale({"groups": {"nouns": [["a", "b", "c"]]}, "about": about})
    ['c, d']
    """
    groups = defaultdict[str, list[Any]](list)
    for key in ("lists", "groups"):
        for entries in dict(document.get(key, {})).values():
            for one in entries if isinstance(entries, list) else ():
                for word in one if isinstance(one, list) else [one]:
                    groups[str(word)].append(one)
    return [name for name in document.get("about", {}) if not _is_named(name, groups)]


def _is_named(name: str, groups: Mapping[str, Sequence[Any]]) -> bool:
    words = name.split(", ")
    return name in groups or any(
        isinstance(one, list) and {*words} <= {*one} for one in groups.get(words[0], ())
    )


@dataclass(frozen=True)
class _Kept:
    """An entry of a list with the comments above it and behind it."""

    value: Any
    above: tuple[str, ...]
    behind: str

    @property
    def lines(self) -> list[str]:
        """It as lines of a list."""
        behind = f" # {self.behind}" if self.behind else ""
        own = f"  {tomlkit.item(self.value).as_string()},{behind}"
        return [*(f"  # {one}" for one in self.above), own]

    @property
    def comments(self) -> tuple[str, ...]:
        return (*self.above, *([self.behind] if self.behind else []))


def _arrays(document: Any) -> Iterator[str]:  # noqa: ANN401
    for key in ("lists", "groups"):
        for name, array in list(document.get(key, {}).items()):
            if isinstance(array, Array):
                yield from _sort(document[key], name, is_groups=key == "groups")


def _sort(table: Any, name: str, *, is_groups: bool) -> Iterator[str]:  # noqa: ANN401
    array = table[name]
    before = array.unwrap()
    try:
        whole = [sorted(set(one)) for one in before] if is_groups else before
        wanted = sorted({repr(one): one for one in whole}.values())
    except TypeError:
        return  # of another kind, which is told where it is checked
    if wanted == before:
        return
    kept: dict[str, _Kept] = {}
    dropped: list[str] = []
    for one, value in zip(_pieces(array.as_string(), whole), whole, strict=True):
        if (first := kept.get(repr(value))) is not None:
            dropped.append(value if isinstance(value, str) else ", ".join(value))
            one = _Kept(value, (*first.above, *one.comments), first.behind)
        kept[repr(value)] = one
    lines = [line for value in wanted for line in kept[repr(value)].lines]
    table[name] = tomlkit.parse("\n".join(["whole = [", *lines, "]"]))["whole"]
    yield f"{name}: sorted" + (f"; stood twice: {'; '.join(dropped)}" if dropped else "")


def _pieces(text: str, values: list[Any]) -> Iterator[_Kept]:
    """The entries of a list in TOML with their comments; a comment after the last goes with it."""
    comments: list[list[str]] = [[] for _ in values]
    behind = [""] * len(values)
    number, depth, same_line = -1, 0, False
    for piece in _PIECE.findall(text):
        number = min(number, len(values) - 1)
        if piece == "[":
            depth += 1
            number += depth == 2
            same_line = depth == 2
        elif piece == "]":
            depth -= 1
        elif piece == "\n":
            same_line = same_line and depth > 1
        elif not piece.startswith("#"):
            number += depth == 1
            same_line = True
        elif values:
            said = piece.removeprefix("#").strip()
            if same_line and not behind[number]:
                behind[number] = said
            else:
                comments[min(number + (not same_line), len(values) - 1)].append(said)
    for place, value in enumerate(values):
        yield _Kept(value, tuple(comments[place]), behind[place])


def _pairs(document: Any) -> Iterator[str]:  # noqa: ANN401
    tables = document.get("pair", [])
    before = [one.unwrap() for one in tables]
    for one in tables:
        for side in ("one", "other"):
            if isinstance(one.get(side), Array):
                list(_sort(one, side, is_groups=False))
    try:
        sorted_tables = sorted(tables, key=lambda one: one["one"].unwrap())
    except (KeyError, TypeError, AttributeError):
        return
    wanted = {repr(one.unwrap()): one for one in reversed(sorted_tables)}
    if [one.unwrap() for one in reversed(wanted.values())] != before:
        document["pair"] = tomlkit.aot()
        for one in reversed(wanted.values()):
            document["pair"].append(one)
        yield "pairs: sorted"


def _values(document: Any) -> Iterator[str]:  # noqa: ANN401
    for name, table in list(document.get("values", {}).items()):
        try:
            wanted = sorted(table, key=lambda word: (table[word], word))
        except TypeError:
            continue
        if wanted != list(table):
            items = {word: table.pop(word) for word in wanted}
            for word, item in items.items():
                table.append(word, item)
            yield f"{name}: sorted"


def _patterns(document: Any) -> Iterator[str]:  # noqa: ANN401
    """Their order is that of their precedence, and stays."""
    tables = document.get("pattern", [])
    every = [{k: v for k, v in one.unwrap().items() if k != "about"} for one in tables]
    first = {repr(one): place for place, one in reversed([*enumerate(every)])}
    for place in reversed(range(len(every))):
        if first[repr(every[place])] != place:
            del tables[place]
            yield f"pattern {every[place].get('id')}: stood twice"


def _abouts(document: Any) -> Iterator[str]:  # noqa: ANN401
    gone = stale(document)
    for name in gone:
        del document["about"][name]
    if "about" in document and not document["about"]:
        del document["about"]
    if gone:
        yield f"about: {', '.join(gone)} taken out, which no entry is named"


_MENDERS: Final[dict[str, Callable[[Any], Iterator[str]]]] = {
    "phrases": _arrays,
    "groups": _arrays,
    "pairs": _pairs,
    "values": _values,
    "patterns": _patterns,
}
