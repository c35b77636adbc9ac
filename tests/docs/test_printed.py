"""The printed pages of the site are complete, and the other documents agree with the code."""

import html
import json
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from klopt import Profile, Scorer, heuristics
from klopt._internal import shipped
from klopt.cli import COMMANDS, EXIT_BAD_INPUT, EXIT_WRONG_USE, command
from klopt.cli.company.check import EXIT_FOUND
from klopt.retrieval.parts import FORMAT
from tests.cli.conftest import Klopt
from tests.conftest import ROOT

printed = SimpleNamespace(**runpy.run_path(str(ROOT / "docs" / "printed.py")))
PAGES = {name: "\n".join(lines()) for name, lines in printed.PRINTED.items()}
DOCS = ROOT / "docs"
WRITTEN = ("README.md", "CONTRIBUTING.md", "SECURITY.md")
RESULTS = (ROOT / "docs" / "reference" / "results.md").read_text("utf-8")
TUNING = (ROOT / "docs" / "how-to" / "tune.md").read_text("utf-8")
LIMIT_CONSTANT = re.compile(
    r"^([A-Z]\w*LIMIT\w*|LARGEST_\w+|[A-Z]\w*_(?:TIMEOUT_SECONDS|MAX_CHARS)|DEEPEST): Final = \d",
    re.MULTILINE,
)


def test_every_command_has_its_help():
    headings = re.findall(r"^## klopt (.+)$", PAGES["commands"], re.M)
    assert {one.split()[0] for one in headings} == set(COMMANDS)
    assert PAGES["commands"].count("Usage: klopt ") == len(headings)


def test_every_field_of_a_row_is_described():
    found = Scorer.load().score("Hoe sluit ik?", "Met Alt+F8.", "Sluit met Alt+F7.").to_dict()
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|$", PAGES["output"], re.M)
    assert [name for name, kind, text in rows if not kind.strip() or not text.strip()] == []
    names = {name for name, _, _ in rows}
    assert {*found, *found["statements"][0], *found["path"][0]} <= names


def test_every_reason_is_described_here_and_on_the_page_of_results():
    for code in shipped.table("klopt.scoring", "texts", "en.toml")["reasons"]:
        assert f"| `{code}` |" in PAGES["output"]
        assert f"`{code}`" in RESULTS or code == "on_original"


def test_every_feature_has_a_card_with_examples_in_both_languages():
    for one in heuristics.ALL:
        assert f"{{ #{one.name} }}" in PAGES["features"]
    for language in ("Dutch", "English"):
        assert PAGES["features"].count(f'example "{language}"') == len(heuristics.ALL)


def test_every_lexicon_and_option_is_described():
    for name in shipped.table("klopt.lexicons", "schema.toml"):
        assert f"| `{name}` |" in PAGES["lexicons"]
    for one in heuristics.ALL:
        assert all(f"`{option} = " in PAGES["features"] for option in one.options)


def test_the_profile_of_the_page_on_tuning_is_valid():
    (text,) = re.findall(r"```toml\n(\[profile\].*?)```", TUNING, re.S)
    assert Profile.read(text, where="ours.toml", folder=ROOT).send_from == 4.5


def test_compatibility_names_the_index_format_and_the_exit_codes():
    text = (ROOT / "docs" / "reference" / "compatibility.md").read_text("utf-8")
    assert f"(format {FORMAT})" in text
    codes = {0, EXIT_FOUND, EXIT_WRONG_USE, EXIT_BAD_INPUT, 130}
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", text, re.M)} == codes


def documents() -> dict[Path, str]:
    """Return the text of each document and of each page of the site, printed ones included."""
    written = [*(ROOT / name for name in WRITTEN), *sorted(DOCS.rglob("*.md"))]
    found = {path: path.read_text("utf-8") for path in written}
    found |= {DOCS / f"reference/{name}.md": text for name, text in PAGES.items()}
    cells = json.loads((DOCS / "tutorials/notebook.ipynb").read_text("utf-8"))["cells"]
    found[DOCS / "tutorials/notebook.md"] = "\n".join("".join(cell["source"]) for cell in cells)
    for source, place in printed.OUTSIDE.items():
        found[DOCS / place] = printed.brought_in(source)
    return found


DOCUMENTS = documents()


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings of a document."""
    text = re.sub(r"(?ms)^```.*?^```$", "", text)
    stated = re.findall(r"(?m)^#+ .+\{ #(\w+) \}$", text)
    titles = re.findall(r"(?m)^#+ (.+)$", text)
    plain = (re.sub(r"[^\w\s-]", "", title).lower() for title in titles)
    return {*stated, *(re.sub(r"[-\s]+", "-", title) for title in plain)}


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page):
    text = re.sub(r"(?ms)^ *```.*?^ *```$|`[^`\n]*`", "", DOCUMENTS[page])
    for link, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^):]+))?\)", text):
        target = (page.parent / link).resolve() if link else page
        assert target.exists() or target in DOCUMENTS, link
        if anchor and target in DOCUMENTS:
            assert anchor in anchors(DOCUMENTS[target]), f"{link}#{anchor}"


def used_commands() -> Iterator[tuple[str, list[str]]]:
    """Yield the commands in code of the documentation, without comments."""
    for page in (page for page in DOCUMENTS if page.parent.name != "decisions" and page.exists()):
        text = DOCUMENTS[page].replace("\\\n", " ")
        code = "\n".join(re.findall(r"(?ms)^```.*?^```$|`[^`\n]+`", text))
        for line in re.findall(r"(?m)^(?:\$ |`)?klopt ([a-z][^`\n#|]*)", code):
            words = re.split(r"\s{2,}", line)[0].split()
            if words[0] in COMMANDS:
                yield page.name, words


def test_every_command_in_the_documentation_has_its_options():
    used = list(used_commands())
    assert len(used) > 100
    for page, words in used:
        found: click.Command | None = command
        names = iter(words)
        while isinstance(found, click.Group) and (name := next(names, None)):
            found = found.get_command(click.Context(found), name)
        assert found is not None, f"{page}: {words}"
        known = {"--help", *(name for one in found.params for name in one.opts)}
        options = {re.split(r"[=.,)]", one)[0] for one in names if re.match("--?[a-z]", one)}
        assert options <= known, f"{page}: {' '.join(words)}"


@pytest.mark.parametrize(
    ("page", "texts"), [("reference/limits.md", None), ("nl/reference/limits.md", "DUTCH")]
)
def test_the_page_of_limits_is_up_to_date(page, texts):
    printer = runpy.run_path(str(ROOT / "docs" / "limits.py"))
    printed = "\n".join([*printer["limits"](texts and printer[texts]), ""])
    assert (ROOT / "docs" / page).read_text("utf-8") == printed, "python docs/limits.py"


def test_every_limit_is_listed():
    listed = (ROOT / "docs/limits.toml").read_text(encoding="utf-8")
    found = [
        f"klopt.{'.'.join(path.relative_to(ROOT / 'klopt').with_suffix('').parts)}:{name}"
        for path in sorted((ROOT / "klopt").rglob("*.py"))
        for name in LIMIT_CONSTANT.findall(path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 5
    named = [one.replace(".__init__:", ":") for one in found]
    assert [one for one in named if f'"{one}"' not in listed] == []


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
