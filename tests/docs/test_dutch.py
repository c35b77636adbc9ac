"""The Dutch pages say what the English say."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.docs import dutch
from tests.docs.dutch import DOCS, PAGES

KEPT = tomllib.loads(dutch.BESIDE.read_text("utf-8"))
ENGLISH = "# One\n\nTwo\nthree.\n\n- four\n- five\n\n```sh\nsix\n\nseven\n```\n\nEight.\n"
DUTCH = "# Een\n\nTwee drie.\n\n- vier\n- vijf\n\n```sh\nsix\n\nseven\n```\n\nAcht.\n"


@pytest.mark.parametrize("page", PAGES)
def test_nothing_changed_in_english_alone(page):
    problems = dutch.behind(dutch.text_of(page), dutch.text_of(f"nl/{page}"), KEPT[page])
    cure = f"mend docs/nl/{page}, then: python -m tests.docs.dutch"
    assert list(problems) == [], cure


@pytest.mark.parametrize("page", sorted(set(PAGES) - set(dutch.OWN_COMMANDS)))
def test_commands_are_those_of_the_english_page_which_are_run(page):
    english, ours = ((DOCS / one).read_text("utf-8") for one in (page, f"nl/{page}"))
    assert dutch.with_code_of(english, ours) == ours, "python -m tests.docs.dutch"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Two\nthree.", "Two three.", []),
        ("Eight.", "Nine.", ["changed: Nine."]),
        ("seven", "eight", ["changed: ```sh\nsix\n\neight\n```"]),
        ("# One\n", "# One\n\nNew.\n", ["changed: New.", "not beside: Two\nthree."]),
        ("Two\nthree.\n\n", "", ["changed: one that went", "not beside: - four\n- five"]),
        (
            "- five",
            "- five\n- six",
            [f"{what}: - four\n- five\n- six" for what in ("changed", "not beside")],
        ),
        ("Eight.\n", "Eight.\n\nNine.\n", ["changed: Nine.", "not beside: Nine."]),
    ],
)
def test_the_paragraph_that_changed_is_named(old, new, told):
    found = dutch.behind(ENGLISH.replace(old, new), DUTCH, dutch.marks(ENGLISH))
    assert list(found) == told


@pytest.mark.parametrize("page", PAGES)
def test_the_reader_is_called_je(page):
    text = re.sub(r"(?ms)^```.*?^```$|`[^`]*`|“[^”]*”", "", dutch.text_of(f"nl/{page}"))
    assert re.findall(r"(?i)\bu(?:w|zelf)?\b", text) == []


def test_every_page_in_dutch_is_kept_beside_one():
    found = {str(path.relative_to(DOCS / "nl")) for path in (DOCS / "nl").rglob("*.md")}
    assert found == set(PAGES) == set(KEPT)
