"""Every command of the documentation runs; what it names exists."""

import gzip
import json
import re
import shlex
import shutil
import tomllib
from importlib.util import find_spec

import pyarrow as pa
import pytest
from pyarrow import parquet

from klopt import Turn
from klopt.logs.pages import read_pages
from klopt.translation import TranslationCache
from tests.cli.conftest import Klopt
from tests.conftest import DEMO, ROOT
from tests.docs.test_printed import DOCUMENTS
from tests.retrieval.conftest import built

ELSEWHERE = (
    *("--model", "--transcripts", "--translator", "--embedder", "encoder:"),
    *("klopt serve", "klopt company review"),
)
"""Commands that need a model, a server or a person; other tests run them."""
ROWS = 20
_BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.M | re.S)


def commands(text: str) -> list[str]:
    """Return the commands of klopt in the blocks of a document that show no output."""
    blocks = "".join(block for kind, block in _BLOCK.findall(text) if kind in ("", "sh"))
    found = re.findall(r"^klopt .+$", blocks.replace("\\\n", " "), re.M)
    lines = (re.split(r" {2,}| #", line)[0] for line in found)
    return [line for line in lines if not any(one in line for one in ELSEWHERE)]


COMMANDS = {page: found for page, text in DOCUMENTS.items() if (found := commands(text))}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """Make a folder with the files that the commands name."""
    folder = tmp_path_factory.mktemp("world")
    shutil.copytree(DEMO / "pages" / "nl", folder / "help")
    lines = (DEMO / "turns.jsonl").read_text("utf-8").splitlines()
    dutch = [row for row in map(json.loads, lines) if row["language"] == "nl"][:ROWS]
    for row in dutch:
        row |= {"our_own_score": row["rating"], "meta": {"solution": row.get("reference")}}
    text = "".join(f"{json.dumps(row)}\n" for row in dutch)
    for name in ("log.jsonl", "rated.jsonl"):
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "logs").mkdir()
    (folder / "logs/2026-01.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    columns = {name: [row[name] for row in dutch] for name in ("id", "question", "answer")}
    contexts = [row["contexts"] for row in dutch]
    parquet.write_table(pa.table(columns | {"contexts": contexts}), folder / "log.parquet")
    (folder / "help.klopt").write_bytes(built(read_pages(folder / "help")))
    opinion = {"id": dutch[0]["id"], "truth": 0.9}
    (folder / "opinions.jsonl").write_text(json.dumps(opinion), encoding="utf-8")
    (folder / "ours.toml").write_text('[profile]\nname = "ours"\nextends = "default"\n')
    with TranslationCache(folder / "ours.sqlite", create=True):
        pass
    (folder / "data").symlink_to(ROOT / "data")
    for name in ("acme/nl", "company", "deploy/index"):
        (folder / name).mkdir(parents=True)
    (folder / "company/rated.jsonl").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("page", COMMANDS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_runs(page, world, tmp_path, monkeypatch):
    shutil.copytree(world, tmp_path, symlinks=True, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    klopt = Klopt()
    for name, first in (
        ("scores.jsonl", ("score", "log.jsonl", "--pages", "help")),
        ("scores.parquet", ("score", "log.jsonl", "--pages", "help")),
        ("judged.jsonl", ("judge", "log.jsonl")),
    ):
        if any(name in line for line in COMMANDS[page]):
            klopt(*first, "-o", name)
    for line in COMMANDS[page]:
        run = klopt(*shlex.split(line)[1:])
        assert run.code == 0, f"{line}\n{run.err}"


TESTED = {
    "README.md": "test_readme",
    "docs/how-to/decide-before-you-answer.md": "test_readme",
    "docs/how-to/adapters.md": "integrations/test_examples",
    "docs/how-to/index-file.md": "docs/test_examples",
    "docs/how-to/laptop-to-cluster.md": "docs/test_examples",
}
"""Documents whose Python examples have a test of their own."""
PYTHON = {
    page: code
    for page, text in DOCUMENTS.items()
    if str(page.relative_to(ROOT)) not in TESTED and page.exists()
    if (code := "".join(block for kind, block in _BLOCK.findall(text) if kind == "python"))
}


@pytest.mark.parametrize("page", PYTHON, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_python_example_runs(page, world, tmp_path, monkeypatch):
    shutil.copy(world / "opinions.jsonl", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DEEPL_API_KEY", "unused")
    names = {"turns": [Turn("Hoe sluit ik?", "Met Alt+F8.", "Sluit met Alt+F7.", language="nl")]}
    if "deepl" in PYTHON[page]:
        names["turns"] = []
    exec(PYTHON[page], names)
    for name, value in re.findall(r"(?m)^(\S.*?)  # ('.*')$", PYTHON[page]):
        assert eval(name, names) == eval(value), name


def test_every_json_and_toml_example_is_valid():
    for page, text in DOCUMENTS.items():
        for kind, block in _BLOCK.findall(text):
            if kind.startswith("toml"):
                tomllib.loads(block)
            if kind.startswith("json") and "…" not in block:
                rows = block.splitlines() if block.startswith("{") and "\n{" in block else [block]
                assert all(isinstance(json.loads(row), dict) for row in rows), page


def code_of(text: str) -> str:
    return "\n".join(re.findall(r"(?ms)^ *```.*?^ *```$|`[^`\n]+`", text))


CODE = {
    page: code_of(text)
    for page, text in DOCUMENTS.items()
    if page.name != "changelog.md" and page.parent.name != "decisions"
}


def test_every_target_module_extra_and_file_in_the_documentation_exists():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    targets = re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"))
    for page, code in CODE.items():
        for target in re.findall(r"(?m)(?:^|`)make ([a-z-]+)", code):
            assert target in targets, f"{page}: make {target}"
        for module in re.findall(r"python -m ((?:benchmarks|training|tests)[\w.]*)", code):
            assert find_spec(module), f"{page}: python -m {module}"
        for names in re.findall(r"klopt\[([\w,-]+)\]|\.\[([\w,-]+)\]", code):
            unknown = set("".join(names).split(",")) - set(extras["optional-dependencies"])
            assert not unknown, f"{page}: extras {unknown}"
        folders = "benchmarks|data|deploy|docs|klopt|tests|training"
        for path in re.findall(rf"`((?:{folders})/[\w./-]+)", code):
            assert (ROOT / path.split("::")[0]).exists(), f"{page}: {path}"
