"""How the tests give a heuristic its material: as the scorer does, without a profile."""

from __future__ import annotations

from collections.abc import Iterable

from klopt.heuristics import BY_NAME, Material, Options
from klopt.matching import Context, Language
from klopt.measurement import Measurement
from klopt.records import Page


def material(language: Language, question: str, answer: str, pages: Iterable[Page]) -> Material:
    """A turn as the scorer reads it: pages without text are left out."""
    read = language.reader.read
    contexts = (Context(page.id, language.page(page)) for page in pages)
    kept = tuple(one for one in contexts if one.index.reading.plain.has_words)
    return Material(read(question), read(answer), kept, language)


def numbered(texts: Iterable[str]) -> list[Page]:
    """Pages by the names page-1, page-2 and so on."""
    return [Page(text, f"page-{number}") for number, text in enumerate(texts, 1)]


def measured(name: str, given: Material, options: Options | None = None) -> Measurement:
    """What a heuristic says by its defaults, apart from some options."""
    heuristic = BY_NAME[name]
    return heuristic(given, {**heuristic.options, **(options or {})})
