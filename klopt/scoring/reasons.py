"""What is told of an answer's statements: what is wrong beside what the page says, or unsure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from klopt.comparing.findings import nearest
from klopt.scoring.statements import CheckedStatement, window

__all__ = ["LONGEST_CHARS", "MOST", "brief", "least_sure", "of_faults"]

MOST = 3
"""So many faults of one kind are told."""
LONGEST_CHARS = 90
"""So much is quoted of a text."""


_END = re.compile(r"[.!?](?=\s)|\n")


def brief(text: str) -> str:
    """A stretch of a text on one line, its first words when it is long."""
    line = " ".join(text.split()).rstrip(".:;,")
    return line if len(line) <= LONGEST_CHARS else f"{line[:LONGEST_CHARS].rsplit(' ', 1)[0]} …"


def of_faults(statements: Sequence[CheckedStatement], words: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with the statements at fault, the worst first, in the pages' own words.

    Args:
        statements: Those of the answer.
        words: The sentences, of the language that it is told in.
    """
    faults = sorted((one for one in statements if one.fault), key=lambda one: one.truth)
    lacking = [one for one in faults if _is_lacking(one)]
    against = [one for one in faults if not _is_lacking(one)]
    for one in sorted((*against[:MOST], *lacking[:1]), key=lambda one: one.truth):
        if _is_lacking(one):
            items = ", ".join(f"“{brief(each.text)}”" for each in lacking[:MOST])
            yield words["not_stated_fault"].format(items=items)
        else:
            answer, page = one.rivals[0] if one.rivals else (_own(one), _nearest(one))
            key = "found_fault" if _is_found(one) else "likely_fault"
            yield words[key].format(answer=answer, page=page)


def least_sure(statements: Sequence[CheckedStatement], words: Mapping[str, str]) -> str:
    """Where to look in an answer in which nothing was found; empty without statements.

    At the statement that is least sure, of those that no place bears out if there are any; what
    only leads in a list is not one.
    """
    telling = [one for one in statements if not one.text.endswith(":")] or statements
    unsure = [one for one in telling if one.relation != "supported"] or telling
    if not unsure:
        return ""
    one = min(unsure, key=lambda one: one.truth)
    key = "least" if one.passage is not None else "least_alone"
    return words[key].format(claim=_own(one), page=_nearest(one))


def _is_lacking(one: CheckedStatement) -> bool:
    """Whether all there is to say is that no page states it."""
    return not one.rivals and (one.relation == "not_stated" or one.passage is None)


def _is_found(one: CheckedStatement) -> bool:
    """Whether there are words that speak against it, and not a chance alone."""
    is_against = any(slot.side == "against" for slot in one.slots)
    return bool(one.rivals) or (is_against and bool(one.wrong or one.differing))


def _own(one: CheckedStatement) -> str:
    """The statement, around the words that are wrong."""
    return _around(one.text, one.wrong[0][0] if one.wrong else 0)


def _nearest(one: CheckedStatement) -> str:
    """The place, around the words that say otherwise, or else those most like the statement."""
    if one.passage is None:
        return ""
    text = one.passage.text
    first = nearest(text, one.text)
    end = _end(text, first)
    there = [start for start, _ in one.differing if first <= start < end]
    return _around(text, min(there or [start for start, _ in one.differing] or [first]))


def _around(text: str, first: int) -> str:
    """The sentence or line around a place, or what there is room for."""
    start, _ = window(text, first, LONGEST_CHARS)
    is_whole = not start or text[:start].endswith((". ", "\n"))
    return f"{'' if is_whole else '… '}{brief(text[start : _end(text, first)])}"


def _end(text: str, first: int) -> int:
    """Where the sentence or line ends in which a place lies."""
    found = _END.search(text, first)
    return found.end() if found else len(text)
