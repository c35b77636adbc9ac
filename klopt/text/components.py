"""Find the UI components that a text names: menu items, buttons, tabs, fields, keys.

Help pages mark components up, and so do bots, also for components that they invent (AFAS paper,
sections 4.4.2 and 5.2). A component that no page names may lower the score, so doubtful candidates
are left out: emphasis, bold lead-ins, whole sentences, quotations without a cue.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from operator import attrgetter
from typing import Final, Literal, NamedTuple, TypeAlias, cast

import regex

from klopt.lexicons import Lexicon, Pattern
from klopt.text.plain import Block, Mark, PlainText, Span, in_small_letters

Hit: TypeAlias = tuple[Pattern, list[regex.Match[str]]]  # a pattern and its matches
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
MAX_WORDS: Final = 8  # in the name of a component
MAX_CHARS: Final = 80
MAX_QUOTED_WORDS: Final = 6
SENTENCE_WORDS: Final = 4
"""Fewest words of a name that a full stop or question mark makes a sentence."""
MAX_NAMES: Final = 4_096  # names in each cache
CUE_CHARS: Final = 80  # distance of a cue to a component
_PATTERN_GROUPS: Final[tuple[ComponentKind, ...]] = (
    "key",
    "sign",
    "quote",
    "breadcrumb",
    "click_phrase",
    "named_control",
    "plain_name",
)
_SURE_GROUPS: Final = tuple(name for name in _PATTERN_GROUPS if name not in ("plain_name", "sign"))
_PATH: Final = regex.compile(r"\s*[▸►▶›»→‣|]\s*|\s+(?:>|/|->)\s+", regex.VERSION1)
_EDGES: Final = "\t\n\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000:,;" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""Blanks and punctuation around a name."""
_LEADS_IN: Final = regex.compile(r"\s?[:–—](?:\s|\Z)|\s-\s", regex.VERSION1)
_NEW_SENTENCE: Final = regex.compile(  # from the end
    r"(?:\A|[.!?:|\n])[\s\"'“‘(]*\Z", regex.VERSION1 | regex.REVERSE
)
_IN_A_ROW: Final = regex.compile(
    r"[\"'”’»]\s?(?:,|>|/|▸|»|→|(?:, )?(?:en|of|and|or))\s[\"'“‘„«]", regex.VERSION1
)
_TWO_SENTENCES: Final = regex.compile(r"[.!?]\s+\p{Lu}", regex.VERSION1)
MAX_MODIFIERS: Final = 4
"""Key combinations with up to this many keys held down are found in any order."""
_ONE_SPELLING: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("\u00a0\u2007\u2009\u202f\t\n\r\v\f", " "),
        "İ": "I",
    }
)
_AND: Final = regex.compile(r"(?<=\S )(?:en|and)(?= \S)", regex.VERSION1)
_MNEMONIC: Final = regex.compile(r"(?<!\S)[&_](?=\w)", regex.VERSION1)
_AROUND: Final = " \"'…:;,!?.()[]"
_JOINED_KEYS: Final = regex.compile(r"\s*\+\s*|(?<=\w)\s*-\s*(?=\w)", regex.VERSION1)
_CHAIN: Final = regex.compile(r"\w[\w ]*(?:\+[^\s+]+(?: \w+)?)+", regex.VERSION1)


class Component(NamedTuple):
    """One component that a text names.

    Attributes:
        text: As in the plain text.
        key: The name to compare, from `component_key`; never empty.
        start: First plain character.
        end: After the last plain character.
        kind: How it was found; ``code`` is code other than a key, such as a command.
        entry: The pattern's id, or the kind of mark.
    """

    text: str
    key: str
    start: int
    end: int
    kind: ComponentKind
    entry: str


