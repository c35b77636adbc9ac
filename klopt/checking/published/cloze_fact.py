"""ClozeFact: the reference with a blank for each key term, and what a model filled in for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from klopt.checking.blanks import locate
from klopt.checking.published.reply_shape import Read, answer_of, capped, shown, wrong_shape
from klopt.checking.reference import BOLD, Reference
from klopt.checking.solution import Fill

_NUMBERED: Final = re.compile(r"<?(?:blank)?\s{0,2}(\d{1,6})>?", re.IGNORECASE)


def cloze_test(reference: Reference) -> str:
    """The reference with ``<BLANK 1>``, ``<BLANK 2>`` … for its key terms.

    The asterisks around a bold term go with it. Without key terms it is the reference itself; a
    ``<BLANK 1>`` that stands in the reference already stays.

    Source:
        TechSupportEval, section III-C, phase 1.

    >>> from klopt.checking.reference import read_reference
    >>> cloze_test(read_reference("1. Open **httpd.conf** and **save**."))
    '1. Open <BLANK 1> and <BLANK 2>.'
    """
    return "".join(_pieces(reference))


def read_fills(text: str, blank_count: int, answer: str) -> Read[tuple[Fill, ...]]:
    """One fill for each blank, in order.

    Tolerated, with a note: a blank that is named ``"1"`` or ``"<BLANK 1>"``, a content that is
    null (it counts as unanswerable) or a number, blanks that do not exist, a second content for
    a blank (the first counts), blanks left out, ``{"1": "a"}`` or ``["a", "b"]`` for all blanks.
    The spans are those of the contents in the answer.

    Raises:
        ReplyError: The reply is not JSON, or has another shape.

    >>> read_fills('{"answer": [{"blank": 1, "content": "save"}]}', 1, "Press save.").value[0]
    Fill(blank=1, text='save', status='filled', degree=None, start=6, end=10)
    """
    notes: list[str] = []
    fills: dict[int, Fill] = {}
    for blank, content in _pairs(answer_of(text, notes), blank_count, notes):
        if not 1 <= blank <= blank_count:
            notes.append(f"blank {blank} does not exist; there are {blank_count}")
        elif blank in fills:
            notes.append(f"blank {blank} is filled twice; the first counts")
        else:
            fills[blank] = _fill(blank, content, answer, notes)
    for blank in range(1, blank_count + 1):
        if blank not in fills:
            notes.append(f"blank {blank} is left out")
            fills[blank] = Fill(blank, None, "omitted")
    return Read(tuple(fills[blank] for blank in sorted(fills)), capped(notes))


def _pieces(reference: Reference) -> Iterator[str]:
    text, end = reference.text, 0
    bolds = {bold.text.end: bold for bold in reference.bolds}
    for number, term in enumerate(reference.terms, 1):
        bold = bolds.get(term.end) if term.kind == BOLD else None
        if bold is None:
            yield text[end : term.start]
        else:
            yield text[end : bold.opening.start] + text[bold.opening.end : term.start]
        yield f"<BLANK {number}>"
        end = term.end if bold is None else bold.closing.end
    yield text[end:]


def _pairs(given: object, blank_count: int, notes: list[str]) -> Iterator[tuple[int, object]]:
    if isinstance(given, dict):
        notes.append("the answer is an object of blanks, not a list")
        given = [{"blank": blank, "content": content} for blank, content in given.items()]
    if not isinstance(given, list):
        raise wrong_shape(given, "a list of blanks")
    if given and len(given) == blank_count and all(isinstance(item, str) for item in given):
        notes.append("the answer is a list of texts, read as the blanks in order")
        yield from enumerate(given, 1)
        return
    for item in given:
        if not (isinstance(item, dict) and "blank" in item and "content" in item):
            raise wrong_shape(item, 'an object with "blank" and "content"')
        yield _blank(item["blank"], notes), item["content"]


def _blank(value: object, notes: list[str]) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    number = None
    if isinstance(value, float) and value.is_integer():
        number = int(value)
    elif isinstance(value, str) and (match := _NUMBERED.fullmatch(value.strip())):
        number = int(match[1])
    if number is None:
        raise wrong_shape(value, "the number of a blank")
    notes.append(f"blank {shown(value)} is read as {number}")
    return number


def _fill(blank: int, content: object, answer: str, notes: list[str]) -> Fill:
    if content is None:
        notes.append(f"blank {blank} is null, which counts as unanswerable")
        return Fill(blank, None, "unanswerable")
    if isinstance(content, int | float) and not isinstance(content, bool):
        notes.append(f"blank {blank} is a number, read as text")
        content = str(content)
    if not isinstance(content, str):
        raise wrong_shape(content, f"the text for blank {blank}")
    if content.strip(" \t\r\n.\"'`*").casefold() in ("", "unanswerable"):
        return Fill(blank, content, "unanswerable")
    span = locate(content, answer)
    start, end = (span.start, span.end) if span else (None, None)
    return Fill(blank, content, "filled", start=start, end=end)
