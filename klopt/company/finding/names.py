"""Names of products: what has a capital inside sentences, and recurs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from typing import Final

import regex

from klopt.company.entries import Entry
from klopt.company.finding.pages import Found, HelpPage, Places
from klopt.company.suggestions import Suggestion
from klopt.reading.reader import Reader
from klopt.reading.text import in_small_letters

LEAST: Final = 3
LEAST_PAGES: Final = 3
MOST_SMALL_SHARE: Final = 0.2
"""A name is written with a small letter at most so often, seen from how often with a capital."""
DOUBTFUL_SMALL_SHARE: Final = 1.0

_PART: Final = r"\p{Lu}[\p{L}\p{N}]*(?:[-’'&.][\p{L}\p{N}]++)*+"
_NAME: Final = regex.compile(
    rf"(?<![\p{{L}}\p{{N}}./@\\_-]){_PART}(?:[ ](?:{_PART}|\d{{2,4}}(?![\p{{L}}\p{{N}}.,])))*+"
    r"(?![\p{L}\p{N}_@/\\])",
    regex.VERSION1,
)
_WORD: Final = regex.compile(r"(?<![\p{L}\p{N}.@/_-])\p{Ll}[\p{L}\p{N}-]*+", regex.VERSION1)
_YEAR: Final = regex.compile(r"[ ](?:19|20)\d\d\Z")
_SMALL_TAIL: Final = regex.compile(r"-\p{Ll}[\p{Ll}]*\Z", regex.VERSION1)
_OPENS: Final = regex.compile(r"(?:[:;.!?“”\"„‘(•*–—|\[]|^)\s*\Z", regex.VERSION1)
_OPENING_CHARS: Final = 3
_ASIDE: Final = ("heading", "cell", "row", "code")


def find_names(pages: Sequence[HelpPage], reader: Reader) -> Found:
    """Names that stand unmarked in sentences, in several pages.

    What the pages mark (bold, quotes) is a component of the screen rather than a product: klopt
    asks of each answer whether its pages have it, so it is not allowed everywhere.
    """
    places: dict[str, Places] = defaultdict(Places)
    marked: Counter[str] = Counter()
    small: Counter[str] = Counter()
    stop_words = reader.lexicons["stop_words"].words
    for page in pages:
        small.update(_WORD.findall(page.text))
        for name, start, end, is_marked in _names(page, stop_words):
            if is_marked:
                marked[name] += 1
            else:
                places[name].add(page, start, end)
    entries, suggestions = [], []
    for name, met in places.items():
        if not met.is_common(LEAST, LEAST_PAGES) or met.count <= marked[name]:
            continue
        if _is_no_name(name, reader):
            continue
        entry = Entry("product_names", "allowed", (name,), about=met.about)
        share = small[in_small_letters(name)] / met.count
        if share <= MOST_SMALL_SHARE:
            entries.append(entry)
        elif share <= DOUBTFUL_SMALL_SHARE:
            why = (
                f"{met.count} times with a capital inside a sentence, but also without one: "
                "is it the name of a product?"
            )
            suggestions.append(
                Suggestion(reader.language, why, entry, count=met.count, examples=met.examples)
            )
    return Found("names", tuple(entries), tuple(suggestions))


def _names(page: HelpPage, stop_words: Set[str]) -> Iterator[tuple[str, int, int, bool]]:
    """What may be a name, where, and whether the page marks it.

    Any word may have a capital where a sentence begins; behind such a stop word a name may stand.
    """
    marked, aside = page.code(), bytearray(len(page.text))
    for start, end in (
        *((one.start, one.end) for one in page.reading.components),
        *((one.start, one.end) for one in page.reading.plain.marks),
    ):
        marked[start:end] = b"\1" * (end - start)
    for block in page.reading.plain.blocks:
        if block.kind in _ASIDE:
            aside[block.start : block.end] = b"\1" * (block.end - block.start)
    starts = {one.start for one in page.reading.sentences}
    for match in _NAME.finditer(page.text):
        start, end = match.span()
        before = page.text[max(0, start - _OPENING_CHARS) : start]
        if aside[start]:
            continue
        if start in starts or _OPENS.search(before):
            first, _, rest = match[0].partition(" ")
            if not rest or in_small_letters(first) not in stop_words:
                continue
            start = end - len(rest)
        yield _YEAR.sub("", page.text[start:end]), start, end, marked.find(1, start, end) >= 0


def _is_no_name(name: str, reader: Reader) -> bool:
    """Whether it is a letter, a word with a name before it ("PDF-bestand"), or known already."""
    return (
        len(name) < 2
        or _SMALL_TAIL.search(name) is not None
        or in_small_letters(name) in reader.lexicons["stop_words"].words
        or in_small_letters(name) in _members(reader)
        or reader.lexicons["components"].first("not_a_component", name) is not None
    )


def _members(reader: Reader) -> set[str]:
    """Units, currencies, file types and the like."""
    groups = reader.lexicons["contrasts"].word_groups.values()
    return {word for named in groups for group in named for word in group}