def find_components(
    plain: PlainText, lexicon: Lexicon, *, plain_names: bool = True
) -> tuple[Component, ...]:
    """Return the components that a text names, in order, not overlapping.

    Marks take precedence over patterns, except in key combinations ("`Ctrl`+`F5`"). Each part of a
    breadcrumb is a component. Blocks of code have none. ``plain_names`` adds names marked only by a
    capital beside a control or verb ("Open de tegel Verlof"), and single signs ("Klik op +").

    Raises:
        PatternTimeoutError: A company's own pattern is too slow.

    >>> from klopt import lexicons
    >>> from klopt.text.building import read_plain
    >>> lexicon = lexicons.load("nl")["components"]
    >>> found = find_components(read_plain("Ga naar: HRM / Contract"), lexicon)
    >>> [(component.key, component.kind) for component in found]
    [('hrm', 'breadcrumb'), ('contract', 'breadcrumb')]
    """
    groups = _PATTERN_GROUPS if plain_names else _SURE_GROUPS
    search = _Search(plain, lexicon, lexicon.hits(plain.text, *groups))
    search.marked()
    search.written()
    return tuple(sorted(search.found, key=attrgetter("start")))


class _Search:
    """Search for the components of one text."""

    def __init__(self, plain: PlainText, lexicon: Lexicon, hits: Sequence[Hit]) -> None:
        self.plain = plain
        self.text = plain.text
        self.lexicon = lexicon
        self.found: list[Component] = []
        self._taken = bytearray(len(plain.text))
        for block in plain.blocks:
            if block.kind == "code":
                self._taken[block.start : block.end] = b"\1" * (block.end - block.start)
        self._hits = hits
        keys = [matches for pattern, matches in hits if pattern.group == "key"]
        self._keys = sorted(match.span() for matches in keys for match in matches)

    def _keep(self, parts: list[Component]) -> None:
        """Keep the parts of a breadcrumb, unless one overlaps another component."""
        for part in parts:
            if self._taken.find(1, part.start, part.end) >= 0:
                return
        for part in parts:
            self._taken[part.start : part.end] = b"\1" * (part.end - part.start)
            self.found.append(part)

    def marked(self) -> None:
        """Find components by markup."""
        blocks = iter(self.plain.blocks)
        block: Block | None = next(blocks, None)
        closed: list[Mark] = []  # lead-ins, in which no pattern may match
        for mark in self.plain.marks:
            while block is not None and block.end < mark.end:
                block = next(blocks, None)
            name = self.text[mark.start : mark.end]
            if mark.kind == "link" or not _is_short(name, MAX_WORDS) or self._is_part(mark):
                continue
            if mark.kind in ("code", "key"):
                kind: ComponentKind = "key" if _is_key(self.lexicon, name) else "code"
                self._keep(self._parts(mark.start, mark.end, kind, mark.kind, is_path=False))
            elif self._leads_in(mark, name):
                closed.append(mark)
            elif not self._is_stress(mark, name, block):
                is_path = not name.replace(" ", "").isalpha()
                self._keep(
                    self._parts(mark.start, mark.end, "emphasis", mark.kind, is_path=is_path)
                )
        for mark in closed:
            self._taken[mark.start : mark.end] = b"\1" * (mark.end - mark.start)

    def written(self) -> None:
        """Find components by the patterns of the lexicon."""
        for pattern, matches in self._hits:
            last = 0
            group = cast(ComponentKind, pattern.group)
            for match in matches:
                spans = match.spans("label")
                if group == "quote":
                    if not self._is_named_by_quotes(*spans[0], last):
                        continue
                    last = spans[-1][1]
                kind = "breadcrumb" if len(spans) > 1 else group
                parts = [self._parts(*span, kind, pattern.id, is_path=False) for span in spans]
                if all(parts):
                    self._keep([component for part in parts for component in part])

    def _parts(
        self, start: int, end: int, kind: ComponentKind, entry: str, *, is_path: bool
    ) -> list[Component]:
        """One component, or one for each part of a breadcrumb; none if any is no component."""
        cuts = [match.span() for match in _PATH.finditer(self.text, start, end)] if is_path else []
        starts, ends = [start, *(cut[1] for cut in cuts)], [*(cut[0] for cut in cuts), end]
        parts: list[Component] = []
        for part_start, part_end in zip(starts, ends, strict=True):
            named = self.text[part_start:part_end].lstrip(_EDGES)
            name = named.partition("\n")[0].rstrip(_EDGES)
            if not name or not (kind in ("key", "sign") or any(map(str.isalnum, name))):
                if cuts:
                    continue
                return []
            first = part_end - len(named)
            last = first + len(name)
            key, is_key = _key_of(self.lexicon, name, kind)
            if not key and kind == "emphasis" and self._has_cue(first, last):
                key, is_key = _key_of(self.lexicon, name, kind, is_cued=True)
            if not key:
                return []
            part_kind = "key" if is_key else "breadcrumb" if cuts else kind
            parts.append(Component(name, key, first, last, part_kind, entry))
        return parts

    def _is_part(self, mark: Mark) -> bool:
        """Whether a mark is around a part of a key combination."""
        before = bisect_right(self._keys, (mark.start, len(self.text))) - 1
        start, end = self._keys[before] if before >= 0 else (0, 0)
        return mark.end <= end and (start, end) != (mark.start, mark.end)

    def _is_stress(self, mark: Mark, name: str, block: Block | None) -> bool:
        """Whether bold or italics stress words rather than mark a name."""
        if _is_sentence(name):
            return True
        if block is not None:
            cells = self.plain.cells(block) if block.kind == "row" else [block]
            around = next(cell for cell in cells if mark.end <= cell.end)
            is_near = around.start == mark.start and around.end - mark.end < CUE_CHARS
            if is_near and not self.text[mark.end : around.end].strip(" .:!?…"):
                return True
        if _tells_to_click(self.lexicon, name):
            return True
        is_name = name[0].isupper() or name[0].isdigit()
        if is_name and not (mark.kind == "emphasis" and self._opens_sentence(mark)):
            return False
        return not self._has_cue(mark.start, mark.end)

    def _leads_in(self, mark: Mark, name: str) -> bool:
        """Whether bold or italics are the heading of what follows: "**Wifi aanzetten:** ..."."""
        return name.endswith(":") or (
            _LEADS_IN.match(self.text, mark.end) is not None and self._opens_sentence(mark)
        )

    def _opens_sentence(self, mark: Mark) -> bool:
        before = self.text[max(0, mark.start - CUE_CHARS) : mark.start]
        return _NEW_SENTENCE.search(before) is not None

    def _is_named_by_quotes(self, start: int, end: int, last: int) -> bool:
        """Whether a quotation names a control, by a cue or as the next in a row after ``last``."""
        name = self.text[start:end]
        if not _is_short(name, MAX_QUOTED_WORDS) or _is_sentence(name):
            return False
        if last and _IN_A_ROW.fullmatch(self.text, last, start):
            return True
        return self._has_cue(start, end)

    def _has_cue(self, start: int, end: int) -> bool:
        """Whether a click verb precedes a name, or a noun such as "knop" is beside it."""
        before = self.text[max(0, start - CUE_CHARS) : start + 1].rpartition("\n")[2]
        after = self.text[end : end + CUE_CHARS]
        cue = self.lexicon.first("cue_before", before) or self.lexicon.first("cue_after", after)
        return cue is not None


