"""What klopt would change in a company's folder, for a person to accept or reject."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import tomlkit
from pydantic import Field

from klopt import shipped
from klopt.batch.output import escaped, whole_file
from klopt.company.entries import LexiconEntry, put, take_out
from klopt.errors import CompanyError, InputError
from klopt.lexicons import languages
from klopt.lexicons.schema import shapes
from klopt.text_file import read_text_file
from klopt.toml_schema import (
    MustBe,
    Problem,
    Table,
    Text,
    check,
    faults,
    list_of,
    one_of,
    shown,
)

Status: TypeAlias = Literal["open", "accepted", "rejected"]
FILE: Final = "suggestions.toml"
_ID_CHARS: Final = 6
_HALF: Final = re.compile(r"[\ud800-\udfff]")


def _whole(text: str) -> str:
    """A text with U+FFFD for half characters (lone surrogates), which no file takes."""
    return _HALF.sub("\N{REPLACEMENT CHARACTER}", text)


@dataclass(frozen=True)
class Suggestion:
    """One thing to change.

    Attributes:
        language: Of the entry or the page.
        why: Where it came from, in a sentence of the file.
        entry: What to put into a lexicon; None where a page is to be mended.
        page: The page to mend, or "".
        status: What somebody said of it.
        count: How often it was met.
        examples: Sentences of the pages or the log in which it was met.
        answers: Ids of the answers that suggest it.
        reason: Where it came from, as a key of ``reasons.toml``; empty where no key says it.
        where: The page that has it nevertheless.

    >>> synonyms = LexiconEntry("synonyms", "nouns", ("medewerker", "werknemer"))
    >>> Suggestion("nl", "they stand in one place of 12 guides", synonyms).id
    'synonyms-dd64b5'
    """

    language: str
    why: str
    entry: LexiconEntry | None = None
    page: str = ""
    status: Status = "open"
    count: int = 0
    examples: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    reason: str = ""
    where: str = ""

    @property
    def id(self) -> str:
        """Its name: the same for the same entry or page, whenever it is suggested."""
        entry = self.entry
        if entry is None:
            said, kind = self.page, "page"
        else:
            said, kind = json.dumps([entry.part, entry.words, ""]), entry.lexicon
        digest = hashlib.sha256(_whole(f"{self.language} {said}").encode()).hexdigest()
        return f"{kind}-{digest[:_ID_CHARS]}"


def reason(suggestion: Suggestion, language: str) -> str:
    """Where a suggestion came from, in ``nl`` or ``en``; empty where no words are known for it.

    >>> reason(Suggestion("nl", "", count=2, reason="page"), "nl")
    'naast deze pagina gaan 2 antwoorden mis: zeg daar duidelijker wat geldt'
    """
    words = shipped.table("klopt.company", "reasons.toml")[language]
    count = suggestion.count
    nouns = {noun: words[noun][count != 1].format(count=count) for noun in ("answers", "questions")}
    told = words.get(suggestion.reason)
    if not isinstance(told, str):
        return ""
    return told.format(count=count, where=suggestion.where, **nouns)


@dataclass(frozen=True)
class Suggestions:
    """Those of a folder, the open ones and those that somebody decided on."""

    folder: Path
    all: tuple[Suggestion, ...] = field(default=())

    @classmethod
    def read(cls, folder: Path) -> Suggestions:
        """Those of a folder's file; none without one.

        Raises:
            CompanyError: The file breaks its schema: all problems at once.
            InputError: It cannot be read.
        """
        path = folder / FILE
        if not path.is_file():
            return cls(folder)
        try:
            text = read_text_file(path)
        except OSError as error:
            raise InputError(f"{path}: cannot be read as text: {error}") from None
        table = check(text, where=str(path), schema=lambda _: _SCHEMA, error=CompanyError)
        return cls(
            folder, tuple(_of(own) for own in table.get("suggestion", ()) if "pattern" not in own)
        )

    def __getitem__(self, suggestion_id: str) -> Suggestion:
        for suggestion in self.all:
            if suggestion.id == suggestion_id:
                return suggestion
        raise CompanyError(
            f'{self.folder / FILE}: there is no suggestion "{suggestion_id}"; open are: '
            + (", ".join(suggestion.id for suggestion in self.open) or "none")
        )

    @property
    def open(self) -> tuple[Suggestion, ...]:
        """Those that nobody has decided on."""
        return tuple(suggestion for suggestion in self.all if suggestion.status == "open")

    def joined(self, found: Iterable[Suggestion]) -> Suggestions:
        """With what was found now: what is decided stays decided, open ones are as found now."""
        known = {suggestion.id: suggestion for suggestion in self.all}
        for suggestion in found:
            before = known.get(suggestion.id)
            known[suggestion.id] = (
                suggestion if before is None else replace(suggestion, status=before.status)
            )
        return Suggestions(self.folder, tuple(known.values()))

    def decided(self, ids: Sequence[str], status: Status) -> Suggestions:
        """With some accepted, rejected or open again, and the lexicons changed accordingly.

        Raises:
            CompanyError: There is no such suggestion; nothing is changed.
            LexiconError: An entry does not fit its lexicon; it is left as it was.
        """
        chosen = [self[suggestion_id] for suggestion_id in ids]
        for language in sorted({suggestion.language for suggestion in chosen}):
            entries = [
                replace(suggestion.entry, about=suggestion.entry.about or suggestion.why)
                for suggestion in chosen
                if suggestion.entry is not None and suggestion.language == language
            ]
            (put if status == "accepted" else take_out)(self.folder, language, entries)
        names = set(ids)
        after = (
            replace(suggestion, status=status) if suggestion.id in names else suggestion
            for suggestion in self.all
        )
        return Suggestions(self.folder, tuple(after))

    def write(self) -> None:
        """Writes the file; it appears when it is whole."""
        text = tomlkit.dumps({"suggestion": [*map(_table, self.all)]}) if self.all else ""
        with whole_file(self.folder / FILE) as file:
            file.write(escaped(_whole(text)))


_TEXTS: Final = list_of(str, "a list of texts")
_Words: Final = Annotated[str, MustBe("text")]
_Count: Final = Annotated[int, Field(ge=0, le=10**12), MustBe("a whole number of 0 or more")]


def _misfits(table: Mapping[str, Any]) -> Iterator[Problem]:
    """Where an entry is none of its lexicon."""
    if "lexicon" not in table or "pattern" in table:
        return
    shape, words = shapes()[table["lexicon"]], table.get("words", ())
    if shape["kind"] not in ("phrases", "groups") or shape.get("rivals"):
        yield ("lexicon",), f"{table['lexicon']} has {shape['kind']}, which nothing puts in"
        return
    parts = sorted(shape["lists"])
    if table.get("part") not in parts:
        yield ("part",), f"{shown(table.get('part', ''))} is not one of {', '.join(parts)}"
    if shape["kind"] == "phrases" and len(words) != 1:
        yield ("words",), f"{shown(words)} is not one text, as {table['lexicon']} has them"
    if shape["kind"] == "groups" and len(words) < 2:
        yield ("words",), f"{shown(words)} is not two words or more"


_SUGGESTION: Final = Table.of(
    id=Text,
    language=one_of(languages()),
    why=_Words,
    lexicon=(one_of(sorted(shapes())), None),
    part=(Text, None),
    words=(_TEXTS, None),
    page=(Text, None),
    status=one_of(get_args(Status)),
    count=(_Count, 0),
    examples=(_TEXTS, None),
    answers=(_TEXTS, None),
    reason=(Text, ""),
    where=(Text, ""),
    effect=(_Words, ""),  # this and patterns klopt 0.9 wrote
    pattern=(dict[str, Any], None),
)
_SCHEMA: Final = Table.of(
    suggestion=(
        list_of(Annotated[_SUGGESTION, faults(_misfits, once_right=True)], "[[suggestion]] tables"),
        None,
    )
)


def _of(table: dict[str, Any]) -> Suggestion:
    entry = None
    if "lexicon" in table:
        entry = LexiconEntry(table["lexicon"], table["part"], tuple(table["words"]))
    own: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in table.items()
        if key in Suggestion.__match_args__
    }
    return Suggestion(entry=entry, **own)


def _table(suggestion: Suggestion) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "id": suggestion.id,
        "status": suggestion.status,
        "language": suggestion.language,
    }
    if suggestion.entry is not None:
        fields |= {"lexicon": suggestion.entry.lexicon, "part": suggestion.entry.part}
        fields["words"] = list(suggestion.entry.words)
    fields |= {"page": suggestion.page, "why": suggestion.why, "count": suggestion.count}
    fields |= {"examples": list(suggestion.examples), "answers": list(suggestion.answers)}
    fields |= {"reason": suggestion.reason, "where": suggestion.where}
    return {key: value for key, value in fields.items() if value or key == "why"}
