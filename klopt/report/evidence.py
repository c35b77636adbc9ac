"""The explained answer: its sentences with their labels, marked words and passages.

Terminal, pages and notebook all show this view.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from klopt.heuristics import BY_NAME
from klopt.report.wording import brief
from klopt.scoring.assessment import CheckedClaim, PagePlace
from klopt.scoring.explanation import UNKNOWN_NAMES, text_language, texts, window
from klopt.text.markup import read_text
from klopt.text.plain import Block, PlainText
from klopt.text.reader import split_sentences
from klopt.types import Evidence, Measurement

if TYPE_CHECKING:
    from klopt.evaluation.features import Disagreement, Weighed
    from klopt.report.scored import ScoredRow
    from klopt.scoring.assessment import Assessment

__all__ = ["Piece", "Sentence", "ShownAnswer", "around", "link", "sentences", "shown"]

DIFFERS: Final = "differs"  # The kind of a piece that only claim or passage has
QUESTION_CHARS: Final = 1000
ANSWER_CHARS: Final = 6000  # Characters of a question and an answer that are shown
_PASSAGE_CHARS: Final = 240
_PAGE_NAME_CHARS: Final = 120
_NUMBER: Final = re.compile(r"(\d{1,9}[.)])\s")
_BEFORE_CHARS: Final = 24
_WEB: Final = re.compile(r"https?://(?:(?![\"'<>\\^`{|}])[!-~]){1,2000}")
_LINK_WORDS: Final = 8

_Stretch = tuple[int, int, CheckedClaim | None]
_Measured = Mapping[str, "Measurement | Weighed"]
_read: Final = lru_cache(128)(read_text)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, with the kind of its mark."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer, and the evidence for its label.

    ``kind`` is ``supported``, ``fault``, ``unconfirmed`` where no page supports it and nothing else
    is wrong with it, or empty where it makes no claim. ``note`` says what is wrong with it;
    ``passage`` has the page's words, or the nearest ones, and ``where`` its place in words;
    ``lead`` is the number or bullet before it in a list.
    """

    kind: str
    words: tuple[Piece, ...]
    note: str = ""
    passage: tuple[Piece, ...] = ()
    place: PagePlace | None = None
    where: str = ""
    lead: str = ""
    is_heading: bool = False
    claim: CheckedClaim | None = None


class _Unsupported(NamedTuple):
    start: int
    end: int
    fault: str
    text: str


def sentences(
    answer: PlainText,
    claims: Sequence[CheckedClaim],
    measured: _Measured,
    explanation: str,
    language: str | None,
    *,
    is_sent: bool,
) -> tuple[Sentence, ...]:
    """Return all sentences of an answer, in order, with its claims.

    Evidence that the explanation mentions is marked, and so are names that are on no page;
    ``language`` is that of the notes. Nothing in an answer that is sent is called a fault.
    """
    unsupported = () if is_sent else _unsupported(answer, measured, explanation, language)
    leads = _leads(answer)
    headings = {block.start for block in answer.blocks if block.kind == "heading"}
    found = []
    for span in _stretches(answer, claims):
        own = _sentence(answer, span, unsupported, language, is_sent=is_sent)
        is_heading = span[0] in headings
        found.append(replace(own, lead=leads.get(span[0], ""), is_heading=is_heading))
    return tuple(found)


def link(place: PagePlace) -> str:
    """Return the address of the words on a web page; empty where the page has none.

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


def around(
    claim: CheckedClaim, *, with_marks: bool = True, limit_chars: int = _PASSAGE_CHARS
) -> tuple[Piece, ...]:
    """Return the passage of a claim, cut around the words that differ."""
    if claim.passage is None:
        return ()
    return _cut(claim.passage.text, claim.differing if with_marks else (), limit_chars)


def stated(claim: CheckedClaim, limit_chars: int = _PASSAGE_CHARS) -> tuple[Piece, ...]:
    """Return the words of a claim, cut around those that the passage contradicts."""
    return _cut(claim.text, claim.wrong, limit_chars)


def has_counter_evidence(claim: CheckedClaim) -> bool:
    """Whether a page contradicts a claim in words that are known."""
    return claim.relation == "contradicted" and bool(claim.differing or claim.rivals)


def counter_evidence(
    claim: CheckedClaim, limit_chars: int = _PASSAGE_CHARS
) -> tuple[tuple[Piece, ...], int | None]:
    """Return the page's words against a claim, perhaps none, and their line if it is known."""
    if has_counter_evidence(claim) and not claim.differing:
        words = brief(claim.rivals[0][1], limit_chars)
        return (Piece("… "), Piece(words, DIFFERS), Piece(" …")), None
    line = None if claim.passage is None else claim.passage.line
    return around(claim, limit_chars=limit_chars), line


def _cut(text: str, marks: Sequence[tuple[int, int]], limit_chars: int) -> tuple[Piece, ...]:
    start, end = window(text, marks[0][0] if marks else 0, limit_chars)
    before, after = "… " if start else "", " …" if end < len(text) else ""
    return (Piece(before), *_pieces(text, start, end, marks), Piece(after))


def _unsupported(
    answer: PlainText, measured: _Measured, explanation: str, language: str | None
) -> list[_Unsupported]:
    """Return unsupported evidence in order: unknown names, and what the explanation mentions."""
    unsupported = list[_Unsupported]()
    for name in measured.keys() & BY_NAME:
        fault = BY_NAME[name].texts[text_language(language)].get("fault", "").rstrip(".")
        if fault and (name == UNKNOWN_NAMES or fault.partition("{")[0] in explanation):
            fault = fault[0].lower() + fault[1:]
            unsupported += [
                _Unsupported(*answer.plain(each.start, each.end), fault, each.text)
                for each in measured[name].evidence
                if each.kind == "unsupported"
            ]
    return sorted(unsupported)


