"""Keeps the Dutch pages beside the English: python -m tests.docs.dutch, once both say the same.

It writes a mark of each English paragraph to docs/nl/beside.toml, and brings the commands that both
share to the Dutch page; the tests name each paragraph that changed since then.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Iterator
from typing import Final

from tests.conftest import ROOT

DOCS: Final = ROOT / "docs"
BESIDE: Final = DOCS / "nl" / "beside.toml"
OWN_COMMANDS: Final = ("index.md", "tutorials/bot.md")
"""Pages whose commands are others in Dutch, and are run; those of the rest are the English."""
PAGES: Final = (
    *OWN_COMMANDS,
    *("what-it-cannot-see.md", "limits.md", "tutorials/log.md", "tutorials/company.md"),
)
_PARAGRAPH: Final = re.compile(r"^```.*?^```$|(?:^(?!```)[^\n]+\n?)+", re.M | re.S)
_CODE: Final = re.compile(r"^```.*?^```$", re.M | re.S)


def text_of(page: str) -> str:
    """A page without what is printed from the code, and without what is only for the site."""
    text = re.sub(r"\A---\n.*?\n---\n", "", (DOCS / page).read_text("utf-8"), flags=re.S)
    return re.sub(r"(?m)^\|.*\n", "", text) if page.endswith("limits.md") else text


def paragraphs(text: str) -> list[str]:
    """Its paragraphs, headings, lists, tables and blocks of code, in order."""
    return [found.strip() for found in _PARAGRAPH.findall(text)]


def kind(paragraph: str) -> str:
    """What is alike in both languages."""
    if found := re.match(r"```\w+|#+ |!\[", paragraph):
        return found[0]
    return f"text of {len(re.findall(r'^(?:[|]|- )', paragraph, re.M))} rows or points"


def marks(text: str) -> list[str]:
    """Of each paragraph, however its lines are broken."""
    folded = (" ".join(paragraph.split()) for paragraph in paragraphs(text))
    return [hashlib.sha256(paragraph.encode()).hexdigest()[:8] for paragraph in folded]


def behind(english: str, dutch: str, kept: list[str]) -> Iterator[str]:
    """The English paragraphs that changed, and those beside which stands something of another kind.

    Args:
        english: The English page.
        dutch: The Dutch page.
        kept: The marks of the English page when both said the same.
    """
    ours, theirs = paragraphs(english), paragraphs(dutch)
    same = difflib.SequenceMatcher(None, kept, marks(english), autojunk=False)
    for _, _, _, start, end in (code for code in same.get_opcodes() if code[0] != "equal"):
        yield from (f"changed: {paragraph}" for paragraph in ours[start:end] or ["one that went"])
    pairs = zip([*map(kind, ours), "the end"], [*map(kind, theirs), "the end"], strict=False)
    at = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
    if at is not None:
        yield f"not beside: {[*ours, 'the end'][at]}"


def with_code_of(english: str, dutch: str) -> str:
    """The Dutch page with the blocks of code of the English."""
    blocks = iter(_CODE.findall(english))
    return _CODE.sub(lambda found: next(blocks, found[0]), dutch)


def main() -> None:
    """Keeps what the pages are now as the same."""
    lines = ["# Written by python -m tests.docs.dutch: a mark of each paragraph that is in Dutch."]
    for page in PAGES:
        if page not in OWN_COMMANDS:
            path, english = DOCS / "nl" / page, (DOCS / page).read_text("utf-8")
            path.write_text(with_code_of(english, path.read_text("utf-8")), "utf-8")
        lines += [f'"{page}" = [', *(f'  "{mark}",' for mark in marks(text_of(page))), "]"]
    BESIDE.write_text("\n".join([*lines, ""]), "utf-8")


if __name__ == "__main__":
    main()