@lru_cache(maxsize=MAX_NAMES)
def _key_of(
    lexicon: Lexicon, name: str, kind: ComponentKind, *, is_cued: bool = False
) -> tuple[str, bool]:
    """The key of a name and whether it is one of the keyboard; none where it names nothing.

    A verb names something after a cue only: "Klik op **Start**".
    """
    is_key = kind != "code" and _is_key(lexicon, name)
    key = component_key(name, is_key=is_key)
    is_short = len(key) < 2 and kind != "sign"
    is_verb = is_cued and lexicon.first("not_a_component", name, only="verb")
    is_denied = not is_verb and lexicon.first("not_a_component", name)
    is_none = not is_key and (is_short or is_denied)
    return "" if is_none else key, is_key


@lru_cache(maxsize=MAX_NAMES)
def _is_key(lexicon: Lexicon, name: str) -> bool:
    return any(m[0].span() == (0, len(name)) for _, m in lexicon.hits(name, "key"))


@lru_cache(maxsize=MAX_NAMES)
def _tells_to_click(lexicon: Lexicon, name: str) -> bool:
    return any(not matches[0].start() for _, matches in lexicon.hits(name, "click_phrase"))


def _is_short(name: str, most_words: int) -> bool:
    if len(name) > MAX_CHARS or "\n" in name:
        return False
    return 0 < len(name.split()) <= most_words


