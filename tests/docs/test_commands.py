"""The commands in blocks `console` have the output on the page."""

import shutil

import pytest

from tests.conftest import ROOT
from tests.docs.commands import Reader, is_shown, steps
from tests.docs.test_dutch import has_english_commands

PAGES = [
    page
    for page in sorted((ROOT / "docs").rglob("*.md"))
    if any(not step.file for step in steps(page)) and not has_english_commands(page)
]

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


@pytest.fixture
def reader(tmp_path):
    found = Reader(tmp_path)
    yield found
    found.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT / "docs")))
def test_commands_have_the_output_on_the_page(page, reader):
    for step in steps(page):
        found = reader.run(step)
        assert is_shown(step.shown, found), f"{step.text}\nshows\n{found}"


def test_only_omitted_text_may_differ():
    found = "id  score\na     4.4  send\nb     2.1  block\n"
    assert is_shown("id  score\n…\nb     2.1  bl…\n", found)
    assert not is_shown("id  score\n…\nb     2.2  bl…\n", found)
    assert not is_shown("id  score\n", found)
