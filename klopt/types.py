"""Values that every package uses: turns, pages, measurements and evidence."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Annotated, Any, Final, Literal, Protocol, TypeAlias, cast, get_args

from klopt._internal.fields import (
    field_names,
    field_of,
    is_address,
    kind_of_value,
    rename,
    shorten,
    to_text,
)
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
    "field_names",
    "field_of",
    "row_id",
]

MessageType = Literal[
    "error", "binary", "instruction", "reasoning", "action", "unspecified", "general"
]
MESSAGE_TYPES: Final[tuple[MessageType, ...]] = get_args(MessageType)
"""The seven message types of the AFAS paper, section 4.4.1, in the paper's order."""

_LONGEST_NAME_CHARS: Final = 200
_LONGEST_NAMES_CHARS: Final = 10_000
_SEPARATOR: Final = re.compile(r"[,;|\n]")  # of page names in one text
_FILE_ENDING: Final = re.compile(r"\.(?:mdx?|markdown|html?|rst|txt)$", re.IGNORECASE)

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_KEPT: Final = frozenset("\n\t\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")

PageFormat = Literal["auto", "markdown", "html", "rst", "plain"]
PAGE_FORMATS: Final[tuple[PageFormat, ...]] = get_args(PageFormat)

_DOCUMENT_KEYS: Final = ("id", "title", "url", "source")

Pages: TypeAlias = Mapping[str, "Page"]
"""Pages by the name that a row's contexts use."""


@dataclass(frozen=True, slots=True)
class Page:
    r"""A help page, or another text that the bot was given.

    Attributes:
        text: The text, with markup.
        id: A name that evidence refers to.
        title: The title, if it is not in the text.
        url: Its address for readers.
        format: ``markdown``, ``html``, ``plain``, or ``auto`` to detect it.

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
    """A LangChain document; id, title, url and source are read from its metadata."""

    @property
    def page_content(self) -> str:
        """The text."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """Its metadata."""


Context: TypeAlias = Page | Document | Mapping[str, Any] | str
"""A page, an object as in a log, or a text."""
Contexts: TypeAlias = Iterable[Context] | Context | None
"""The contexts of a turn; a single one counts as a list of one."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer, with the pages that the bot was given.

    Attributes:
        question: What the user wrote.
        answer: What the bot answered, with markup; evidence offsets refer to it.
        contexts: The pages. A text becomes ``context-1`` …, a mapping or a `Document` a page.
        id: The name of the row.
        language: ``nl``, ``en``, or ``auto`` to detect it from question and answer.
        message_type: One of `MESSAGE_TYPES`; None lets klopt classify the question.
        rating: A human rating, 1 to 5, for evaluation only.
        label: Whether a human found the answer accurate (0/1, false/true), for evaluation only.
        reference: A reference answer, for reference checks only.
        meta: Anything else.

    Raises:
        RecordError: A field has the wrong type, or a context names a page (see `from_mapping`).

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
        _set(
            self,
            question=_text(self.question, "question"),
            answer=_text(self.answer, "answer"),
            contexts=_pages(self.contexts, None),
            id=_id(self.id),
            language=_optional(self.language, "language") or "auto",
            message_type=_message_type(self.message_type),
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
        ignored: list[str] | None = None,
        only_contexts: bool = False,
    ) -> Turn:
        """Create a turn from a row of JSON, CSV or Parquet.

        Args:
            row: The row, with our field names or those in ``aliases.toml``.
            pages: Pages that a context may name.
            names: Our field name → the row's, if no alias fits (``--map answer=bot_text``).
            with_contexts: False leaves out the contexts, which classifying does not need.
            ignored: Gets what is left out; with None, that is an error: invalid message types and
                ratings, unknown addresses, and unknown pages beside known ones.
            only_contexts: An invalid message type or rating is an error in any case.

        Raises:
            RecordError: A field has the wrong type, or a context names an unknown page.

        >>> Turn.from_mapping({"user_input": "Kan dat?", "response": "Ja."}).answer
        'Ja.'
        """
        if not isinstance(row, Mapping):
            raise RecordError(f"the row is {kind_of_value(row)}, not an object with fields")
        fields = {"question": "", "answer": "", **rename(row, "turn", names or {})}
        if ignored is not None and not only_contexts:
            for name, check, allowed in _IGNORABLE:
                try:
                    check(fields.get(name))
                except RecordError:
                    given = shorten(to_text(fields.pop(name)))
                    ignored.append(f'{name} "{given}" is not {allowed}; it is ignored')
        contexts = fields.get("contexts") if with_contexts else ()
        fields["contexts"] = _pages(contexts, pages, ignored)
        return cls(**fields)


