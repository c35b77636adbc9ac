"""Suggestions for a company, stored in ``suggestions.toml`` for a person to accept or reject."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import tomlkit
from pydantic import Field

from klopt._internal import shipped
from klopt._internal.files import escaped, read_text_file, whole_file
from klopt._internal.toml_schema import MustBe, Table, Text, check, list_of, one_of
from klopt.company.names import LEXICON, ProductName, add_names, remove_names
from klopt.errors import CompanyError, InputError
from klopt.lexicons import languages

Status: TypeAlias = Literal["open", "accepted", "rejected"]
FILE: Final = "suggestions.toml"
_ID_CHARS: Final = 6
_LONE_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


def _valid(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode, by U+FFFD."""
    return _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


@dataclass(frozen=True)
class Suggestion:
    """A name to allow, or a page to improve.

    Attributes:
        why: The reason as a sentence, for readers of the file.
        name: The name to allow; empty for a page.
        page: The page to improve; empty for a name.
        status: A person's decision.
        examples: Sentences with the name, or claims beside the page's passages.
        answers: Ids of the answers behind the suggestion.
        reason: The reason as a key of ``reasons.toml``, or empty.
        where: A page that has the name, though the bot was not given it.

    >>> Suggestion("nl", "in 2 answers", name="Mijn dossier").id
    'product_names-645d99'
    """

    language: str
    why: str
    name: str = ""
    page: str = ""
    status: Status = "open"
    examples: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    reason: str = ""
    where: str = ""

    @property
    def id(self) -> str:
        """An id that stays the same whenever the same name or page is suggested."""
        kind, content = "page", self.page
        if self.name:
            kind, content = LEXICON, json.dumps(["allowed", [self.name], ""])
        digest = hashlib.sha256(_valid(f"{self.language} {content}").encode()).hexdigest()
        return f"{kind}-{digest[:_ID_CHARS]}"

    @property
    def action(self) -> str:
        """What accepting it means, in a few words."""
        return f"allow the name “{self.name}”" if self.name else f"improve {self.page}"


def reason(suggestion: Suggestion, language: str) -> str:
    """Return the reason for a suggestion in ``nl`` or ``en``; empty without a known reason.

    >>> reason(Suggestion("nl", "", page="a.md", answers=("1", "2"), reason="page"), "en")
    '2 answers contradict this page: rewrite it so that it cannot be misread'
    """
    texts = shipped.table("klopt.company", "reasons.toml")[language]
    count = len(suggestion.answers)
    sentence = texts["sentences"].get(suggestion.reason, "")
    answers = texts["answers"][count != 1].format(count=count)
    return str(sentence).format(answers=answers, where=suggestion.where)


@dataclass(frozen=True)
class Suggestions:
    """The suggestions of a folder, open and decided."""

    folder: Path
    all: tuple[Suggestion, ...] = ()

    @classmethod
    def read(cls, folder: Path) -> Suggestions:
        """Read the suggestions of a folder; none if the file is missing.

        Rows of kinds that klopt no longer suggests (synonyms, denied names) are skipped.

        Raises:
            CompanyError: The file breaks its schema; the message lists all problems.
        """
        path = folder / FILE
        if not path.is_file():
            return cls(folder)
        try:
            text = read_text_file(path)
        except OSError as error:
            raise InputError(f"{path}: cannot be read as text: {error}") from None
        table = check(text, where=str(path), schema=lambda _: _SCHEMA, error=CompanyError)
        return cls(folder, tuple(filter(None, map(_suggestion, table.get("suggestion", ())))))

    def __getitem__(self, suggestion_id: str) -> Suggestion:
        for suggestion in self.all:
            if suggestion.id == suggestion_id:
                return suggestion
        known = ", ".join(suggestion.id for suggestion in self.open) or "none"
        raise CompanyError(
            f'{self.folder / FILE}: no suggestion "{suggestion_id}"; open suggestions: {known}'
        )

    @property
    def open(self) -> tuple[Suggestion, ...]:
        """Suggestions without a decision."""
        return tuple(suggestion for suggestion in self.all if suggestion.status == "open")

    def updated(self, found: Iterable[Suggestion]) -> Suggestions:
        """Return the decided suggestions as they are, and the open ones as found now."""
        decided = {one.id: one for one in self.all if one.status != "open"}
        now = {one.id: one for one in found}
        for name, before in decided.items():
            now[name] = replace(now.get(name, before), status=before.status)
        return Suggestions(self.folder, tuple(now.values()))

    def decided(self, ids: Sequence[str], status: Status) -> Suggestions:
        """Return them with a decision on some, and add or remove their names in the lexicons."""
        chosen = [self[suggestion_id] for suggestion_id in ids]
        edit = add_names if status == "accepted" else remove_names
        for language in sorted({suggestion.language for suggestion in chosen}):
            names = [
                ProductName(suggestion.name, origin=suggestion.why)
                for suggestion in chosen
                if suggestion.name and suggestion.language == language
            ]
            if names:
                edit(self.folder, language, names)
        after = (replace(one, status=status) if one.id in ids else one for one in self.all)
        return Suggestions(self.folder, tuple(after))

    def write(self) -> None:
        """Write the file as a whole."""
        text = tomlkit.dumps({"suggestion": [*map(_row, self.all)]}) if self.all else ""
        with whole_file(self.folder / FILE) as file:
            file.write(escaped(_valid(text)))


_TEXTS: Final = list_of(str, "a list of texts")
_STRING: Final = Annotated[str, MustBe("text")]
_COUNT: Final = Annotated[int, Field(ge=0, le=10**12), MustBe("a whole number of 0 or more")]
_SUGGESTION: Final = Table.of(
    id=Text,
    language=one_of(languages()),
    why=_STRING,
    lexicon=(Text, ""),
    part=(Text, ""),
    words=(_TEXTS, None),
    page=(Text, ""),
    status=one_of(get_args(Status)),
    examples=(_TEXTS, None),
    answers=(_TEXTS, None),
    reason=(Text, ""),
    where=(Text, ""),
    count=(_COUNT, 0),  # this, effect and pattern are of earlier versions
    effect=(_STRING, ""),
    pattern=(dict[str, Any], None),
)
_SCHEMA: Final = Table.of(suggestion=(list_of(_SUGGESTION, "[[suggestion]] tables"), None))


def _suggestion(row: dict[str, Any]) -> Suggestion | None:
    """Return the suggestion of a row; None for a kind that klopt no longer suggests."""
    kind = row.get("lexicon", ""), row.get("part", "")
    words: Sequence[str] = row.get("words") or ()
    is_name = kind == (LEXICON, "allowed") and len(words) == 1
    if not is_name and (any(kind) or not row.get("page")):
        return None
    own: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in row.items()
        if key in Suggestion.__match_args__
    }
    return Suggestion(name=words[0] if is_name else "", **own)


def _row(suggestion: Suggestion) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "id": suggestion.id,
        "status": suggestion.status,
        "language": suggestion.language,
    }
    if suggestion.name:
        fields |= {"lexicon": LEXICON, "part": "allowed", "words": [suggestion.name]}
    fields |= {"page": suggestion.page, "why": suggestion.why}
    fields |= {"examples": list(suggestion.examples), "answers": list(suggestion.answers)}
    fields |= {"reason": suggestion.reason, "where": suggestion.where}
    return {key: value for key, value in fields.items() if value or key == "why"}
