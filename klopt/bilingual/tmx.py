"""TMX 1.4b, the exchange format of translation memories (GALA/LISA OSCAR, 2005)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, TextIO
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

import regex

from klopt.bilingual.inline_tags import segment_html
from klopt.bilingual.pairs import Pair, Read, check_entry, is_language, stated, to_pair
from klopt.bilingual.xml_file import Found, read_elements
from klopt.errors import InputError
from klopt.translation.memory import Entry
from klopt.version import VERSION

PROVIDER: Final = "x-klopt-provider"
ORIGIN: Final = "x-klopt-origin"

_UNITS: Final = frozenset({"tu"})
_MARK: Final = "klopt"
_CHARACTER: Final = "x-klopt-character"
_NUMBER: Final = regex.compile("[0-9a-f]{1,5}")
_CODED: Final = regex.compile(
    r"⟦([1-9][0-9]{0,3})⟧|([^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff])"
)


def write_tmx(entries: Iterable[Entry], file: TextIO) -> None:
    """Writes entries in the order given, one ``tu`` each.

    Our marks become ``<ph x="1" type="klopt"/>``, and a character that XML does not have becomes
    a ``ph`` with its number, so that reading gives the same text. In an origin it becomes U+FFFD.
    """
    file.write(
        '<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n'
        f'<header creationtool="klopt" creationtoolversion={quoteattr(VERSION)} '
        'segtype="sentence" o-tmf="klopt" adminlang="en" srclang="*all*" datatype="plaintext"/>\n'
        "<body>\n"
    )
    for entry in entries:
        origin = _CODED.sub(lambda found: "\ufffd" if found[2] else found[0], entry.origin)
        file.write(
            f"<tu srclang={quoteattr(entry.source_language)}>\n"
            f'<prop type="{PROVIDER}">{escape(entry.provider)}</prop>\n'
            f'<prop type="{ORIGIN}">{escape(origin)}</prop>\n'
            + _variant(entry.source_language, entry.source)
            + _variant(entry.target_language, entry.target)
            + "</tu>\n"
        )
    file.write("</body>\n</tmx>\n")


def _variant(language: str, text: str) -> str:
    coded = _CODED.sub(_code, escape(text))
    return f"<tuv xml:lang={quoteattr(language)}><seg>{coded}</seg></tuv>\n"


def _code(found: regex.Match[str]) -> str:
    if found[1]:
        return f'<ph x="{found[1]}" type="{_MARK}"/>'
    return f'<ph type="{_CHARACTER}">{ord(found[2]):x}</ph>'


def read_tmx(path: Path, source_language: str | None, target_language: str | None) -> Read:
    """What a file of TMX holds.

    A ``tu`` that klopt wrote is an entry as it was. Of any other it takes the first text in each
    of the two languages; one with a region (``nl-NL``) is a text in that language (``nl``).

    Args:
        path: The file.
        source_language: The language of the sources to come; may be None where all is klopt's.
        target_language: The language of the targets to come.

    Raises:
        InputError: The file cannot be read, or is no XML.
        ConfigurationError: It is not klopt's, and the languages are not stated.
        ExtraMissingError: defusedxml is not installed.
    """
    languages = (source_language, target_language)
    return Read.of(_read(path, found, languages) for found in read_elements(path, _UNITS))


def _read(
    path: Path, found: Found, stated_languages: tuple[str | None, str | None]
) -> Entry | Pair | str:
    """A unit as an entry or pair, or why it is left out."""
    unit = found.element
    provider = _prop(unit, PROVIDER)
    if provider is not None:
        entry = _entry(unit, provider)
        problem = check_entry(entry)
        if problem:
            raise InputError(f"{path}, line {found.line}: {problem}")
        return entry
    languages = stated(path, *stated_languages)
    own, theirs = (_segment(unit, language) for language in languages)
    if own is None or theirs is None:
        return f"not in {' and '.join(languages)}"
    return to_pair(segment_html(own), segment_html(theirs), path.name)


def _prop(unit: Element, kind: str) -> str | None:
    return next((one.text or "" for one in unit.iterfind("prop") if one.get("type") == kind), None)


def _entry(unit: Element, provider: str) -> Entry:
    """What klopt wrote, as it was."""
    variants = [(one.get("lang", ""), one.find("seg")) for one in unit.iterfind("tuv")]
    source_language = unit.get("srclang", "")
    # Of two texts in one language the first is the source.
    variants.sort(key=lambda one: one[0] != source_language)
    (own, text), (theirs, translation), *_ = (*variants, ("", None), ("", None))
    origin = _prop(unit, ORIGIN) or ""
    return Entry(own, theirs, provider, _own_text(text), _own_text(translation), origin)


def _own_text(seg: Element | None) -> str:
    if seg is None:
        return ""
    parts = [seg.text or ""]
    for child in seg:
        if child.get("type") == _MARK:
            parts.append(f"⟦{child.get('x', '')}⟧")
        elif child.get("type") == _CHARACTER:
            number = child.text or ""
            parts.append(chr(int(number, 16)) if _NUMBER.fullmatch(number) else "")
        else:
            parts.append("".join(child.itertext()))
        parts.append(child.tail or "")
    return "".join(parts)


def _segment(unit: Element, language: str) -> Element | None:
    """The text in a language, the very one before one with a region."""
    variants = [one for one in unit.iterfind("tuv") if is_language(one.get("lang", ""), language)]
    variants.sort(key=lambda one: one.get("lang", "").lower() != language.lower())
    return variants[0].find("seg") if variants else None