def row_id(row: Mapping[str, Any], names: Mapping[str, str] | None = None) -> str:
    """Return the id of a row, even if the rest of the row is invalid; empty if it has none."""
    named = (names or {}).get("id")
    key = named or "id"
    value = row.get(key) if named or key in row else rename(row, "turn", {}).get("id")
    try:
        return _id(value)
    except RecordError:
        return ""


def _set(record: Page | Turn, **values: object) -> None:
    """Set fields of a frozen record."""
    for name, value in values.items():
        object.__setattr__(record, name, value)


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise RecordError(f"{name} is {kind_of_value(value)}, not text")
    return value


def _optional(value: object, name: str) -> str | None:
    return None if value is None else _text(value, name) or None


def _id(value: object) -> str:
    if not isinstance(value, int | float):
        return _optional(value, "id") or ""
    try:
        return str(value)
    except ValueError:
        raise RecordError("id is a number with too many digits") from None


def _one_of(allowed: Sequence[str], value: str, name: str) -> str:
    if value not in allowed:
        raise RecordError(f'{name} "{shorten(value)}" is not one of {", ".join(allowed)}')
    return value


def _message_type(value: object) -> str | None:
    given = _optional(value, "message_type")
    return given and _one_of(MESSAGE_TYPES, given, "message_type")


def _rating(value: object) -> float | None:
    if value is None or value == "":
        return None
    try:
        rating = float(re.sub(r"(?<=[0-9]),(?=[0-9]{1,2}\s*\Z)", ".", to_text(value)))
    except ValueError:
        rating = 0.0
    if isinstance(value, bool) or not 1 <= rating <= 5:
        raise RecordError(f"rating is {shorten(to_text(value, repr))}, not a number from 1 to 5")
    return rating


_IGNORABLE: Final = (
    ("message_type", _message_type, f"one of {', '.join(MESSAGE_TYPES)}"),
    ("rating", _rating, "a number from 1 to 5"),
)
"""Fields without which a row can be scored: name, check and what is allowed."""


def _label(value: object) -> bool | None:
    """Parse a label; None for other values, because logs use "label" for many things."""
    known = {"0": False, "1": True, "false": False, "true": True, "0.0": False, "1.0": True}
    return None if value is None else known.get(to_text(value).casefold())


def _pages(
    contexts: object, pages: Pages | None, ignored: list[str] | None = None
) -> tuple[Page, ...]:
    """Return the pages of contexts; with ``ignored``, unknown ones beside others are left out."""
    if contexts is None or (isinstance(contexts, str) and not contexts):
        return ()
    if isinstance(contexts, str):
        contexts = _split_names(contexts, pages) or [contexts]
    if isinstance(contexts, Mapping) and contexts and not rename(contexts, "page", {}):
        contexts = [_named(name, value) for name, value in contexts.items()]
    if isinstance(contexts, Mapping | Page | PurePath) or _is_document(contexts):
        contexts = [contexts]
    # The order of a set differs between runs, and results must not.
    if not isinstance(contexts, Iterable) or isinstance(contexts, bytes | bytearray | Set):
        raise RecordError(
            f"contexts is {kind_of_value(contexts)}, not a list of texts, pages or page names"
        )
    found: list[Page] = []
    unknown: list[_UnknownPageError] = []
    for number, item in enumerate(contexts, 1):
        try:
            found.append(_page(item, number, pages))
        except _UnknownPageError as error:
            if ignored is None or (pages is None and not is_address(error.name)):
                raise RecordError(str(error)) from None
            unknown.append(error)
    if ignored is not None and unknown:
        if not found and not all(map(is_address, (error.name for error in unknown))):
            raise RecordError(str(unknown[0]))
        ignored += [f"{error}; it is left out" for error in unknown]
    return tuple(found)


class _UnknownPageError(RecordError):
    """A context names a page that does not exist."""

    def __init__(self, name: str, pages: Pages) -> None:
        super().__init__(_no_page(name, pages))
        self.name = name


def _named(name: object, value: object) -> object:
    """Return a context of an object of names: a text, a page, or the name with a figure."""
    if isinstance(value, str):
        return {"id": str(name), "text": value} if value.strip() else str(name)
    return {"id": str(name), **value} if isinstance(value, Mapping) else str(name)


def _split_names(text: str, pages: Pages | None) -> list[str]:
    """Return the page names in a text that holds nothing else, as in a cell of CSV."""
    if len(text) > _LONGEST_NAMES_CHARS or (pages is not None and text in pages):
        return []
    parts = [part.strip() for part in _SEPARATOR.split(text.strip())]
    is_named = pages is not None and all(part in pages for part in parts)
    is_list = len(parts) > 1 and (is_named or all(map(_is_file_name, parts)))
    return parts if is_list else []


def are_page_names(text: str, pages: Pages) -> bool:
    """Whether a text holds the names of pages and nothing else, as a cell of CSV may."""
    return all(name in pages for name in _split_names(text, pages) or [text.strip()])


