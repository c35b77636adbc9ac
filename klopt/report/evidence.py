"""An answer sentence by sentence, with what the pages say of each: for a terminal and a page."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from klopt.heuristics import BY_NAME
from klopt.reading.reader import split_sentences
from klopt.reading.text import Block, PlainText
from klopt.records import Measurement
from klopt.report.wording import brief
from klopt.scoring.assessment import CheckedStatement, PagePlace
from klopt.scoring.explanation import TELLING, said_in, texts, window

if TYPE_CHECKING:
    from klopt.evaluation.disagreements import Weighed

__all__ = ["Piece", "Sentence", "around", "link", "sentences"]

DIFFERS: Final = "differs"
"""The kind of a piece that stands only on its side."""
_MOST_CHARS: Final = 240
_PAGE_CHARS: Final = 120
_NUMBER: Final = re.compile(r"(\d{1,9}[.)])\s")
_BEFORE_CHARS: Final = 24
_WEB: Final = re.compile(r"https?://(?:(?![\"'<>\\^`{|}])[!-~]){1,2000}")
_LINK_WORDS: Final = 8

_Stretch = tuple[int, int, CheckedStatement | None]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, with the kind of its mark."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer, and what the pages say of it.

    Attributes:
        kind: ``supported``, ``fault``, ``unconfirmed`` where all that is wrong with it is that no
            page states it, or empty where nothing is said of it.
        words: The sentence, what differs from the page marked.
        said: What is wrong with it, in words; empty unless it is a fault or unconfirmed.
        passage: What the page says of it, instead of it, or nearest to it.
        place: Where that stands.
        where: The same in words.
        lead: What stands before it in a list.
        is_heading: Whether it is a heading.
        statement: What was held against the pages; None where it is none.
    """

    kind: str
    words: tuple[Piece, ...]
    said: str = ""
    passage: tuple[Piece, ...] = ()
    place: PagePlace | None = None
    where: str = ""
    lead: str = ""
    is_heading: bool = False
    statement: CheckedStatement | None = None


class _Unsupported(NamedTuple):
    start: int
    end: int
    fault: str
    text: str


def sentences(
    answer: PlainText,
    statements: Sequence[CheckedStatement],
    measured: Mapping[str, Measurement | Weighed],
    explanation: str,
    language: str | None,
    *,
    is_sent: bool,
) -> tuple[Sentence, ...]:
    """An answer in its sentences, all of it and in order.

    Args:
        answer: The answer.
        statements: What was held against the pages.
        measured: What each heuristic measured; what the explanation names of it is marked, and the
            names that no page has.
        explanation: Why the score is what it is.
        language: The language to tell it in.
        is_sent: Whether the answer is sent: nothing in it is then called a fault.
    """
    unsupported = () if is_sent else _told(answer, measured, explanation, language)
    leads = _leads(answer)
    headings = {block.start for block in answer.blocks if block.kind == "heading"}
    return tuple(
        _sentence(
            answer,
            span,
            unsupported,
            language,
            is_sent=is_sent,
            lead=leads.get(span[0], ""),
            is_heading=span[0] in headings,
        )
        for span in _stretches(answer, statements)
    )


def link(place: PagePlace) -> str:
    """The address of the words on a page of the web; empty where the page is not named by one.

    >>> link(PagePlace("https://wad.example/hulp", "Klik op Opslaan.", 40, 56, 3))
    'https://wad.example/hulp#:~:text=Klik%20op%20Opslaan%2E'
    >>> link(PagePlace("javascript:alert(1)", "Klik op Opslaan.", 40, 56, 3))
    ''
    """
    if not _WEB.fullmatch(place.page):
        return ""
    first = " ".join(place.text.partition("\n")[0].split()[:_LINK_WORDS])
    words = "".join(
        chr(byte) if chr(byte).isalnum() and byte < 128 else f"%{byte:02X}"
        for byte in first.encode(errors="replace")
    )
    return f"{place.page}{'' if '#' in place.page else '#'}:~:text={words}"


def around(statement: CheckedStatement, *, with_marks: bool = True) -> tuple[Piece, ...]:
    """The page's words beside a statement, cut to what stands around those that differ."""
    if statement.passage is None:
        return ()
    text, marks = statement.passage.text, statement.differing if with_marks else ()
    start, end = window(text, marks[0][0] if marks else 0, _MOST_CHARS)
    before, after = "… " if start else "", " …" if end < len(text) else ""
    return (Piece(before), *_pieces(text, start, end, marks), Piece(after))


