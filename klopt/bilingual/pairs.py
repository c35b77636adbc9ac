"""Texts that a company already has in two languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import regex

from klopt.errors import ConfigurationError
from klopt.records import Page, PageFormat
from klopt.translation.masks import MARKER, faults
from klopt.translation.memory import Entry

UNTRANSLATED: Final = "untranslated"
"""Why a message without a translation is left out."""

LONGEST_CHARS: Final = 10_000
"""A message of a translation file that is longer as HTML is left out: no person translated it as
one message."""

_LANGUAGE: Final = regex.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_PROVIDER: Final = regex.compile(r"[a-z][a-z0-9_.-]{0,60}")


@dataclass(frozen=True, slots=True)
class TextPair:
    """A text and its translation, not yet aligned; where they come from, and their formats."""

    source: str
    target: str
    origin: str = ""
    formats: tuple[PageFormat, PageFormat] = ("auto", "auto")

    @classmethod
    def of_pages(cls, page: Page, partner: Page, name: str) -> TextPair:
        """A page and its translation."""
        return cls(page.text, partner.text, name, (page.format, partner.format))


@dataclass(frozen=True, slots=True)
class ReadPairs:
    """What klopt itself had written, what others wrote, and why how many messages were left out."""

    entries: tuple[Entry, ...] = ()
    pairs: tuple[TextPair, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, messages: Iterable[Entry | TextPair | str]) -> ReadPairs:
        """Messages, in order; a text is why one was left out."""
        every = list(messages)
        return cls(
            tuple(message for message in every if isinstance(message, Entry)),
            tuple(message for message in every if isinstance(message, TextPair)),
            Counter(message for message in every if isinstance(message, str)),
        )


def is_language(given: str, wanted: str) -> bool:
    """Whether a text in ``given`` is one in ``wanted``, which may leave the region open.

    >>> is_language("nl-NL", "nl"), is_language("nl_BE", "nl"), is_language("nl", "nl-BE")
    (True, True, False)
    """
    given, wanted = (tag.lower().replace("_", "-") for tag in (given, wanted))
    return given == wanted or given.startswith(f"{wanted}-")


def to_pair(source: str, target: str, origin: str) -> TextPair | str:
    """A message in HTML as a pair, or why it is left out."""
    if not source or not target:
        return UNTRANSLATED
    if max(len(source), len(target)) > LONGEST_CHARS:
        return f"longer than {LONGEST_CHARS:,} characters"
    return TextPair(source, target, origin, ("html", "html"))


def stated(path: Path, source: str | None, target: str | None) -> tuple[str, str]:
    """The two languages, which a file of others needs; or `ConfigurationError`."""
    if source is None or target is None:
        raise ConfigurationError(
            f"{path}: not written by klopt, so state its languages with --from and --to"
        )
    if source == target:
        raise ConfigurationError(f"--from and --to are both {source}")
    return source, target


def check_entry(entry: Entry) -> str | None:
    """What is wrong with an entry that came from a file, or None; its target may be lacking."""
    for name, value in (("from", entry.source_language), ("to", entry.target_language)):
        if not _LANGUAGE.fullmatch(value):
            return f'{name} is "{value[:40]}", not a language such as nl'
    if not _PROVIDER.fullmatch(entry.provider):
        return f'provider is "{entry.provider[:40]}", not one word in lower case such as trusted'
    if not entry.source.strip():
        return "source is empty"
    if not entry.target.strip():
        return None
    wrong = faults(entry.target, len(MARKER.findall(entry.source)), invented_too=False)
    return wrong and f"in the target {wrong}; it has each mark of the source once"