def _page(item: Any, number: int, pages: Pages | None) -> Page:  # noqa: ANN401 - any input
    if isinstance(item, Page):
        return item if item.id else replace(item, id=f"context-{number}")
    if isinstance(item, str):
        if pages is not None and item in pages:
            return pages[item]
        if is_address(item) or (_is_file_name(item) if pages is None else _can_be_name(item)):
            raise _UnknownPageError(item, pages or {})
        return Page(item, id=f"context-{number}")
    if isinstance(item, PurePath):
        raise RecordError(
            f"context {number} is a path, which klopt does not open; give the text, "
            'path.read_text(), or [page.read_text() for page in path.glob("*.md")] of a folder'
        )
    if isinstance(item, Mapping):
        fields = {"text": "", **rename(item, "page", {})}
    elif _is_document(item):
        known = {key: item.metadata[key] for key in _DOCUMENT_KEYS if key in item.metadata}
        fields = {**rename(known, "page", {}), "text": item.page_content}
        fields.setdefault("id", known.get("source"))
    else:
        raise RecordError(
            f"context {number} is {kind_of_value(item)}, not a text, a page or a page name"
        )
    try:
        page = Page(**fields)
    except RecordError as error:
        raise RecordError(f"context {number}: {error}") from None
    named = next((name for name in (page.id, page.url) if name and name in (pages or {})), None)
    if page.text or not (page.id or page.url) or not isinstance(item, Mapping):
        return page if page.id else replace(page, id=f"context-{number}")
    if pages is None or named is None:
        raise _UnknownPageError(page.id or page.url or "", pages or {})
    return pages[named]


def _is_document(item: object) -> bool:
    return hasattr(item, "page_content") and isinstance(getattr(item, "metadata", None), Mapping)


def _can_be_name(text: str) -> bool:
    """Return whether a text can be a page name: short, without white space."""
    return 0 < len(text) <= _LONGEST_NAME_CHARS and not any(map(str.isspace, text))


def _is_file_name(text: str) -> bool:
    return _can_be_name(text) and _FILE_ENDING.search(text) is not None


def _no_page(name: str, pages: Pages) -> str:
    if not pages:
        python = f'contexts=[index["{shorten(name)}"]] or Turn.from_mapping(row, pages=index)'
        where = f"no pages were given; add --pages DIR or --index FILE, in Python {python}"
        return f'context "{shorten(name)}" is not a page ({where})'
    from klopt._internal.page_names import NamedPages  # unless a page is unknown, not needed

    known = pages if isinstance(pages, NamedPages) else NamedPages(pages)
    close = " or ".join(f'"{own}"' for own in known.closest(name))
    hint = f"; did you mean {close}?" if close else ""
    return f'context "{shorten(name)}" is not a page ({known}{hint})'


def clean(text: str) -> str:
    """Replace control and direction characters, which could hide or reorder text, by U+FFFD.

    Line ends, tabs, spaces of every width and the two joiners that scripts and emoji need are kept.

    >>> clean("goed" + chr(0x202E) + "fout")
    'goed�fout'
    """
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable() or character in _KEPT or unicodedata.category(character) == "Zs"
        else REPLACEMENT
        for character in text.replace("\r\n", "\n").replace("\r", "\n")
    )


Figure: TypeAlias = Annotated[float, "six decimals"]
"""A number that is written with six decimals."""

EvidenceKind = Literal["supported", "unsupported", "found"]
"""``supported``: a page supports the span of the answer; ``unsupported``: no page does, or one
contradicts it; ``found``: the heuristic found the span, without a judgement."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A span of the original answer, and the page that supports or contradicts it.

    Attributes:
        kind: ``supported``, ``unsupported`` or ``found``.
        text: The span as plain text, without markup.
        start: First character in the *original* answer, from 0.
        end: Character after the last one in the original answer.
        page: Id of the page that supports or contradicts the span, or None.
        page_start: First character in the original page, or None.
        page_end: Character after the last one in the original page, or None.
        entry: What matched (a lexicon entry, a pair of words, a step), or None.

    >>> from klopt import Scorer
    >>> page = "Sluit af met **Alt+F7**."
    >>> checked = Scorer.load().score("Hoe sluit ik af?", "Klik op **Turbo**.", [page])
    >>> [one] = checked.measurements["components_defined"].evidence
    >>> one.kind, one.text, (one.start, one.end), one.page
    ('unsupported', 'Turbo', (10, 15), None)
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
    """The result of one heuristic for one answer.

    Attributes:
        value: 0 to 1, higher is better; None if there was nothing to measure.
        reason: Why the value is None, or None.
        evidence: The spans behind the value, in the order of the answer.

    Raises:
        ValueError: The value is not in 0–1, or not exactly one of value and reason is given.

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
        """Return a measurement without a value, with the reason."""
        return cls(None, reason, evidence)
