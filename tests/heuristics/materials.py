"""Materials of heuristics, made as by the scorer but without a profile."""

from collections.abc import Iterable, Mapping

from klopt.heuristics import BY_NAME, Material, Options
from klopt.types import Measurement, Page
from klopt.verification import Context, Language


def material(language: Language, question: str, answer: str, pages: Iterable[Page]) -> Material:
    """A turn as the scorer reads it, without pages that have no text."""
    read = language.reader.read
    contexts = (Context(page.id, language.page(page)) for page in pages)
    kept = tuple(one for one in contexts if one.index.reading.plain.has_words)
    return Material(read(question), read(answer), kept, language)


def numbered(texts: Iterable[str]) -> list[Page]:
    """Pages with the ids page-1, page-2 and so on."""
    return [Page(text, f"page-{number}") for number, text in enumerate(texts, 1)]


def measured(name: str, given: Material, options: Options | None = None) -> Measurement:
    """The measurement of a heuristic with its default options, apart from these."""
    heuristic = BY_NAME[name]
    return heuristic(given, {**heuristic.options, **(options or {})})


def check_measurement(found: Measurement, answer: str, page_chars: Mapping[str, int]) -> None:
    """Check a measurement's value and evidence, given the lengths of the pages by id."""
    assert (found.value is None) == bool(found.reason)
    assert found.value is None or 0 <= found.value <= 1
    for one in found.evidence:
        assert one.text
        assert 0 <= one.start < one.end <= len(answer)
        if one.page is None:
            assert (one.page_start, one.page_end) == (None, None)
            continue
        assert one.kind in ("supported", "unsupported")
        assert one.page_start is not None
        assert one.page_end is not None
        assert 0 <= one.page_start < one.page_end <= page_chars[one.page]
