"""The limits in the documentation are those of the code."""

import re
import runpy

import pytest

from tests.conftest import ROOT

CONSTANT = re.compile(
    r"^([A-Z]\w*LIMIT\w*|LARGEST_\w+|[A-Z]\w*_(?:TIMEOUT_SECONDS|MAX_CHARS)|DEEPEST): Final = \d",
    re.MULTILINE,
)


@pytest.mark.parametrize(("page", "texts"), [("limits.md", None), ("nl/limits.md", "DUTCH")])
def test_the_page_is_up_to_date(page, texts):
    printer = runpy.run_path(str(ROOT / "docs" / "limits.py"))
    printed = "\n".join([*printer["limits"](texts and printer[texts]), ""])
    assert (ROOT / "docs" / page).read_text("utf-8") == printed, "python docs/limits.py"


def test_every_limit_is_listed():
    listed = (ROOT / "docs/limits.toml").read_text(encoding="utf-8")
    found = [
        f"klopt.{'.'.join(path.relative_to(ROOT / 'klopt').with_suffix('').parts)}:{name}"
        for path in sorted((ROOT / "klopt").rglob("*.py"))
        for name in CONSTANT.findall(path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 5
    named = [one.replace(".__init__:", ":") for one in found]
    assert [one for one in named if f'"{one}"' not in listed] == []
