"""Descriptions of chat products, from products.toml, and what they find in a message or record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import Any, Final, Literal

from klopt._internal import shipped
from klopt._internal.fields import fold, opened, rename, to_text, values_at

Kind = Literal["user", "bot", "agent", "document", "system"]
"""Who wrote a message: the user, the bot, a person, a tool that found documents, or the
author of the bot's instructions."""

_SPOKEN: Final = re.compile(
    r"\s*(?:[(\[]?[\d:./, -]{4,30}[)\]]?\s*-?\s*)?([^\W\d][\w .-]{0,40}):\s+(.*)"
)  # A line of a transcript: a time, the speaker and the words
_MAX_DEPTH: Final = 6  # Objects and lists that klopt opens inside one another


@dataclass(frozen=True, slots=True)
class Product:
    """How a product writes conversations; products.toml explains the fields."""

    name: str
    when: tuple[str, ...] = ()
    question: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    role: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    sender: tuple[str, ...] = ()
    user: tuple[str, ...] = ()
    bot: tuple[str, ...] = ()
    agent: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    id: tuple[str, ...] = ()
    conversation: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()

    @property
    def is_message(self) -> bool:
        """Whether a record is a message of a conversation, rather than all of it or a turn."""
        return not self.messages and not self.question

    def fits(self, record: Mapping[str, Any]) -> bool:
        """Whether the record has the paths of ``when``."""
        return all(values_at(record, path) for path in self.when)


_NOBODY: Final = Product("")


@cache
def _table() -> dict[str, Any]:
    return shipped.table("klopt.logs", "products.toml")


@cache
def products() -> tuple[Product, ...]:
    """Return the products, in the order in which they are tried.

    >>> {"Intercom", "Rasa", "Zendesk Chat"} <= {product.name for product in products()}
    True
    """
    return tuple(
        Product(entry.pop("name"), **{name: tuple(value) for name, value in entry.items()})
        for entry in map(dict, _table()["product"])
    )


@lru_cache(1024)
def candidates(names: tuple[str, ...]) -> tuple[Product, ...]:
    """Return the products whose paths in ``when`` begin with one of the names of a record."""
    known = {*names}
    return tuple(
        product
        for product in products()
        if all(path.replace("[", ".").split(".")[0] in known for path in product.when)
    )


@cache
def general(name: str) -> tuple[str, ...]:
    """Return the paths of [general] in products.toml."""
    return tuple(_table()["general"][name])


@cache
def likely_names(ours: str) -> frozenset[str]:
    """Return words in the names of fields that probably hold questions, or answers."""
    return frozenset(_table()["likely"][ours])


@cache
def _roles() -> Mapping[str, Kind]:
    return {fold(word): kind for kind, words in _table()["roles"].items() for word in words}


