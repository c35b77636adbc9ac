"""An answer sentence by sentence, with what the pages say of each: for a terminal and a page."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from klopt.measurement import Evidence, Measurement
from klopt.reading.text import PlainText
from klopt.report.view import Piece, Sentence
from klopt.scoring.explanation import texts
from klopt.scoring.statements import CheckedStatement, window

__all__ = ["around", "sentences"]

DIFFERS: Final = "differs"
"""The kind of a piece that stands only on its side."""
_UNMARKED: Final = frozenset({"confirmation", "order"})
"""Slots that are about whole sentences."""
_MOST_CHARS: Final = 240


def sentences(
    answer: PlainText,
    statements: Sequence[CheckedStatement],
    names: Measurement | None,
    language: str | None,
    *,
    is_sent: bool,
) -> tuple[Sentence, ...]:
    """An answer in its sentences, all of it and in order.

    Args:
        answer: The answer.
        statements: What was held against the pages.
        names: What Components Defined measured; of it the names that no page has are marked.
        language: The language to tell it in.
        is_sent: Whether the answer is sent: nothing in it is then called a fault.
    """
    evidence = names.evidence if names and not is_sent else ()
    unknown = sorted((one for one in evidence if one.kind == "unsupported"), key=_start)
    found: list[Sentence] = []
    at = 0
    for one in sorted(statements, key=lambda one: one.start):
        start, end = answer.plain(one.start, one.end)
        found += _others(answer, at, start, unknown)
        own = _between(unknown, one.start, one.end)
        found.append(_checked(answer, (max(at, start), end), one, own, language, is_sent))
        at = max(at, end)
    return (*found, *_others(answer, at, len(answer.text), unknown))


def around(one: CheckedStatement) -> tuple[Piece, ...]:
    """The page's words beside a statement, cut to what stands around those that differ."""
    if one.passage is None:
        return ()
    text, marks = one.passage.text, one.differing
    start, end = window(text, marks[0][0] if marks else 0, _MOST_CHARS)
    before, after = "… " if start else "", " …" if end < len(text) else ""
    return (Piece(before), *_pieces(text, start, end, marks), Piece(after))


def _checked(
    answer: PlainText,
    span: tuple[int, int],
    one: CheckedStatement,
    own: Sequence[Evidence],
    language: str | None,
    is_sent: bool,
) -> Sentence:
    told = texts(language)["statements"]
    is_fault = (one.fault or bool(own)) and not is_sent
    if not is_fault:
        return Sentence("supported" if not one.fault else "", tuple(_pieces(answer.text, *span)))
    telling = [
        slot
        for slot in one.slots
        if one.fault and slot.side != "for" and slot.kind not in _UNMARKED
    ]
    differing = [(slot.claim.start, slot.claim.end) for slot in telling if slot.claim]
    marks = [answer.plain(*each) for each in (*((n.start, n.end) for n in own), *differing)]
    said = told[one.relation] if one.fault else ""
    if own:
        names = ", ".join(f"“{name.text}”" for name in own)
        said = "; ".join(filter(None, (told["unknown"].format(items=names), said)))
    if not one.fault or one.passage is None:
        return Sentence("fault", tuple(_pieces(answer.text, *span, marks)), said)
    if one.relation == "not_stated":
        said = f"{said}; {told['nearest']}"
    words = tuple(_pieces(answer.text, *span, marks))
    return Sentence("fault", words, said, around(one), one.passage)


def _others(
    answer: PlainText, start: int, end: int, unknown: Sequence[Evidence]
) -> Iterator[Sentence]:
    """What stands between statements, line by line."""
    own = _between(unknown, answer.origins[start], answer.origins[end])
    marks = [answer.plain(one.start, one.end) for one in own]
    for line in answer.text[start:end].splitlines(keepends=True):
        if any(map(str.isalnum, line)):
            first, last = start + len(line) - len(line.lstrip()), start + len(line.rstrip())
            yield Sentence("", tuple(_pieces(answer.text, first, last, marks)))
        start += len(line)


def _between(names: Sequence[Evidence], start: int, end: int) -> Sequence[Evidence]:
    """Of names in order those that start in a stretch of the original."""
    return names[bisect_left(names, start, key=_start) : bisect_left(names, end, key=_start)]


def _start(one: Evidence) -> int:
    return one.start


def _pieces(
    text: str, start: int, end: int, marks: Iterable[tuple[int, int]] = ()
) -> Iterator[Piece]:
    """A stretch of a text, on one line, cut where a mark begins or ends."""
    marked = bytearray(end - start)
    for first, last in marks:
        inside = max(first, start), min(last, end)
        marked[inside[0] - start : max(inside) - start] = b"\1" * max(0, inside[1] - inside[0])
    for is_marked, run in groupby(range(start, end), key=lambda place: marked[place - start]):
        places = list(run)
        words = text[places[0] : places[-1] + 1].replace("\n", " ")
        yield Piece(words, DIFFERS if is_marked else "")
