"""The schema of lexicon files, as pydantic models by the lexicon's id."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Annotated, Any, Final

from pydantic import ConfigDict, Field, WrapValidator

from klopt._internal import shipped
from klopt._internal.toml_schema import (
    Kind,
    MustBe,
    Number,
    Problem,
    Table,
    Text,
    distinct,
    faults,
    fitting,
    list_of,
    one_of,
    shown,
)
from klopt.errors import LexiconError, PatternTimeoutError
from klopt.lexicons import Pattern

_BARE_BLANK: Final = re.compile(r"\S(?<!\[) (?!\])\S")


@cache
def shapes() -> Mapping[str, Mapping[str, Any]]:
    """The known lexicons by id, as ``schema.toml`` has them."""
    return shipped.table("klopt.lexicons", "schema.toml")


def _is_phrase(text: str) -> bool:
    return bool(text.strip()) and text == unicodedata.normalize("NFC", text)


def _is_word(text: str) -> bool:
    return _is_phrase(text) and text == text.strip().lower()


HEADER: Final = Table.of(
    id=one_of(sorted(shapes())),
    language=fitting(re.compile("[a-z]{2}").fullmatch, "a code of two letters, such as nl"),
    source=Text,
    licence=Text,
    retrieved=Annotated[datetime.date, MustBe("a date such as 2026-11-22")],
    changes=Text,
)
_Phrase: Kind = fitting(_is_phrase, "a text in Unicode NFC, and not blank")
_Word: Kind = fitting(_is_word, "a word in lower case and in Unicode NFC")
_Values: Kind = Annotated[dict[_Word, Number], MustBe("a table of words and numbers")]
_Examples: Kind = Annotated[
    str | Annotated[list[str], Field(min_length=1)], MustBe("a text or a list of texts")
]
_About: Kind = Annotated[dict[str, str], MustBe("a table of entries and where each came from")]


class _Open(Table):
    model_config = ConfigDict(extra="ignore")


def lexicon_schema(table: Mapping[str, Any]) -> type[Table]:
    """Return the schema of a lexicon by its id; with an unknown id only the header is checked."""
    header = table.get("lexicon")
    shape = shapes().get(str(header.get("id"))) if isinstance(header, dict) else None
    if shape is None:
        return _Open.of(lexicon=HEADER)
    names: Sequence[str] = sorted(shape.get("lists") or shape.get("groups") or ())
    body: dict[str, Kind]
    match shape["kind"]:
        case "phrases":
            phrases = list_of(_Phrase, "a list of texts", distinct())
            body = {"lists": Table.of(**dict.fromkeys(names, phrases))}
        case "patterns":
            pattern = _pattern(names, shape.get("labelled", ()))
            body = {"pattern": _tables("pattern", pattern, faults(_same_ids))}
        case "groups":
            least = 1 if shape.get("rivals") else 2
            groups = list_of(_words(least), "a list of lists of words", distinct())
            alone = faults(partial(_shared, apart=least == 1))
            body = {"groups": Annotated[Table.of(**dict.fromkeys(names, (groups, []))), alone]}
        case "pairs":
            sides = Table.of(one=_words(1), other=_words(1))
            body = {"pair": _tables("pair", Annotated[sides, faults(_both_sides)], distinct())}
        case _:
            body = {"values": Table.of(**dict.fromkeys(names, (_Values, {})))}
    return Table.of(lexicon=HEADER, about=(_About, None), **body)


def _tables(key: str, table: Kind, check: WrapValidator) -> Kind:
    return list_of(table, f"one or more [[{key}]] tables", check, least=1)


def _words(least: int) -> Kind:
    return list_of(_Word, f"a list of words, at least {least}", distinct(), least=least)


def _shared(table: object, *, apart: bool) -> Iterator[Problem]:
    """Words in two groups of the file, or of a name where names stand ``apart``."""
    seen = set[str]()
    for name, groups in table.items() if isinstance(table, dict) else ():
        seen = set() if apart else seen
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            entries = group if isinstance(group, list) else ()
            words = {entry for entry in entries if isinstance(entry, str)}
            for word in sorted(seen & words):
                yield (name, number), f"{shown(word)} is in an earlier group already"
            seen |= words


def _both_sides(pair: object) -> Iterator[Problem]:
    match pair:
        case {"one": [*one], "other": [*other]}:
            for word in one:
                if word in other:
                    yield (), f"{shown(word)} is on both sides"


def _same_ids(entries: object) -> Iterator[Problem]:
    seen = set[str]()
    for number, entry in enumerate(entries if isinstance(entries, list) else ()):
        match entry:
            case {"id": str(name)} if name in seen:
                yield (number, "id"), f"{shown(name)} occurs twice"
            case {"id": str(name)}:
                seen.add(name)


def _pattern(groups: Sequence[str], labelled: Sequence[str]) -> Kind:
    table = Table.of(
        id=Text,
        group=one_of(groups),
        pattern=Text,
        weight=(Number, 1.0),
        hit=_Examples,
        miss=_Examples,
        case=(one_of(("ignore", "exact")), "ignore"),
        about=(Text, None),
    )
    return Annotated[table, faults(partial(_try, labelled=labelled), once_right=True)]


def _try(entry: Mapping[str, Any], *, labelled: Sequence[str]) -> Iterator[Problem]:
    """Yield the problems of a pattern with its own examples."""
    pattern = Pattern.of(entry)
    try:
        groups = pattern.expression.groupindex
    except LexiconError as error:
        yield ("pattern",), str(error)
        return
    if pattern.group in labelled and "label" not in groups:
        yield ("pattern",), "has no group (?<label>…) around the component's name"
    blank = "; a blank is written [ ] or \\s" if _BARE_BLANK.search(pattern.source) else ""
    try:
        for text in pattern.hit:
            if pattern.search(text) is None:
                yield ("hit",), f"the pattern does not find {shown(text)}{blank}"
        for text in pattern.miss:
            if pattern.search(text) is not None:
                yield ("miss",), f"the pattern finds {shown(text)}"
    except PatternTimeoutError as error:
        yield ("pattern",), str(error)
