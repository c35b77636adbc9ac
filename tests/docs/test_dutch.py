"""The Dutch pages: the same pages and examples as in English, and readers addressed as "je"."""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

DOCS = ROOT / "docs"
OWN_COMMANDS = ("index.md", "tutorials/bot.md")
"""Pages with Dutch examples, which `test_commands` runs; the others have the English ones."""
PAGES = sorted(str(path.relative_to(DOCS / "nl")) for path in (DOCS / "nl").rglob("*.md"))
_CODE = re.compile(r"^```.*?^```$", re.M | re.S)


def text_of(page: str) -> str:
    return (DOCS / page).read_text("utf-8")


def has_english_commands(page: Path) -> bool:
    """Return whether a page has the same commands as the English one, which is tested."""
    return (
        page.is_relative_to(DOCS / "nl") and str(page.relative_to(DOCS / "nl")) not in OWN_COMMANDS
    )


@pytest.mark.parametrize("page", PAGES)
def test_has_the_headings_and_examples_of_the_english_page(page):
    english, dutch = text_of(page), text_of(f"nl/{page}")
    if page not in OWN_COMMANDS:
        assert _CODE.findall(dutch) == _CODE.findall(english)
    levels = [re.findall(r"^#+(?= )", _CODE.sub("", text), re.M) for text in (english, dutch)]
    assert levels[0] == levels[1]


@pytest.mark.parametrize("page", PAGES)
def test_addresses_the_reader_as_je(page):
    text = re.sub(r"`[^`]*`|“[^”]*”", "", _CODE.sub("", text_of(f"nl/{page}")))
    assert re.findall(r"(?i)\bu(?:w|zelf)?\b", text) == []