@lru_cache(4096)
def _present(name: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the general paths that begin with one of these names, in whatever case."""
    known = {fold(own): own for own in reversed(names)}
    found = []
    for path in general(name):
        first = path.replace("[", ".").split(".")[0]
        if (own := known.get(fold(first))) is not None:
            found.append(own + path[len(first) :])
    return tuple(found)


def paths(product: Product, name: str, record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the paths of a product, or else the general ones, for one of its fields."""
    return getattr(product, name) or _present(name, tuple(map(str, record)))


def text_at(record: Mapping[str, Any], every: Iterable[str]) -> str:
    """Return the first text at these paths that is not empty."""
    for path in every:
        if text := "\n".join(filter(None, map(flat_text, values_at(record, path)))):
            return text
    return ""


def flat_text(value: object, depth: int = 0) -> str:
    r"""Return the text in a value: of a list all texts, of an object that of its first text field.

    >>> flat_text([{"type": "text", "text": "Ja."}, {"type": "image_url"}, "Dat kan."])
    'Ja.\nDat kan.'
    """
    if isinstance(value, str):
        return value if value.strip() else ""
    if depth > _MAX_DEPTH:
        return ""
    if isinstance(value, list):
        return "\n".join(filter(None, (flat_text(item, depth + 1) for item in value)))
    if isinstance(value, Mapping):
        for path in _present("inner_text", tuple(map(str, value))):
            if text := flat_text(value.get(path), depth + 1):
                return text
    return ""


def instructions_in(record: Mapping[str, Any]) -> str:
    """Return the instructions that a record has beside its messages."""
    return text_at(record, _present("instructions", tuple(map(str, record))))


def is_skipped(product: Product, message: Mapping[str, Any]) -> bool:
    """Whether a message is no part of the conversation, such as a note of a colleague."""
    rules = (rule.partition("=") for rule in product.skip)
    return any(
        _plain(own) == wanted for path, _, wanted in rules for own in values_at(message, path)
    )


def kind_of(
    product: Product, message: Mapping[str, Any], record: Mapping[str, Any]
) -> tuple[Kind | None, str]:
    """Return who wrote a message and the word that says so; None if no field says so."""
    for path in paths(product, "role", message):
        for value in values_at(message, path):
            if not isinstance(value, str | int):
                continue
            word = _plain(value)
            if kind := _kind(product, word, record):
                return _agent(product, message, word) if kind == "agent" else (kind, word)
    return None, ""


def _kind(product: Product, word: str, record: Mapping[str, Any]) -> Kind | None:
    kinds: tuple[Kind, ...] = ("user", "bot", "agent")
    for kind in kinds:
        for pattern in getattr(product, kind):
            if pattern == "*":  # those of whom nothing else is known
                continue
            if pattern[:1] == "{":
                pattern = next(map(_plain, values_at(record, pattern[1:-1])), "")
            if fnmatchcase(word.casefold(), pattern.casefold()):
                return kind
    known = _roles().get(fold(word)) or ("bot" if _is_bot_name(word) else None)
    return known or ("agent" if "*" in product.agent else None)


def _agent(product: Product, message: Mapping[str, Any], word: str) -> tuple[Kind, str]:
    """Tell a bot from a person by a flag or by its name."""
    keys = tuple(map(str, message))
    for path in _present("is_bot", keys):
        if any(value is True for value in values_at(message, path)):
            return "bot", word
    every = (one for path in paths(product, "sender", message) for one in values_at(message, path))
    sender = next((value for value in every if isinstance(value, str) and value), "")
    if any(fnmatchcase(sender.casefold(), name.casefold()) for name in product.bot):
        return "bot", word
    return ("bot" if _is_bot_name(sender) else "agent"), sender or word


@lru_cache(1024)
def _is_bot_name(name: str) -> bool:
    words = "".join(char if char.isalnum() else " " for char in name).casefold().split()
    return any(word in _table()["bot_names"] for word in words) or name.endswith("Bot")


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else to_text(value)


def documents_in(value: object, depth: int = 0) -> list[Any]:
    """Return the documents in a value as contexts: texts, names, and objects with a text or name.

    >>> documents_in({"documents": [{"pageContent": "Ja.", "score": 0.8}, "Nee."]})
    [{'text': 'Ja.'}, 'Nee.']
    """
    value = opened(value)
    if isinstance(value, str):
        return [value] if value.strip() else []
    if depth > _MAX_DEPTH:
        return []
    if isinstance(value, list):
        return [found for item in value for found in documents_in(item, depth + 1)]
    if not isinstance(value, Mapping):
        return []
    page = rename(value, "page", {})
    text = flat_text(page.get("text"))
    known = {name: own for name, own in page.items() if isinstance(own, str) and own}
    if text:
        return [{**known, "text": text}]
    inner = rename(value, "turn", {}).get("contexts")
    for name in (None, *_present("documents", tuple(map(str, value)))):
        if found := documents_in(inner if name is None else value[name], depth + 1):
            return found
    return [known] if "id" in known or "url" in known else []


def documents_at(product: Product, record: Mapping[str, Any]) -> list[Any]:
    """Return the documents of a message or a record, at the product's paths or at general ones.

    Those that a retriever in the record found are included.
    """
    for path in (*product.contexts, *_present("contexts", tuple(map(str, record)))):
        if found := [one for value in values_at(record, path) for one in documents_in(value)]:
            return found
    return list(_retrieved(record))


def _retrieved(record: Mapping[str, Any], depth: int = 0) -> Iterator[Any]:
    """Yield the documents that retrieval steps gave, such as observations of a trace."""
    if depth > _MAX_DEPTH:
        return
    for path in _present("spans", tuple(map(str, record))):
        for span in values_at(record, path):
            if not isinstance(span, Mapping):
                continue
            keys = tuple(map(str, span))
            kinds = (value for own in _present("span_kind", keys) for value in values_at(span, own))
            if any(isinstance(kind, str) and "retriev" in kind.casefold() for kind in kinds):
                for own in _present("span_output", keys):
                    yield from (one for out in values_at(span, own) for one in documents_in(out))
            else:
                yield from _retrieved(span, depth + 1)


def spoken(value: object) -> list[dict[str, str]]:
    r"""Return the messages of a transcript, whose lines begin with the speaker, or none.

    >>> spoken("[10:02] Klant: Kan dat?\nBot: Ja.\nDat kan.")
    [{'role': 'Klant', 'text': 'Kan dat?'}, {'role': 'Bot', 'text': 'Ja.\nDat kan.'}]
    """
    if not isinstance(value, str) or "\n" not in value:
        return []
    messages: list[dict[str, str]] = []
    for line in value.splitlines():
        if (match := _SPOKEN.match(line)) and _kind(_NOBODY, match[1].strip(), {}):
            messages.append({"role": match[1].strip(), "text": match[2]})
        elif messages:
            messages[-1]["text"] += f"\n{line}"
    return messages if len(messages) > 1 else []


def is_article(fields: Mapping[str, Any]) -> bool:
    """Whether fields under our names are those of a page rather than of a message."""
    return {"title", "text"} <= fields.keys() and not {"id", "url"}.isdisjoint(fields)


def lists_in(record: Mapping[str, Any]) -> Iterator[list[Mapping[str, Any]]]:
    """Yield the lists of objects in a record, also transcripts, those nearest to the top first."""
    level: list[Mapping[str, Any]] = [{"": record}]
    for _ in range(_MAX_DEPTH):
        values = [opened(value) for outer in level for value in outer.values()]
        for value in values:
            if objects := _objects(value):
                yield objects
        level = [value for value in values if isinstance(value, Mapping)]


def _objects(value: object) -> list[Mapping[str, Any]]:
    if isinstance(value, list):
        return [item for item in value if isinstance(item, Mapping)]
    if isinstance(value, Mapping):
        is_list = len(value) > 1 and all(isinstance(item, Mapping) for item in value.values())
        return [{"id": name, **item} for name, item in value.items()] if is_list else []
    return [*spoken(value)]
