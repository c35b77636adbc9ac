"""Find citations, numbered steps, identifiers and the patterns of parts in the lines of an answer.

Citations are "[1]", "(Passage 2)", "(bron: pas.md)" or "【4:0†pas.md】". Steps that are no list to
Markdown, such as "Zo gaat het: 1. Open A 2. Kies B", "Stap 1: Open A. Stap 2: Kies B." and lines
that begin with a keycap, become the items of a numbered list, so that their numbers are no values.
Identifiers are phone numbers, addresses and codes, which a bot that does not copy one invents; no
hours, dates, amounts or units. The patterns are those of the parts of an answer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

import regex

from klopt._internal import shipped
from klopt.lexicons import Lexicons
from klopt.text.guides import OPENING
from klopt.text.plain import Block, PlainText, Span

PartKind: TypeAlias = Literal[
    "opener",
    "lead_in",
    "claim",
    "step",
    "heading",
    "source",
    "closing",
    "question_back",
    "disclaimer",
    "admission",
]
KINDS: Final[tuple[PartKind, ...]] = get_args(PartKind)
GROUPS: Final[Mapping[str, PartKind]] = {
    "disclaimer": "disclaimer",
    "signature": "disclaimer",
    "source": "source",
    "presumed": "heading",
    "question_back": "question_back",
    "closing": "closing",
    "contact_details": "closing",
    "details_below": "closing",
    "contact": "closing",
    "lead_in": "lead_in",
    "attribution": "lead_in",
    "label": "heading",
    "opener": "opener",
    "assent": "opener",
}
"""The groups of patterns in the order in which they are tried, and the kind that each makes."""
WORD: Final = regex.compile(r"[\p{L}\p{N}]\w*+", regex.VERSION1)
_OTHER_GROUPS: Final = (
    ("sources", "source", r"\s?:[^\n]{0,300}+"),
    ("closings", "closing", r"(?=\s?[,.!?:;–—]|\W*\Z)"),
    ("openers", "opener", r"(?=\s?[,.!?:;–—]|\W*\Z)"),
)
"""For languages without lexicons: a list of phrases, its group, and what follows a phrase."""
FEWEST_DIGITS: Final = 9  # of a phone number
COMPARED_DIGITS: Final = 8  # the last ones: +31 88 and 088 are one number
_HYPHEN: Final = r"[-\u2010-\u2013]"
_DOMAIN: Final = r"(?:[a-z0-9][a-z0-9-]{0,62}\.){1,4}"
_IDENTIFIER: Final = regex.compile(
    rf"""(?<![\w.,/+-])(?:(?P<url>(?:https?://|www\.)[^\s<>"'“”‘’()\[\]{{}}|*`]{{3,2000}}(?<![.,:;!?…])
          |{_DOMAIN}(?:com|org|net|nl|be|eu|edu|gov|uk|de|fr)\b(?!@|[.-]?\w)
            (?:/[^\s<>"'“”‘’()\[\]{{}}|*`]{{0,2000}}(?<![.,:;!?…]))?)
      | (?P<placeholder>[$\#]?\{{{{1,3}}+[ ]?[A-Za-z_][\w.-]{{0,60}}[ ]?\}}{{1,3}}+
          |%(?:\d\$)?(?:[sdi]\b|\([a-z_]{{1,40}}\)[sd]\b))
      | (?:(?P<address>[\w.+-]{{1,64}}@[\w-]{{1,64}}(?:\.[\w-]{{1,64}}){{0,4}}\.[A-Za-z]{{2,24}})
      | (?P<code>[A-Z]{{1,2}}\d{{2,8}}|[A-Z]{{1,5}}{_HYPHEN}\d{{2,8}})
      | (?P<phone>(?:\+|\(?0)\d{{1,11}}\)?
          (?:(?:[ ]|{_HYPHEN}|[ ]{_HYPHEN}[ ])(?:\(0\)[ ]?)?\d{{1,8}}){{0,5}})
      )(?![\w-]))""",
    regex.VERSION1 | regex.VERBOSE,
)
_SPELLED_CODE: Final = regex.compile(
    rf"(?<!\w)([A-Z]{{1,5}})(?:{_HYPHEN}|[ ._])?(\d{{2,8}})(?!\w)",
    regex.VERSION1 | regex.IGNORECASE,
)
_DATE: Final = regex.compile(r"\d{1,2}[- ]\d{1,2}[- ]\d{4}(?!\d)|\d{4}-\d{2}-\d{2}", regex.VERSION1)
_SCHEME: Final = regex.compile(r"(?:https?://)?(?:www\.)?", regex.VERSION1)
_URL_PARTS: Final = 10  # of a URL on a page: acme.nl/a/b also makes acme.nl and acme.nl/a known
_NO_LETTER: Final = regex.compile(r"[\W_]+", regex.VERSION1)
EDGE: Final = " \t\n.,;:!?*_\"'“”‘’„«»()[]<>•-–—"  # characters around the name of a page
TO_WORD: Final = regex.compile(r"[^\p{L}\p{N}]*+", regex.VERSION1)
"""Characters before the first word."""
_BRACKETS: Final = regex.compile(
    r"(?<!\w\()[(\[]([^()\[\]\n]{1,160}+)[)\]]|【[^【】\n]{0,80}+】", regex.VERSION1
)
_NESTED: Final = regex.compile(
    r"\((?:\p{L}{1,12}[ :,]{1,2}){0,2}"
    r"(?:\[\^?\d{1,3}\^?\](?:[ ,;]{1,2}\p{L}{0,9}[ ,;]{0,2})?){1,20}+\)",
    regex.VERSION1,
)
"""Citations in parentheses, such as "(see [1] and [2])"."""
_NUMBERS: Final = regex.compile(r"\s?\^?\d{1,3}\^?(?:\s?[,;–-]\s?\^?\d{1,3}\^?){0,20}\s?")


def citations(
    answer: PlainText, lexicons: Lexicons | None, names: Collection[str]
) -> Iterator[Span]:
    """Yield the bracketed stretches that name a source."""
    text = answer.text
    spans = [
        Span(*match.span())
        for match in _BRACKETS.finditer(text)
        if _is_citation(match, lexicons, names)
    ]
    spans += [Span(*match.span()) for match in _NESTED.finditer(text)]
    spans += [
        Span(mark.start, mark.end)
        for mark in answer.marks
        if mark.kind == "link" and _NUMBERS.fullmatch(text, mark.start, mark.end)
    ]
    if not spans:
        return
    codes = [(mark.start, mark.end) for mark in answer.marks if mark.kind == "code"]
    starts, last = [start for start, _ in codes], 0
    for span in sorted(spans, key=lambda one: (one.start, -one.end)):
        at = bisect_right(starts, span.start) - 1
        if span.start >= last and not (at >= 0 and span.start < codes[at][1]):
            yield span
            last = span.end


def behind(answer: PlainText, sources: Sequence[Span]) -> frozenset[int]:
    """Return the original offsets of the text behind citations that begin a block."""
    if not sources:
        return frozenset()
    starts = {block.start for block in answer.blocks}
    places = (
        TO_WORD.match(answer.text, one.end).end()  # type: ignore[union-attr]
        for one in sources
        if one.start in starts
    )
    return frozenset(answer.origins[place] for place in places)


def _is_citation(
    match: regex.Match[str], lexicons: Lexicons | None, names: Collection[str]
) -> bool:
    content = match[1]
    if content is None:
        return True
    if match[0][0] == "[" and _NUMBERS.fullmatch(content):
        return True
    name = bare(content.partition(",")[0])
    if name in names and not name.isalnum():
        return True
    patterns = lexicons["answer_parts"].group("citation") if lexicons else ()
    return any(one.match_start(content) is not None for one in patterns)


def bare(name: str) -> str:
    """A name without case, markup and punctuation around it."""
    return " ".join(name.strip(EDGE).split()).casefold()


_MARKER: Final = regex.compile(
    r"(?:(?<!\S)|(?<=[.:;!?])|\\n)"
    r"(?:(?<keycap>\d)\ufe0f?\u20e3|(?<word>stap|step|schritt|étape)\s?(?<named>\d{1,2})\s?[.:)–-]"
    r"|\(?(?<plain>\d{1,2})[.)])\s*+(?=\S)",
    regex.VERSION1 | regex.IGNORECASE,
)
_STARTS: Final = regex.compile(r"[\"'“‘„«(\[*]*+\p{Lu}", regex.VERSION1)


@dataclass(frozen=True, slots=True)
class _Marker:
    """The number of a step: its style, value, place and block."""

    style: str
    number: int
    start: int
    end: int
    block: int
    opens: bool


def list_items(
    plain: PlainText, lexicons: Lexicons | None
) -> tuple[list[Block] | None, Mapping[int, int]]:
    """The blocks of a text with such steps as items of their own, without their numbers.

    Returns:
        The blocks, or None where nothing changes; and, for the original offset of each item's
        first character, that of its number.

    >>> from klopt import lexicons
    >>> from klopt.text.building import read_plain
    >>> plain = read_plain("Zo gaat het: 1. Open Taken 2. Kies Nieuw")
    >>> blocks, _ = list_items(plain, lexicons.load("nl"))
    >>> [plain.text[one.start : one.end] for one in blocks], blocks[1].ordered
    (['Zo gaat het:', 'Open Taken', 'Kies Nieuw'], True)
    """
    if not any(map(str.isdigit, plain.text)):
        return None, {}
    chains = list(_chains(list(_markers(plain, lexicons))))
    if not chains:
        return None, {}
    lists = max((block.list_number for block in plain.blocks), default=-1) + 1
    first_of = {marker: (lists + n, i) for n, c in enumerate(chains) for i, marker in enumerate(c)}
    inside: dict[int, tuple[int, int]] = {}
    by_block: dict[int, list[_Marker]] = {}
    for chain in chains:
        for marker, following in zip(chain, [*chain[1:], None], strict=True):
            by_block.setdefault(marker.block, []).append(marker)
            for between in range(marker.block + 1, following.block if following else 0):
                inside[between] = first_of[marker]
    blocks: list[Block] = []
    origins: dict[int, int] = {}
    for number, block in enumerate(plain.blocks):
        place = inside.get(number)
        starts = [(block.start, place), *((m.end, first_of[m]) for m in by_block.get(number, ()))]
        ends = [*(m.start for m in by_block.get(number, ())), block.end]
        for (start, own), end in zip(starts, ends, strict=True):
            words = plain.text[start:end]
            end = start + len(words.rstrip())
            if end > start:
                blocks.append(
                    block._replace(start=start, end=end)
                    if own is None
                    else _item(block, start, end, *own)
                )
        for marker in by_block.get(number, ()):
            origins[plain.origins[marker.end]] = plain.origins[marker.start]
    return blocks, origins


def _item(block: Block, start: int, end: int, list_number: int, item: int) -> Block:
    kind = block.kind if block.kind == "code" else "item"
    return Block(kind, start, end, list_number, True, item, depth=block.depth + 1)


def _markers(plain: PlainText, lexicons: Lexicons | None) -> Iterator[_Marker]:
    """The numbers that may begin a step, in order; those of Markdown's lists are empty."""
    codes = [mark for mark in plain.marks if mark.kind == "code"]
    starts = [code.start for code in codes]
    for number, block in enumerate(plain.blocks):
        if block.kind not in ("paragraph", "quote", "item"):
            continue
        if block.ordered:
            item = block.item_number + 1
            yield _Marker("plain", item, block.start, block.start, number, opens=True)
        for match in _MARKER.finditer(plain.text, block.start, block.end):
            if match["plain"] and not _begins_step(plain.text, match.end(), block.end, lexicons):
                continue
            code = bisect_right(starts, match.start()) - 1
            if code >= 0 and match.start() < codes[code].end:
                continue
            style = "keycap" if match["keycap"] else "named" if match["word"] else "plain"
            value = match["keycap"] or match["named"] or match["plain"]
            before = plain.text[block.start : match.start()].rstrip()[-1:]
            opens = not before or not before.isalnum()
            yield _Marker(style, int(value), match.start(), match.end(), number, opens)


def _begins_step(text: str, start: int, end: int, lexicons: Lexicons | None) -> bool:
    """Whether what follows a bare number begins with a capital, or with an instruction."""
    if _STARTS.match(text, start, end):
        return True
    step = text[start : min(end, start + 40)]
    return lexicons is not None and bool(lexicons["guides"].first("step_verb", step, only=OPENING))


def _chains(markers: Sequence[_Marker]) -> Iterator[list[_Marker]]:
    """The runs of numbers 1, 2, 3 ... of one style, of at least two."""
    chain: list[_Marker] = []

    def is_new() -> bool:
        return len(chain) > 1 and any(marker.end > marker.start for marker in chain)

    for marker in markers:
        if chain and marker.number == len(chain) + 1 and marker.style == chain[0].style:
            chain.append(marker)
        elif marker.number == 1 and marker.opens:
            if is_new():
                yield chain
            chain = [marker]
    if is_new():
        yield chain


@cache
def _other_languages() -> Mapping[str, Mapping[str, list[str]]]:
    table = shipped.table("klopt.lexicons", "other_languages.toml")
    return {name: table[name] for name, _, _ in _OTHER_GROUPS}


def expressions(
    language: str, lexicons: Lexicons | None, text: str
) -> Sequence[tuple[str, regex.Pattern[str]]]:
    """Return the group and expression of patterns that may match, in order."""
    if lexicons is None:
        return _other_expressions(language)
    likely = lexicons["answer_parts"].likely(text, *GROUPS)
    return [(pattern.group, pattern.expression) for pattern in likely]


@cache
def _other_expressions(language: str) -> tuple[tuple[str, regex.Pattern[str]], ...]:
    made = []
    for name, group, ending in _OTHER_GROUPS:
        phrases = _other_languages()[name].get(language)
        if phrases:
            source = rf"(?i)\L<phrases>{ending}"
            made.append((group, regex.compile(source, regex.VERSION1, phrases=phrases)))
    return tuple(made)


def identifiers(text: str) -> Iterator[tuple[Span, str]]:
    """Yield the identifiers of a text in order, with a key that ignores spacing.

    >>> text = "Bel 088-5550123 (09.00-17.00 uur, tot 31-12-2026) of mail hulp@acme.nl bij E-404."
    >>> [key for _, key in identifiers(text)]
    ['85550123', 'hulp@acme.nl', 'e404']
    """
    for match in _IDENTIFIER.finditer(text):
        key = _key(match)
        if key:
            yield Span(*match.span()), key


def keys_of(texts: Iterable[str]) -> set[str]:
    """Return the keys of all identifiers of some texts, with codes in any spelling.

    >>> sorted(keys_of(["Tel. +31 88 555 01 23", "fout e 404"]))
    ['85550123', 'e404']
    >>> "info@acme.nl" in keys_of(["klanteninfo@acme.nl of info@acme.nl.evil.com"])
    False
    >>> sorted(keys_of(["Zie https://www.acme.nl/hulp/mail."])), sorted(keys_of(["{{naam}} %s"]))
    (['acme.nl', 'acme.nl/hulp', 'acme.nl/hulp/mail'], ['%s', '{naam}'])
    """
    keys: set[str] = set()
    for text in texts:
        for _, key in identifiers(text):
            keys.add(key)
            if "." in key and "@" not in key:
                folders = key.split("/")[:_URL_PARTS]
                keys.update("/".join(folders[:count]) for count in range(1, len(folders)))
        keys.update(f"{code[1]}{code[2]}".lower() for code in _SPELLED_CODE.finditer(text))
    return keys


def _key(match: regex.Match[str]) -> str:
    if match["url"]:
        whole = match[0].lower().partition("#")[0].partition("?")[0]
        return _SCHEME.sub("", whole, count=1).rstrip("/")
    if match["placeholder"]:
        bare = match[0].strip("$#{} ")
        return bare if bare[0] == "%" else f"{{{bare}}}"
    if match["phone"] is None:
        return match[0].lower() if match["address"] else _NO_LETTER.sub("", match[0]).lower()
    digits = _NO_LETTER.sub("", match[0])
    is_number = len(digits) >= FEWEST_DIGITS and not _DATE.match(match[0])
    return digits[-COMPARED_DIGITS:] if is_number else ""
