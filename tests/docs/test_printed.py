"""What the site prints from the code is all there, and what is written by hand agrees with it."""

from __future__ import annotations

import re
import runpy
from types import SimpleNamespace

import pytest

from klopt import Profile, Scorer, heuristics, shipped
from klopt.cli import COMMANDS, EXIT_BAD_INPUT, EXIT_WRONG_USE
from klopt.cli.company.check import EXIT_FOUND
from klopt.indexing.parts import FORMAT
from tests.conftest import ROOT

printed = SimpleNamespace(**runpy.run_path(str(ROOT / "docs" / "printed.py")))
PAGES = {name: "\n".join(lines()) for name, lines in printed.PRINTED.items()}
GUIDE = (ROOT / "docs" / "guide.md").read_text("utf-8")


def test_every_command_has_its_help():
    headings = re.findall(r"^## klopt (.+)$", PAGES["commands"], re.M)
    assert {one.split()[0] for one in headings} == set(COMMANDS)
    assert PAGES["commands"].count("Usage: klopt ") == len(headings)


def test_every_field_of_a_line_is_told():
    found = Scorer.load().score("Hoe sluit ik?", "Met Alt+F8.", "Sluit met Alt+F7.").to_dict()
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|$", PAGES["output"], re.M)
    assert [name for name, kind, told in rows if not kind.strip() or not told.strip()] == []
    told = {name for name, _, _ in rows}
    assert set(found) <= told
    assert set(found["statements"][0]) <= told
    assert set(found["path"][0]) <= told


def test_every_reason_is_told_and_stands_in_the_guide():
    for code in shipped.table("klopt.scoring", "texts", "en.toml")["reasons"]:
        assert f"| `{code}` |" in PAGES["output"]
        assert f"`{code}`" in GUIDE or code == "on_original"


def test_every_feature_has_a_card_with_examples_in_both_languages():
    for one in heuristics.ALL:
        assert f"{{ #{one.name} }}" in PAGES["features"]
    for language in ("Dutch", "English"):
        assert PAGES["features"].count(f'example "{language}"') == len(heuristics.ALL)


def test_every_lexicon_and_option_is_told():
    for name in shipped.table("klopt.lexicons", "schema.toml"):
        assert f"| `{name}` |" in PAGES["lexicons"]
    for one in heuristics.ALL:
        assert all(f"`{option} = " in PAGES["features"] for option in one.options)


def test_the_profile_of_the_guide_is_read():
    (text,) = re.findall(r"```toml\n(\[profile\].*?)```", GUIDE, re.S)
    assert Profile.read(text, where="ours.toml", folder=ROOT).send_from == 4.5


def test_the_promises_are_of_this_index_and_these_exit_codes():
    text = (ROOT / "docs" / "compatibility.md").read_text("utf-8")
    assert f"format {FORMAT};" in text
    codes = {0, EXIT_FOUND, EXIT_WRONG_USE, EXIT_BAD_INPUT, 130}
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", text, re.M)} == codes


def test_attributes_end_where_the_docstring_goes_on():
    told = printed.attributes("A.\n\nAttributes:\n    one: Of\n        two lines.\n\n>>> 1\n1\n")
    assert {name: " ".join(said.split()) for name, said in told.items()} == {"one": "Of two lines."}


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda one: one.name
)
def test_links_lead_somewhere(page):
    made = {f"docs/reference/{name}.md" for name in PAGES} | {"docs/tutorials/notebook.md"}
    made |= {f"docs/{place}" for place in printed.OUTSIDE.values()}
    text = re.sub(r"(?ms)^```.*?^```$|`[^`\n]*`", "", page.read_text("utf-8"))
    for link in re.findall(r"\]\(([^)#:]+)[^):]*\)", text):
        target = (page.parent / link).resolve()
        assert target.exists() or str(target.relative_to(ROOT)) in made, link
