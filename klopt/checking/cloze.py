"""ClozeFact's test: the reference with a blank in the place of each key term."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from klopt.checking.bold import find_bold
from klopt.checking.reference import BOLD, KeyTerm, Reference

__all__ = ["ClozeTest", "cloze_test"]


@dataclass(frozen=True, slots=True)
class ClozeTest:
    """A text with blanks.

    Attributes:
        text: The reference with ``<BLANK 1>``, ``<BLANK 2>`` … for its terms.
        terms: The terms; blank 1 is the first.
    """

    text: str
    terms: tuple[KeyTerm, ...]


def cloze_test(reference: Reference) -> ClozeTest:
    """The reference with its key terms left out.

    Args:
        reference: What the answer should say. A reference in which ``<BLANK 1>`` stands already
            keeps it.

    Returns:
        The test; the asterisks around a bold term go with it. Without key terms it is the
        reference itself.

    Source:
        TechSupportEval, section III-C, phase 1.

    >>> from klopt.checking.reference import read_reference
    >>> cloze_test(read_reference("1. Open **httpd.conf** and **save**.")).text
    '1. Open <BLANK 1> and <BLANK 2>.'
    """
    return ClozeTest("".join(_pieces(reference)), reference.terms)


def _pieces(reference: Reference) -> Iterator[str]:
    text, end = reference.text, 0
    bolds = {bold.text.end: bold for bold in find_bold(text)}
    for number, term in enumerate(reference.terms, 1):
        bold = bolds.get(term.end) if term.kind == BOLD else None
        if bold is None:
            yield text[end : term.start]
        else:
            yield text[end : bold.opening.start] + text[bold.opening.end : term.start]
        yield f"<BLANK {number}>"
        end = term.end if bold is None else bold.closing.end
    yield text[end:]