def _stretches(answer: PlainText, claims: Sequence[CheckedClaim]) -> Iterator[_Stretch]:
    """Yield the claims, and the sentences between them."""
    at = 0
    for claim in sorted(claims, key=attrgetter("start")):
        start, end = answer.plain(claim.start, claim.end)
        start, end = max(at, start), min(end, len(answer.text))
        if start < end:
            yield from _others(answer.text, at, start)
            yield start, end, claim
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
) -> Sentence:
    start, end, claim = stretch
    words = texts(language)
    notes: Mapping[str, str] = words["statements"]
    first, last = (bisect_left(unsupported, at, key=attrgetter("start")) for at in (start, end))
    items: dict[str, dict[str, None]] = {}
    for each in unsupported[first:last]:
        items.setdefault(each.fault, {})[words["quoted"].format(brief(each.text))] = None
    found = [fault.format(items=", ".join(names)) for fault, names in items.items()]
    marks = [(each.start, each.end) for each in unsupported[first:last]]
    kind, where = "fault" if found else "", ""
    place: PagePlace | None = None
    passage: tuple[Piece, ...] = ()
    if claim is not None:
        is_fault, is_unstated = claim.fault and not is_sent, claim.relation == "not_stated"
        if is_fault:
            kind = "fault" if found or not is_unstated else "unconfirmed"
            if kind == "unconfirmed" or not is_unstated:  # "no page names it" says as much
                found.append(notes[claim.relation])
            at, _ = answer.plain(claim.start, claim.end)
            marks += [(at + first, at + last) for first, last in claim.wrong]
        elif not found:
            kind = "supported" if claim.relation == "supported" else "unconfirmed"
        if kind and claim.passage is not None:
            place = claim.passage
            if found and (is_unstated or not is_fault):
                found.append(notes["nearest"])
            page = brief(place.page, _PAGE_NAME_CHARS)
            where = words["explain"]["where"].format(page=page, line=place.line)
            passage = around(claim, with_marks=is_fault)
    pieces = tuple(_pieces(answer.text, start, end, marks))
    return Sentence(kind, pieces, "; ".join(found), passage, place, where, claim=claim)


def _leads(answer: PlainText) -> dict[int, str]:
    """Return the number or bullet of each list item, by the item's first character."""
    leads: dict[int, str] = {}
    items = set()
    for block in answer.blocks:
        item = block.list_number, block.item_number
        if block.kind == "item" and item not in items:
            items.add(item)
            leads[block.start] = _number(answer, block) if block.ordered else "•"
    return leads


def _number(answer: PlainText, item: Block) -> str:
    """Return the number as written, since steps with text between them are separate lists."""
    origin = answer.origins[item.start]
    before = answer.source[max(0, origin - _BEFORE_CHARS) : origin].rpartition("\n")[2]
    written = _NUMBER.search(before)
    return written[1] if written else f"{item.item_number + 1}."


def _pieces(
    text: str, start: int, end: int, marks: Iterable[tuple[int, int]] = ()
) -> Iterator[Piece]:
    """Yield a stretch of a text, a dash between its lines, cut at the ends of marks."""
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


class ShownAnswer(NamedTuple):
    """The answer as far as it is known, and its sentences."""

    text: str
    sentences: tuple[Sentence, ...]


def shown(found: Assessment | ScoredRow | Disagreement, answer: str = "") -> ShownAnswer:
    """Return a scored answer in its sentences; without the answer, those that are claims."""
    text, claims = answer[:ANSWER_CHARS], found.claims
    measured = found.measurements
    by_name: _Measured = (
        measured if isinstance(measured, Mapping) else {each.name: each for each in measured}
    )
    if not text:
        text, claims, by_name = _restored(claims, by_name)
    plain, is_sent = _read(text, "auto" if answer else "plain"), found.verdict == "send"
    about = found.explanation, found.language
    return ShownAnswer(text, sentences(plain, claims, by_name, *about, is_sent=is_sent))


def _restored(
    claims: Sequence[CheckedClaim], measured: _Measured
) -> tuple[str, tuple[CheckedClaim, ...], _Measured]:
    """Return the answer's claims as a text, one a line, and everything at its place in it."""
    lines, moved, at = list[str](), list[CheckedClaim](), 0
    for claim in claims:
        if at > ANSWER_CHARS:
            break
        text = " ".join(claim.text.split())
        wrong = claim.wrong if len(text) == len(claim.text) else ()
        moved.append(replace(claim, text=text, start=at, end=at + len(text), wrong=wrong))
        lines.append(text)
        at += len(text) + 1
    answer = "\n".join(lines)
    found = {}
    for name, one in measured.items():
        evidence = tuple(_moved(each, answer) for each in one.evidence)
        found[name] = Measurement(one.value, one.reason, evidence)
    return answer, tuple(moved), found


def _moved(evidence: Evidence, text: str) -> Evidence:
    """Return evidence at its place in another text; at no place if it is not there."""
    start = text.find(" ".join(evidence.text.split()))
    start, length = (start, len(evidence.text)) if start >= 0 else (0, 0)
    return replace(evidence, start=start, end=start + length)
