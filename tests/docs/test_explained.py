"""The picture in the README shows the output of its command."""

import html
import re

import pytest

from tests.cli.conftest import Klopt
from tests.conftest import ROOT


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_shows_the_output_of_its_command(theme):
    drawn = (ROOT / "docs" / "assets" / f"explained-{theme}.svg").read_text("utf-8")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", drawn)
    words = html.unescape(" ".join(texts)).split()
    command = re.search(
        r"klopt (explain --demo --id [\w-]+)", html.unescape(drawn).replace("\xa0", " ")
    )
    assert command
    printed = Klopt()(*command[1].split(), "--format", "table", COLUMNS="80")
    plain = re.sub(r"\[[-+]|[-+]\]", "", printed.out)
    assert plain.split() == words[-len(plain.split()) :]
    assert "http" not in re.sub(r'xmlns="[^"]*"', "", drawn).replace(
        "https://www.textualize.io", ""
    )