@lru_cache(maxsize=MAX_NAMES)
def _is_sentence(name: str) -> bool:
    if _TWO_SENTENCES.search(name):
        return True
    return name[-1] in ".?!" and len(name.split()) >= SENTENCE_WORDS


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text in which component names can be looked up."""

    text: str

    def find(self, key: str) -> Span | None:
        """Return the first occurrence of a name as whole words, or None.

        >>> fold("Open Regio en taal.").find(component_key("Regio & Taal…"))
        Span(start=5, end=18)
        >>> fold("Opslaanknop").find("opslaan") is None
        True
        """
        if not key:
            return None
        if "&" in key or "+" in key:
            match = _expression(key).search(self.text)
            return Span(*match.span()) if match else None
        start = self.text.find(key)
        while start >= 0:
            end = start + len(key)
            if self._is_whole(key, start, end):
                return Span(start, end)
            start = self.text.find(key, start + 1)
        return None

    def _is_whole(self, key: str, start: int, end: int) -> bool:
        before, after = self.text[start - 1 : start], self.text[end : end + 1]
        return not (key[0].isalnum() and before.isalnum()) and not (
            key[-1].isalnum() and after.isalnum()
        )


def fold(text: str) -> FoldedText:
    """Normalise a text for looking names up; offsets stay.

    >>> fold("Klik op “OPSLAAN”.").find("opslaan")
    Span(start=9, end=16)
    >>> fold("Kies ‘Wi‑Fi’").text
    "kies 'wi-fi'"
    """
    return FoldedText(in_small_letters(text.translate(_ONE_SPELLING)))


def component_key(text: str, *, is_key: bool = False) -> str:
    """Return the name of a component without differences in spelling.

    Ignored are case, kinds of quotes, dashes and blanks, punctuation around the name ("Opslaan
    als…"), and mnemonics ("&Bestand"). "en" and "and" become "&"; held keys are sorted.

    >>> component_key("Regio en taal:"), component_key("&Opslaan als…")
    ('regio & taal', 'opslaan als')
    >>> component_key("Shift + Ctrl + T", is_key=True)
    'ctrl+shift+t'
    """
    name = " ".join(fold(unicodedata.normalize("NFC", text)).text.split())
    if is_key:
        *held, last = _JOINED_KEYS.sub("+", name).removesuffix("-toets").split("+")
        return "+".join([*sorted("ctrl" if key == "control" else key for key in held), last])
    name = _MNEMONIC.sub("", name)
    name = name.strip(_AROUND) or name
    return _AND.sub("&", name)


@lru_cache(maxsize=4096)
def _expression(key: str) -> regex.Pattern[str]:
    """Return the expression of a name with "&", or of a key combination, in any spelling."""
    if _CHAIN.fullmatch(key):
        *held, last = key.split("+")
        orders = permutations(held) if len(held) <= MAX_MODIFIERS else [tuple(held)]
        body = "|".join(r"\s?[+-]\s?".join(map(_key_name, (*order, last))) for order in orders)
    else:
        words = (r"(?:&|en|and)" if word == "&" else regex.escape(word) for word in key.split(" "))
        body = r"\s+".join(words)
    start = r"(?<!\w)" if key[0].isalnum() else ""
    end = r"(?!\w)" if key[-1].isalnum() else ""
    return regex.compile(f"{start}(?:{body}){end}", regex.VERSION1)


def _key_name(key: str) -> str:
    return "(?:ctrl|control)" if key == "ctrl" else regex.escape(key)
