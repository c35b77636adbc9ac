"""What comes in: a `Turn` (question, answer, contexts) and the `Page`s it was given."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Final, Literal, TypeAlias, cast, get_args

from klopt.errors import RecordError

__all__ = ["MESSAGE_TYPES", "MessageType", "Page", "PageFormat", "Pages", "Turn"]

MessageType = Literal[
    "error", "binary", "instruction", "reasoning", "action", "unspecified", "general"
]
MESSAGE_TYPES: Final[tuple[MessageType, ...]] = get_args(MessageType)
"""The seven message types of the AFAS paper, section 4.4.1, in the paper's order."""

_LONGEST_NAME_CHARS: Final = 200
_LONGEST_SHOWN_CHARS: Final = 60
_FILE_ENDING: Final = re.compile(r"\.(?:md|markdown|html?|txt)$", re.IGNORECASE)

PageFormat = Literal["auto", "markdown", "html", "plain"]
PAGE_FORMATS: Final[tuple[PageFormat, ...]] = get_args(PageFormat)

Pages: TypeAlias = Mapping[str, "Page"]
"""Pages by the name under which a row's contexts refer to them."""


@dataclass(frozen=True, slots=True)
class Page:
    r"""A help page, or any other text that the bot was given.

    Attributes:
        text: The page as it is stored, markup included.
        id: A name that evidence can point to.
        title: The page's title, if it is not in the text.
        url: Where a reader finds it.
        format: ``markdown``, ``html``, ``plain``, or ``auto`` to look at the text.

    >>> Page("# Wifi\n\nKlik op **Netwerk**.", id="wifi.md").format
    'auto'
    """

    text: str
    id: str = ""
    title: str | None = None
    url: str | None = None
    format: PageFormat = "auto"


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and one answer, with the pages that the bot was given.

    Attributes:
        question: What the user wrote.
        answer: What the bot answered, markup included; evidence counts its characters.
        contexts: The pages; a plain string becomes a page named ``context-1``, ``context-2`` ...
        id: A name for the row.
        language: ``nl``, ``en``, or ``auto`` to vote on question and answer together.
        message_type: One of `MESSAGE_TYPES` if it is known; klopt decides otherwise.
        rating: A human's rating, 1 to 5, for evaluation only: the score never reads it.
        label: Whether a human called the answer accurate (0/1, false/true), for evaluation only.
        reference: A reference answer, for reference checks only.
        meta: Anything else, carried along untouched.

    >>> turn = Turn("Kan dat?", "Ja.", ["U kunt dit aanpassen."])
    >>> turn.contexts[0].id
    'context-1'
    """

    question: str
    answer: str
    contexts: Sequence[Page | str] = ()
    id: str = ""
    language: str = "auto"
    message_type: MessageType | None = None
    rating: float | None = None
    label: bool | None = None
    reference: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("question", "answer"):
            value = getattr(self, name)
            if not isinstance(value, str):
                raise RecordError(f"{name} is {_kind(value)}, not text")
        given = (self.contexts,) if isinstance(self.contexts, str | Page) else self.contexts
        pages = tuple(
            page if isinstance(page, Page) else Page(page, id=f"context-{number}")
            for number, page in enumerate(given, 1)
        )
        object.__setattr__(self, "contexts", pages)

    @property
    def pages(self) -> tuple[Page, ...]:
        """The contexts, each as a `Page`."""
        return cast(tuple[Page, ...], self.contexts)

    @classmethod
    def from_mapping(
        cls,
        row: Mapping[str, Any],
        *,
        pages: Pages | None = None,
        names: Mapping[str, str] | None = None,
        with_contexts: bool = True,
    ) -> Turn:
        """A turn from a row of JSON, CSV or Parquet.

        Args:
            row: The row; fields go by our names or by those in ``aliases.toml``.
            pages: Pages that a context may name.
            names: Our field name → the row's, where no alias fits (``--map answer=bot_text``).
            with_contexts: False leaves the contexts out, as classifying does not need them.

        Raises:
            RecordError: A field has the wrong type, or a context names a page that is not there.

        >>> Turn.from_mapping({"user_input": "Kan dat?", "response": "Ja."}).answer
        'Ja.'
        """
        found = _rename(row, "turn", names or {})
        message_type = _text(found, "message_type") or None
        if message_type is not None and message_type not in MESSAGE_TYPES:
            allowed = ", ".join(MESSAGE_TYPES)
            raise RecordError(f'message_type "{_short(message_type)}" is not one of {allowed}')
        meta = found.get("meta")
        return cls(
            question=_text(found, "question"),
            answer=_text(found, "answer"),
            contexts=_contexts(found.get("contexts"), pages) if with_contexts else (),
            id=_text(found, "id"),
            language=_text(found, "language") or "auto",
            message_type=message_type,
            rating=_rating(found.get("rating")),
            label=_label(found.get("label")),
            reference=_text(found, "reference") or None,
            meta=meta if isinstance(meta, Mapping) else {},
        )


@cache
def _aliases(kind: str) -> Mapping[str, str]:
    table = tomllib.loads(resources.files("klopt").joinpath("aliases.toml").read_text("utf-8"))
    return {_fold(alias): ours for ours, aliases in table[kind].items() for alias in aliases}


def field_names() -> tuple[str, ...]:
    """Our own names of a row's fields."""
    return tuple(sorted(set(_aliases("turn").values())))


