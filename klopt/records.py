"""What every room knows: a `Turn` with the `Page`s it was given, and what is measured of it."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import PurePath
from typing import Annotated, Any, Final, Literal, Protocol, TypeAlias, cast, get_args

from klopt import shipped
from klopt.errors import RecordError

__all__ = [
    "MESSAGE_TYPES",
    "Context",
    "Contexts",
    "Document",
    "Evidence",
    "EvidenceKind",
    "Figure",
    "Measurement",
    "MessageType",
    "Page",
    "PageFormat",
    "Pages",
    "Turn",
    "clean",
]

MessageType = Literal[
    "error", "binary", "instruction", "reasoning", "action", "unspecified", "general"
]
MESSAGE_TYPES: Final[tuple[MessageType, ...]] = get_args(MessageType)
"""The seven message types of the AFAS paper, section 4.4.1, in the paper's order."""

_LONGEST_NAME_CHARS: Final = 200
_LONGEST_NAMES_CHARS: Final = 10_000
_LONGEST_SHOWN_CHARS: Final = 60
_SIGN: Final = re.compile(r"[,;|\n]")
"""What parts the names of pages in one text."""
_FILE_ENDING: Final = re.compile(r"\.(?:md|markdown|html?|txt)$", re.IGNORECASE)

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_KEPT: Final = frozenset("\n\t\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")

PageFormat = Literal["auto", "markdown", "html", "plain"]
PAGE_FORMATS: Final[tuple[PageFormat, ...]] = get_args(PageFormat)

_DOCUMENT_KEYS: Final = ("id", "title", "url", "source")

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

    def __post_init__(self) -> None:
        _set(
            self,
            text=_text(self.text, "text"),
            id=_id(self.id),
            title=_optional(self.title, "title"),
            url=_optional(self.url, "url"),
            format=_one_of(PAGE_FORMATS, _optional(self.format, "format") or "auto", "format"),
        )


class Document(Protocol):
    """A page as LangChain has it; id, title, url and source are read from its metadata."""

    @property
    def page_content(self) -> str:
        """The text."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """What is known of it."""


Context: TypeAlias = Page | Document | Mapping[str, Any] | str
"""A page, an object as in a file of rows, or a text."""
Contexts: TypeAlias = Iterable[Context] | Context | None
"""The pages of a turn; one that stands alone is a list of one."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and one answer, with the pages that the bot was given.

    Attributes:
        question: What the user wrote.
        answer: What the bot answered, markup included; evidence counts its characters.
        contexts: The pages, read as those in a file: a text becomes a page named ``context-1``,
            ``context-2`` ..., and a mapping or a `Document` a page with the fields that it has.
        id: A name for the row.
        language: ``nl``, ``en``, or ``auto`` to vote on question and answer together.
        message_type: One of `MESSAGE_TYPES` if it is known; klopt decides otherwise.
        rating: A human's rating, 1 to 5, for evaluation only: the score never reads it.
        label: Whether a human called the answer accurate (0/1, false/true), for evaluation only.
        reference: A reference answer, for reference checks only.
        meta: Anything else, carried along untouched.

    Raises:
        RecordError: A field is of another kind, or a context names a page (`from_mapping` takes
            pages by name).

    >>> turn = Turn("Kan dat?", "Ja.", ["U kunt dit aanpassen.", {"id": "b", "text": "Nee."}])
    >>> [page.id for page in turn.pages]
    ['context-1', 'b']
    """

    question: str
    answer: str
    contexts: Contexts = ()
    id: str = ""
    language: str = "auto"
    message_type: MessageType | None = None
    rating: float | None = None
    label: bool | None = None
    reference: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        message_type = _optional(self.message_type, "message_type")
        _set(
            self,
            question=_text(self.question, "question"),
            answer=_text(self.answer, "answer"),
            contexts=_pages(self.contexts, None),
            id=_id(self.id),
            language=_optional(self.language, "language") or "auto",
            message_type=message_type and _one_of(MESSAGE_TYPES, message_type, "message_type"),
            rating=_rating(self.rating),
            label=_label(self.label),
            reference=_optional(self.reference, "reference"),
            meta=self.meta if isinstance(self.meta, Mapping) else {},
        )

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
        if not isinstance(row, Mapping):
            raise RecordError(f"the row is {_kind(row)}, not an object with fields")
        fields = {"question": "", "answer": "", **_rename(row, "turn", names or {})}
        fields["contexts"] = _pages(fields.get("contexts"), pages) if with_contexts else ()
        return cls(**fields)


@cache
def _aliases(kind: str) -> Mapping[str, str]:
    table = shipped.table("klopt", "aliases.toml")[kind]
    return {_fold(alias): ours for ours, aliases in table.items() for alias in aliases}


def field_names() -> tuple[str, ...]:
    """Our own names of a row's fields."""
    return tuple(sorted(set(_aliases("turn").values())))


