"""The commands of the first page and the tutorials have the output on the page."""

import shutil

import pytest

from tests.conftest import ROOT
from tests.docs.commands import Reader, is_shown, steps
from tests.docs.test_dutch import OWN_COMMANDS

PAGES = (
    "index.md",
    "how-to/reference-answers.md",
    *(f"nl/{page}" for page in OWN_COMMANDS),
    "explanation/what-it-cannot-see.md",
    "tutorials/bot.md",
    "tutorials/log.md",
    "tutorials/company.md",
)

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


@pytest.fixture
def reader(tmp_path):
    found = Reader(tmp_path)
    yield found
    found.close()


@pytest.mark.parametrize("page", PAGES)
def test_commands_have_the_output_on_the_page(page, reader):
    for step in steps(ROOT / "docs" / page):
        found = reader.run(step)
        assert is_shown(step.shown, found), f"{step.text}\nshows\n{found}"


def test_only_omitted_text_may_differ():
    found = "id  score\na     4.4  send\nb     2.1  block\n"
    assert is_shown("id  score\n…\nb     2.1  bl…\n", found)
    assert not is_shown("id  score\n…\nb     2.2  bl…\n", found)
    assert not is_shown("id  score\n", found)