def field_of(name: str, names: Mapping[str, str] | None = None) -> str | None:
    """Which of our fields a row's field is, or None: by ``--map``, our name, or an alias.

    >>> field_of("retrievedContexts"), field_of("colour")
    ('contexts', None)
    """
    for ours, theirs in (names or {}).items():
        if theirs == name:
            return ours
    return _aliases("turn").get(_fold(name))


def row_id(row: Mapping[str, Any], names: Mapping[str, str] | None = None) -> str:
    """The id of a row, also of one that cannot be read otherwise; empty when it has none."""
    named = (names or {}).get("id")
    value = row.get(named) if named else _rename(row, "turn", {}).get("id")
    return str(value) if isinstance(value, str | int | float) else ""


def _short(text: str) -> str:
    """A value for a message, cut when it is long."""
    return text if len(text) <= _LONGEST_SHOWN_CHARS else f"{text[:_LONGEST_SHOWN_CHARS]}…"


def _fold(name: str) -> str:
    return name.replace("_", "").replace("-", "").replace(" ", "").casefold()


def _rename(row: Mapping[str, Any], kind: str, names: Mapping[str, str]) -> dict[str, Any]:
    """The row under our own field names; an exact name wins over an alias."""
    aliases = _aliases(kind)
    unknown = sorted(set(names) - set(aliases.values()))
    if unknown:
        allowed = ", ".join(sorted(set(aliases.values())))
        raise RecordError(f'there is no field "{unknown[0]}" to map; the fields are {allowed}')
    found: dict[str, Any] = {}
    for name, value in row.items():
        ours = aliases.get(_fold(str(name)))
        if ours is not None and (ours not in found or name == ours):
            found[ours] = value
    for ours, theirs in names.items():
        if theirs not in row:
            raise RecordError(f'there is no field "{theirs}" to read as {ours}')
        found[ours] = row[theirs]
    return found


def _text(found: Mapping[str, Any], name: str) -> str:
    value = found.get(name)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if name == "id" and isinstance(value, int | float):
        return str(value)
    raise RecordError(f"{name} is {_kind(value)}, not text")


def _rating(value: object) -> float | None:
    if value is None or value == "":
        return None
    try:
        rating = float(str(value))
    except ValueError:
        rating = 0.0
    if isinstance(value, bool) or not 1 <= rating <= 5:
        raise RecordError(f"rating is {_short(repr(value))}, not a number from 1 to 5")
    return rating


def _label(value: object) -> bool | None:
    """Whether the answer was called accurate; None for anything else.

    Logs use a field named "label" for many things, so another value is no error: the row's
    score does not need it, and `klopt evaluate` says how many labels it read.
    """
    known = {"0": False, "1": True, "false": False, "true": True, "0.0": False, "1.0": True}
    return known.get(str(value).casefold())


def _contexts(value: object, pages: Pages | None) -> tuple[Page, ...]:
    if value is None or value == "":
        return ()
    items = [value] if isinstance(value, str | Mapping) else value
    if not isinstance(items, Sequence):
        raise RecordError(f"contexts is {_kind(value)}, not a list of texts, pages or page names")
    return tuple(_page(item, number, pages) for number, item in enumerate(items, 1))


def _page(item: object, number: int, pages: Pages | None) -> Page:
    if isinstance(item, str):
        if pages is not None and item in pages:
            return pages[item]
        if _looks_like_a_name(item, in_folder=pages is not None):
            raise RecordError(_no_page(item, pages or {}))
        return Page(item, id=f"context-{number}")
    if isinstance(item, Mapping):
        found = _rename(item, "page", {})
        name, text = _text(found, "id"), _text(found, "text")
        if not text and name:
            if pages is None or name not in pages:
                raise RecordError(_no_page(name, pages or {}))
            return pages[name]
        page_format = _text(found, "format") or "auto"
        if page_format not in PAGE_FORMATS:
            allowed = ", ".join(PAGE_FORMATS)
            raise RecordError(
                f'context {number}: format "{_short(page_format)}" is not one of {allowed}'
            )
        return Page(
            text,
            id=name or f"context-{number}",
            title=_text(found, "title") or None,
            url=_text(found, "url") or None,
            format=page_format,
        )
    raise RecordError(f"context {number} is {_kind(item)}, not a text, a page or a page name")


def _looks_like_a_name(text: str, *, in_folder: bool) -> bool:
    """A page name is short and without white space; without a folder, it ends as a file does."""
    if not text or len(text) > _LONGEST_NAME_CHARS or any(map(str.isspace, text)):
        return False
    return in_folder or _FILE_ENDING.search(text) is not None


def _no_page(name: str, pages: Pages) -> str:
    count = len({id(page) for page in pages.values()})
    where = f"the folder of pages has {count}" if pages else "no folder of pages was given"
    return f'context "{name}" is not a page ({where}; --pages DIR names the folder)'


def _kind(value: object) -> str:
    kinds = {
        type(None): "nothing",
        bool: "true or false",
        int: "a number",
        float: "a number",
        list: "a list",
    }
    return kinds.get(type(value), "an object" if isinstance(value, Mapping) else "something else")
