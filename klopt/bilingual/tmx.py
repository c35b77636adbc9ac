"""TMX 1.4b, the exchange format of translation memories (GALA/LISA OSCAR, 2005)."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

from klopt.bilingual.inline_tags import segment_html
from klopt.bilingual.pairs import ReadPairs, TextPair, is_language, to_pair
from klopt.bilingual.xml_file import read_elements


def read_tmx(path: Path, source_language: str, target_language: str) -> ReadPairs:
    """What a file of TMX holds: of each ``tu`` the first text in each of the two languages.

    One with a region (``nl-NL``) is a text in that language (``nl``).
    """
    languages = (source_language, target_language)
    units = read_elements(path, frozenset({"tu"}))
    return ReadPairs.of(_read(path, unit, languages) for unit in units)


def _read(path: Path, unit: Element, languages: tuple[str, str]) -> TextPair | str:
    """A unit as a pair, or why it is left out."""
    source, target = (_segment(unit, language) for language in languages)
    if source is None or target is None:
        return f"not in {' and '.join(languages)}"
    return to_pair(segment_html(source), segment_html(target), path.name)


def _segment(unit: Element, language: str) -> Element | None:
    """The text in a language, the very one before one with a region."""
    variants = [(text.get("lang", ""), text.find("seg")) for text in unit.iterfind("tuv")]
    fitting = [variant for variant in variants if is_language(variant[0], language)]
    fitting.sort(key=lambda variant: variant[0].lower() != language.lower())
    return fitting[0][1] if fitting else None