def field_of(
    name: str, names: Mapping[str, str] | None = None, *, kind: str = "turn"
) -> str | None:
    """Which of our fields a row's field is, or None: by ``--map``, our name, or an alias.

    ``kind`` is ``turn``, or ``page`` for the fields of one context.

    >>> field_of("retrievedContexts"), field_of("colour")
    ('contexts', None)
    """
    for ours, theirs in (names or {}).items():
        if theirs == name:
            return ours
    return _aliases(kind).get(_fold(name))


def row_id(row: Mapping[str, Any], names: Mapping[str, str] | None = None) -> str:
    """The id of a row, also of one that cannot be read otherwise; empty when it has none."""
    named = (names or {}).get("id")
    key = named or "id"
    value = row.get(key) if named or key in row else _rename(row, "turn", {}).get("id")
    try:
        return _id(value)
    except RecordError:
        return ""


def _short(text: str) -> str:
    """A value for a message, cut when it is long."""
    return text if len(text) <= _LONGEST_SHOWN_CHARS else f"{text[:_LONGEST_SHOWN_CHARS]}…"


def _written(value: object, how: Callable[[object], str] = str) -> str:
    """A value as text, also one that Python refuses to write."""
    try:
        return how(value)
    except (RecursionError, ValueError):
        return "a number of too many digits" if isinstance(value, int) else _kind(value)


def _fold(name: str) -> str:
    return name.replace("_", "").replace("-", "").replace(" ", "").casefold()


def _rename(row: Mapping[str, Any], kind: str, names: Mapping[str, str]) -> dict[str, Any]:
    """What a row gives, under our own field names; an exact name wins over an alias."""
    aliases = _aliases(kind)
    for named in names:
        if named not in aliases.values():
            allowed = ", ".join(sorted(set(aliases.values())))
            raise RecordError(f'there is no field "{named}" to map; the fields are {allowed}')
    fields: dict[str, Any] = {}
    for name, value in row.items():
        ours = aliases.get(name) or aliases.get(_fold(_written(name)))
        if ours is not None and (ours not in fields or name == ours):
            fields[ours] = value
    for ours, theirs in names.items():
        if theirs not in row:
            raise RecordError(f'there is no field "{theirs}" to read as {ours}')
        fields[ours] = row[theirs]
    return {ours: value for ours, value in fields.items() if value is not None}


def _set(record: Page | Turn, **values: object) -> None:
    for name, value in values.items():
        object.__setattr__(record, name, value)


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise RecordError(f"{name} is {_kind(value)}, not text")
    return value


def _optional(value: object, name: str) -> str | None:
    return None if value is None else _text(value, name) or None


def _id(value: object) -> str:
    if not isinstance(value, int | float):
        return _optional(value, "id") or ""
    try:
        return str(value)
    except ValueError:
        raise RecordError("id is a number of too many digits") from None


def _one_of(allowed: Sequence[str], value: str, name: str) -> str:
    if value not in allowed:
        raise RecordError(f'{name} "{_short(value)}" is not one of {", ".join(allowed)}')
    return value


def _rating(value: object) -> float | None:
    if value is None or value == "":
        return None
    try:
        rating = float(_written(value))
    except ValueError:
        rating = 0.0
    if isinstance(value, bool) or not 1 <= rating <= 5:
        raise RecordError(f"rating is {_short(_written(value, repr))}, not a number from 1 to 5")
    return rating


def _label(value: object) -> bool | None:
    """Whether the answer was called accurate; None for anything else.

    Logs use a field named "label" for many things, so another value is no error: the row's
    score does not need it, and `klopt evaluate` says how many labels it read.
    """
    known = {"0": False, "1": True, "false": False, "true": True, "0.0": False, "1.0": True}
    return known.get(_written(value).casefold())


def _pages(contexts: object, pages: Pages | None) -> tuple[Page, ...]:
    if contexts is None or (isinstance(contexts, str) and not contexts):
        return ()
    if isinstance(contexts, str):
        contexts = _parted(contexts, pages) or [contexts]
    if isinstance(contexts, Mapping | Page | PurePath) or _is_document(contexts):
        contexts = [contexts]
    # A set has no order, and results do not depend on one that differs from run to run.
    if not isinstance(contexts, Iterable) or isinstance(contexts, bytes | bytearray | Set):
        raise RecordError(
            f"contexts is {_kind(contexts)}, not a list of texts, pages or page names"
        )
    return tuple(_page(item, number, pages) for number, item in enumerate(contexts, 1))


def _parted(text: str, pages: Pages | None) -> list[str]:
    """The names of pages in a text that is nothing else, as in a cell of CSV; none in any other."""
    if len(text) > _LONGEST_NAMES_CHARS or (pages is not None and text in pages):
        return []
    parts = [part.strip() for part in _SIGN.split(text.strip())]
    if len(parts) == 1:
        return []
    is_named = pages is not None and all(part in pages for part in parts)
    return parts if is_named or all(_looks_like_a_name(p, in_folder=False) for p in parts) else []


