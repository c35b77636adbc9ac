"""XLIFF 1.2 and 2.x, the exchange format of localisation (OASIS, 2008 and 2014)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

from klopt.bilingual.inline_tags import segment_markdown
from klopt.bilingual.pairs import UNTRANSLATED, Pair, Read, is_language, to_pair
from klopt.bilingual.xml_file import Found, read_elements

_DONE: Final = ("", "final", "reviewed", "signed-off", "translated")
"""States of a target that people finished; none stated is taken for one."""

_WAITING: Final = (
    "initial", "needs-adaptation", "needs-l10n", "needs-review-adaptation", "needs-review-l10n",
    "needs-review-translation", "needs-translation", "new",
)  # fmt: skip

_BY_MACHINE: Final = ("fuzzy-match", "leveraged-mt", "mt-suggestion")
"""Values of ``state-qualifier`` for what nobody has looked at."""

_LONGEST_CODE_CHARS: Final = 500
"""How much is looked at of code that inline elements refer to: many may refer to the same."""

_UNITS: Final = frozenset({"trans-unit", "unit"})


def read_xliff(path: Path, source_language: str, target_language: str) -> Read:
    """The translated messages of a file of XLIFF, in either direction.

    Left out, and counted, is what has no target, what waits for a translator or a reviewer,
    what only a machine translated, and what is not to be translated.

    Args:
        path: The file.
        source_language: The language of the sources to come, whichever side has it.
        target_language: The language of the targets to come.

    Raises:
        InputError: The file cannot be read, or is no XML.
        ExtraMissingError: defusedxml is not installed.
    """
    languages = (source_language, target_language)
    return Read.of(
        _pair(found, segment, codes, languages, path.name)
        for found in read_elements(path, _UNITS)
        for codes in (_codes(found.element),)
        # The unit of XLIFF 1.2, or the segments of one of 2.x.
        for segment in found.element.iterfind("segment" if found.element.tag == "unit" else ".")
    )


def _codes(unit: Element) -> dict[str, str]:
    return {one.get("id", ""): (one.text or "")[:_LONGEST_CODE_CHARS] for one in unit.iter("data")}


def _pair(
    found: Found,
    segment: Element,
    codes: Mapping[str, str],
    languages: tuple[str, str],
    origin: str,
) -> Pair | str:
    """A segment as a pair, or why it is left out."""
    source, target = segment.find("source"), segment.find("target")
    turned = _is_turned(found, target, languages)
    if turned is None:
        return f"not in {languages[0]} and {languages[1]}"
    if found.element.get("translate") == "no":
        return "not to be translated"
    if source is None or target is None:
        return UNTRANSLATED
    state = target.get("state", "") or segment.get("state", "")
    if state not in _DONE:
        return f"state {state}" if state in _WAITING else "state of its own"
    if target.get("state-qualifier") in _BY_MACHINE:
        return "translated by a machine"
    own, theirs = (segment_markdown(one, codes) for one in (source, target))
    return to_pair(theirs, own, origin) if turned else to_pair(own, theirs, origin)


def _is_turned(found: Found, target: Element | None, languages: tuple[str, str]) -> bool | None:
    """Whether the file has the languages the other way round; None when it has others."""
    given = _above(found, "source-language", "srcLang")
    into = "" if target is None else target.get("lang", "")
    into = into or _above(found, "target-language", "trgLang")
    for turned, (first, second) in ((False, languages), (True, languages[::-1])):
        # A file of version 1.2 need not say into what language it is.
        if is_language(given, first) and (not into or is_language(into, second)):
            return turned
    return None


def _above(found: Found, *names: str) -> str:
    """The attribute by one of the names that stands nearest above an element."""
    given = (attributes.get(name) for _, attributes in found.above[::-1] for name in names)
    return next(filter(None, given), "")