def _told(
    answer: PlainText,
    measured: Mapping[str, Measurement | Weighed],
    explanation: str,
    language: str | None,
) -> list[_Unsupported]:
    """What heuristics found unsupported, in order: all names of no page, else what is explained."""
    unsupported = list[_Unsupported]()
    for name in measured.keys() & BY_NAME:
        fault = BY_NAME[name].texts[said_in(language)].get("fault", "").rstrip(".")
        if fault and (name == TELLING or fault.partition("{")[0] in explanation):
            fault = fault[0].lower() + fault[1:]
            unsupported += [
                _Unsupported(*answer.plain(each.start, each.end), fault, each.text)
                for each in measured[name].evidence
                if each.kind == "unsupported"
            ]
    return sorted(unsupported)


def _stretches(answer: PlainText, statements: Sequence[CheckedStatement]) -> Iterator[_Stretch]:
    """The statements, and sentence by sentence what stands between them."""
    at = 0
    for statement in sorted(statements, key=attrgetter("start")):
        start, end = answer.plain(statement.start, statement.end)
        start, end = max(at, start), min(end, len(answer.text))
        if start < end:
            yield from _others(answer.text, at, start)
            yield start, end, statement
            at = end
    yield from _others(answer.text, at, len(answer.text))


def _others(text: str, start: int, end: int) -> Iterator[_Stretch]:
    for sentence in split_sentences(text[start:end], frozenset()):
        if any(map(str.isalnum, text[start + sentence.start : start + sentence.end])):
            yield start + sentence.start, start + sentence.end, None


def _sentence(
    answer: PlainText,
    stretch: _Stretch,
    unsupported: Sequence[_Unsupported],
    language: str | None,
    *,
    is_sent: bool,
    lead: str,
    is_heading: bool,
) -> Sentence:
    start, end, statement = stretch
    words = texts(language)
    told: Mapping[str, str] = words["statements"]
    first, last = (bisect_left(unsupported, at, key=attrgetter("start")) for at in (start, end))
    items: dict[str, dict[str, None]] = {}
    for each in unsupported[first:last]:
        items.setdefault(each.fault, {})[words["quoted"].format(brief(each.text))] = None
    said = [fault.format(items=", ".join(names)) for fault, names in items.items()]
    marks = [(each.start, each.end) for each in unsupported[first:last]]
    kind, where = "fault" if said else "", ""
    place: PagePlace | None = None
    passage: tuple[Piece, ...] = ()
    if statement is not None:
        is_fault, is_unstated = statement.fault and not is_sent, statement.relation == "not_stated"
        if is_fault:
            kind = "fault" if said or not is_unstated else "unconfirmed"
            if kind == "unconfirmed" or not is_unstated:  # "no page names it" says as much
                said.append(told[statement.relation])
            at, _ = answer.plain(statement.start, statement.end)
            marks += [(at + first, at + last) for first, last in statement.wrong]
        elif not said and statement.relation == "supported":
            kind = "supported"
        if kind and statement.passage is not None:
            place = statement.passage
            if said and (is_unstated or not is_fault):
                said.append(told["nearest"])
            page = brief(place.page, _PAGE_CHARS)
            where = words["explain"]["where"].format(page=page, line=place.line)
            passage = around(statement, with_marks=is_fault)
    pieces = tuple(_pieces(answer.text, start, end, marks))
    told_so = "; ".join(said)
    return Sentence(kind, pieces, told_so, passage, place, where, lead, is_heading, statement)


def _leads(answer: PlainText) -> dict[int, str]:
    """What stands before each item of a list, by its first character: its number, or a dot."""
    leads: dict[int, str] = {}
    items = set()
    for block in answer.blocks:
        item = block.list_number, block.item_number
        if block.kind == "item" and item not in items:
            items.add(item)
            leads[block.start] = _number(answer, block) if block.ordered else "•"
    return leads


def _number(answer: PlainText, item: Block) -> str:
    """As it was written, for steps between which something else stands are lists of their own."""
    origin = answer.origins[item.start]
    before = answer.source[max(0, origin - _BEFORE_CHARS) : origin].rpartition("\n")[2]
    written = _NUMBER.search(before)
    return written[1] if written else f"{item.item_number + 1}."


def _pieces(
    text: str, start: int, end: int, marks: Iterable[tuple[int, int]] = ()
) -> Iterator[Piece]:
    """A stretch of a text, a dash between its lines, cut where a mark begins or ends."""
    cuts, is_marked = [start], False
    for first, last in sorted(marks):
        first, last = max(first, cuts[-1] if is_marked else start), min(last, end)
        if first >= last:
            continue
        if is_marked and first == cuts[-1]:
            cuts[-1] = last
        else:
            cuts += first, last
        is_marked = True
    cuts.append(end)
    for number, (first, last) in enumerate(pairwise(cuts)):
        if first < last:
            words = text[first:last].replace("\n", " – ")
            yield Piece(words, DIFFERS if number % 2 else "")
