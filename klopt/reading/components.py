"""The components of the product that a text names: menu items, buttons, tabs, fields, keys.

Help pages set components apart by markup, and a bot that answers from them keeps doing so, also
for components that it makes up; that makes them the sharpest test of an answer (AFAS paper,
sections 4.4.2 and 5.2). Whatever is taken for a component here and stands in no page may cost an
answer its score, so in doubt something is no component: words stressed by bold, bold lead-ins of
list items, whole sentences, quotations that nothing near calls a control.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import regex

from klopt.lexicons import Lexicon, Lexicons
from klopt.reading.forms import FoldedText, component_key, fold
from klopt.reading.text import Block, Mark, PlainText, Span

__all__ = [
    "Component",
    "FoldedText",
    "component_key",
    "find_components",
    "fold",
]

ComponentKind = Literal[
    "emphasis",
    "quote",
    "breadcrumb",
    "click_phrase",
    "named_control",
    "plain_name",
    "key",
    "code",
    "sign",
]

MOST_WORDS: Final = 8
"""A longer stretch is no name of anything on a screen."""
MOST_CHARS: Final = 80
MOST_QUOTED_WORDS: Final = 6
SENTENCE_WORDS: Final = 4
"""From this many words on, a full stop or question mark at the end makes it a sentence."""
CUE_CHARS: Final = 80
"""How far before a component something may say that it is one."""

_PATTERN_GROUPS: Final[tuple[ComponentKind, ...]] = (
    "key",
    "sign",
    "quote",
    "breadcrumb",
    "click_phrase",
    "named_control",
    "plain_name",
)
_LATER: Final = ("plain_name", "sign")
_PATH: Final = regex.compile(r"\s*[▸►▶›»→|]\s*|\s+(?:>|/|->)\s+", regex.VERSION1)
_PART: Final = regex.compile(r"[^\s:,;](?:.*[^\s:,;])?", regex.VERSION1)
_LEADS_IN: Final = regex.compile(r"\s?[:–—](?:\s|\Z)|\s-\s", regex.VERSION1)
_NEW_SENTENCE: Final = regex.compile(r"(?:\A|[.!?:|\n])[\s\"'“‘(]*\Z", regex.VERSION1)
_IN_A_ROW: Final = regex.compile(
    r"[\"'”’»]\s?(?:,|>|/|▸|»|→|(?:, )?(?:en|of|and|or))\s[\"'“‘„«]", regex.VERSION1
)
_TWO_SENTENCES: Final = regex.compile(r"[.!?]\s+\p{Lu}", regex.VERSION1)


@dataclass(frozen=True, slots=True)
class Component:
    """One component that a text names.

    Attributes:
        text: As it stands in the plain text.
        key: The name to compare, from `component_key`; never empty.
        start: First plain character.
        end: After the last plain character.
        kind: What gave it away; ``code`` is code that is no key, such as a command.
        entry: The pattern's id, or the kind of mark.
    """

    text: str
    key: str
    start: int
    end: int
    kind: ComponentKind
    entry: str


def find_components(
    plain: PlainText, lexicons: Lexicons, *, plain_names: bool = True
) -> tuple[Component, ...]:
    """The components that a text names, in order, not overlapping.

    Markup goes before words: where a mark and a pattern overlap, the mark says what the name is;
    but keys that are marked one by one are the combination that they stand in ("`Ctrl`+`F5`").
    Each part of a breadcrumb is a component. Blocks of code have none.

    Args:
        plain: The text, with its marks.
        lexicons: The tables of its language; of ``components`` the patterns are used by group.
        plain_names: Whether names count that only a capital sets apart, beside a kind of control
            or a verb ("Open de tegel Verlof"), and those of one letter or sign ("Klik op +").

    Raises:
        PatternTimeoutError: A company's own pattern is too slow.

    >>> from klopt import lexicons
    >>> from klopt.reading.text import read_plain
    >>> found = find_components(read_plain("Ga naar: HRM / Contract"), lexicons.load("nl"))
    >>> [(component.key, component.kind) for component in found]
    [('hrm', 'breadcrumb'), ('contract', 'breadcrumb')]
    """
    search = _Search(plain, lexicons["components"], plain_names=plain_names)
    taken = bytearray(len(plain.text))
    for block in plain.blocks:
        if block.kind == "code":
            _take(taken, block.start, block.end)
    found: list[Component] = []
    for parts in search.marked():
        _keep(parts, taken, found)
    for mark in search.closed:
        _take(taken, mark.start, mark.end)
    for parts in search.written():
        _keep(parts, taken, found)
    return tuple(sorted(found, key=lambda component: component.start))


def _keep(parts: list[Component], taken: bytearray, found: list[Component]) -> None:
    """Keeps a candidate unless something else has one of its places."""
    if all(taken.find(1, part.start, part.end) < 0 for part in parts):
        found.extend(parts)
        for part in parts:
            _take(taken, part.start, part.end)


def _take(taken: bytearray, start: int, end: int) -> None:
    taken[start:end] = b"\1" * (end - start)


class _Search:
    """Candidates of one text; each is a component or the parts of one breadcrumb."""

    def __init__(self, plain: PlainText, lexicon: Lexicon, *, plain_names: bool) -> None:
        self.plain = plain
        self.text = plain.text
        self.lexicon = lexicon
        self.groups = [one for one in _PATTERN_GROUPS if plain_names or one not in _LATER]
        self.closed: list[Mark] = []  # lead-ins, in which no words are looked at
        found = (one.span() for key in lexicon.group("key") for one in key.finditer(plain.text))
        self._keys = sorted(found)

    def marked(self) -> Iterator[list[Component]]:
        """What the markup sets apart."""
        blocks = iter(self.plain.blocks)
        block: Block | None = next(blocks, None)
        for mark in self.plain.marks:
            while block is not None and block.end < mark.end:
                block = next(blocks, None)
            name = self.text[mark.start : mark.end]
            if mark.kind == "link" or not _is_short(name, MOST_WORDS) or self._is_part(mark):
                continue
            if mark.kind in ("code", "key"):
                kind: ComponentKind = "key" if self._is_key(name) else "code"
                yield self._parts(mark.start, mark.end, kind, mark.kind, is_path=False)
            elif self._leads_in(mark, name):
                self.closed.append(mark)
            elif not self._is_stress(mark, name, block):
                yield self._parts(mark.start, mark.end, "emphasis", mark.kind, is_path=True)

    def written(self) -> Iterator[list[Component]]:
        """What the words give away."""
        for group in self.groups:
            for pattern in self.lexicon.group(group):
                last = 0
                for match in pattern.finditer(self.text):
                    spans = match.spans("label")
                    if group == "quote":
                        if not self._is_named_by_quotes(*spans[0], last):
                            continue
                        last = spans[-1][1]
                    kind = "breadcrumb" if len(spans) > 1 else group
                    parts = [self._parts(*span, kind, pattern.id, is_path=False) for span in spans]
                    if all(parts):
                        yield [component for part in parts for component in part]

    def _parts(
        self, start: int, end: int, kind: ComponentKind, entry: str, *, is_path: bool
    ) -> list[Component]:
        """One component, or one for each part of a breadcrumb; none if any is no component."""
        cuts = [match.span() for match in _PATH.finditer(self.text, start, end)] if is_path else []
        starts, ends = [start, *(cut[1] for cut in cuts)], [*(cut[0] for cut in cuts), end]
        parts: list[Component] = []
        for part_start, part_end in zip(starts, ends, strict=True):
            match = _PART.search(self.text, part_start, part_end)
            name = match.group() if match else ""
            if match is None or not (kind in ("key", "sign") or any(map(str.isalnum, name))):
                if cuts:
                    continue
                return []
            is_key = kind != "code" and self._is_key(name)
            key = component_key(name, is_key=is_key)
            is_short = len(key) < 2 and kind != "sign"
            if not is_key and (is_short or self.lexicon.first("not_a_component", name)):
                return []
            part_kind = "key" if is_key else "breadcrumb" if cuts else kind
            parts.append(Component(name, key, *match.span(), part_kind, entry))
        return parts

    def _is_key(self, name: str) -> bool:
        matches = (pattern.search(name) for pattern in self.lexicon.group("key"))
        return any(match is not None and match.span() == (0, len(name)) for match in matches)

    def _is_part(self, mark: Mark) -> bool:
        """Whether a mark is around a part of a key combination."""
        before = bisect_right(self._keys, (mark.start, len(self.text))) - 1
        start, end = self._keys[before] if before >= 0 else (0, 0)
        return mark.end <= end and (start, end) != (mark.start, mark.end)

    def _is_stress(self, mark: Mark, name: str, block: Block | None) -> bool:
        """Whether bold or italics stand for something else than a name."""
        if _is_sentence(name):
            return True
        if block is not None:
            around = self._cell(block, mark) if block.kind == "row" else block
            rest = self.text[mark.end : around.end]
            is_all = len(rest) < CUE_CHARS and not rest.strip(" .:!?…")
            if around.start == mark.start and is_all:
                return True
        matches = (pattern.search(name) for pattern in self.lexicon.group("click_phrase"))
        if any(match is not None and match.start() == 0 for match in matches):
            return True
        is_name = name[0].isupper() or name[0].isdigit()
        if is_name and not (mark.kind == "emphasis" and self._opens_sentence(mark)):
            return False
        return not self._has_cue(mark.start, mark.end)

    def _cell(self, row: Block, mark: Mark) -> Span:
        """The cell that a mark stands in."""
        return next(one for one in self.plain.cells(row) if mark.end <= one.end)

    def _leads_in(self, mark: Mark, name: str) -> bool:
        """Whether bold or italics are the heading of what follows: "**Wifi aanzetten:** ..."."""
        return name.endswith(":") or (
            self._opens_sentence(mark) and _LEADS_IN.match(self.text, mark.end) is not None
        )

    def _opens_sentence(self, mark: Mark) -> bool:
        before = self.text[max(0, mark.start - CUE_CHARS) : mark.start]
        return _NEW_SENTENCE.search(before) is not None

    def _is_named_by_quotes(self, start: int, end: int, last: int) -> bool:
        """Whether a quotation names a control, by a cue or as the next in a row after ``last``."""
        name = self.text[start:end]
        if not _is_short(name, MOST_QUOTED_WORDS) or _is_sentence(name):
            return False
        if last and _IN_A_ROW.fullmatch(self.text, last, start):
            return True
        return self._has_cue(start, end)

    def _has_cue(self, start: int, end: int) -> bool:
        """Whether a click verb stands before, or a noun such as "knop" beside a name."""
        before = self.text[max(0, start - CUE_CHARS) : start + 1].rpartition("\n")[2]
        after = self.text[end : end + CUE_CHARS]
        found = self.lexicon.first("cue_before", before) or self.lexicon.first("cue_after", after)
        return found is not None


def _is_short(name: str, most_words: int) -> bool:
    if len(name) > MOST_CHARS or "\n" in name:
        return False
    return 0 < len(name.split()) <= most_words


def _is_sentence(name: str) -> bool:
    if _TWO_SENTENCES.search(name):
        return True
    return name[-1] in ".?!" and len(name.split()) >= SENTENCE_WORDS