def _page(item: Any, number: int, pages: Pages | None) -> Page:  # noqa: ANN401 - what was given
    if isinstance(item, Page):
        return item if item.id else replace(item, id=f"context-{number}")
    if isinstance(item, str):
        if pages is not None and item in pages:
            return pages[item]
        if _looks_like_a_name(item, in_folder=pages is not None):
            raise RecordError(_no_page(item, pages or {}))
        return Page(item, id=f"context-{number}")
    if isinstance(item, PurePath):
        raise RecordError(
            f"context {number} is a path, which is not opened; give the texts of the pages, "
            'path.read_text(), or [page.read_text() for page in path.glob("*.md")] of a folder'
        )
    if isinstance(item, Mapping):
        fields = {"text": "", **_rename(item, "page", {})}
    elif _is_document(item):
        known = {key: item.metadata[key] for key in _DOCUMENT_KEYS if key in item.metadata}
        fields = {**_rename(known, "page", {}), "text": item.page_content}
        fields.setdefault("id", known.get("source"))
    else:
        raise RecordError(f"context {number} is {_kind(item)}, not a text, a page or a page name")
    try:
        page = Page(**fields)
    except RecordError as error:
        raise RecordError(f"context {number}: {error}") from None
    if page.text or not page.id or not isinstance(item, Mapping):
        return page if page.id else replace(page, id=f"context-{number}")
    if pages is None or page.id not in pages:
        raise RecordError(_no_page(page.id, pages or {}))
    return pages[page.id]


def _is_document(item: object) -> bool:
    return hasattr(item, "page_content") and isinstance(getattr(item, "metadata", None), Mapping)


def _looks_like_a_name(text: str, *, in_folder: bool) -> bool:
    """A page name is short and without white space; without a folder, it ends as a file does."""
    if not text or len(text) > _LONGEST_NAME_CHARS or any(map(str.isspace, text)):
        return False
    return in_folder or _FILE_ENDING.search(text) is not None


def _no_page(name: str, pages: Pages) -> str:
    if not pages:
        where = "no folder of pages was given; --pages DIR names it, Python gives the page's text"
    elif isinstance(pages, dict):
        where = f"the folder of pages has {len({id(page) for page in pages.values()})}"
    else:  # an index, whose texts are not read for this
        where = f"the index has {getattr(pages, 'page_count', len(pages))} pages"
    return f'context "{name}" is not a page ({where})'


def _kind(value: object) -> str:
    kinds = {
        type(None): "nothing",
        bool: "true or false",
        int: "a number",
        float: "a number",
        list: "a list",
    }
    return kinds.get(type(value), "an object" if isinstance(value, Mapping) else "something else")


def clean(text: str) -> str:
    """The text without control and direction characters, which could hide or reorder it.

    Each becomes U+FFFD, so that the reader sees that something stood there. Lines, tabs, spaces
    of every width and the two joiners that scripts and emoji need stay.

    >>> clean("goed" + chr(0x202E) + "fout")
    'goed�fout'
    """
    if text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(character if _shown(character) else REPLACEMENT for character in lines)


def _shown(character: str) -> bool:
    return character.isprintable() or character in _KEPT or unicodedata.category(character) == "Zs"


Figure: TypeAlias = Annotated[float, "six decimals"]
"""A number that is written with six decimals."""

EvidenceKind = Literal["supported", "unsupported", "found"]
"""``supported``: a page bears the answer's span out; ``unsupported``: no page does, or one goes
against it; ``found``: the span is what the heuristic looked for, without a judgement on it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One span of the original answer, and where a page supports it.

    Attributes:
        kind: ``supported``, ``unsupported`` or ``found``.
        text: What the heuristic read, in plain text (markup removed).
        start: First character in the *original* answer, from 0.
        end: Character after the last one in the original answer.
        page: Id of the page that supports the span, or goes against it; or None.
        page_start: First character in the original page, or None.
        page_end: Character after the last one in the original page, or None.
        entry: What matched: a lexicon entry, a pair of words, a step; or None.

    >>> Evidence("unsupported", "Opslaan", 8, 15).page is None
    True
    """

    kind: EvidenceKind
    text: str
    start: int
    end: int
    page: str | None = None
    page_start: int | None = None
    page_end: int | None = None
    entry: str | None = None


@dataclass(frozen=True, slots=True)
class Measurement:
    """One heuristic's result for one answer.

    Attributes:
        value: 0 to 1, higher is truer; None when there was nothing to measure.
        reason: Why the value is None; None when there is a value.
        evidence: The spans that the value rests on, in the answer's order.

    Raises:
        ValueError: The value is outside 0–1 or NaN, or there is neither or both of the two.

    >>> Measurement(0.5).value
    0.5
    >>> Measurement.missing("the answer names no component").reason
    'the answer names no component'
    """

    value: float | None
    reason: str | None = None
    evidence: tuple[Evidence, ...] = ()

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise ValueError("a measurement has either a value or a reason, never both or none")
        if self.value is not None and not (math.isfinite(self.value) and 0 <= self.value <= 1):
            raise ValueError(f"a measurement lies between 0 and 1, not {self.value!r}")

    @classmethod
    def missing(cls, reason: str, evidence: tuple[Evidence, ...] = ()) -> Measurement:
        """A measurement that could not be made, with the reason."""
        return cls(None, reason, evidence)
