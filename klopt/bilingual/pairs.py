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
class Pair:
    """A text and its translation, not yet aligned.

    Attributes:
        source: The text in the one language.
        target: The text in the other.
        origin: Where it comes from: the name of a file or page.
        formats: What each is written in.
    """

    source: str
    target: str
    origin: str = ""
    formats: tuple[PageFormat, PageFormat] = ("auto", "auto")

    @classmethod
    def of_pages(cls, page: Page, partner: Page, name: str) -> Pair:
        """A page and its translation."""
        return cls(page.text, partner.text, name, (page.format, partner.format))


@dataclass(frozen=True, slots=True)
class Read:
    """What a translation file gave.

    Attributes:
        entries: What klopt itself had written, ready for a memory.
        pairs: What others wrote.
        skipped: Why a message was left out → how many.
    """

    entries: tuple[Entry, ...] = ()
    pairs: tuple[Pair, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, found: Iterable[Entry | Pair | str]) -> Read:
        """What was found, in order; a text is why a message was left out.

        >>> Read.of(["fuzzy", Pair("Opslaan", "Save"), "fuzzy"]).skipped["fuzzy"]
        2
        """
        met = list(found)
        return cls(
            tuple(one for one in met if isinstance(one, Entry)),
            tuple(one for one in met if isinstance(one, Pair)),
            Counter(one for one in met if isinstance(one, str)),
        )


def is_language(given: str, wanted: str) -> bool:
    """Whether a text in ``given`` is one in ``wanted``, which may leave the region open.

    >>> is_language("nl-NL", "nl"), is_language("nl_BE", "nl"), is_language("nl", "nl-BE")
    (True, True, False)
    """
    given, wanted = (tag.lower().replace("_", "-") for tag in (given, wanted))
    return given == wanted or given.startswith(f"{wanted}-")


def to_pair(source: str, target: str, origin: str) -> Pair | str:
    """A message in HTML as a pair, or why it is left out.

    >>> to_pair("Opslaan", "", "app.po")
    'untranslated'
    """
    if not source or not target:
        return UNTRANSLATED
    if max(len(source), len(target)) > LONGEST_CHARS:
        return f"longer than {LONGEST_CHARS:,} characters"
    return Pair(source, target, origin, ("html", "html"))


def stated(path: Path, source: str | None, target: str | None) -> tuple[str, str]:
    """The two languages, which a file of others needs.

    Raises:
        ConfigurationError: One is not stated, or they are the same.
    """
    if source is None or target is None:
        raise ConfigurationError(
            f"{path}: not written by klopt, so state its languages with --from and --to"
        )
    if source == target:
        raise ConfigurationError(f"--from and --to are both {source}")
    return source, target


def check_entry(entry: Entry, *, may_be_empty: bool = False) -> str | None:
    """What is wrong with an entry that came from a file, or None.

    Args:
        entry: The entry.
        may_be_empty: Whether the target may still be lacking.
    """
    for name, value in (("from", entry.source_language), ("to", entry.target_language)):
        if not _LANGUAGE.fullmatch(value):
            return f'{name} is "{value[:40]}", not a language such as nl'
    if not _PROVIDER.fullmatch(entry.provider):
        return f'provider is "{entry.provider[:40]}", not one word in lower case such as trusted'
    if not entry.source.strip():
        return "source is empty"
    if not may_be_empty and not entry.target.strip():
        return "target is empty"
    wrong = faults(entry.target, len(MARKER.findall(entry.source)), invented_too=False)
    if entry.target.strip() and wrong:
        return f"in the target {wrong}; it has each mark of the source once"
    return None
