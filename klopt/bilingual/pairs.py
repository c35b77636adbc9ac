"""Texts that a company already has in two languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from klopt.errors import ConfigurationError
from klopt.translation.memory import Entry

UNTRANSLATED: Final = "untranslated"
"""Why a message without a translation is left out."""

LONGEST_CHARS: Final = 10_000
"""A message of a translation file that is longer as Markdown is left out: no person translated
it as one message, and a reader of Markdown would take it for plain text."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A text and its translation, not yet aligned.

    Attributes:
        source: Markdown in the one language.
        target: Markdown in the other.
        origin: Where it comes from: the name of a file or page.
    """

    source: str
    target: str
    origin: str = ""


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


def is_language(given: str, wanted: str) -> bool:
    """Whether a text in ``given`` is one in ``wanted``, which may leave the region open.

    >>> is_language("nl-NL", "nl"), is_language("nl_BE", "nl"), is_language("nl", "nl-BE")
    (True, True, False)
    """
    given, wanted = (tag.lower().replace("_", "-") for tag in (given, wanted))
    return given == wanted or given.startswith(f"{wanted}-")


def to_pair(source: str, target: str, origin: str) -> Pair | str:
    """A message as a pair, or why it is left out.

    >>> to_pair("Opslaan", "", "app.po")
    'untranslated'
    """
    if not source or not target:
        return UNTRANSLATED
    if max(len(source), len(target)) > LONGEST_CHARS:
        return f"longer than {LONGEST_CHARS:,} characters"
    return Pair(source, target, origin)


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
