"""TMX 1.4b, the exchange format of translation memories (GALA/LISA OSCAR, 2005)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, TextIO
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

import regex

from klopt.bilingual.inline_tags import segment_html
from klopt.bilingual.pairs import ReadPairs, TextPair, check_entry, is_language, stated, to_pair
from klopt.bilingual.xml_file import FileElement, read_elements
from klopt.errors import InputError
from klopt.translation.masks import MARKER
from klopt.translation.memory import Entry
from klopt.version import VERSION

PROVIDER: Final = "x-klopt-provider"
ORIGIN: Final = "x-klopt-origin"

_MARK: Final = "klopt"
_NO_XML: Final = regex.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_tmx(entries: Iterable[Entry], file: TextIO) -> None:
    """Writes entries in the order given, one ``tu`` each.

    Our marks become ``<ph x="1" type="klopt"/>``, and a character that XML does not have U+FFFD.
    """
    file.write(
        '<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n'
        f'<header creationtool="klopt" creationtoolversion={quoteattr(VERSION)} '
        'segtype="sentence" o-tmf="klopt" adminlang="en" srclang="*all*" datatype="plaintext"/>\n'
        "<body>\n"
    )
    for entry in entries:
        unit = (
            f"<tu srclang={quoteattr(entry.source_language)}>\n"
            f'<prop type="{PROVIDER}">{escape(entry.provider)}</prop>\n'
            f'<prop type="{ORIGIN}">{escape(entry.origin)}</prop>\n'
            + _variant(entry.source_language, entry.source)
            + _variant(entry.target_language, entry.target)
            + "</tu>\n"
        )
        file.write(_NO_XML.sub("\ufffd", unit))
    file.write("</body>\n</tmx>\n")


def _variant(language: str, text: str) -> str:
    marked = MARKER.sub(rf'<ph x="\1" type="{_MARK}"/>', escape(text))
    return f"<tuv xml:lang={quoteattr(language)}><seg>{marked}</seg></tuv>\n"


def read_tmx(path: Path, source_language: str | None, target_language: str | None) -> ReadPairs:
    """What a file of TMX holds; a ``tu`` that klopt wrote is an entry as it was.

    Of any other it takes the first text in each of the two languages; one with a region (``nl-NL``)
    is a text in that language (``nl``).
    """
    languages = (source_language, target_language)
    units = read_elements(path, frozenset({"tu"}))
    return ReadPairs.of(_read(path, unit, languages) for unit in units)


def _read(
    path: Path, found: FileElement, languages: tuple[str | None, str | None]
) -> Entry | TextPair | str:
    """A unit as an entry or pair, or why it is left out."""
    unit = found.element
    props = {prop.get("type"): prop.text or "" for prop in unit.iterfind("prop")}
    variants = [(one.get("lang", ""), one.find("seg")) for one in unit.iterfind("tuv")]
    if PROVIDER in props:
        # Of two texts in one language the first is the source.
        variants.sort(key=lambda variant: variant[0] != unit.get("srclang", ""))
        (own, text), (theirs, translation), *_ = (*variants, ("", None), ("", None))
        texts = _own_text(text), _own_text(translation)
        entry = Entry(own, theirs, props[PROVIDER], *texts, props.get(ORIGIN, ""))
        if problem := check_entry(entry):
            raise InputError(f"{path}, line {found.line}: {problem}")
        return entry
    wanted = stated(path, *languages)
    source, target = (_segment(variants, language) for language in wanted)
    if source is None or target is None:
        return f"not in {' and '.join(wanted)}"
    return to_pair(segment_html(source), segment_html(target), path.name)


def _own_text(seg: Element | None) -> str:
    if seg is None:
        return ""
    marks = (
        f"⟦{child.get('x', '')}⟧" if child.get("type") == _MARK else "".join(child.itertext())
        for child in seg
    )
    tails = (child.tail or "" for child in seg)
    return (seg.text or "") + "".join(map("".join, zip(marks, tails, strict=True)))


def _segment(variants: Iterable[tuple[str, Element | None]], language: str) -> Element | None:
    """The text in a language, the very one before one with a region."""
    fitting = [variant for variant in variants if is_language(variant[0], language)]
    fitting.sort(key=lambda variant: variant[0].lower() != language.lower())
    return fitting[0][1] if fitting else None
