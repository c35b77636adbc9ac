"""Read a reference answer: its steps in order and its key terms."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

import regex

from klopt import lexicons
from klopt.text.key_terms import RuleHit, find_terms
from klopt.text.plain import Span
from klopt.text.reader import split_sentences

KeyTermMode: TypeAlias = Literal["auto", "bold", "rules", "none"]
KEY_TERM_MODES: Final[tuple[KeyTermMode, ...]] = get_args(KeyTermMode)
BOLD: Final = "bold"  # The kind of a bold key term

_LINE: Final = re.compile(r"[^\r\n]*\S[^\r\n]*")
_MARKER: Final = regex.compile(
    r"""
    (?: [-*+•–]
    |   (?: \#{1,6}[ \t]+ )?+ \*{0,3}+
        (?: (?P<word> (?i:step|stap)[ \t]+\d{1,3} ) (?: [ \t]*[.):–-] | [ \t]*(?=[\r\n]|\Z) )
        |   \d{1,3} (?P<style>[.)])
        )
        \*{0,3}+
    )
    (?=\s|\Z)
    """,
    regex.VERBOSE | regex.VERSION1,
)
_BOLD: Final = regex.compile(
    r"""
    (?P<open> \*\* (?P<third>\*)? ) (?![\s*])
    (?P<text>
        (?: (?!\*\*)[^\r\n]
        | (?:\r\n|\r|\n) (?![ \t]* (?: [\r\n] | \Z | (?:\d{1,3}[.)]|[-+*•])\s ))
        )++)
    (?<!\s) (?P<close> \*\* (?(third)\*?) )
    """,
    regex.VERBOSE | regex.VERSION1,
)
_PUBLISHED_BOLD: Final = re.compile(r"(?P<open>\*\*)(?P<text>.*?)(?P<close>\*\*)")
_TAB_CHARS: Final = 4
_SLOPPY_CHARS: Final = 1  # Items whose indentation differs by this much are on one level
_ENDS_A_STEP: Final = (".", "!", "?", ":", ";", "…")


@dataclass(frozen=True, slots=True)
class ReferenceStep:
    """A step, with its number from 0 and its span; title and text have no list number and bold."""

    number: int
    title: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class KeyTerm:
    """A term that a step depends on; its kind is ``bold`` or a rule of ``key_terms.toml``."""

    text: str
    start: int
    end: int
    step: int
    kind: str


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference answer: steps, key terms and bold spans, each in order."""

    text: str
    steps: tuple[ReferenceStep, ...]
    terms: tuple[KeyTerm, ...]
    bolds: tuple[Bold, ...] = ()

    @property
    def same_steps(self) -> tuple[int, ...]:
        r"""For each step the first one with the same title.

        >>> read_reference("1. Restart.\n2. Edit.\n3. restart.").same_steps
        (0, 1, 0)
        """
        first: dict[str, int] = {}
        return tuple(first.setdefault(plain_title(step.title), step.number) for step in self.steps)


def read_reference(
    text: str, *, key_terms: KeyTermMode = "auto", as_published: bool = False
) -> Reference:
    r"""Read the steps and key terms of a reference; white space has neither.

    Markdown lists and bold are read, HTML is not. Key terms: ``bold`` spans, also the matches of
    ``key_terms.toml`` (``rules``), bold where there is any, else the rules (``auto``), or ``none``.
    ``as_published``: bold is the shortest run between two ``**`` on one line. Raises
    PatternTimeoutError. Source: TechSupportEval, section III; also reads references without bold,
    without numbers, and in Dutch.

    >>> reference = read_reference("1. Open **httpd.conf**.\n2. Save it.")
    >>> [step.title for step in reference.steps], reference.terms[0].text
    (['Open httpd.conf.', 'Save it.'], 'httpd.conf')
    """
    bolds = find_bold(text, as_published=as_published)
    steps = find_steps(text, bolds)
    if not steps or key_terms == "none":
        return Reference(text, steps, (), bolds)
    if as_published:
        hits = tuple(RuleHit(bold.text.start, bold.text.end, BOLD) for bold in bolds)
    else:
        starts = frozenset(step.start for step in steps)
        hits = tuple(hit for bold in bolds if (hit := _bold_hit(text, bold, starts)) is not None)
    if key_terms == "rules" or (key_terms == "auto" and not hits):
        hits = find_terms(text, hits)
    return Reference(text, steps, tuple(_term(text, hit, steps) for hit in hits), bolds)


@dataclass(frozen=True, slots=True)
class Bold:
    """A bold span with the asterisks around it."""

    opening: Span
    text: Span
    closing: Span


def find_bold(text: str, *, as_published: bool = False) -> tuple[Bold, ...]:
    """The bold spans in order, each within one paragraph and one list item."""
    return tuple(
        Bold(*(Span(*match.span(name)) for name in ("open", "text", "close")))
        for match in (_PUBLISHED_BOLD if as_published else _BOLD).finditer(text)
    )


def without_markers(text: str, start: int, end: int, bolds: Sequence[Bold]) -> str:
    """The text from ``start`` to ``end`` without the asterisks of bold spans."""
    pieces = []
    for index in range(bisect_right(bolds, start, key=lambda bold: bold.closing.end), len(bolds)):
        bold = bolds[index]
        if bold.opening.start >= end:
            break
        for marker in (bold.opening, bold.closing):
            if start < marker.end and marker.start < end:
                pieces.append(text[start : max(start, marker.start)])
                start = marker.end
    return "".join([*pieces, text[start:end]])


def find_steps(text: str, bolds: Sequence[Bold]) -> tuple[ReferenceStep, ...]:
    """The items of the outermost list; numbers win over bullets. Else each line or sentence."""
    lines = tuple(_lines(text))
    steps: list[ReferenceStep] = []
    for start, body, title_end, end in _items(text, lines) or _plain(text, lines):
        shown = without_markers(text, body, end, bolds).strip()
        if shown:
            title = " ".join(without_markers(text, body, title_end, bolds).split())
            title = title or shown.splitlines()[0].rstrip()
            steps.append(ReferenceStep(len(steps), title, shown, start, end))
    return tuple(steps)


def plain_title(title: str) -> str:
    """A title without case, bold markers and extra white space, for comparison."""
    return " ".join(title.replace("**", "").split()).casefold()


def _bold_hit(text: str, bold: Bold, starts: frozenset[int]) -> RuleHit | None:
    """The bold span without a step's number; None when nothing is left."""
    start, end = bold.text.start, bold.text.end
    if bold.opening.start in starts:
        marker = _MARKER.match(text, bold.opening.start)
        start = start if marker is None else max(start, marker.end())
        start += len(text[start:end]) - len(text[start:end].lstrip())
    return RuleHit(start, end, BOLD) if any(map(str.isalnum, text[start:end])) else None


def _term(text: str, hit: RuleHit, steps: tuple[ReferenceStep, ...]) -> KeyTerm:
    step = max(0, bisect_right(steps, hit.start, key=lambda step: step.start) - 1)
    return KeyTerm(text[hit.start : hit.end], hit.start, hit.end, step, hit.kind)


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    body: int
    end: int
    indent: int
    style: str


_Item: TypeAlias = tuple[int, int, int, int]  # starts of item and text, ends of line and item


def _lines(text: str) -> Iterator[_Line]:
    for match in _LINE.finditer(text):
        line = match.group()
        bare = line.lstrip()
        indent = len(line) - len(bare)
        marker = _MARKER.match(bare)
        style = ""
        if marker is not None:
            style = "step" if marker["word"] else marker["style"] or "bullet"
        body = match.start() + indent + (marker.end() if marker else 0)
        width = sum(_TAB_CHARS if char == "\t" else 1 for char in line[:indent])
        yield _Line(match.start() + indent, body, match.start() + len(line.rstrip()), width, style)


def _items(text: str, lines: Sequence[_Line]) -> list[_Item]:
    marked = [line for line in lines if line.style]
    if not marked:
        return []
    level = min(line.indent for line in marked) + _SLOPPY_CHARS
    outer = [line for line in marked if line.indent <= level]
    style = next((line.style for line in outer if line.style != "bullet"), "bullet")
    return _until_next(text, [(line, line.end) for line in outer if line.style == style])


def _plain(text: str, lines: Sequence[_Line]) -> list[_Item]:
    """The items of a text without a list: its lines, or the sentences of its one line."""
    if not lines:
        return []
    level = min(line.indent for line in lines) + _SLOPPY_CHARS
    first: list[tuple[_Line, int]] = []
    for number, line in enumerate(lines):
        if number and _goes_on(text, lines[number - 1], line):
            if first[-1][1] == lines[number - 1].end:
                first[-1] = (first[-1][0], line.end)
        elif number == 0 or line.indent <= level:
            first.append((line, line.end))
    if len(first) > 1:
        return _until_next(text, first)
    start, end = lines[0].start, lines[-1].end
    sentences = split_sentences(re.sub(r"[\r\n]", " ", text[start:end]), _abbreviations())
    spans = ((start + span.start, start + span.end) for span in sentences)
    return [(first, first, last, last) for first, last in spans]


def _goes_on(text: str, before: _Line, line: _Line) -> bool:
    """Whether a line continues the sentence of the line before."""
    broken = re.fullmatch(r"[ \t]*(?:\r\n|\r|\n)[ \t]*", text[before.end : line.start])
    ended = text[before.start : before.end].rstrip("*_`'\"”’)").endswith(_ENDS_A_STEP)
    return broken is not None and not ended and text[line.start].islower()


def _until_next(text: str, lines: Sequence[tuple[_Line, int]]) -> list[_Item]:
    """Items from lines with the ends of their titles; each ends where the next begins."""
    ends = [*(line.start for line, _ in lines[1:]), len(text)]
    return [
        (line.start, line.body, title_end, line.start + len(text[line.start : end].rstrip()))
        for (line, title_end), end in zip(lines, ends, strict=True)
    ]


@cache
def _abbreviations() -> frozenset[str]:
    """Of both languages, since a reference does not state its own."""
    return frozenset[str]().union(
        *(lexicons.load(language)["abbreviations"].words for language in ("en", "nl"))
    )
